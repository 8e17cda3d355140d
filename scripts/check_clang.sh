#!/usr/bin/env bash
# The other compiler: builds libraries, program and tests with clang++, the fuzz targets too, and runs the suite. Not what
# it would say nothing new of: other libraries as oracles, the Python package, archives.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh
source scripts/build.sh
install_packages "${required_packages[@]}" "${test_packages[@]}"

build_preset clang
ctest --preset clang -j"$(nproc)"
build_preset fuzz fuzzers
echo "clang++ builds libraries, program and fuzz targets, and the suite passes"
