# The start pages, block by block, in systems that have nothing but Debian: the packages that all-archives.sh has left in $work/packages.

# follows PAGE RELEASE: what the page says leads to the end without an error, and to a page by HTTPS.
follows() {
    local page=$1 release=$2
    tests/docs/run --packages "docs/site/start/$page.md" >"$work/packages/$page.sh" || return 1
    timeout 300 packaging/chroot "start-pages-$release" "$release" "ca-certificates,curl,openssl,procps" --bind "$work/packages:/packages" -- /bin/bash -c "
        mkdir /tmp/release && cd /tmp/release && cp /packages/*.deb . && export COMPOSER_ALLOW_SUPERUSER=1 STAMPEDE_USER=www-data DEBIAN_FRONTEND=noninteractive
        ${STAMPEDE_START_PAGES_SETUP:-}
        time bash -o pipefail /packages/$page.sh"
}

for release in bookworm trixie; do
    for page in laravel symfony wordpress psr15 swoole; do
        check "the start page of $page is true in $release" follows "$page" "$release"
    done
done
