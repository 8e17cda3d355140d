#!/usr/bin/env bash
# What a reviewer need not say: clang-format and clang-tidy on the C++ that changed: scripts/check.sh [BASE | FILE...]
# BASE is what to compare with (default: main, or origin/main where that is checked out); files that are not committed count.
# A file takes some ten seconds. Exits with 1 where there is something to change.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh

changed_files() { # BASE
  git diff --name-only --diff-filter=d "$(git merge-base "$1" HEAD)" -- '*.h' '*.cpp'
  git ls-files --others --exclude-standard -- '*.h' '*.cpp'
}
default_base() {
  [ "$(git branch --show-current)" = main ] && git rev-parse -q --verify origin/main && return
  git rev-parse -q --verify main || git rev-parse HEAD
}

if [ $# -gt 0 ] && [ -f "$1" ]; then
  files=("$@")
else
  base=${1:-$(default_base)}
  git rev-parse -q --verify "$base^{commit}" >/dev/null || { echo "check.sh: '$base' is neither a file nor a commit" >&2; exit 2; }
  mapfile -t files < <(changed_files "$base" | sort -u)
fi
[ ${#files[@]} -gt 0 ] || { echo "no C++ has changed"; exit 0; }

install_packages "${required_packages[@]}" "${test_packages[@]}" clang-tidy
failed=0
clang-format --dry-run --Werror "${files[@]}" || failed=1

# One entry for each file: no unity files, no precompiled headers. Only configured, never built.
folder=build/check
mkdir -p build
[ -f "$folder/build.ninja" ] || cmake --preset clang -B "$folder" -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DVERNE_WEB=OFF -DVERNE_PYTHON=ON >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 3; }
for file in "${files[@]}"; do
  case "$file" in *.h) continue ;; esac  # seen where they are included
  echo "$file"
  # Tests are compiled in groups: their paths are not in the list of commands.
  clang-tidy --quiet -p "$folder" --extra-arg=-I"$PWD"/tests --extra-arg=-I"$PWD"/src --extra-arg=-I"$PWD"/include \
    --extra-arg=-I"$PWD" "$file" 2> >(grep -vE 'warnings? (and [0-9]+ errors? )?generated' >&2) || failed=1
done
exit "$failed"
