# Everything compiled anew, as a release is, and started in systems of its own. Half an hour the first time.

compile_release() {
    (cd "$work/clone" && tools/release snapshot deb-bookworm deb-trixie archive-8.2-amd64 archive-8.4-amd64 archive-8.2-arm64)
    rm -rf "$work/packages" && mkdir "$work/packages"
    cp "$work/clone"/dist/* "$work/packages/"
}

debs_serve() { # RELEASE PHP SUFFIX
    serves_in "packages-test-$1" "$1" "php$2-cli,php-symfony-console,$(libraries_of "$1")" amd64 "dpkg --install /packages/*~$3_*.deb >/dev/null"
}

libraries_of() {
    case $1 in
        bookworm) echo libbrotli1,libc-ares2,libnghttp2-14,libssl3,liburing2,libzstd1,libstdc++6 ;;
        trixie) echo libbrotli1,libc-ares2,libnghttp2-14,libssl3t64,liburing2,libzstd1,libstdc++6 ;;
    esac
}

# An archive and the library, in a system that has none of the libraries: only PHP, OpenSSL and Debian's console.
archive_serves() { # RELEASE PHP ARCH NAME
    serves_in "archive-test-$1-$3" "$1" "php$2-cli,php-symfony-console,unzip" "$3" "
        unzip -q -o /packages/php_stampede-*_php$2-$4-linux-glibc-nts.zip stampede.so -d /usr/lib/php/\$(php -r 'echo basename(ini_get(\"extension_dir\"));')
        mkdir -p /opt/stampede && unzip -q -o /packages/stampede-library-*.zip -d /opt/stampede && chmod 755 /opt/stampede/bin/stampede
        ln -sf /opt/stampede/bin/stampede /usr/local/bin/stampede"
}

check 'a release is compiled for two versions of PHP and two processors' compile_release
check 'the packages of bookworm serve in bookworm' debs_serve bookworm 8.2 deb12u1
check 'the packages of trixie serve in trixie' debs_serve trixie 8.4 deb13u1
cp "$work"/first/stampede-library-*.zip "$work/packages/"
check 'the archive of PHP 8.2 serves in bookworm' archive_serves bookworm 8.2 amd64 x86_64
check 'the archive of PHP 8.4 serves in trixie' archive_serves trixie 8.4 amd64 x86_64
check 'the archive for arm64 serves in bookworm, under qemu' archive_serves bookworm 8.2 arm64 arm64
