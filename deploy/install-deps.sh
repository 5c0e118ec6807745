#!/bin/bash
# Installs the Debian packages that are missing, and says which; looks whether Swift is there.
#
#     install-deps.sh [PACKAGE...]   these too: what packing and the tests of deploy/ need besides
set -euo pipefail

packages=(
    libzmq3-dev libsodium-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler libsqlite3-dev
    coinor-libcbc-dev liblz4-dev libqrencode-dev libxml2 python3-venv zbar-tools help2man zsh fish
    zlib1g-dev chromium chromium-driver libpq-dev postgresql openssl dnsmasq-base iproute2
    "$@"
)

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null; then
        echo "Missing, and this is no Debian to install them on: ${missing[*]}" >&2
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "Missing: ${missing[*]}. Install them as root: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
        echo "Installing ${missing[*]}; sudo may ask for your password."
    else
        echo "Installing ${missing[*]}."
    fi
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q --yes --no-install-recommends "${missing[@]}"
fi

if ! command -v swift >/dev/null; then
    echo "Swift 6.2 or later is needed and not in PATH. For Debian 12: https://www.swift.org/install/linux/" >&2
    exit 1
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -1)
if [ "$(printf '%s\n' 6.2 "${version:-0}" | sort --version-sort | head -1)" != 6.2 ]; then
    echo "Swift ${version:-of unknown version} is installed; 6.2 or later is needed: https://www.swift.org/install/linux/" >&2
    exit 1
fi
