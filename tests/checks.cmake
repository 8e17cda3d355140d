# Tests of the sources and objects themselves, and the laws once more on every instruction set.
add_test(NAME layers COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh ${PROJECT_SOURCE_DIR})
add_test(NAME layers_self_test COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/layers.sh --self-test)
add_test(NAME equation_numbers COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/equation_numbers.sh ${PROJECT_SOURCE_DIR})
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME public_names COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/public_names.py ${PROJECT_SOURCE_DIR})
  add_test(NAME links COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/links.py ${PROJECT_SOURCE_DIR})
  add_test(NAME links_self_test COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/links.py --self-test)
  add_test(NAME gait_table_self_test
           COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/gait_table.py --self-test)
  add_test(NAME check_motion_self_test
           COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/check_motion.py --self-test)
  add_test(NAME public_names_self_test COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/public_names.py --self-test)
endif()

if(verne_is_lazy)
  add_test(NAME lazy_library COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/lazy_library.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER} $<TARGET_FILE:verne_app>)
endif()
add_test(NAME progress_line COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/progress.sh)
add_test(NAME apt_lock COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/apt_lock.sh)
set_tests_properties(apt_lock PROPERTIES SKIP_REGULAR_EXPRESSION "is not available here")
set_tests_properties(progress_line apt_lock PROPERTIES TIMEOUT 60)

add_test(NAME isolation_self_test
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/isolation.sh --self-test ${CMAKE_NM} ${CMAKE_CXX_COMPILER})
foreach(isa avx2 avx512)
  if(TARGET verne_kernels_${isa} AND NOT VERNE_SANITIZE)  # sanitizers add weak symbols of their own
    set(wide $<TARGET_OBJECTS:verne_kernels_${isa}>)
    if(VERNE_NLP)
      list(APPEND wide $<TARGET_OBJECTS:verne_panel_${isa}>)
    endif()
    add_test(NAME isolation_${isa} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/isolation.sh ${CMAKE_NM} ${isa} ${wide}
             COMMAND_EXPAND_LISTS)
  endif()
endforeach()

if(TARGET verne_kernels_avx512 AND CMAKE_OBJDUMP AND NOT VERNE_SANITIZE)
  add_test(NAME narrow_states COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/narrow_states.sh ${CMAKE_OBJDUMP}
           $<TARGET_OBJECTS:verne_kernels_avx512> COMMAND_EXPAND_LISTS)
endif()

# What a stranger gets, where all of it is built.
if(VERNE_STATIC AND VERNE_PYTHON)
  add_test(NAME install COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/run.sh ${PROJECT_BINARY_DIR})
  add_test(NAME packages COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/install/packages.sh ${PROJECT_BINARY_DIR})
  set_tests_properties(install packages PROPERTIES TIMEOUT 300 RESOURCE_LOCK install COST 100)
endif()

# Single states run on the widest set that the machine has; here each of the others has its turn. Without generated code,
# which is compiled for long and has no instruction set of ours, and without base parameters of mechanisms, where the time
# goes into dense decompositions.
set(laws Models/*:ClosedForms.*:Data.*:BorderedBand.*:KktSystem.*:PanelKernels.*-Models/RandomCode.*:Models/ShippedCode.*:Models/ClosedBaseParameters.*)
foreach(isa baseline avx2 avx512)
  if(TARGET verne_kernels_${isa} AND NOT VERNE_SANITIZE)
    add_test(NAME laws_on_${isa} COMMAND verne_tests --gtest_brief=1 --gtest_filter=${laws})
    set_tests_properties(laws_on_${isa} PROPERTIES ENVIRONMENT VERNE_INSTRUCTION_SET=${isa}
                                                   SKIP_REGULAR_EXPRESSION "is not available here")
  endif()
endforeach()

# Speed, by counts of instructions.
add_test(NAME instruction_counts_self_test COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/speed/instruction_counts.sh --self-test)
if(VERNE_IO AND VERNE_NLP AND TARGET verne_kernels_avx2 AND NOT VERNE_SANITIZE)
  add_executable(count_instructions speed/count_instructions.cpp)
  verne_common(count_instructions)
  verne_products(count_instructions)
  target_compile_definitions(count_instructions PRIVATE VERNE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(count_instructions PRIVATE verne_internal verne_bench_cases)
  add_test(NAME instruction_counts
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/speed/instruction_counts.sh $<TARGET_FILE:count_instructions>)
  set_tests_properties(instruction_counts PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "instruction_counts: Skipped")
endif()
