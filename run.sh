#!/usr/bin/env bash
# Builds Verne (installing what it needs on Debian) and runs it: ./run.sh [verne arguments]
# Without arguments it predicts the fastest motion of a two-link arm and says where the report lies.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/scripts/install_packages.sh"
source "$root/scripts/build.sh"
install_packages "${required_packages[@]}"

(cd "$root" && build_preset native verne_app) || exit 3

verne=$root/build/native/bin/verne
if [ $# -gt 0 ]; then exec "$verne" "$@"; fi

cd "$root"
printf '$ verne predict tasks/two_link_min_time.yaml -o out/two_link_min_time\n\n'
"$verne" predict tasks/two_link_min_time.yaml -o out/two_link_min_time
printf '\nNext: ./run.sh --help, ./run.sh predict tasks/arm7_around_obstacle.yaml, ./run.sh view models/humanoid.yaml\n'
