# The kernels, compiled once per instruction set into objects that share no symbol (see include/verne/base/isa.h).
# Sets verne_kernel_objects and verne_kernel_definitions.
#   verne_kernels(<name> <lanes> <flags...>)
function(verne_kernels isa lanes)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/dynamics/kernels)
  add_library(verne_kernels_${isa} OBJECT ${folder}/table_single.cpp ${folder}/table_lanes.cpp
              ${CMAKE_CURRENT_SOURCE_DIR}/structures/kernels/closing_table.cpp)
  verne_common(verne_kernels_${isa})
  set_target_properties(verne_kernels_${isa} PROPERTIES UNITY_BUILD OFF POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                        VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(verne_kernels_${isa} PRIVATE cxx_std_20)
  target_include_directories(verne_kernels_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  set(level -O3)
  if(VERNE_KERNELS STREQUAL "native" AND isa STREQUAL "baseline")
    set(level -O1)  # no call gets there, it need only be compiled
  endif()
  # No SLP vectorizer: it costs one state up to 15 % (g++ 12, mass matrix of a 7-joint arm), packs do not need it.
  # No calls of memset for the few zeros between entries of a matrix: they cost one state up to 8 % (Hessians).
  target_compile_options(verne_kernels_${isa} PRIVATE -ffp-contract=fast -fno-math-errno
                         -fno-trapping-math -fno-tree-slp-vectorize
                         $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> $<$<CONFIG:Release>:${level}> ${ARGN})
  if(isa STREQUAL "baseline")
    target_sources(verne_kernels_${isa} PRIVATE ${folder}/table_complex.cpp)
    # Complex steps check derivatives: they need not be fast, and took two minutes to compile with -O3.
    if(VERNE_KERNELS STREQUAL "native")
      set(level -O0)
    else()
      set(level -O1)
    endif()
    set_source_files_properties(${folder}/table_complex.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:${level}>)
  else()
    target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_ISA=${isa})
    set(verne_kernel_definitions ${verne_kernel_definitions} VERNE_HAVE_${isa} PARENT_SCOPE)
  endif()
  target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_LANES=${lanes})
  set(verne_kernel_objects ${verne_kernel_objects} $<TARGET_OBJECTS:verne_kernels_${isa}> PARENT_SCOPE)
endfunction()

verne_kernels(baseline 2)
# Under sanitizers the baseline is enough: it is the same text, and takes minutes to compile.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT VERNE_SANITIZE)
  set(wide ON)
  if(VERNE_KERNELS STREQUAL "native")
    include(CheckCXXSourceRuns)
    check_cxx_source_runs("int main() {
        return __builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512vl\") ? 0 : 1;
      }" VERNE_HOST_HAS_AVX512)
    set(wide ${VERNE_HOST_HAS_AVX512})
  endif()
  if(NOT VERNE_KERNELS STREQUAL "native" OR NOT wide)
    verne_kernels(avx2 4 -mavx2 -mfma)
  endif()
  if(wide)
    verne_kernels(avx512 8 -mavx512f -mavx512dq -mavx512vl -mfma)
  endif()
endif()
