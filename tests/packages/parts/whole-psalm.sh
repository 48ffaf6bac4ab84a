# The stubs under Psalm, which finds functions and constants in files that are named one by one alone.

psalm_knows_the_stubs() {
    mkdir -p build/psalm
    if [[ ! -x build/psalm/vendor/bin/psalm ]]; then
        echo '{"require": {"vimeo/psalm": ">=5.18"}, "config": {"allow-plugins": true}}' >build/psalm/composer.json
        COMPOSER_ALLOW_SUPERUSER=1 composer --working-dir=build/psalm install --quiet --no-interaction || return 1
    fi
    rm -rf build/psalm/stubs && packaging/stubs/build . 0.0.0 build/psalm/stubs
    {
        echo '<?xml version="1.0"?><psalm errorLevel="8" xmlns="https://getpsalm.org/schema/config">'
        echo "<projectFiles><directory name=\"$root/examples/hello\"/><directory name=\"$root/examples/mcp\"/></projectFiles>"
        sed "1d; s|vendor/stampede/stubs/|$root/build/psalm/stubs/|" build/psalm/stubs/psalm.xml
        echo '</psalm>'
    } >build/psalm/psalm.xml
    php -d memory_limit=2G -d error_reporting=0 build/psalm/vendor/bin/psalm --root="$root/build/psalm" -c "$root/build/psalm/psalm.xml" --no-progress --no-diff --no-cache --threads=1 --output-format=compact
}

check 'Psalm finds what the examples use in the stubs' psalm_knows_the_stubs
