# `cmake --install` of a build in which something is missing, as of that which ./run.sh makes (the program alone), says so
# before anything is installed.

# verne_require_built(TARGETS targets... COMPONENTS components...): of which each component installs each target.
function(verne_require_built)
  cmake_parse_arguments(arg "" "" "TARGETS;COMPONENTS" ${ARGN})
  set(files "")
  foreach(target ${arg_TARGETS})
    string(APPEND files " \"$<TARGET_FILE:${target}>\"")
  endforeach()
  install(CODE "
    foreach(file ${files})
      if(NOT EXISTS \"\${file}\" AND \"\${CMAKE_INSTALL_COMPONENT}\" MATCHES \"^(${arg_COMPONENTS})?$\")
        message(FATAL_ERROR \"nothing is installed: \${file} has not been built (./run.sh builds the program alone, which \"
          \"--component tools installs). Build all of it, cmake --build ${PROJECT_BINARY_DIR}, or for every machine as \"
          \"docs/install.md does: cmake --preset release && cmake --build --preset release && cmake --install build/release \"
          \"--prefix ~/.local\")
      endif()
    endforeach()"
    ALL_COMPONENTS)
endfunction()

verne_require_built(TARGETS ${verne_layers} COMPONENTS "lib|dev|python")
if(VERNE_STATIC)
  set(verne_archives ${verne_layers})
  list(TRANSFORM verne_archives APPEND _static)
  verne_require_built(TARGETS ${verne_archives} COMPONENTS dev)
endif()
if(VERNE_IO)
  verne_require_built(TARGETS verne_app COMPONENTS tools)
endif()
if(VERNE_PYTHON)
  verne_require_built(TARGETS verne_python COMPONENTS python)
endif()
