#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: formatting, the suite, the suite under sanitizers, and a project
# that uses the installed library.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/install_packages.sh
install_packages "${required_packages[@]}" "${test_packages[@]}"

step() { printf '\n== %s\n' "$*"; }

step "formatting"
git ls-files --cached --others --exclude-standard '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
echo "clang-format has nothing to say"

build_and_test() {  # PRESET
  [ -f "build/$1/build.ninja" ] || cmake --preset "$1" >/dev/null
  cmake --build --preset "$1"
  ctest --preset "$1" -j"$(nproc)"
}

step "tests"
build_and_test dev

step "tests under address and undefined-behaviour sanitizers"
build_and_test asan

step "install and find_package(verne)"
[ -f build/release/build.ninja ] || cmake --preset release -DVERNE_PEERS=ON >/dev/null
cmake --build --preset release
tests/install/run.sh build/release

step "all is well"
