# `cpack` in a build folder makes Debian packages: the libraries, what programs are built with, the program, and Python's.

set(library_package libverne${verne_soversion})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME verne)
set(CPACK_PACKAGE_CONTACT "The Verne developers <verne@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL lib dev tools)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # what the binaries are linked with
list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)

set(CPACK_DEBIAN_LIB_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIB_DESCRIPTION "Dynamics of robots and humans: libraries")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libverne-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${library_package} (= ${PROJECT_VERSION}), libeigen3-dev (>= 3.4)")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Dynamics of robots and humans: headers, CMake and pkg-config files")
if(VERNE_STATIC)  # archives leave it to the program to link what they stand on
  set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS
      "libtbb-dev, libyaml-cpp-dev, libtinyxml2-dev, libfmt-dev, nlohmann-json3-dev, zlib1g-dev, libassimp-dev, libmeshoptimizer-dev, libqhull-dev, libpng-dev, libjpeg-dev, coinor-libipopt-dev, libsundials-dev, libsqlite3-dev, libnlopt-dev")
endif()

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME verne)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Dynamics of robots and humans: the program, models and tasks")

if(TARGET verne_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME verne-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Dynamics of robots and humans: studies on clusters")
endif()

if(VERNE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-verne)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "${library_package} (= ${PROJECT_VERSION}), python3-numpy, python3 (>= ${verne_python_from}), python3 (<< ${verne_python_to})")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Dynamics of robots and humans: for Python")
endif()

include(CPack)
