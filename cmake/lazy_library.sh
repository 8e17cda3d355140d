#!/usr/bin/env bash
# Writes stubs, in assembler, of the functions that objects call in shared libraries: the first call of any of them loads
# its library (src/base/lazy_library.cpp), later ones are a jump. Whoever is linked with the stubs in place of the
# libraries starts without loading them.
#   lazy_library.sh OUTPUT LIBRARY... -- OBJECT...
set -euo pipefail
output=$1
shift
libraries=()
while [ "$1" != -- ]; do libraries+=("$1") && shift; done
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm --undefined-only --format=posix "$@" | awk 'NF > 1 {print $1}' | LC_ALL=C sort -u >"$work/wanted"

{
  cat <<'END'
# Made by cmake/lazy_library.sh. Each stub has an entry: the library, the function, and where to jump, which is at first
# the code behind the stub.
	.text
	.type	.Lfind, @function
.Lfind:	# r11: an entry. All registers that may hold arguments are kept.
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$208, %rsp
END
  registers=(rdi rsi rdx rcx r8 r9 rax r10 r11)
  for i in "${!registers[@]}"; do printf '\tmovq\t%%%s, %d(%%rsp)\n' "${registers[i]}" $((8 * i)); done
  for i in {0..7}; do printf '\tmovups\t%%xmm%d, %d(%%rsp)\n' "$i" $((80 + 16 * i)); done
  printf '\tmovq\t(%%r11), %%rdi\n\tmovq\t8(%%r11), %%rsi\n\tcall\tverne_find_lazily\n'
  printf '\tmovq\t64(%%rsp), %%r11\n\tmovq\t%%rax, 16(%%r11)\n\tmovq\t%%rax, %%r11\n'
  for i in {0..7}; do printf '\tmovq\t%d(%%rsp), %%%s\n' $((8 * i)) "${registers[i]}"; done
  for i in {0..7}; do printf '\tmovups\t%d(%%rsp), %%xmm%d\n' $((80 + 16 * i)) "$i"; done
  printf '\tleave\n\t.cfi_def_cfa %%rsp, 8\n\tjmp\t*%%r11\n\t.cfi_endproc\n\t.hidden\tverne_find_lazily\n'

  number=0
  for library in "${libraries[@]}"; do
    soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    nm -D --defined-only --format=posix "$library" | sed 's/@[^ ]*//' | awk '{print $1, $2}' | LC_ALL=C sort -u >"$work/defined"
    LC_ALL=C join "$work/wanted" "$work/defined" >"$work/found"
    data=$(awk '$2 !~ /^[TWi]$/ {print $1}' "$work/found" | c++filt)
    [ -z "$data" ] || { echo "lazy_library.sh: $library is not loaded lazily while this is used of it, which is no function: $data" >&2; exit 1; }
    awk '$2 ~ /^[Ti]$/ {print $1}' "$work/found" >"$work/functions"
    [ -s "$work/functions" ] || { echo "lazy_library.sh: nothing of $library is used" >&2; exit 1; }
    printf '\n\t.section\t.rodata\n.Llibrary_%s:\t.string\t"%s"\n' "$number" "$soname"
    sed -E "s/(.*)/STUB \1 .Llibrary_$number/" "$work/functions"
    LC_ALL=C comm -23 "$work/wanted" "$work/functions" >"$work/rest"
    mv "$work/rest" "$work/wanted"
    number=$((number + 1))
  done | awk '$1 != "STUB" {print; next}
    {
      n++
      printf "\t.section\t.rodata\n.Lname_%d:\t.string\t\"%s\"\n", n, $2
      printf "\t.section\t.data.rel.local,\"aw\"\n\t.balign\t8\n.Lentry_%d:\t.quad\t%s, .Lname_%d, .Lfirst_%d\n", n, $3, n, n
      printf "\t.text\n\t.globl\t%s\n\t.hidden\t%s\n\t.type\t%s, @function\n%s:\tjmp\t*16+.Lentry_%d(%%rip)\n", $2, $2, $2, $2, n
      printf ".Lfirst_%d:\tleaq\t.Lentry_%d(%%rip), %%r11\n\tjmp\t.Lfind\n", n, n
    }'
  printf '\t.section\t.note.GNU-stack,"",@progbits\n'
} >"$work/stubs"
mv "$work/stubs" "$output"
