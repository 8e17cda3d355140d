#!/usr/bin/env bash
# Checks who includes whom (docs/architecture.md, Layers), that no file of the product is long, and that headers say in
# their first line what they are for.
#   layers.sh ROOT        checks the tree at ROOT
#   layers.sh --self-test proves on a made-up tree that every rule can fail
set -euo pipefail

# Layers that each layer may include; itself always.
allowed_for() {
  case "$1" in
    base) echo "" ;;
    spatial) echo "base" ;;
    model) echo "base spatial" ;;
    shapes) echo "base spatial" ;;
    io) echo "base spatial model shapes" ;;
    dynamics | formulations) echo "base spatial model" ;;
    trajectory | nlp | ergonomics) echo "base" ;;
    simulate) echo "base spatial model dynamics structures" ;;
    structures) echo "base spatial model dynamics" ;;
    quantities) echo "base spatial model dynamics structures" ;;
    codegen) echo "base spatial model dynamics structures quantities" ;;
    motion) echo "base spatial model io dynamics structures trajectory nlp ergonomics simulate" ;;
    report) echo "base spatial model shapes io dynamics structures" ;;
    reproduce) echo "base spatial model io dynamics structures formulations trajectory nlp simulate motion report" ;;
    apps) echo "base spatial model shapes io dynamics structures quantities codegen formulations trajectory nlp simulate motion report study reproduce" ;;
    study) echo "base spatial model io dynamics structures quantities trajectory nlp simulate motion report" ;;
    *) echo "unknown" ;;
  esac
}

# Rooms of src/motion, along which data flow: each includes itself and those before it.
motion_rooms="curve terms task values program verify guess refine output"

# Third-party headers with a single home: pattern, then the paths (a regular expression) that may include them.
homes='
yaml-cpp/|tinyxml2\.h	^src/io/
nlohmann/	^src/io/|^src/report/
httplib\.h	^apps/verne/view_server\.cpp$
assimp/	^src/shapes/import_mesh\.cpp$
meshoptimizer\.h	^src/shapes/drawn_mesh\.cpp$
libqhull	^src/shapes/hull\.cpp$
zlib\.h	^src/report/compress\.cpp$|^src/study/journal\.cpp$
boost/random/	^src/study/sample\.cpp$
boost/math/	^src/study/distribution\.cpp$
sqlite3\.h	^src/study/sqlite_table\.cpp$
nlopt\.h	^src/study/search\.cpp$
mpi\.h	^apps/verne_mpi/mpi_crew\.cpp$
tbb/|oneapi/tbb	^src/dynamics/batch|^src/nlp/problem|^apps/
coin/|coin-or/|Ip[A-Z].*\.h	^src/nlp/ipopt
cvode/|sunlinsol/|sunmatrix/|sunnonlinsol/	^src/simulate/multistep\.cpp$
arkode/	^src/simulate/runge_kutta\.cpp$
nvector/|sundials/	^src/simulate/sundials_memory\.h$
'

failures=0
complain() {
  echo "$1" >&2
  failures=$((failures + 1))
}

check_include() { # file layer header quoted?
  local file=$1 layer=$2 header=$3 target
  case "$header" in
    verne/*/*) target=${header#verne/} target=${target%%/*} ;;
    apps/*) target=apps ;;
    base/* | spatial/* | model/* | shapes/* | io/* | dynamics/* | structures/* | codegen/* | ergonomics/* | formulations/* | reproduce/* | trajectory/* | nlp/* | simulate/* | motion/* | report/* | study/*) target=${header%%/*} ;;
    *) target= ;;
  esac
  if [[ -n $target ]]; then
    if [[ $target != "$layer" && " $(allowed_for "$layer") " != *" $target "* ]]; then
      complain "$file: layer $layer must not include $header"
    fi
    if [[ $file == include/* && $header != verne/* ]]; then
      complain "$file: a public header must not include the private $header"
    fi
    if [[ $file == src/motion/* && $header == motion/* ]]; then check_room "$file" "$header"; fi
    return
  fi
  check_third_party "$file" "$header"
}

check_room() { # file header
  local room other before
  room=${1#src/motion/} room=${room%%/*} other=${2#motion/} other=${other%%/*}
  if [[ " $motion_rooms " != *" $room "* ]]; then
    complain "$1: belongs to no room of src/motion"
    return
  fi
  before=" $motion_rooms "
  before="${before%%" $room "*} $room "
  [[ $before == *" $other "* ]] || complain "$1: room $room must not include $2"
}

check_third_party() { # file header
  local file=$1 header=$2 pattern home
  while IFS=$'\t' read -r pattern home; do
    [[ -z $pattern || ! $header =~ ^($pattern) || $file =~ $home ]] || complain "$file: only $home may include $header"
  done <<<"$homes"
  if [[ $file == include/* && $header == */* && $header != Eigen/* ]]; then
    complain "$file: a public header must include no third party but Eigen, not $header"
  elif [[ $file == include/* && $header == *.h && $header != */* ]]; then
    complain "$file: a public header must not include $header"
  fi
}

longest=400  # lines

# Of what is written for the product: sources, the Python package, the page.
check_files() {
  local complaint
  while IFS= read -r complaint; do
    complain "$complaint"
  done < <(find include src apps python web/src -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.py' -o -name '*.ts' -o -name '*.css' \) \
    -not -path '*/tests/*' -exec awk -v longest="$longest" '
      FNR == 1 && FILENAME ~ /\.h$/ && !/^\/\/\/? .*[a-z][a-z]/ { print FILENAME ": its first line does not say what the header is for" }
      FNR == longest + 1 { print FILENAME ": more than " longest " lines" }' {} + 2>/dev/null)
}

check_tree() {
  local file layer header count=0
  while IFS= read -r file; do
    case "$file" in
      include/verne/*/*) layer=${file#include/verne/} layer=${layer%%/*} ;;
      src/*/*) layer=${file#src/} layer=${layer%%/*} ;;
      apps/*) layer=apps ;;
      *) complain "$file: belongs to no layer" && continue ;;
    esac
    if [[ $(allowed_for "$layer") == unknown ]]; then
      complain "$file: layer $layer is not known to $0" && continue
    fi
    count=$((count + 1))
    while IFS= read -r header; do
      check_include "$file" "$layer" "$header"
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]([^>"]+)[>"].*/\1/p' "$file")
  done < <(find include/verne src apps -type f \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null | sort)
  [[ $count -gt 0 ]] || complain "no source files found in $PWD"
  check_files
  [[ $failures -eq 0 ]] || return 1
  echo "$count files keep to their layers"
}

self_test() {
  local tree rule file line good=0
  tree=$(mktemp -d)
  # shellcheck disable=SC2064  # the path of now
  trap "rm -rf '$tree'" EXIT
  while IFS='|' read -r rule file line; do
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/$(dirname "$file")" "$tree/src/base"
    printf '/// A fine header.\n#include <vector>\n' >"$tree/src/base/fine.h"
    case "$line" in
      \#*) { [[ $file == *.cpp ]] || echo "/// What it is for."; echo "$line"; } >"$tree/$file" ;;
      *lines) seq "${line%% *}" >"$tree/$file" ;;
      *) echo "$line" >"$tree/$file" ;;
    esac
    if "$0" "$tree" >/dev/null 2>&1; then
      [[ $rule == allowed ]] || complain "not noticed: '$line' in $file"
    else
      [[ $rule == forbidden ]] || complain "wrongly forbidden: '$line' in $file"
    fi
    good=$((good + 1))
  done <<'CASES'
allowed|src/model/a.cpp|#include "verne/spatial/transform.h"
allowed|src/io/a.cpp|#include <yaml-cpp/yaml.h>
allowed|src/dynamics/batch.cpp|#include <tbb/parallel_for.h>
allowed|src/nlp/ipopt_solver.cpp|#include <IpTNLP.hpp>
allowed|src/report/a.cpp|#include <nlohmann/json.hpp>
allowed|apps/verne/view_server.cpp|#include <httplib.h>
allowed|src/nlp/a.cpp|#include "verne/base/error.h"
allowed|src/motion/a.cpp|#include "verne/nlp/solve.h"
allowed|src/study/a.cpp|#include "verne/motion/predict.h"
allowed|src/study/sample.cpp|#include <boost/random/sobol.hpp>
forbidden|src/study/a.cpp|#include <sqlite3.h>
forbidden|src/study/a.cpp|#include <mpi.h>
forbidden|src/motion/a.cpp|#include "verne/study/study.h"
allowed|src/motion/a.cpp|#include "simulate/integrator.h"
allowed|src/simulate/multistep.cpp|#include <cvode/cvode.h>
allowed|src/simulate/runge_kutta.cpp|#include <arkode/arkode_erkstep.h>
forbidden|src/simulate/multistep.cpp|#include <arkode/arkode_erkstep.h>
forbidden|src/simulate/integrator.cpp|#include <cvode/cvode.h>
forbidden|src/simulate/a.cpp|#include <nvector/nvector_serial.h>
allowed|src/simulate/a.cpp|#include "verne/structures/mechanism.h"
forbidden|src/simulate/a.cpp|#include "verne/motion/task.h"
forbidden|src/motion/a.cpp|#include <cvode/cvode.h>
forbidden|src/motion/a.cpp|#include "verne/report/report.h"
allowed|include/verne/dynamics/a.h|#include <Eigen/Core>
allowed|apps/verne/a.cpp|#include "verne/dynamics/batch.h"
allowed|src/structures/a.cpp|#include "verne/dynamics/data.h"
allowed|src/codegen/a.cpp|#include "dynamics/kernels/joint.h"
forbidden|src/dynamics/a.cpp|#include "verne/codegen/generate.h"
forbidden|src/codegen/a.cpp|#include "verne/io/model_io.h"
forbidden|src/dynamics/a.cpp|#include "verne/structures/mechanism.h"
forbidden|src/structures/a.cpp|#include "verne/io/model_io.h"
allowed|src/formulations/a.cpp|#include "verne/model/model.h"
allowed|apps/verne/a.cpp|#include "formulations/barman.h"
forbidden|src/base/a.cpp|#include "verne/model/model.h"
forbidden|src/spatial/a.cpp|#include "verne/model/model.h"
forbidden|src/model/a.cpp|#include "verne/io/model_io.h"
forbidden|src/io/a.cpp|#include "verne/dynamics/data.h"
forbidden|src/dynamics/a.cpp|#  include "io/number.h"
forbidden|src/dynamics/kernels/a.h|#include "apps/verne/table.h"
forbidden|src/model/a.cpp|#include <yaml-cpp/yaml.h>
forbidden|apps/verne/a.cpp|#include <tinyxml2.h>
forbidden|apps/verne/a.cpp|#include <nlohmann/json.hpp>
forbidden|src/dynamics/data.cpp|#include <tbb/parallel_for.h>
forbidden|src/trajectory/a.cpp|#include "verne/dynamics/data.h"
forbidden|src/formulations/a.cpp|#include "verne/dynamics/data.h"
forbidden|src/formulations/a.cpp|#include "dynamics/kernels/joint.h"
forbidden|src/dynamics/a.cpp|#include "formulations/screw.h"
forbidden|src/dynamics/a.cpp|#include "trajectory/jet.h"
forbidden|src/nlp/a.cpp|#include "verne/trajectory/trajectory.h"
forbidden|src/nlp/problem.cpp|#include <IpTNLP.hpp>
forbidden|src/nlp/solve.cpp|#include <coin/IpIpoptApplication.hpp>
forbidden|include/verne/dynamics/a.h|#include "dynamics/call.h"
forbidden|include/verne/io/a.h|#include <fmt/format.h>
forbidden|include/verne/io/a.h|#include <tinyxml2.h>
forbidden|src/io/a.cpp|#include "verne/report/report.h"
forbidden|src/report/a.cpp|#include <yaml-cpp/yaml.h>
forbidden|src/report/a.cpp|#include <httplib.h>
forbidden|apps/verne/view.cpp|#include <httplib.h>
allowed|src/shapes/import_mesh.cpp|#include <assimp/scene.h>
forbidden|src/shapes/read_mesh.cpp|#include <assimp/scene.h>
forbidden|src/report/a.cpp|#include <meshoptimizer.h>
forbidden|src/io/a.cpp|#include <libqhull_r/libqhull_r.h>
allowed|src/io/a.cpp|#include "shapes/read_mesh.h"
forbidden|src/shapes/a.cpp|#include "verne/io/model_io.h"
forbidden|src/shapes/a.cpp|#include "verne/model/model.h"
allowed|src/reproduce/a.cpp|#include "formulations/barman.h"
allowed|apps/verne/a.cpp|#include "reproduce/comparison.h"
forbidden|src/motion/a.cpp|#include "reproduce/comparison.h"
forbidden|src/magic/a.cpp|#include <vector>
allowed|src/motion/values/a.cpp|#include "motion/curve/nodes.h"
allowed|src/motion/values/a.cpp|#include "motion/values/node_values.h"
forbidden|src/motion/values/a.cpp|#include "motion/program/program.h"
forbidden|src/motion/curve/a.h|#include "motion/output/solution_json.h"
forbidden|src/motion/a.cpp|#include "motion/curve/nodes.h"
forbidden|src/motion/magic/a.cpp|#include "motion/curve/nodes.h"
allowed|src/base/a.h|// Numbers of no kind.
forbidden|src/base/a.h|int a();
forbidden|src/base/a.h|// ---
allowed|src/base/a.cpp|int a();
allowed|src/base/a.cpp|400 lines
forbidden|src/base/a.cpp|401 lines
forbidden|web/src/a.ts|401 lines
CASES
  [[ $failures -eq 0 ]] || return 1
  echo "$good made-up trees are judged rightly"
}

# Files that the architecture page names exist.
check_walks() {
  local name
  while IFS= read -r name; do
    [[ -n $(find include src apps -name "$(basename "$name")" -print -quit) ]] || complain "docs/architecture.md: there is no $name"
  done < <(grep -oE '`[A-Za-z0-9_/]+\.(cpp|h)`' docs/architecture.md | tr -d '`' | sort -u)
  [[ $failures -eq 0 ]] || return 1
}

if [[ ${1:-} == --self-test ]]; then
  self_test
else
  cd "${1:?usage: $0 ROOT | --self-test}"
  [[ ! -e docs/architecture.md ]] || check_walks
  check_tree
fi
