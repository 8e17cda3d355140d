#!/usr/bin/env bash
# Every ```cpp block of README.md must stand, line for line, in a program under examples/, which the tests build and run.
# Indentation does not count. The check first proves that it can fail.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The lines of standard input without indentation and trailing blanks, with a newline before and after.
plain() { printf '\n'; sed -e 's/^[[:blank:]]*//' -e 's/[[:blank:]]*$//'; }

# occurs TEXT: whether TEXT is a run of whole lines of some example.
occurs() {
  local snippet file text
  snippet=$(plain <<<"$1"; echo .)
  snippet=${snippet%.}
  for file in "$root"/examples/*.cpp; do
    text=$(plain <"$file"; echo .)
    case "${text%.}" in *"$snippet"*) return 0 ;; esac
  done
  return 1
}

if occurs 'int not_in_any_example = 1;'; then echo "this check cannot fail" >&2; exit 1; fi

count=0 failed=0 inside=no block=
while IFS= read -r line; do
  case "$inside$line" in
    'no```cpp') inside=yes block= ;;
    'yes```')
      inside=no count=$((count + 1))
      if ! occurs "${block%$'\n'}"; then
        printf 'README.md: this block is in no example:\n%s\n' "$block" >&2
        failed=1
      fi
      ;;
    yes*) block+=$line$'\n' ;;
  esac
done <"$root/README.md"
[ "$count" -gt 0 ] || { echo "README.md has no cpp block" >&2; exit 1; }
[ "$failed" -eq 0 ] && echo "$count blocks of README.md are cut from the examples"
