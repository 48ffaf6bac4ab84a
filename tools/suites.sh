# For scripts that run several suites: each is timed, its output kept, its counts added up.
# A suite's last line of the form "N passed, M failed" is its count; without one it counts as one passed or failed.
# Sourced by tools/test and .ci/run; nested runs add to the file the outer one named in STAMPEDE_RESULTS.

suites_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
suites_logs=${STAMPEDE_LOGS:-$suites_root/build/logs}
mkdir -p "$suites_logs"
suites_nested=${STAMPEDE_RESULTS:+yes}
export STAMPEDE_RESULTS=${STAMPEDE_RESULTS:-$suites_logs/results.$$}
[[ -n $suites_nested ]] || : >"$STAMPEDE_RESULTS"

# suite NAME COMMAND...: never ends the script; the result is remembered.
suite() {
    local name=$1 log started status=0 passed failed line
    shift
    log="$suites_logs/${name//[^a-zA-Z0-9.-]/-}.log"
    started=$SECONDS
    echo "== $name"
    STAMPEDE_RESULTS='' "$@" >"$log" 2>&1 || status=$?
    line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n1 || true)
    read -r passed failed <<<"$(sed -E 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/' <<<"${line:-}")" || true
    if [[ -z $line ]]; then
        passed=$((status == 0)) failed=$((status != 0))
    elif [[ $status -ne 0 && $failed -eq 0 ]]; then
        failed=1 # it counted no failure but did not end well
    fi
    printf '%s\t%d\t%d\t%d\n' "$name" "$passed" "$failed" $((SECONDS - started)) >>"$STAMPEDE_RESULTS"
    if [[ $failed -ne 0 ]]; then
        tail -n "${SUITE_TAIL:-60}" "$log"
        grep -aE -A4 '^(not ok|FAIL) ' "$log" | head -n 60 || true
        echo "-- $name FAILED after $((SECONDS - started)) s; all its output: $log"
    else
        echo "   $passed passed in $((SECONDS - started)) s"
    fi
}

# Prints the table and the closing line; returns 1 when anything failed.
suites_finish() {
    [[ -n $suites_nested ]] && return 0
    local passed failed
    echo
    awk -F '\t' 'BEGIN { printf "%-34s %8s %8s %8s\n", "suite", "passed", "failed", "seconds" }
                 { printf "%-34s %8d %8d %8d\n", $1, $2, $3, $4 }' "$STAMPEDE_RESULTS"
    read -r passed failed <<<"$(awk -F '\t' '{ p += $2; f += $3 } END { print p + 0, f + 0 }' "$STAMPEDE_RESULTS")"
    echo
    rm -f "$STAMPEDE_RESULTS"
    echo "$passed passed, $failed failed"
    [[ $failed -eq 0 && $passed -gt 0 ]]
}
