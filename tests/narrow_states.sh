#!/usr/bin/env bash
# In the AVX-512 kernels of one state, only what packs columns uses registers of 512 bits (src/dynamics/kernels.cmake says
# why); dynamics and kinematics do not.
#   narrow_states.sh OBJDUMP OBJECT...
set -euo pipefail
objdump=$1
shift
for object in "$@"; do
  [[ $object == *table_single.cpp* ]] && single=$object
done
[[ -n ${single:-} ]] || { echo "the kernels of one state are not among the objects" >&2 && exit 1; }
wide=$("$objdump" -d -C --no-show-raw-insn "$single" |
  awk '/^[0-9a-f]+ <.*>:$/ { name = $0 } /%zmm/ { wide[name] = 1 } END { for (name in wide) print name }')
[[ $wide == *"::solve_columns<"* ]] || { echo "columns are not packed: is this the right object?" >&2 && exit 1; }
if grep -F 'avx512::Algorithms<double>::' <<<"$wide" | grep -vF '::inverse_mass_matrix('; then
  echo "these use registers of 512 bits" >&2
  exit 1
fi
echo "one state uses registers of 512 bits for columns alone"
