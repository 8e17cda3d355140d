#!/usr/bin/env bash
# Signs of life while a build is silent: this one goes on when it has seen some, in the middle of a line.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/build.sh"
shown=$(mktemp)
trap 'rm "$shown"' EXIT
silent_build() {
  printf -- '-- Installing packages\n[1/'
  until grep -q '^Title: Installing packages, [0-9]* s$' "$shown"; do sleep 0.1; done
  printf '9] Building\n'
}
silent_build | show_progress Title 2>"$shown"
