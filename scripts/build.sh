# Sourced by run.sh, test.sh and check_clang.sh: builds, with signs of life since they take minutes.

# show_progress TITLE: reads what CMake and ninja print and shows how far they are on standard error, on a terminal in one
# line that is overwritten, elsewhere in a line now and then; also while they are silent, as during `npm ci` or a long
# file. Says nothing where it takes less than two seconds.
show_progress() {
  local title=$1 line='' part doing=working shown='' next=$((SECONDS + 2)) status
  while true; do
    status=0
    IFS= read -r -t 1 part || status=$?
    line+=$part  # a read that runs out of time may have seen the begin of a line
    if ((status == 0)); then
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
        doing="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      elif [[ $line == '-- '* ]]; then
        doing=${line#-- }
      fi
      line=''
    elif ((status <= 128)); then
      break
    fi
    ((SECONDS >= next)) || continue
    if [ -t 2 ]; then
      printf '\r\033[K%s: %s, %d s ' "$title" "$doing" "$SECONDS" >&2
      next=$((SECONDS + 1))
    else
      printf '%s: %s, %d s\n' "$title" "$doing" "$SECONDS" >&2
      next=$((SECONDS + 20))
    fi
    shown=yes
  done
  if [ -n "$shown" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# build_preset PRESET [TARGET [CONFIGURE OPTIONS...]]: configures where that has not been done, and builds; prints what was
# said if it fails. As many at a time as there are processors: one more, which is ninja's default, takes a tenth longer on
# two of them, since compilers are never idle and push each other out of the caches.
build_preset() {
  local preset=$1 target=${2:-all} folder=build/$1 title="Building $1"
  shift $(($# < 2 ? $# : 2))
  mkdir -p "$folder"
  {
    { [ -f "$folder/build.ninja" ] || cmake --preset "$preset" "$@"; } &&
      cmake --build --preset "$preset" --target "$target" --parallel "$(nproc)"
  } 2>&1 | tee "$folder/build.log" | show_progress "$title" || { cat "$folder/build.log" >&2; return 1; }
}
