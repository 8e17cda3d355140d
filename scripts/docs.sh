#!/usr/bin/env bash
# Makes the documentation as pages that open from disk, with search: scripts/docs.sh [BUILD_FOLDER]
#   build/docs/index.html  guides, theory with its equations, and the reference of the C++ and the Python API
# BUILD_FOLDER is a build with the Python package, whose docstrings are shown (default: build/dev, else it is built).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh
source scripts/build.sh
install_packages doxygen python3-breathe python3-sphinx furo python3-myst-parser python3-numpy
command -v npm >/dev/null || install_packages nodejs npm

build=${1:-build/dev}
if ! ls "$build"/python/verne/_verne.*.so &>/dev/null; then
  install_packages "${required_packages[@]}" "${test_packages[@]}"
  build_preset "$(basename "$build")" verne_python -DVERNE_PYTHON=ON
fi
[ docs/site/node_modules/.package-lock.json -nt docs/site/package-lock.json ] || npm --prefix docs/site ci >/dev/null

work=build/docs-work
rm -rf "$work"
mkdir -p "$work/source" "$work/static" "$work/doxygen"
cp -r --parents ./*.md LICENSE THIRD_PARTY_NOTICES CITATION.cff docs models tasks examples "$work/source"
rm -r "$work/source/docs/site"
cp -r docs/site/node_modules/katex/dist/katex.min.css docs/site/node_modules/katex/dist/fonts docs/site/style.css "$work/static"

echo "Reading the headers"
(cat docs/site/Doxyfile; echo "INPUT = include/verne"; echo "OUTPUT_DIRECTORY = $work/doxygen"; echo "STRIP_FROM_PATH = include") |
  doxygen - >"$work/doxygen.log" 2>&1 || { cat "$work/doxygen.log" >&2; exit 1; }
PYTHONPATH=$build/python /usr/bin/python3 docs/site/reference.py . "$work/source/api"

echo "Making the pages"
rm -rf build/docs
VERNE_ROOT=$PWD VERNE_DOXYGEN_XML=$PWD/$work/doxygen/xml VERNE_DOCS_STATIC=$PWD/$work/static \
  /usr/bin/python3 -m sphinx -b html -q -W --keep-going -w "$work/warnings.log" -j auto -c docs/site -d "$work/doctrees" "$work/source" build/docs
# Debian's theme takes a style sheet from a server and a script as a module, neither of which is read from disk, and has
# lost the colours for those whose screens are dark by themselves.
theme=build/docs/_static
cp /usr/share/nodejs/normalize.css/normalize.css "$theme/styles"
sed -i 's|url(/javascript/normalize.css/normalize.css)|url(normalize.css)|' "$theme/styles/furo.css"
sed -i -e '/^import Gumshoe/{r '"$theme/scripts/gumshoe-patched.js"'
d}' "$theme/scripts/furo.js"
{
  echo '@media (prefers-color-scheme: dark) {'
  sed -n '/^  body\[data-theme="dark"\] {/,/}/p' "$theme/styles/furo.css" | sed 's/"dark"/"auto"/'
  echo '}'
} >>"$theme/style.css"
mkdir build/docs/licences
cp docs/site/node_modules/katex/LICENSE build/docs/licences/katex
for package in furo node-normalize.css sphinx-common libjs-jquery libjs-underscore; do
  cp "/usr/share/doc/$package/copyright" "build/docs/licences/$package"
done
echo '<!doctype html><meta charset="utf-8"><title>Verne</title><meta http-equiv="refresh" content="0; url=docs/README.html"><a href="docs/README.html">Documentation</a>' >build/docs/index.html
echo "build/docs/index.html"
