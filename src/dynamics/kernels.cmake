# The kernels, compiled once per instruction set into objects that share no symbol (see include/verne/base/isa.h).
#   verne_kernels(<name> <lanes> <flags...>)
function(verne_kernels isa lanes)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/dynamics/kernels)
  add_library(verne_kernels_${isa} OBJECT ${folder}/table_single.cpp ${folder}/table_lanes.cpp)
  verne_common(verne_kernels_${isa})
  target_compile_features(verne_kernels_${isa} PRIVATE cxx_std_20)
  target_include_directories(verne_kernels_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  # No SLP vectorizer: it costs one state up to 15 % (g++ 12, mass matrix of a 7-joint arm), packs do not need it.
  # No calls of memset for the few zeros between entries of a matrix: they cost one state up to 8 % (Hessians).
  target_compile_options(verne_kernels_${isa} PRIVATE -fPIC -ffp-contract=fast -fno-math-errno
                         -fno-trapping-math -fno-tree-slp-vectorize
                         $<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns> ${ARGN})
  if(isa STREQUAL "baseline")
    target_sources(verne_kernels_${isa} PRIVATE ${folder}/table_complex.cpp)
  else()
    target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_ISA=${isa})
    target_compile_definitions(verne PRIVATE VERNE_HAVE_${isa})
  endif()
  target_compile_definitions(verne_kernels_${isa} PRIVATE VERNE_LANES=${lanes})
  target_sources(verne PRIVATE $<TARGET_OBJECTS:verne_kernels_${isa}>)
endfunction()

verne_kernels(baseline 2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  verne_kernels(avx2 4 -mavx2 -mfma)
  verne_kernels(avx512 8 -mavx512f -mavx512dq -mavx512vl -mfma)
endif()
