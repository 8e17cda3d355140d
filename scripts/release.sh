#!/usr/bin/env bash
# Makes a release and tries each part of it in a fresh Debian root: scripts/release.sh [PART...]
#   source    verne-VERSION.tar.gz, of the commit that is checked out
#   wheel     verne-VERSION-….whl for this Python and glibc, without Ipopt
#   packages  libverne…, libverne-dev, verne, python3-verne as .deb
#   docs      verne-docs-VERSION.tar.gz: guides, theory, reference of both APIs
# All of them unless some are named. Everything goes to build/release-VERSION; it takes about a quarter of an hour on two
# cores, of which most is the first build of build/release. Needs root, for the packages and for the roots.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh
source scripts/build.sh

version=$(sed -nE 's/^project\(verne VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
out=$PWD/build/release-$version
begin=$SECONDS
say() { printf '%4d s  %s\n' $((SECONDS - begin)) "$*"; }

refuse() { echo "release.sh: $1" >&2; exit 2; }
check_tree() {
  [ -z "$(git status --porcelain --untracked-files=no)" ] || refuse "there are changes that are not committed"
  grep -q "^## \[$version\]" CHANGELOG.md || refuse "CHANGELOG.md has no section for $version"
  grep -q "^version: $version" CITATION.cff || refuse "CITATION.cff has another version than $version"
}

# In a root with nothing but a minimal Debian, with the sources of packages that this machine has.
try_product() { # NAME
  say "trying: $1"
  mmdebstrap --quiet --variant=minbase --customize-hook='mkdir "$1/release"' --customize-hook="sync-in $out /release" \
    --customize-hook="copy-in scripts/try_release.sh /" --customize-hook="chroot \"\$1\" bash /try_release.sh $1 /release" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" /dev/null \
    $(find /etc/apt/sources.list* -type f -size +0 \( -name "*.list" -o -name "*.sources" \))
}

make_source() {
  git archive --format=tar.gz --prefix="verne-$version/" -o "$out/verne-$version.tar.gz" HEAD
}
make_wheel() {
  VERNE_BUILD_FOLDER=$PWD/build/release /usr/bin/python3 -m pip wheel -q . --no-build-isolation --no-deps -w "$out" 2>&1 |
    tee build/wheel.log | show_progress "Building the wheel" || { cat build/wheel.log >&2; return 1; }
}
# After the wheel: all but the solvers is built already.
make_packages() {
  cmake --preset release -DVERNE_PYTHON=ON -DVERNE_IPOPT=ON >/dev/null
  build_preset release
  (cd build/release && cpack -B "$out" >"$PWD/cpack.log" 2>&1) || { cat build/release/cpack.log >&2; return 1; }
  rm -r "$out/_CPack_Packages"
}
make_docs() {
  scripts/docs.sh build/release >/dev/null
  node docs/site/check.mjs build/docs
  tar czf "$out/verne-docs-$version.tar.gz" --sort=name --owner=0 --group=0 --transform="s,^docs,verne-docs-$version," -C build docs
}

parts=("$@")
((${#parts[@]} > 0)) || parts=(source wheel packages docs)
for part in "${parts[@]}"; do
  case "$part" in source | wheel | packages | docs) ;; *) refuse "unknown part '$part': source, wheel, packages, docs" ;; esac
done
check_tree
install_packages "${required_packages[@]}" pybind11-dev python3-dev python3-numpy python3-pip python3-setuptools python3-wheel \
  patchelf dpkg-dev file mmdebstrap chromium
mkdir -p "$out"
for part in "${parts[@]}"; do
  say "$part"
  "make_$part"
  [ "$part" = docs ] || try_product "$part"
done
(cd "$out" && sha256sum ./*.* >SHA256SUMS)
say "done: $out"
ls -l "$out"
