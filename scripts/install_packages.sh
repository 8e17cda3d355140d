# Sourced by run.sh and test.sh: installs the Debian packages that are missing, or says which command would.

required_packages=(g++ cmake ninja-build libeigen3-dev libtbb-dev libtinyxml2-dev libyaml-cpp-dev nlohmann-json3-dev
  libcli11-dev libfmt-dev zlib1g-dev libcpp-httplib-dev libssl-dev libassimp-dev libmeshoptimizer-dev libqhull-dev libpng-dev libjpeg-dev coinor-libipopt-dev libsundials-dev libboost-dev libsqlite3-dev libnlopt-dev pkg-config liborocos-kdl-dev libmujoco-dev)
test_packages=(libgtest-dev libbenchmark-dev liburdfdom-dev libsdformat-dev libsimbody-dev libfcl-dev libopenmpi-dev openmpi-bin clang clang-format pybind11-dev python3-dev python3-numpy mypy valgrind)
# For the page of reports. Node often comes from elsewhere than Debian; who is not root can do without the page.
command -v npm >/dev/null || [ "$(id -u)" -ne 0 ] || required_packages+=(nodejs npm)
command -v chromium >/dev/null || test_packages+=(chromium)

# apt_get WORD...: waits while another program holds one of apt's locks, as a fresh machine that updates itself does for
# minutes, and says so once; apt-get itself waits for one of them only. What it prints is shown when it fails.
apt_get() {
  local log status said='' lock='Could not get lock|Unable to (acquire|lock)'
  log=$(mktemp)
  while true; do
    status=0
    LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >/dev/null 2>"$log" </dev/null || status=$?
    ((status != 0)) && grep -qE "$lock" "$log" || break
    [ -n "$said" ] || echo "Waiting for another program to be done with apt ($(grep -m1 -oE 'held by process [^.]*' "$log" || echo 'its lock is taken')); Ctrl-C ends" >&2
    said=yes
    sleep 1
  done
  cat "$log" >&2
  rm "$log"
  return "$status"
}

# install_packages NAME...: quick when nothing is missing.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local words=(install -y --no-install-recommends "${missing[@]}")
  if ! command -v apt-get >/dev/null; then
    echo "These packages are missing; install them with your system's package manager: ${missing[*]}" >&2
    exit 3
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "Some packages are missing. Run this, then try again:" >&2
    echo "  sudo apt-get ${words[*]}" >&2
    exit 3
  fi
  echo "Installing ${missing[*]}"
  apt_get update && apt_get "${words[@]}" || exit 3
}
