#!/usr/bin/env bash
# What the scripts share. To be sourced; leaves the shell in the repository's root.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
export CCACHE_SLOPPINESS=pch_defines,time_macros
# One job a core; who shares a machine sets CMAKE_BUILD_PARALLEL_LEVEL=1.
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# Prints those of the given Debian packages that are not installed. (dpkg-query fails over one that it has never seen.)
missing_packages() {
    local installed
    installed=$({ dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; } |
        awk '$1 == "installed" { print $2 }')
    printf '%s\n' "$@" | grep -vxF "${installed:-none}" || true
}

# Installs what scripts/packages.txt lists and the machine lacks; says nothing when nothing is lacking.
install_packages() {
    local needed optional missing sudo=() package
    mapfile -t needed < <(grep -v '^[#?]' scripts/packages.txt)
    mapfile -t optional < <(sed -n 's/^? *//p' scripts/packages.txt)
    if ! command -v dpkg-query apt-get >/dev/null; then
        command -v cmake ninja g++ >/dev/null || die "no apt-get here: please install the like of ${needed[*]}"
        return
    fi
    mapfile -t missing < <(missing_packages "${needed[@]}" "${optional[@]}")
    [ ${#missing[@]} -gt 0 ] || return 0

    if [ "$(id -u)" -ne 0 ]; then
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get update -qq >&2
    mapfile -t missing < <(
        missing_packages "${needed[@]}"
        for package in $(missing_packages "${optional[@]}"); do
            [ -z "$(apt-cache madison "$package" 2>/dev/null)" ] || echo "$package"
        done
    )
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing: ${missing[*]}" >&2
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >&2
}

# configure PRESET: once; afterwards ninja itself runs CMake when it must.
configure() {
    [ -f "build/$1/build.ninja" ] || cmake --preset "$1" >&2
}

# build PRESET [TARGET...]: shows progress on a terminal, and otherwise only what goes wrong.
build() {
    local preset=$1 targets=()
    shift
    [ $# -eq 0 ] || targets=(--target "$@")
    configure "$preset" || return
    if [ -t 2 ]; then
        cmake --build --preset "$preset" "${targets[@]}" >&2
    else
        cmake --build --preset "$preset" "${targets[@]}" -- --quiet 2>&1 |
            { grep -vE '^(ninja: no work to do|-- )' || true; } >&2
    fi
}
