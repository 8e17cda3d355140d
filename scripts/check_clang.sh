#!/usr/bin/env bash
# The other compiler: builds everything with clang++, the fuzz targets too, and runs the suite.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh
source scripts/build.sh
install_packages "${required_packages[@]}" "${test_packages[@]}"

build_preset clang
ctest --preset clang -j"$(nproc)"
for target in fuzz_urdf fuzz_yaml fuzz_state; do build_preset fuzz "$target"; done
echo "clang++ builds everything, and the suite passes"
