# What the parts of tests/packages share. Sourced by tests/packages/run, in the folder of the tree.

passed=0 failed=0
work=$(mktemp -d)
server='' # the process that serves in a chroot
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# check SENTENCE COMMAND...: the sentence is true when the command ends well.
check() {
    local sentence=$1
    shift
    if "$@" >"$work/output" 2>&1; then
        echo "ok $sentence"
        passed=$((passed + 1))
    else
        echo "not ok $sentence"
        tail -n 20 "$work/output" | sed 's/^/    /'
        failed=$((failed + 1))
    fi
}

# refuses SENTENCE COMMAND...: the command fails, and what it says has these words.
refuses() {
    local words=$1 output
    shift
    ! output=$("$@" 2>&1) && [[ $output == *"$words"* && $(wc -l <<<"$output") -eq 1 ]] || { echo "$output"; return 1; }
}

# A copy of the tree as a commit of it would be.
copy_of_tree() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [[ -e $file ]] && printf '%s\0' "$file"
    done | tar -c --null -T - | tar -x -C "$1"
}

# wait_for SECONDS COMMAND...
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [[ $SECONDS -lt $end ]] || return 1
        sleep 0.2
    done
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# serves_in NAME RELEASE PACKAGES ARCH SETUP: a fresh system with these packages of Debian, in which SETUP installs Stampede from /packages
# ($work/packages), serves a plain application over HTTPS with a certificate of its own, and a client of this machine fetches its page.
serves_in() {
    local name=$1 release=$2 packages=$3 arch=$4 setup=$5 port
    packaging/chroot "$name" "$release" "$packages" --arch "$arch" -- true || return 1
    port=$(free_port)
    # Its process is ended by itself: the shell and what it starts become the server.
    packaging/chroot "$name" "$release" "$packages" --arch "$arch" --bind "$work/packages:/packages" --bind "$root/tests/packages/site:/srv/site" -- /bin/sh -ec "
        $setup
        exec stampede serve /srv/site --listen=https://127.0.0.1:$port --workers=1 --user=www-data" >"$work/server.log" 2>&1 &
    server=$!
    local result=0
    wait_for 120 fetch_or_end "$port" || result=1
    [[ -s $work/page ]] || result=1
    end_server
    [[ $result -eq 0 ]] || { cat "$work/server.log"; return 1; }
    cat "$work/page"
    grep -q 'Hello from fpm-fcgi over on' "$work/page"
}

# Under qemu the supervisor was seen not to notice that its worker has ended: it is ended then, the page is what is tested.
end_server() {
    kill "$server" 2>/dev/null || true
    wait_for 20 not_there "$server" || kill -9 "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=''
}

not_there() {
    [[ ! -e /proc/$1 || $(ps -o stat= -p "$1") == Z* ]]
}

fetch_or_end() {
    rm -f "$work/page"
    curl --silent --fail --insecure --max-time 10 --output "$work/page" "https://127.0.0.1:$1/" || ! kill -0 "$server" 2>/dev/null
}
