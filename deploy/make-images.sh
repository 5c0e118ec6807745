#!/bin/bash
# Packs the Debian package and what it loads into an image: `make images` calls it. The image's name is the last line.
#
# SCRATCH=.build-deb  folder for what is built
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=${SCRATCH:-.build-deb}
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' deploy/debian/changelog)
image=localhost/gridtide:$version

deploy/images/make-root.sh "$scratch/gridtide_${version}_$(dpkg --print-architecture).deb" "$scratch/image-root"
# The stages before `root` are those of a machine without Swift.
buildah build --build-context root="$scratch/image-root" --file deploy/images/Containerfile --tag "$image" deploy/images >&2
echo "$image"
