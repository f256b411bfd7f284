# What the script tests share (see fulgurite_add_script_test): to be sourced, with the arguments of the script.
# shellcheck shell=bash disable=SC2034

set -euo pipefail
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
passed=0 failed=0
summarise() {
    local status=$?
    rm -rf "$scratch"
    if [ "$status" -eq 0 ]; then
        echo "[summary] $passed passed, $failed failed, 0 skipped"
        [ "$failed" -eq 0 ] || exit 1
    fi
}
trap summarise EXIT

# check NAME COMMAND...: one test, passed when the command succeeds; shows what a failing one prints.
check() {
    local name=$1
    shift
    if "$@" >"$scratch/output" 2>&1; then
        passed=$((passed + 1))
        echo "passed: $name"
    else
        failed=$((failed + 1))
        tail -n 40 "$scratch/output"
        echo "FAILED: $name"
    fi
}
