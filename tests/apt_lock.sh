#!/usr/bin/env bash
# Who builds on a fresh machine waits for the locks of apt that its own updates hold: tests/apt_lock.sh
# The real apt-get, with folders of its own, while somebody holds each of its locks in turn.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/install_packages.sh"
if ! command -v apt-get >/dev/null || ! command -v python3 >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "needs apt-get, python3 and root: is not available here"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,dpkg}
touch "$work/dpkg/status"
export APT_CONFIG=$work/apt.conf
cat >"$APT_CONFIG" <<END
Dir::State "$work/state";
Dir::State::status "$work/dpkg/status";
Dir::Cache "$work/cache";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "/dev/null";
END

# waits FILE WORD...: `apt-get WORD...` while another process holds FILE for a while.
waits() {
  local lock=$1 holder said
  shift
  python3 - "$lock" <<'END' &
import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.lockf(file, fcntl.LOCK_EX)
open(sys.argv[1] + ".held", "w")
while not __import__("os").path.exists(sys.argv[1] + ".done"): time.sleep(0.05)
END
  holder=$!
  until [ -e "$lock.held" ]; do sleep 0.05; done
  # It is let go once it has been waited for.
  (
    until grep -q 'Waiting for another program' "$work/said"; do sleep 0.05; done
    touch "$lock.done"
  ) &
  : >"$work/said"
  apt_get "$@" 2>"$work/said" || { echo "apt-get $* failed while $lock was held:" >&2; cat "$work/said" >&2; touch "$lock.done"; exit 1; }
  wait
  said=$(grep -c Waiting "$work/said")
  [ "$said" -eq 1 ] && grep -q "held by process $holder" "$work/said" || { cat "$work/said" >&2; exit 1; }
}
waits "$work/state/lists/lock" update
waits "$work/dpkg/lock-frontend" install -y
waits "$work/dpkg/lock" install -y

# What fails for another reason fails at once, with apt's words.
if apt_get install -y no-such-package 2>"$work/said"; then exit 1; fi
grep -q 'Unable to locate package no-such-package' "$work/said"
echo "apt's locks are waited for"
