#!/usr/bin/env bash
# Every ```cpp block of README.md, docs/cpp.md and docs/how-do-i.md must stand, line for line, in a program under examples/, which the tests build and run.
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

failed=0
for page in README.md docs/cpp.md docs/how-do-i.md; do
  count=0 inside=no block=
  while IFS= read -r line; do
    case "$inside$line" in
      'no```cpp') inside=yes block= ;;
      'yes```')
        inside=no count=$((count + 1))
        if ! occurs "${block%$'\n'}"; then
          printf '%s: this block is in no example:\n%s\n' "$page" "$block" >&2
          failed=1
        fi
        ;;
      yes*) block+=$line$'\n' ;;
    esac
  done <"$root/$page"
  [ "$count" -gt 0 ] || { echo "$page has no cpp block" >&2; exit 1; }
done
[ "$failed" -eq 0 ] && echo "the C++ of README.md, docs/cpp.md and docs/how-do-i.md is cut from the examples"
