#!/usr/bin/env bash
# Installs a build into a fresh prefix and builds a stranger's project against it: tests/install/run.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

# Where not all is built, nothing is installed.
cmake -S "$here/../.." -B "$work/unbuilt" -G Ninja -DVERNE_IO=OFF >/dev/null
if cmake --install "$work/unbuilt" --prefix "$prefix" >/dev/null 2>"$work/log" || [ -e "$prefix" ]; then
  echo "a build without libraries was installed" >&2
  exit 1
fi
tr -s '\n ' ' ' <"$work/log" | grep -q 'nothing is installed: .*libverne.so.* has not been built' || { cat "$work/log" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name verne.pc)") \
  cmake -S "$here/consumer" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/consumer" >"$work/log" || { cat "$work/log" >&2; exit 1; }
share=$prefix/share/verne
for kind in shared static; do  # Ipopt's libraries leak at exit
  ASAN_OPTIONS=detect_leaks=0 "$work/consumer/consumer_$kind" "$share/models" "$share/tasks/prismatic_revolute.yaml" "$work/cache"
done
cat >"$work/reach.yaml" <<END
format: verne-task/1
model: $share/models/two_link.yaml
duration: 1
minimize: [effort: 1e-3]
subject_to:
  start: {position: 0, velocity: 0}
  end: {position: [0.8, -0.6], velocity: 0}
END
(cd "$work" && ASAN_OPTIONS=detect_leaks=0 "$work/consumer/consumer_own_terms")
ASAN_OPTIONS=detect_leaks=0 "$work/consumer/consumer_of_one"
libraries=$(dirname "$(find "$prefix" -name 'libverne.so.*' | head -1)")  # which pkg-config leaves to its user
LD_LIBRARY_PATH=$libraries ASAN_OPTIONS=detect_leaks=0 "$work/consumer/consumer_pkg_config"
"$prefix/bin/verne" info "$share/models/two_link.yaml" >/dev/null
package=$(find "$prefix" -path '*/verne/__init__.py' | head -1)
if [ -n "$package" ]; then
  PYTHONPATH="$(dirname "$(dirname "$package")")" /usr/bin/python3 - "$share/tasks/two_link_min_time.yaml" <<'END'
import sys, verne
assert verne.predict(sys.argv[1]).success
END
fi

# Nothing but what is meant for users can be seen in the libraries, and no internals are among the headers.
for library in "$prefix"/lib/*/libverne*.so "$prefix"/lib/libverne*.so; do
  [ -e "$library" ] || continue
  if nm -DC --defined-only "$library" | grep -E ' [A-Z] (Eigen::|YAML::|fmt::|nlohmann::|Ipopt::)' | head -5 | grep .; then
    echo "$library shows symbols of others" >&2
    exit 1
  fi
done
for archive in "$prefix"/lib/*/libverne*.a "$prefix"/lib/libverne*.a; do
  [ -e "$archive" ] || continue
  if nm -C --defined-only "$archive" | grep -E ' [A-Z] .*Eigen::internal::' | grep -v 'verne::' | head -5 | grep .; then
    echo "$archive has inline functions of Eigen that others could pick up" >&2
    exit 1
  fi
done
if find "$prefix/include" -name 'tree.h' -o -path '*formulations*' -name '*.h' | grep .; then
  echo "internals are installed" >&2
  exit 1
fi
echo "the installed libraries and program work"
