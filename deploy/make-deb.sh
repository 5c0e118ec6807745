#!/bin/bash
# Builds the executables with Swift's runtime in them, and packs them: `make deb` calls it. The package is the last line.
#
# SCRATCH=.build-deb  folder for what is built
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=${SCRATCH:-.build-deb}
services=(guidance-publisher event-ingestor insight-service scheduler device-simulator energy-dashboard)
build=(swift build -c release --static-swift-stdlib --scratch-path "$scratch")

# One by one: what only tests need cannot be linked so.
for executable in energyctl "${services[@]}"; do "${build[@]}" --product "$executable" >&2; done
built=$("${build[@]}" --show-bin-path)

version=$(sed -n '1s/.*(\(.*\)).*/\1/p' deploy/debian/changelog)
says=$("$built/scheduler" --version)
if [ "$says" != "scheduler $version" ]; then
    echo "deploy/debian/changelog begins with $version, but the executable is $says: begin it with that version" >&2
    exit 1
fi

# All that goes into the package: what make install puts below /, and what only a package has.
stage=$scratch/package
rm -rf "$stage"
mkdir -p "$stage"/{root,licenses,units}
cp -r deploy/debian deploy/README.md "$stage"
make --no-print-directory install \
    PREFIX=/usr UNITS=/lib/systemd/system DESTDIR="$PWD/$stage/root" EXECUTABLES="$built" GENERATED="$stage/generated" >&2

# On this machine a package starts its services with the keys that were made when it was installed.
for service in "${services[@]}"; do
    mkdir "$stage/units/gridtide-$service.service.d"
    sed "s/@SERVICE@/$service/g" deploy/debian/keys.conf.in \
        >"$stage/units/gridtide-$service.service.d/keys.conf"
done

# What is linked in wants its terms passed on.
for package in "$scratch"/checkouts/*/; do
    mkdir "$stage/licenses/$(basename "$package")"
    find "$package" -maxdepth 1 \( -iname 'LICENSE*' -o -iname 'NOTICE*' \) \
        -exec cp -t "$stage/licenses/$(basename "$package")" {} +
done
mkdir "$stage/licenses/swift"
cp "$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt" "$stage/licenses/swift"

export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l deploy/debian/changelog -S Timestamp)
(cd "$stage" && dpkg-buildpackage --build=binary --no-sign --no-pre-clean) >&2
echo "$scratch/gridtide_${version}_$(dpkg --print-architecture).deb"
