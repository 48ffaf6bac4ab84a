# The image of Debian, built without a registry and started.

image_serves() {
    local port
    packaging/docker/build-debian "$work/packages" bookworm localhost/stampede-test || return 1
    port=$(free_port)
    # Networks of containers are another subject: it is in that of this machine. runc and limits that are below the machine's start it
    # inside of containers as well, without systemd and with both versions of control groups.
    podman --storage-driver vfs --cgroup-manager cgroupfs run --runtime runc --rm --name "stampede-test-$$" --no-healthcheck \
        --ulimit nofile=1024:1024 --ulimit nproc=15000:15000 --network host --volume "$root/tests/packages/site:/app:ro" \
        --env "STAMPEDE_LISTEN=127.0.0.1:$port" --env "STAMPEDE_HEALTH_LISTEN=127.0.0.1:$(free_port)" localhost/stampede-test >"$work/image.log" 2>&1 &
    server=$!
    local result=0
    wait_for 60 curl --silent --fail --output "$work/page" "http://127.0.0.1:$port/" || result=1
    podman --storage-driver vfs stop "stampede-test-$$" >/dev/null 2>&1 || true
    wait "$server" || true
    server=''
    cat "$work/image.log" "$work/page"
    [[ $result -eq 0 ]] && grep -q 'Hello from fpm-fcgi' "$work/page"
}

check 'the image of Debian is built without a registry and serves' image_serves
