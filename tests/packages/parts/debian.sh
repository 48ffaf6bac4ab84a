# Debian's packages, around the module that make build has left.

release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
php=$(php -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
version=$(sed -nE 's/^#define STAMPEDE_VERSION "(.*)"$/\1/p' ext/module.h)
systems=php$php-cli,php-symfony-console,libbrotli1,libc-ares2,libnghttp2-14,libssl3,liburing2,libzstd1,libstdc++6

build_debian_packages() {
    copy_of_tree "$work/debian/source"
    packaging/debian-source "$work/debian/source" "$version" "$php" "$release"
    (cd "$work/debian/source" && STAMPEDE_MODULE="$root/modules/stampede.so" DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage --build=binary --no-sign --no-check-builddeps)
    mkdir -p "$work/packages" && cp "$work"/debian/*.deb "$work/packages/"
}

unit_is_right() {
    mkdir -p "$work/unit/etc/stampede" "$work/unit/usr/bin"
    dpkg-deb -x "$work"/packages/stampede_*_all.deb "$work/unit"
    sed "s|/usr/bin/stampede|$work/unit/usr/share/stampede/bin/stampede|" "$work"/unit/lib/systemd/system/stampede@.service >"$work/stampede@shop.service"
    SYSTEMD_LOG_LEVEL=notice systemd-analyze verify --man=no "$work/stampede@shop.service" 2>&1 | tee "$work/verified"
    [[ ! -s $work/verified ]]
}

completion_offers() {
    bash -c '
        source "$1"
        COMP_WORDS=(stampede serve --env = p) COMP_CWORD=4 && _stampede && [[ ${COMPREPLY[*]} == prod ]] || exit 1
        COMP_WORDS=(stampede rel) COMP_CWORD=1 && _stampede && [[ ${COMPREPLY[*]} == reload ]] || exit 1
        COMP_WORDS=(stampede serve --health-l) COMP_CWORD=2 && _stampede && [[ ${COMPREPLY[*]} == --health-listen= ]]
    ' bash "$work/unit/usr/share/bash-completion/completions/stampede"
}

page_names_every_option() {
    local page option
    page=$(man --local-file --warnings "$work"/unit/usr/share/man/man1/stampede.1.gz 2>"$work/man-warnings" | col -b)
    [[ ! -s $work/man-warnings ]] || { cat "$work/man-warnings"; return 1; }
    for option in $(grep -oE "OptionDefinition\('[a-z-]+'" php/src/Config/Configuration.php | cut -d"'" -f2); do
        grep -q -- "--$option" <<<"$page" || { echo "--$option is missing"; return 1; }
    done
}

check 'the packages are built around a module that is compiled already' build_debian_packages
check 'lintian finds nothing in them' lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$work"/packages/*.deb
check 'systemd finds nothing in the unit' unit_is_right
check 'the unit is exposed to less than 4.5 of 10' systemd-analyze security --offline=true --threshold=45 "$work/stampede@shop.service"
check 'the manual page names every option, without a warning of groff' page_names_every_option
check 'bash completes commands, options and their values' completion_offers
check 'the packages serve an application over HTTPS in a fresh system' \
    serves_in "packages-test-$release" "$release" "$systems" "$(dpkg --print-architecture)" 'dpkg --install /packages/php*-stampede_*.deb /packages/stampede_*.deb >/dev/null'
