#!/bin/bash
# Makes the root of the image from the Debian package: its programs, the libraries that they load, time zones and
# certificates. No shell, no package manager, nothing that is not used.
#
#     make-root.sh PACKAGE FOLDER      FOLDER/system, and FOLDER/own: what the image's user may write
#
# Runs where the package's dependencies are installed: the libraries are this machine's.
set -euo pipefail

package=$1 root=$2/system own=$2/own
content=$(mktemp -d)
trap 'rm -rf "$content"' EXIT
dpkg-deb --extract "$package" "$content"

rm -rf "$2"
mkdir -p "$root"/{etc/ssl/certs,tmp,usr/bin,usr/lib,usr/lib64,usr/share/doc,var/lib/dpkg/status.d} "$own"/{keys,state}
chmod 1777 "$root/tmp"
# What is mounted there takes over who they belong to.
chmod 700 "$own"/*
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"

cp "$content/usr/bin/energyctl" "$root/usr/bin"
cp -r "$content/usr/lib/gridtide" "$root/usr/lib"
cp -r "$content/usr/share/doc/gridtide" "$root/usr/share/doc"

# Where the loader looks for them, whatever alternative stands there on this machine.
mapfile -t libraries < <(ldd "$root/usr/bin/energyctl" "$root"/usr/lib/gridtide/* | sed -n 's/.*[ \t]\(\/[^ ]*\) (0x.*/\1/p' | sort -u)
if ldd "$root/usr/bin/energyctl" "$root"/usr/lib/gridtide/* | grep 'not found' >&2; then
    echo "these libraries are not installed here: apt-get install $package" >&2
    exit 1
fi
for library in "${libraries[@]}"; do
    target=$root/usr${library#/usr}
    mkdir -p "$(dirname "$target")"
    cp -L "$library" "$target"
done

cp -r /usr/share/zoneinfo "$root/usr/share"
rm -rf "$root/usr/share/zoneinfo"/{posix,right}
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
echo 'gridtide:x:64738:64738:Gridtide:/var/lib/gridtide:/usr/sbin/nologin' >"$root/etc/passwd"
echo 'gridtide:x:64738:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

# Whose files these are, under which terms, and in which version: for people, and for what looks for known weaknesses.
mapfile -t packages < <({ printf '%s\n' tzdata ca-certificates
    for library in "${libraries[@]}"; do
        file=$(readlink -f "$library")
        dpkg-query --search "$file" 2>/dev/null || dpkg-query --search "${file#/usr}"
    done | sed 's/: .*//; s/,.*//'; } | sort -u)
for name in "${packages[@]}"; do
    dpkg-query --status "$name" >"$root/var/lib/dpkg/status.d/${name%%:*}"
    mkdir -p "$root/usr/share/doc/${name%%:*}"
    cp -L "/usr/share/doc/${name%%:*}/copyright" "$root/usr/share/doc/${name%%:*}"
done
