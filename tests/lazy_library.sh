#!/usr/bin/env bash
# A program that calls a library through stubs (cmake/lazy_library.sh): tests/lazy_library.sh SOURCE CXX [PROGRAM]
# The arguments arrive, whatever registers and stack hold them; the library is loaded by the first call; where it is
# missing, an exception says so; data is refused. PROGRAM is linked with none of the libraries that are loaded lazily.
set -euo pipefail
root=$1 cxx=$2 program=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "lazy_library: $1" >&2; exit 1; }

cat >"$work/far.h" <<'END'
#include <cstdarg>
#include <string>
extern "C" double many(int a, double p, long b, double q, int c, double r, int d, double s, int e, double t, int f, double u,
                       int g, double v, int h, double w, double x, int i);
extern "C" double total(int count, ...);
struct Large { double values[5]; };
Large large(const std::string& text, double x);
extern int data;
END
cat >"$work/far.cpp" <<'END'
#include "far.h"
#include <cstdio>
struct Told { Told() { std::puts("loaded"); } } told;
double many(int a, double p, long b, double q, int c, double r, int d, double s, int e, double t, int f, double u, int g,
            double v, int h, double w, double x, int i) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 0.1 * p + 0.2 * q + 0.3 * r + 0.4 * s + 0.5 * t +
         0.6 * u + 0.7 * v + 0.8 * w + 0.9 * x;
}
double total(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  while (count-- > 0) sum += va_arg(list, double);
  va_end(list);
  return sum;
}
Large large(const std::string& text, double x) { return {{x, x + 1, x + 2, x + 3, static_cast<double>(text.size())}}; }
int data = 3;
END
cat >"$work/near.cpp" <<'END'
#include "far.h"
#include <cstdio>
#include <stdexcept>
int main() {
  std::puts("started");
  std::fflush(stdout);
  try {
    for (int round = 0; round < 2; ++round) {
      const Large l = large("seven..", 4);
      std::printf("%g %g %g %g\n", many(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9), total(3, 1.5, 2.5, 4.0), l.values[3], l.values[4]);
    }
  } catch (const std::runtime_error& error) {
    std::printf("error: %s\n", error.what());
    return 3;
  }
}
END
cd "$work"
"$cxx" -shared -fPIC -Wl,-soname,libfar.so.1 far.cpp -o libfar.so.1
"$cxx" -fPIC -O1 -c near.cpp -o near.o
"$cxx" -std=c++20 -fPIC -O1 -I "$root/include" -c "$root/src/base/lazy_library.cpp" -o lazy.o
"$root/cmake/lazy_library.sh" stubs.s ./libfar.so.1 -- near.o
"$cxx" near.o lazy.o stubs.s -Wl,-rpath,"$work" -ldl -o near
# 1 + 2*2 + ... + 9*9 = 285, and a tenth of it for the numbers that travel in other registers.
expected=$'started\nloaded\n313.5 8 7 7\n313.5 8 7 7'
[ "$(./near)" = "$expected" ] || fail "arguments or results are lost: $(./near)"
readelf -d near | grep -q libfar && fail "the program is linked with the library"
mv libfar.so.1 gone.so
status=0
said=$(./near) || status=$?
[ $status -eq 3 ] || fail "a missing library ends with $status: $said"
grep -q 'error: .*cannot be loaded: .*libfar.so.1' <<<"$said" || fail "a missing library says: $said"
mv gone.so libfar.so.1
printf '#include "far.h"\nint* where() { return &data; }\n' >data.cpp
"$cxx" -fPIC -c data.cpp -o data.o
"$root/cmake/lazy_library.sh" none.s ./libfar.so.1 -- data.o 2>said && fail "data is taken for a function"
grep -q 'no function: data' said || fail "data: $(cat said)"
[ ! -e none.s ] || fail "a refused file is there"

if [ -n "$program" ]; then
  readelf -d "$program" >needed
  ! grep -E 'NEEDED.*lib(ipopt|assimp|png|jpeg|sqlite|nlopt|orocos|mujoco|cpp-httplib)' needed ||
    fail "$program starts with what few commands need"
fi
echo "lazy_library: arguments, results and errors pass"
