#!/usr/bin/env bash
# Objects built for a wide instruction set may share no weak symbol with the rest of the program: the linker keeps one of
# several copies, and baseline code could end up with instructions that the machine does not have.
#   isolation.sh NM NAMESPACE OBJECT...   checks that every weak symbol lies in verne::NAMESPACE::
#   isolation.sh --self-test NM CXX       proves that the check can fail
set -euo pipefail

# Names of the weak symbols (V, W, u) that do not mention the namespace. A template of the standard library over one of
# its types is no stranger: its name is different in every instruction set.
strangers() { # nm namespace object...
  local nm=$1 namespace=$2
  shift 2
  "$nm" -C --defined-only "$@" | grep -E '^[0-9a-f]* [VWu] ' | sed -E 's/^[0-9a-f]* [VWu] //' |
    grep -vF "verne::$namespace::" || true
}

self_test() { # nm compiler
  local folder
  folder=$(mktemp -d)
  # shellcheck disable=SC2064  # the path of now
  trap "rm -rf '$folder'" EXIT
  cat >"$folder/stranger.cpp" <<'SOURCE'
namespace verne { inline namespace avx2 { template <class T> __attribute__((noinline)) T own(T x) { return x + 1; } } }
template <class T> __attribute__((noinline)) T stranger(T x) { return x + 2; }
int user(int x) { return verne::avx2::own(x) + stranger(x); }
SOURCE
  "$2" -c -O0 "$folder/stranger.cpp" -o "$folder/stranger.o"
  [[ $(strangers "$1" avx2 "$folder/stranger.o") == "int stranger<int>(int)" ]] || {
    echo "the check does not find a weak symbol outside the namespace, or finds too many" >&2
    exit 1
  }
  echo "the check finds strangers and nothing else"
}

if [[ ${1:-} == --self-test ]]; then
  self_test "$2" "$3"
  exit
fi
nm=${1:?usage: $0 NM NAMESPACE OBJECT... | --self-test NM CXX}
namespace=$2
shift 2
[[ $# -gt 0 ]] || { echo "no objects given" >&2 && exit 1; }
symbols=$("$nm" -C --defined-only "$@")
if [[ $symbols != *"verne::$namespace::kLaneKernels"* ]]; then
  echo "these are not the kernels for $namespace" >&2
  exit 1
fi
found=$(strangers "$nm" "$namespace" "$@")
if [[ -n $found ]]; then
  printf 'weak symbols outside verne::%s:::\n%s\n' "$namespace" "$found" >&2
  exit 1
fi
echo "no weak symbol outside verne::$namespace::"
