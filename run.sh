#!/usr/bin/env bash
# Builds Verne (installing what it needs on Debian) and runs it: ./run.sh [verne arguments]
# Without arguments it shows a model and evaluates one state of it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/scripts/install_packages.sh"
install_packages "${required_packages[@]}"

build() {
  cd "$root"
  [ -f build/release/build.ninja ] || cmake --preset release -DVERNE_PEERS=ON
  cmake --build --preset release
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -x "$root/build/release/bin/verne" ]; then echo "Building Verne (two minutes on two cores) ..." >&2; fi
(build) >"$log" 2>&1 || { cat "$log" >&2; exit 3; }

verne=$root/build/release/bin/verne
if [ $# -gt 0 ]; then exec "$verne" "$@"; fi

cd "$root"
run() { printf '\n$ verne %s\n' "$*"; "$verne" "$@"; }
run info models/two_link.yaml
printf '\n$ echo %s | verne eval models/two_link.yaml --want tau,joint_wrenches\n' "'{\"q\": [0.3, -1], \"a\": [1, 2]}'"
echo '{"q": [0.3, -1], "a": [1, 2]}' | "$verne" eval models/two_link.yaml --want tau,joint_wrenches
printf '\nNext: ./run.sh --help, ./run.sh info models/humanoid.yaml, ./run.sh bench models/arm7.yaml\n'
