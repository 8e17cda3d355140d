#!/usr/bin/env bash
# Tries one product of a release where nothing of Verne is known but the product: try_release.sh PRODUCT FOLDER
#   packages  the Debian packages: the program, a stranger's C++ program, Python
#   wheel     the Python wheel, in an environment of its own and without any development package
#   source    the source archive: it is whole, installs what it needs and configures
# scripts/release.sh runs it in fresh Debian roots; it installs packages, so do not run it at home.
set -eEuo pipefail
product=${1:?usage: try_release.sh PRODUCT FOLDER}
products=$(cd "${2:?usage: try_release.sh PRODUCT FOLDER}" && pwd)
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
trap 'echo "try_release.sh: line $LINENO failed: $BASH_COMMAND" >&2' ERR
work=$(mktemp -d)
cd "$work"

install() { apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@" >/dev/null 2>apt.log || { cat apt.log >&2; exit 1; }; }
said() { printf '  %s\n' "$*"; }

cat >arm.yaml <<'END'
format: verne-model/1
name: arm
convention: tree
links:
  - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, -1, 0], limits: {position: [-3, 3], velocity: 5, effort: 20}}, mass: 1, com: [0.2, 0, 0], inertia: [0.001, 0.02, 0.02]}
END
cat >swing.yaml <<'END'
format: verne-task/1
name: swing
model: arm.yaml
duration: {free: [0.1, 5]}
minimize: [{time: 1}]
subject_to: {start: {position: [0]}, end: {position: [1]}}
END

try_packages() {
  install "$products"/libverne0*.deb "$products"/verne_*.deb
  said "$(verne --version)"
  verne predict /usr/share/verne/tasks/two_link_min_time.yaml -o fastest >predict.log
  grep -q '^two_link_min_time: solved' predict.log
  [ "$(wc -c <fastest/report.html)" -gt 100000 ]
  said "a shipped task is solved, with its page"
  verne predict swing.yaml -o swing --no-report >/dev/null
  said "so is a task of a model of one's own"
  verne study /usr/share/verne/studies/two_link_torques.yaml -o torques >/dev/null
  [ "$(wc -l <torques/table.csv)" = 5 ] && [ -s torques/study.html ]
  verne reproduce --only thesis-time-4.1 -o papers >reproduce.log
  grep -q '^thesis-time-4.1 *agrees' reproduce.log && [ -s papers/reproduction.html ]
  said "a shipped study and a number of the papers"

  install g++ cmake make "$products"/libverne-dev*.deb
  cat >main.cpp <<'END'
#include <cstdio>
#include <verne/dynamics/configuration.h>
#include <verne/dynamics/dynamics.h>
#include <verne/io/model_io.h>
#include <verne/motion/predict.h>

int main() {
  const verne::Model model = verne::load_model("arm.yaml");
  verne::Data data(model);
  const auto tau = verne::gravity_torques(model, data, verne::neutral_configuration(model));
  const verne::Solution solution = verne::predict(verne::load_task("swing.yaml"));
  std::printf("%.3f %s\n", tau[0], solution.success() ? "solved" : "not solved");
  return tau[0] > 1.961 && tau[0] < 1.963 && solution.success() ? 0 : 1;
}
END
  cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(stranger LANGUAGES CXX)
find_package(verne REQUIRED)
add_executable(stranger main.cpp)
target_link_libraries(stranger PRIVATE verne::verne verne::verne_io verne::verne_motion)
END
  cmake -S . -B build >/dev/null
  cmake --build build >build.log 2>&1 || { cat build.log >&2; exit 1; }
  said "a program of somebody else, compiled with libverne-dev: $(build/stranger)"

  install "$products"/python3-verne*.deb
  python3 -c 'import verne; assert verne.predict("swing.yaml").success'
  said "import verne"
}

try_wheel() {
  install python3 python3-numpy python3-pip python3-venv
  python3 -m venv --system-site-packages environment
  environment/bin/pip install -q --no-index --no-deps "$products"/verne-*.whl
  if dpkg-query -W -f='${binary:Package}\n' | grep -E -- '-dev(:|$)'; then echo "a development package is installed" >&2; exit 1; fi
  environment/bin/python - <<'END'
import numpy as np
import verne

model = verne.load("arm.yaml")
assert abs(model.gravity_torques(np.zeros(1))[0] - 1.962) < 1e-9
solution = verne.predict("swing.yaml")
assert solution.success, solution.message
solution.write("out")
assert len(open("out/report.html").read()) > 100000
try:
    verne.predict({"model": "arm.yaml", "duration": 1, "minimize": [{"effort": 1}], "solver": {"method": "ipopt"},
                   "subject_to": {"start": {"position": [0]}, "end": {"position": [1]}}})
    raise SystemExit("the wheel has Ipopt")
except verne.EnvironmentError as error:
    assert "no Ipopt" in str(error)
print(f"  verne {verne.__version__}: {solution}")
END
  said "licences: $(environment/bin/python -c 'import pathlib, verne; print(len(list((pathlib.Path(verne.__file__).parent / "licences").iterdir())) - 1)') packages beside our own"
}

try_source() {
  install ca-certificates
  tar xzf "$products"/verne-*.tar.gz
  cd verne-*/
  for file in README.md LICENSE THIRD_PARTY_NOTICES CHANGELOG.md CITATION.cff CMakeLists.txt pyproject.toml run.sh test.sh docs/README.md \
    include/verne/dynamics/dynamics.h models/two_link.yaml tasks/two_link_min_time.yaml web/package-lock.json; do
    [ -s "$file" ] || { echo "the source archive has no $file" >&2; exit 1; }
  done
  source scripts/install_packages.sh
  install_packages "${required_packages[@]}" >/dev/null 2>&1
  cmake --preset release >"$work/configure.log" 2>&1 || { cat "$work/configure.log" >&2; exit 1; }
  said "$(find . -path ./build -prune -o -path ./web/node_modules -prune -o -type f -print | wc -l) files, which configure in a machine that had nothing"
}

case "$product" in
  packages | wheel | source) "try_$product" ;;
  *) echo "try_release.sh: unknown product $product" >&2; exit 2 ;;
esac
