# The pages in a real browser. The page is the same in every build: once is enough, and not under sanitizers.
get_property(has_page GLOBAL PROPERTY VERNE_HAS_PAGE)
if(has_page)
  target_compile_definitions(verne_tests PRIVATE VERNE_HAVE_PAGE)
endif()
if(VERNE_SANITIZE)
  return()
endif()

if(has_page)
  add_test(NAME web.types COMMAND ${VERNE_NPM} run --silent check WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web)
endif()
add_executable(verne_make_solutions web/make_solutions.cpp report/made_up_solution.cpp support/mesh_files.cpp)
verne_common(verne_make_solutions)
verne_products(verne_make_solutions)
target_include_directories(verne_make_solutions PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(verne_make_solutions PRIVATE verne_internal)

foreach(part report stage comparison plots picture film live study)
  if(has_page)
    add_test(NAME web.${part}
             COMMAND ${VERNE_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/web/${part}.mjs $<TARGET_FILE:verne_app>
                     $<TARGET_FILE:verne_make_solutions> ${PROJECT_BINARY_DIR}/web/artifacts)
    # Two browsers at once would starve each other on a small machine. They wait for pages as much as they work: first,
    # beside the suite.
    set_tests_properties(web.${part} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 RESOURCE_LOCK browser COST 1000)
  else()
    add_test(NAME web.${part} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: the web page was not built")
    set_tests_properties(web.${part} PROPERTIES SKIP_REGULAR_EXPRESSION SKIPPED)
  endif()
endforeach()
