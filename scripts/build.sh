# Sourced by run.sh, test.sh and check_clang.sh: builds, with signs of life since they take minutes.

# show_progress TITLE: reads what ninja prints and shows how far it is on standard error, on a terminal in one line that is
# overwritten, elsewhere in a line now and then. Silent where there is nothing to do.
show_progress() {
  local title=$1 line shown='' next=$((SECONDS + 2))
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    ((SECONDS >= next)) || continue
    if [ -t 2 ]; then
      printf '\r%s: %d of %d, %d s ' "$title" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS" >&2
      next=$((SECONDS + 1))
    else
      printf '%s: %d of %d, %d s\n' "$title" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "$SECONDS" >&2
      next=$((SECONDS + 20))
    fi
    shown=yes
  done
  if [ -n "$shown" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# build_preset PRESET [TARGET [CONFIGURE OPTIONS...]]: configures where that has not been done, and builds; prints what was
# said if it fails.
build_preset() {
  local preset=$1 target=${2:-all} folder=build/$1 title="Building $1"
  shift $(($# < 2 ? $# : 2))
  mkdir -p "$folder"
  {
    { [ -f "$folder/build.ninja" ] || cmake --preset "$preset" "$@"; } && cmake --build --preset "$preset" --target "$target"
  } 2>&1 | tee "$folder/build.log" | show_progress "$title" || { cat "$folder/build.log" >&2; return 1; }
}
