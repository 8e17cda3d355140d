# `cmake --install` of a build in which something is missing, as of that which ./run.sh makes (the program alone), says so
# before anything is installed.
set(missing_check "foreach(file")
foreach(library ${verne_layers})
  string(APPEND missing_check " \"$<TARGET_FILE:${library}>\"")
endforeach()
string(APPEND missing_check ")
  if(NOT EXISTS \"\${file}\" AND NOT CMAKE_INSTALL_COMPONENT STREQUAL \"tools\")
    message(FATAL_ERROR \"nothing is installed: \${file} has not been built (./run.sh builds the program alone, which \"
                        \"--component tools installs). Build all of it, cmake --build ${PROJECT_BINARY_DIR}, or for every machine as \"
                        \"the README does: cmake --preset release && cmake --build --preset release && cmake --install \"
                        \"build/release --prefix ~/.local\")
  endif()
endforeach()")
install(CODE "${missing_check}" ALL_COMPONENTS)
