# The inner loops of the factorization, compiled once per instruction set into objects that share no symbol (see
# include/verne/base/isa.h). Sets verne_panel_objects and verne_panel_definitions.
#   verne_panel_kernels(<name> <lanes> <flags...>)
function(verne_panel_kernels isa lanes)
  add_library(verne_panel_${isa} OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/nlp/kernels/panel_kernels.cpp)
  verne_common(verne_panel_${isa})
  set_target_properties(verne_panel_${isa} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                      VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(verne_panel_${isa} PRIVATE cxx_std_20)
  target_include_directories(verne_panel_${isa} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(verne_panel_${isa} PRIVATE -ffp-contract=fast $<$<NOT:$<BOOL:${VERNE_SANITIZE}>>:-O3> ${ARGN})
  target_compile_definitions(verne_panel_${isa} PRIVATE VERNE_LANES=${lanes})
  if(NOT isa STREQUAL "baseline")
    target_compile_definitions(verne_panel_${isa} PRIVATE VERNE_ISA=${isa})
    set(verne_panel_definitions ${verne_panel_definitions} VERNE_HAVE_${isa} PARENT_SCOPE)
  endif()
  set(verne_panel_objects ${verne_panel_objects} $<TARGET_OBJECTS:verne_panel_${isa}> PARENT_SCOPE)
endfunction()

verne_panel_kernels(baseline 2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT VERNE_SANITIZE)
  verne_panel_kernels(avx2 4 -mavx2 -mfma)
  verne_panel_kernels(avx512 8 -mavx512f -mavx512dq -mavx512vl -mfma)
endif()
