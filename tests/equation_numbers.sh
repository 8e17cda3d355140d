#!/usr/bin/env bash
# Equations of docs/theory are numbered in the order of the text: who follows a number from the code finds it.
#   equation_numbers.sh ROOT
set -euo pipefail
cd "${1:?usage: $0 ROOT}/docs/theory"

count=0
for file in *.md; do
  # \tag{12}, or the (12), (12a) that ends a display
  numbers=$(grep -oE '\\tag\{[0-9]+[a-z]?\}|\\qquad *\([0-9]+[a-z]?\) *\$\$' "$file" | grep -oE '[0-9]+[a-z]?' || true)
  if ! sort --check=quiet --unique -V <<<"$numbers"; then
    echo "docs/theory/$file: equations are not in order: $(tr "\n" " " <<<"$numbers")" >&2
    exit 1
  fi
  count=$((count + $(grep -c . <<<"$numbers" || true)))
done
[[ $count -gt 100 ]] || { echo "only $count numbered equations found" >&2 && exit 1; }
echo "$count equations are in order"
