# Libraries that few commands need are loaded when one of their functions is first called: to start with all of them took
# ten milliseconds, more than most commands work. What is linked is stubs (lazy_library.sh); elsewhere than on x86-64 with
# ELF, and under sanitizers, the libraries themselves.

option(VERNE_LAZY "Load libraries of other projects when they are first used" ON)
if(NOT VERNE_LAZY OR VERNE_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64"
   OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(verne_is_lazy OFF)
else()
  set(verne_is_lazy ON)
  enable_language(ASM)
endif()

# Files of libraries that are loaded lazily: packages must depend on them by name, wheels carry them.
set_property(GLOBAL PROPERTY VERNE_LAZY_FILES "")

# verne_lazy_sources(FILES...): whose libraries have classes with virtual functions. g++ would compare addresses of their
# tables, which are data, to guess what is called.
function(verne_lazy_sources)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(verne_is_lazy)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-devirtualize)
  endif()
endfunction()
# verne_lazy_classes(FILES...): whose libraries also define constructors and destructors in headers. These name the tables
# wherever they are inlined; called as functions, they are the library's. What is precompiled was made for inlining.
function(verne_lazy_classes)
  verne_lazy_sources(${ARGN})
  if(verne_is_lazy)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-inline)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# The file of an imported library.
function(verne_library_file library out)
  if(EXISTS "${library}")
    set(${out} ${library} PARENT_SCOPE)
    return()
  endif()
  foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_RELWITHDEBINFO INTERFACE_LINK_LIBRARIES)
    get_target_property(files ${library} ${property})
    list(FILTER files INCLUDE REGEX "\\.so(\\.|$)")
    if(files)
      list(GET files 0 file)
      set(${out} ${file} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "VERNE_LAZY: the file of ${library} is not known")
endfunction()

# verne_lazy(NAME OUT_OBJECTS OUT_LIBRARIES LIBRARIES...): of the objects NAME_objects, what to link with them in place of
# the libraries, of which they use functions alone: objects with stubs, or else the libraries.
function(verne_lazy name out_objects out_libraries)
  set(${out_objects} "" PARENT_SCOPE)
  set(${out_libraries} "${ARGN}" PARENT_SCOPE)
  target_link_libraries(${name}_objects PRIVATE ${ARGN})
  if(NOT verne_is_lazy OR NOT ARGN)
    return()
  endif()
  set(files "")
  foreach(library ${ARGN})
    verne_library_file(${library} file)
    list(APPEND files ${file})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY VERNE_LAZY_FILES ${files})
  set(stubs ${CMAKE_CURRENT_BINARY_DIR}/${name}_lazy.s)
  add_custom_command(OUTPUT ${stubs} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/lazy_library.sh ${stubs} ${files} -- $<TARGET_OBJECTS:${name}_objects>
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/lazy_library.sh $<TARGET_OBJECTS:${name}_objects>)
  add_library(${name}_lazy OBJECT ${stubs} ${PROJECT_SOURCE_DIR}/src/base/lazy_library.cpp)
  target_include_directories(${name}_lazy PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(${name}_lazy PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  set(${out_objects} $<TARGET_OBJECTS:${name}_lazy> PARENT_SCOPE)
  set(${out_libraries} ${CMAKE_DL_LIBS} PARENT_SCOPE)
endfunction()
