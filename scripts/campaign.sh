#!/usr/bin/env bash
# Long proofs, by hand: scripts/campaign.sh NAME [ARGUMENTS]. What they found stands in docs/validation.md.
#   fuzz [RUNS [READER...]]   every reader on mutated inputs, a million runs each unless told otherwise
#   tasks [SEED [COUNT]]      random motion tasks of all classes, solved and checked
#   optima                    published optimal-control problems with default settings
#   swings [COUNT]            pendulums and arms whose motors are too weak to lift them
#   mjcf [COUNT]              random MuJoCo models, against MuJoCo itself
#   meshes [COUNT]            mutated mesh files of every format, read by child processes
#   mechanisms [COUNT]        random mechanisms with closed loops: do they open?
#   studies [COUNT]           a study is killed at random moments, 100 times, and continued: is a point lost or twice?
#   pages                     every kind of page, and robots with meshes, on a screen and a telephone, light and dark
#   scenes [COUNT]            arms among random things: bookshelves, boxes, cages, tables, clutter, so many of each
#   replan [COUNT]            there, 20 times each: a moved goal, a moved thing
#   stops [COUNT]             there, 9 times each: to rest from the middle of a motion
#   ik [COUNT]                inverse kinematics of random reachable places: how many are reached, how fast
#   clang                     libraries, program and suite with clang++
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/install_packages.sh
source scripts/build.sh

# Inputs that reach new code are kept from run to run in build/fuzz/corpus, beside those of the repository.
fuzz() { # [RUNS [READER...]]
  local runs=${1:-1000000} reader found failed=0
  shift $(($# < 1 ? $# : 1))
  (($# > 0)) || set -- $(ls tests/fuzz/corpus)
  install_packages "${required_packages[@]}" clang
  build_preset fuzz fuzzers
  for reader in "$@"; do
    mkdir -p "build/fuzz/corpus/$reader" "build/fuzz/findings"
    # -timeout: an input that takes ten seconds is a finding. -close_fd_mask: libraries may print what they think of it.
    build/fuzz/bin/"fuzz_$reader" -runs="$runs" -timeout=10 -rss_limit_mb=4096 -close_fd_mask=1 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/findings/$reader-" "build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader" \
      $(case "$reader" in task) echo tasks ;; yaml) echo models ;; esac) \
      &>"build/fuzz/$reader.log" || failed=1
    LC_ALL=C awk -v reader="$reader" '/number_of_executed_units/ { runs = $2 } /average_exec_per_sec/ { rate = $2 }
      END { printf "%-9s %9d runs, %6d a second\n", reader, runs, rate }' "build/fuzz/$reader.log"
  done
  found=$(find build/fuzz/findings -type f | sort)
  [ -z "$found" ] || printf 'Findings; build/fuzz/READER.log says what failed:\n%s\n' "$found"
  return "$failed"
}

tasks() { # [SEED [COUNT]]
  install_packages "${required_packages[@]}"
  cmake --preset native -DVERNE_BENCHMARKS=ON >/dev/null
  build_preset native random_tasks
  build/native/bin/random_tasks --seed "${1:-1}" --count "${2:-20}"
}

# Tests that try more where they are told to: suite FILTER VARIABLE VALUE
suite() {
  install_packages "${required_packages[@]}" "${test_packages[@]}"
  build_preset dev verne_tests
  env "$2=$3" build/dev/bin/verne_tests --gtest_brief=1 --gtest_filter="$1"
}
optima() { suite 'PublishedOptima.*' VERNE_ALL_OPTIMA 1; }
swings() { suite 'Swing.*' VERNE_SWINGS "${1:-4}"; }
mjcf() { suite 'RandomMjcf.*' VERNE_MJCF_FILES "${1:-5000}"; }
meshes() { suite 'ReadMesh.MutatedFilesEndNothing' VERNE_MESH_MUTATIONS "${1:-2000}"; }
mechanisms() { suite 'Assembly.Campaign' VERNE_MECHANISMS "${1:-1000}"; }

scenes() { # [COUNT [OPTIONS...]]
  install_packages "${required_packages[@]}" libfcl-dev
  cmake --preset native -DVERNE_BENCHMARKS=ON >/dev/null
  build_preset native random_scenes
  build/native/bin/random_scenes --count "${1:-20}" "${@:2}"
}
ik() { # [COUNT]
  install_packages "${required_packages[@]}"
  cmake --preset native -DVERNE_BENCHMARKS=ON >/dev/null
  build_preset native ik_rate
  local robots=../shared/robots arms=(models/arm7.yaml:tool models/puma560.yaml:tool)
  [ ! -d "$robots" ] || arms+=("$robots"/example-robot-data/robots/{panda_description/urdf/panda.urdf:panda_hand,ur_description/urdf/ur5_robot.urdf:tool0}
    "$robots"/menagerie/kuka_iiwa_14/iiwa14.xml:attachment_site)
  build/native/bin/ik_rate --count "${1:-10000}" "${arms[@]}"
}
replan() { scenes "${1:-5}" --replan 20 "${@:2}"; }
stops() { scenes "${1:-2}" --stops 9 "${@:2}"; }

studies() { suite 'RunStudy.KilledAtAnyMomentItContinues' VERNE_STUDY_KILLS "${1:-100}"; }

pages() {
  install_packages "${required_packages[@]}" "${test_packages[@]}"
  build_preset dev verne_app verne_make_solutions
  node tests/web/matrix.mjs build/dev/bin/verne build/dev/bin/verne_make_solutions build/dev/web/artifacts
}

name=${1:-}
shift $(($# < 1 ? $# : 1))
case "$name" in
  fuzz | tasks | optima | swings | mjcf | meshes | mechanisms | scenes | replan | stops | ik | studies | pages) "$name" "$@" ;;
  clang) exec scripts/check_clang.sh ;;
  *)
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
