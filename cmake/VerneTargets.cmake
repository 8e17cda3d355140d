# What every target of the project has in common.

add_library(verne_options INTERFACE)
target_compile_options(verne_options INTERFACE -Wall -Wextra -Wshadow -Wno-psabi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps and overflows in strings that are put together. Unique symbols would be shared with the rest of a
  # program although they are hidden. Products of complex numbers need not mend NaN: they are complex steps.
  target_compile_options(verne_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -fno-gnu-unique -fcx-limited-range)
  # Templates fill the compiler's memory: to look for garbage in it before it is a gigabyte costs an eighth of the time.
  target_compile_options(verne_options INTERFACE --param=ggc-min-heapsize=1000000)
endif()
if(VERNE_WERROR)
  target_compile_options(verne_options INTERFACE -Werror)
endif()
if(VERNE_SANITIZE)
  # Memory, and what arithmetic and enumerations can do wrong. Not the checks of every pointer that is followed (null,
  # alignment, vptr, object-size, pointer-overflow): they double the time to compile and make the objects three times as
  # large, and what they see of null and of ends of objects ends the program under the address sanitizer, too.
  set(checks address,bounds,shift,signed-integer-overflow,integer-divide-by-zero,float-cast-overflow,enum,bool,unreachable,return,builtin)
  # (clang's bounds would also stop, without a word, at what the address sanitizer reports.)
  target_compile_options(verne_options INTERFACE -fsanitize=${checks} $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=local-bounds>
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Eigen would take memory in another way than in other builds, whose tests are linked with these libraries.
  target_compile_definitions(verne_options INTERFACE VERNE_SANITIZE EIGEN_MALLOC_ALREADY_ALIGNED=1)
  target_link_options(verne_options INTERFACE -fsanitize=${checks})
endif()
if(VERNE_FUZZ)  # the fuzzer sees which inputs reach new code
  target_compile_options(verne_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Objects of a target that sanitized builds take from another build (VERNE_PLAIN_BUILD): what is in its folders may be of
# sources that have gone.
function(verne_list_objects target)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${target}.objects CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
endfunction()
function(verne_plain_objects target out)
  set(list ${VERNE_PLAIN_BUILD}/${target}.objects)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} objects REGEX "\\.o$")
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# Links `target` privately against the common options without exporting them.
function(verne_common target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:verne_options>)
endfunction()

# The part of a version that a change of the binary interface raises.
set(verne_soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# What nearly every file includes is parsed once. All targets that share it have the same options; not those that are
# optimized less, for which it takes longer than to parse it anew. Its only file is that of the products which it
# declares: each library is given these objects, too.
set(verne_products_header ${PROJECT_SOURCE_DIR}/src/base/products.h)
add_library(verne_precompiled OBJECT ${PROJECT_SOURCE_DIR}/src/base/products.cpp)
target_include_directories(verne_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(verne_precompiled PRIVATE verne_options Eigen3::Eigen)
target_compile_features(verne_precompiled PRIVATE cxx_std_20)
set_target_properties(verne_precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                   VISIBILITY_INLINES_HIDDEN ON)
target_precompile_headers(verne_precompiled PRIVATE ${verne_products_header} <algorithm> <cmath> <complex> <functional>
                          <map> <memory> <optional> <span> <stdexcept> <string> <unordered_map> <vector>)
function(verne_precompiled target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_precompile_headers(${target} REUSE_FROM verne_precompiled)
endfunction()

# For those that have no precompiled headers and are linked with verne_internal: products as there.
function(verne_products target)
  target_compile_options(${target} PRIVATE "SHELL:-include ${verne_products_header}")
endfunction()
