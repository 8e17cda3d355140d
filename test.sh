#!/usr/bin/env bash
# Installs what is missing, builds and runs every test: formatting, the suite, which has a stranger's project that uses the
# installed libraries, and under sanitizers the part of it in which they can find faults. scripts/check_clang.sh does the
# suite with the other compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source scripts/install_packages.sh
source scripts/build.sh

times=()
step() { # TITLE COMMAND...
  local title=$1 begin=$SECONDS
  shift
  printf '\n== %s\n' "$title"
  "$@"
  times+=("$(printf '%5d s  %s' $((SECONDS - begin)) "$title")")
}

formatting() {
  git ls-files --cached --others --exclude-standard '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
  echo "clang-format has nothing to say"
}
run_tests() { # PRESET
  ctest --preset "$1" -j"$(nproc)"
  # What parts of the suite left out, and why: ctest keeps that to itself.
  LC_ALL=C awk -v root="$PWD/" '/: Skipped$/ { at = $1; sub(root, "", at); getline; print "skipped, " at " " $0 }' \
    "build/$1/Testing/Temporary/LastTest.log" | sort | uniq -c
}

step "packages" install_packages "${required_packages[@]}" "${test_packages[@]}"
step "formatting" formatting
step "build" build_preset dev
step "tests" run_tests dev
step "build with address and undefined-behaviour sanitizers" build_preset asan verne_tests \
  -DVERNE_PLAIN_BUILD="$PWD/build/dev"
step "tests under sanitizers" run_tests asan

printf '\n== all is well\n'
printf '%s\n' "${times[@]}"
