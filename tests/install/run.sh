#!/usr/bin/env bash
# Installs a build into a fresh prefix and builds a small project against it: tests/install/run.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$here/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/consumer" >/dev/null
"$work/consumer/consumer" "$work/prefix/share/verne/models/two_link.yaml"
"$work/prefix/bin/verne" info "$work/prefix/share/verne/models/two_link.yaml" >/dev/null
echo "the installed library and program work"
