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

# The build with sanitizers uses what processors have left while tests wait, for a browser for example: it comes second
# to them. In a process group of its own, so that it ends where this ends early.
sanitized_build=0
start_sanitized_build() {
  mkdir -p build
  set -m
  {
    renice -n 19 "$BASHPID" || true
    build_preset asan verne_tests -DVERNE_PLAIN_BUILD="$PWD/build/dev"
  } &>build/sanitized.log &
  sanitized_build=$!
  set +m
  trap '((sanitized_build == 0)) || kill -- "-$sanitized_build"' EXIT
}
finish_sanitized_build() {
  local build=$sanitized_build
  tail -n 1 -f --pid="$build" build/sanitized.log # signs of life
  sanitized_build=0
  wait "$build" || { cat build/sanitized.log >&2; return 1; }
}

# What all of this cost, also beside other work: user and system time of everything that was run.
processor_time() {
  local times_of
  times_of=$(mktemp)
  times >"$times_of"
  LC_ALL=C awk '{ for (i = 1; i <= 2; ++i) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] } }
                END { printf "%.1f processor-minutes (user + system), of 25\n", sum / 60 }' "$times_of"
  rm "$times_of"
}

step "packages" install_packages "${required_packages[@]}" "${test_packages[@]}"
step "formatting" formatting
step "build" build_preset dev
start_sanitized_build
step "tests, beside a build with address and undefined-behaviour sanitizers" run_tests dev
step "the rest of that build" finish_sanitized_build
step "tests under sanitizers" run_tests asan

printf '\n== all is well\n'
printf '%s\n' "${times[@]}"
processor_time
