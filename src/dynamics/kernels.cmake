# The kernels, compiled once per instruction set into objects that share no symbol (see include/verne/base/isa.h).
# Sets verne_kernel_objects and verne_kernel_definitions.

# Under sanitizers the baseline is enough: the others are the same text, and take minutes to compile.
set(kernel_sets baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT VERNE_SANITIZE)
  list(APPEND kernel_sets avx2 avx512)
  if(VERNE_KERNELS STREQUAL "native")
    include(CheckCXXSourceRuns)
    set(has_avx2 "__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")")
    set(has_avx512 "${has_avx2} && __builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512dq\")
                    && __builtin_cpu_supports(\"avx512vl\")")
    check_cxx_source_runs("int main() { return ${has_avx2} ? 0 : 1; }" VERNE_HOST_HAS_AVX2)
    check_cxx_source_runs("int main() { return ${has_avx512} ? 0 : 1; }" VERNE_HOST_HAS_AVX512)
    if(VERNE_HOST_HAS_AVX512)
      set(kernel_sets avx512)
    elseif(VERNE_HOST_HAS_AVX2)
      set(kernel_sets avx2)
    else()
      set(kernel_sets baseline)
    endif()
  endif()
endif()

# verne_kernels(<name> <lanes> <flags...>): nothing where the set is not wanted, but complex numbers, which are baseline only.
function(verne_kernels isa lanes)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/dynamics/kernels)
  set(tables "")
  if(isa IN_LIST kernel_sets)
    set(tables ${folder}/table_single.cpp ${folder}/table_lanes.cpp
               ${CMAKE_CURRENT_SOURCE_DIR}/structures/kernels/closing_table.cpp)
    set(verne_kernel_definitions ${verne_kernel_definitions} VERNE_HAVE_${isa} PARENT_SCOPE)
  endif()
  if(isa STREQUAL "baseline")
    list(APPEND tables ${folder}/table_complex.cpp)
    # Complex steps check derivatives: they need not be fast, and took two minutes to compile with -O3.
    if(VERNE_KERNELS STREQUAL "native")
      set(level -O0)
    else()
      set(level -O1)
    endif()
    set_source_files_properties(${folder}/table_complex.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:${level}>)
  endif()
  if(NOT tables)
    return()
  endif()
  add_library(verne_kernels_${isa} OBJECT ${tables})
  verne_common(verne_kernels_${isa})
  set_target_properties(verne_kernels_${isa} PROPERTIES UNITY_BUILD OFF POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                        VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(verne_kernels_${isa} PRIVATE cxx_std_20)
  target_include_directories(verne_kernels_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # No SLP vectorizer: it costs one state up to 15 % (g++ 12, mass matrix of a 7-joint arm), packs do not need it.
  # No calls of memset for the few zeros between entries of a matrix: they cost one state up to 8 % (Hessians).
  target_compile_options(verne_kernels_${isa} PRIVATE -ffp-contract=fast -fno-math-errno
                         -fno-trapping-math -fno-tree-slp-vectorize
                         $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> $<$<CONFIG:Release>:-O3> ${ARGN})
  # Among kernels with assertions one set as it is released: its instructions are counted (tests/speed).
  if(isa STREQUAL "avx2" AND VERNE_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(verne_kernels_${isa} PRIVATE "$<$<CONFIG:RelWithDebInfo>:-O3;-DNDEBUG>")
  endif()
  target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_LANES=${lanes})
  if(VERNE_FUZZ)  # no foreign input gets here, and under sanitizers they take minutes
    target_compile_options(verne_kernels_${isa} PRIVATE -fno-sanitize=all -O0)
  endif()
  if(NOT isa STREQUAL "baseline")
    target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_ISA=${isa})
  endif()
  set(verne_kernel_objects ${verne_kernel_objects} $<TARGET_OBJECTS:verne_kernels_${isa}> PARENT_SCOPE)
endfunction()

# One state beside instructions of 512 bits: only where columns are packed. On some processors they slow down scalar ones
# about them, and copies so wide wait for what was stored piece by piece.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/dynamics/kernels/table_single.cpp PROPERTIES
    COMPILE_OPTIONS "-mprefer-vector-width=256;$<$<CXX_COMPILER_ID:GNU>:-mmove-max=256;-mstore-max=256>")
endif()

verne_kernels(baseline 2)
verne_kernels(avx2 4 -mavx2 -mfma)
verne_kernels(avx512 8 -mavx512f -mavx512dq -mavx512vl -mfma)
