#!/usr/bin/env bash
# Guards speed by instruction counts, which other work on the machine does not change: callgrind counts single calls of the
# main algorithms and one iteration of two motion tasks (count_instructions.cpp); none may take more than 3 % above the
# number in instruction_counts.txt.
#   instruction_counts.sh PROGRAM           compares
#   instruction_counts.sh --store PROGRAM   stores what is counted now, with the compiler and the C library
#   instruction_counts.sh --self-test       proves on made-up numbers that the guard can fail
set -euo pipefail
stored=$(dirname "${BASH_SOURCE[0]}")/instruction_counts.txt
calls=64  # of each algorithm, as in count_instructions.cpp

# In the words that test.sh looks for.
skip() { # REASON
  printf 'instruction_counts: Skipped\n%s\n' "$1"
  exit 0
}

# Rows "MODEL ALGORITHM COUNT" or "TASK iteration COUNT" of what PROGRAM runs as WHAT, added to FOLDER/counted.
count() { # PROGRAM WHAT INSTRUCTION_SET FOLDER
  local folder=$4 dump
  rm -f "$folder"/out*
  VERNE_INSTRUCTION_SET=$3 valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$folder/out" "$1" "$2" \
    &>"$folder/log" || {
    ! grep -q "is not available here" "$folder/log" || skip "this machine has no AVX2"
    ! grep -q "without valgrind's header" "$folder/log" || skip "count_instructions was built without valgrind's header"
    cat "$folder/log" >&2
    exit 1
  }
  for dump in $(printf '%s\n' "$folder"/out.* | sort -V); do
    LC_ALL=C awk -v calls="$calls" '
      /^desc: Trigger: Client Request: / { sub(/.*Request: /, ""); row = $0 }
      /^totals: / { total = $2 }
      END { if (row != "") printf "%s %.0f\n", row, total / (row ~ / iteration$/ ? 1 : calls) }' "$dump"
  done >>"$folder/counted"
}

# compare STORED COUNTED: says what has changed by how much; fails where a row takes more than 3 % more or is missing.
compare() {
  LC_ALL=C awk '
    FILENAME == ARGV[1] { if ($1 != "#") stored[$1 " " $2] = $3; next }
    {
      row = $1 " " $2
      if (!(row in stored)) { printf "%s is not among the stored numbers\n", row; failed = 1; next }
      change = 100 * ($3 / stored[row] - 1)
      printf "%-42s %12d, stored %12d, %+.2f %%%s\n", row, $3, stored[row], change, (change > 3 ? ": MORE THAN 3 %" : "")
      if (change > 3) failed = 1
      delete stored[row]
    }
    END {
      for (row in stored) { printf "%s was not counted\n", row; failed = 1 }
      exit failed
    }' "$1" "$2"
}

self_test() {
  local folder wrong=0
  folder=$(mktemp -d)
  printf '# built by: made up\narm inverse_dynamics 1000\nwalk iteration 200000\n' >"$folder/stored"
  expect() { # pass|fail COUNTED
    printf "$2" >"$folder/counted"
    local outcome=pass
    compare "$folder/stored" "$folder/counted" >/dev/null || outcome=fail
    [ "$outcome" = "$1" ] || { echo "expected to $1: $2"; wrong=1; }
  }
  expect pass 'arm inverse_dynamics 1029\nwalk iteration 205900\n'
  expect pass 'arm inverse_dynamics 700\nwalk iteration 200000\n'
  expect fail 'arm inverse_dynamics 1031\nwalk iteration 200000\n'
  expect fail 'arm inverse_dynamics 1000\nwalk iteration 206100\n'
  expect fail 'arm inverse_dynamics 1000\n'
  expect fail 'arm inverse_dynamics 1000\nwalk iteration 200000\narm mass_matrix 10\n'
  rm -r "$folder"
  [ "$wrong" = 0 ] && echo "the guard fails where it should"
}

case "${1:-}" in
  --self-test) self_test; exit ;;
  --store) program=$2 ;;
  *) program=$1 ;;
esac
built_by=$("$program" --built-by)
command -v valgrind >/dev/null || skip "valgrind is missing"
if [ "$1" != --store ]; then
  known=$(sed -n 's/^#.*Built by: //p' "$stored")
  [ "$known" = "$built_by" ] || skip "the numbers are of $known, this is $built_by"
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
# AVX-512 is more than callgrind knows. It computes fused products one by one in C: whole iterations go without them.
count "$program" calls avx2 "$folder"
count "$program" tasks baseline "$folder"
if [ "$1" = --store ]; then
  {
    echo "# Instructions a call, or an iteration of a task; see instruction_counts.sh. Built by: $built_by"
    cat "$folder/counted"
  } >"$stored"
  cat "$stored"
else
  compare "$stored" "$folder/counted"
fi
