# The start pages, block by block, in systems that have nothing but Debian: the packages that all-archives.sh has left in $work/packages.

# What a machine in a closed network needs: the authorities that it trusts are the systems', too, and where wordpress.org cannot be reached curl gets Debian's WordPress for it.
stand_ins() {
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
