#!/usr/bin/env bash
# Runs what the docs show: tests/docs_examples.sh VERNE_PROGRAM
#   docs/cli.md           each `$ command` of a ```console block must print what stands below it, numbers to six decimals
#   docs/quickstart.md, your-robot.md, how-do-i.md
#                         files are saved as the text says, then each `$ command` must succeed and print what stands below it, if anything
#   docs/model-format.md  each complete model of a ```yaml block must load, and all of one name must give the same torques
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$1")" "$work/bin/verne"
PATH=$work/bin:$PATH
cd "$root"
failed=0

# Cuts digits after the sixth decimal, and zeros at the end: rounding may differ between processors.
short() { sed -E -e 's/(\.[0-9]{6})[0-9]+/\1/g' -e 's/(\.[0-9]*[1-9])0+([^0-9]|$)/\1\2/g' -e 's/\.0+([^0-9]|$)/\1/g'; }

# same NAME FOUND EXPECTED
same() {
  [ "$(${numbers:-short} <<<"$2")" = "$(${numbers:-short} <<<"$3")" ] && return
  printf '%s:\n-- found\n%s\n-- expected\n%s\n' "$1" "$2" "$3" >&2
  failed=1
}

count=0 inside=no command='' expected=''
check() {
  [ -n "$command" ] || return 0
  same "docs/cli.md: $command" "$(bash -c "$command" 2>&1)" "${expected%$'\n'}"
  count=$((count + 1)) command='' expected=''
}
while IFS= read -r line; do
  case "$inside$line" in
    'no```console') inside=yes ;;
    'yes```') check && inside=no ;;
    'yes$ '*) check && command=${line#'$ '} ;;
    yes*) expected+=$line$'\n' ;;
  esac
done <docs/cli.md

# guide NAME: saves the files that docs/NAME.md asks for (`save this as `FILE``) into a folder of their own, and runs its commands
# there, in their order.
guide() {
  local page=docs/$1.md found
  folder=$work/$1
  mkdir "$folder"
  mkdir "$folder/out"
  ln -s "$root/examples" "$root/models" "$root/tasks" "$folder"
  awk -v folder="$folder" '
    match($0, /[Ss]ave this as `[^`]+`/) { name = substr($0, RSTART + 14, RLENGTH - 15) }
    /^```yaml/ && name { inside = 1; next }
    /^```/ { if (inside) { close(folder "/" name); name = "" } inside = 0; next }
    inside { print > (folder "/" name) }' "$page"
  command='' expected='' inside=no
  while IFS= read -r line; do
    case "$inside$line" in
      'no```console') inside=yes ;;
      'yes```') check_step "$page" && inside=no ;;
      'yes$ '*) check_step "$page" && command=${line#'$ '} ;;
      yes*) expected+=$line$'\n' ;;
    esac
  done <"$page"
}
check_step() { # PAGE
  [ -n "$command" ] || return 0
  local found
  found=$(cd "$folder" && bash -c "$command" 2>&1) || same "$1: $command" "$found" "(success)"
  [ -z "$expected" ] || same "$1: $command" "$found" "${expected%$'\n'}"
  count=$((count + 1)) command='' expected=''
}
numbers=cat guide quickstart  # to the last digit: with joints at zero all processors round alike
guide your-robot
guide how-do-i

awk -v folder="$work" '
  /^```yaml/ { inside = 1; text = ""; next }
  /^```/ { if (inside && text ~ /^format:/) printf "%s", text > (folder "/model" ++n ".yaml"); inside = 0; next }
  inside { text = text $0 "\n" }' docs/model-format.md
first=
for model in "$work"/model*.yaml; do
  torques=$(echo '{"q": [0.3, -1], "v": [1, 2], "a": [3, 4]}' | verne eval "$model" --want tau)
  same "docs/model-format.md: $(grep convention "$model")" "$torques" "${first:=$torques}"
  count=$((count + 1))
done

[ "$count" -gt 5 ] || { echo "found only $count examples in the docs" >&2; exit 1; }
[ "$failed" -eq 0 ] && echo "$count examples of the docs do what the docs say"
