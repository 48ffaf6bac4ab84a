# make release: what it refuses, and that it makes the same files each time. In a clone, whose tree has nothing of this one's state.

clone_tree() {
    git init --quiet "$work/clone"
    copy_of_tree "$work/clone"
    git -C "$work/clone" -c core.autocrlf=false add --all
    git -C "$work/clone" -c user.name=test -c user.email=test@example.com -c commit.gpgsign=false commit --quiet --message test --date '2026-01-02T03:04:05Z'
}

folder_without_zip() {
    mkdir -p "$work/few"
    for program in dirname git php python3 sha256sum; do
        ln -sf "$(command -v "$program")" "$work/few/"
    done
    echo "$work/few"
}

same_twice() {
    (cd "$work/clone" && tools/release snapshot source library stubs) || return 1
    cp -r "$work/clone/dist" "$work/first"
    (cd "$work/clone" && tools/release snapshot source library stubs) || return 1
    diff -r "$work/first" "$work/clone/dist"
    (cd "$work/clone/dist" && sha256sum --check --strict SHA256SUMS)
}

described() {
    python3 - "$work/clone/dist" <<'END'
import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
bom = json.loads(next(folder.glob('*.cdx.json')).read_text())
statement = json.loads(next(folder.glob('*.intoto.json')).read_text())
names = {path.name for path in folder.iterdir()}
assert bom['bomFormat'] == 'CycloneDX' and bom['specVersion'] == '1.5'
assert statement['_type'] == 'https://in-toto.io/Statement/v1' and statement['predicateType'] == 'https://slsa.dev/provenance/v1'
assert {subject['name'] for subject in statement['subject']} | {path.name for path in folder.glob('*.json')} | {'SHA256SUMS'} == names
assert {part['name'] for part in bom['components'] if part['type'] == 'file'} <= names
assert next(folder.glob('CHANGES-*.md')).read_text().strip()
END
}

library_runs_alone() {
    mkdir -p "$work/library" && (cd "$work/library" && unzip -q -o "$work"/clone/dist/stampede-library-*.zip)
    # The console is the system's, as in Debian's package.
    STAMPEDE_EXTENSION="$root/modules/stampede.so" php "$work/library/bin/stampede" --version | grep -q '^Stampede '
}

stubs_have_every_constant() {
    php -n -d extension="$root/modules/stampede.so" -r '
        $stubs = file_get_contents($argv[1]);
        $there = array_filter(array_keys(get_defined_constants(true)["swoole"]), fn ($name) => str_starts_with($name, "SWOOLE_"));
        $missing = array_filter($there, fn ($name) => !str_contains($stubs, "const {$name} = "));
        echo implode(" ", $missing), "\n";
        exit(count($there) > 300 && $missing === [] ? 0 : 1);' "$work/stubs/stubs/constants.php"
}

stubs_fit_the_examples() {
    mkdir -p "$work/stubs" && (cd "$work/stubs" && unzip -q -o "$work"/clone/dist/stampede-stubs-*.zip)
    [[ -x build/phpstan/vendor/bin/phpstan ]] || COMPOSER_ALLOW_SUPERUSER=1 composer --working-dir=tools/phpstan install --quiet --no-interaction
    printf 'includes:\n    - %s/stubs/extension.neon\nparameters:\n    level: 6\n    tmpDir: %s/phpstan\n    treatPhpDocTypesAsCertain: false\n    paths:\n        - %s/examples/hello\n        - %s/examples/llm-proxy\n        - %s/examples/mcp\n' \
        "$work" "$work" "$root" "$root" "$root" >"$work/phpstan.neon"
    # Without the extension: it is the stubs that say what there is.
    php -d memory_limit=1G build/phpstan/vendor/bin/phpstan analyse -c "$work/phpstan.neon" --no-progress --error-format=raw
}

refuses_new_symbols() {
    ! packaging/check-symbols modules/stampede.so || return 1
    { packaging/check-symbols modules/stampede.so 2>&1 || true; } | grep -q 'libraries that differ between distributions: .*libnghttp2'
}

check 'a module that is linked for this machine is no archive' refuses_new_symbols
check 'a commit of this tree can be cloned' clone_tree
cd "$work/clone"
check 'a version that is not semantic is refused' refuses 'is no semantic version' tools/release 1.2 library
check 'a version without a section of CHANGELOG.md is refused' refuses 'CHANGELOG.md has no section' tools/release 99.0.0 library
check 'a release without a version is refused' refuses 'Which version?' tools/release
check 'a missing program is named with its package' refuses 'apt-get install zip' env PATH="$(folder_without_zip)" /bin/bash tools/release snapshot library
touch "$work/clone/forgotten"
check 'a tree with changes is refused' refuses 'not committed' tools/release snapshot library
rm "$work/clone/forgotten"
cd "$root"
check 'a release is the same each time it is made' same_twice
check 'its components and its provenance are described' described
check 'the library runs without Composer' library_runs_alone
check 'PHPStan finds what the examples use in the stubs' stubs_fit_the_examples
check 'the stubs have every constant of the module' stubs_have_every_constant
