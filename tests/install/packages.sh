#!/usr/bin/env bash
# Makes the Debian packages of a build, unpacks them into an empty root and uses what is there:
# tests/install/packages.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$build" && cpack -B "$work/packages" >"$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }

for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$work/root"
  # Every package that it needs is one of ours or of this system's: a name that is misspelt would be neither.
  depends=$(dpkg-deb -f "$package" Depends)
  for name in $(sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g' <<<"$depends"); do
    ls "$work"/packages/"$name"_*.deb >/dev/null 2>&1 && continue
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed && continue
    echo "$package depends on $name, which does not exist" >&2
    exit 1
  done
done
for name in libverne0 libverne-dev verne python3-verne; do
  ls "$work"/packages/$name*.deb >/dev/null || { echo "there is no package $name" >&2; exit 1; }
done

usr=$work/root/usr
libraries=$(dirname "$(find "$usr/lib" -name 'libverne.so.*' | head -1)")
"$usr/bin/verne" predict "$usr/share/verne/tasks/two_link_min_time.yaml" -o "$work/out" --no-report >/dev/null
LD_LIBRARY_PATH=$libraries PYTHONPATH=$usr/lib/python3/dist-packages /usr/bin/python3 -c \
  "import verne; assert verne.load('$usr/share/verne/models/arm7.yaml').nv == 7"
echo "the packages are whole: $(cd "$work/packages" && echo *.deb)"
