# The start pages, block by block, in systems that have nothing but Debian: the packages that whole-archives.sh has left in $work/packages.

# What a machine in a closed network needs: the authorities that it trusts are the systems', too; where wordpress.org cannot be reached curl gets Debian's WordPress for it; and
# where a copy of Packagist has new versions alone, Laravel is made without a tool for developers that has none for PHP 8.2 there.
stand_ins() {
    cat >"$work/packages/composer" <<'END'
#!/bin/bash
if [[ $* != *create-project*laravel/laravel* || $(php -r 'echo PHP_VERSION_ID;') -ge 80300 ]] || /usr/bin/composer show --all laravel/pint 1.24.0 &>/dev/null; then
    exec /usr/bin/composer "$@"
fi
set -e
/usr/bin/composer "$@" --no-install --no-scripts
cd "${@: -1}"
/usr/bin/composer remove --dev --no-update laravel/pint
/usr/bin/composer update --no-interaction
cp .env.example .env && touch database/database.sqlite
php artisan key:generate && php artisan migrate --force
END
    chmod 755 "$work/packages/composer"
    cp /etc/ssl/certs/ca-certificates.crt "$work/packages/authorities.crt"
    if ! getent hosts wordpress.org >/dev/null; then
        tar --create --gzip --dereference --directory=/usr/share --exclude=wp-config.php --file="$work/packages/wordpress.tar.gz" wordpress
        cat >"$work/packages/curl" <<'END'
#!/bin/bash
[[ $* == *https://wordpress.org/latest.tar.gz* ]] && exec cat /packages/wordpress.tar.gz
exec /usr/bin/curl "$@"
END
        chmod 755 "$work/packages/curl"
    fi
}

# follows PAGE RELEASE: what the page says leads to the end without an error, and to a page by HTTPS.
follows() {
    local page=$1 release=$2
    tests/docs/run --packages "docs/site/start/$page.md" >"$work/packages/$page.sh" || return 1
    timeout 300 packaging/chroot "start-pages-$release" "$release" "ca-certificates,curl,openssl,procps" --bind "$work/packages:/packages" -- /bin/bash -c "
        mkdir /tmp/release && cd /tmp/release && cp /packages/*.deb . && cat /packages/authorities.crt >/etc/ssl/certs/ca-certificates.crt
        export PATH=/packages:\$PATH COMPOSER_ALLOW_SUPERUSER=1 DEBIAN_FRONTEND=noninteractive
        time bash -o pipefail /packages/$page.sh"
}

check 'what start pages need besides is there' stand_ins
for release in bookworm trixie; do
    for page in laravel symfony wordpress psr15 swoole; do
        check "the start page of $page is true in $release" follows "$page" "$release"
    done
done
