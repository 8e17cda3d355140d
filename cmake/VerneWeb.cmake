# The page of `verne report` and `verne view`: built by npm from web/ and compiled into the library, so that the program
# stays one file. Sets verne_page_source. Without npm, or without a network when packages are missing, a message says so
# and a library without the page is built.
find_program(VERNE_NPM npm)
find_program(VERNE_NODE node)
mark_as_advanced(VERNE_NPM VERNE_NODE)

set(verne_web_dir ${PROJECT_SOURCE_DIR}/web)
set(verne_page_source ${PROJECT_SOURCE_DIR}/src/report/no_page.cpp)

# Installs exactly what package-lock.json lists, when that has not been done since it changed.
function(verne_install_node_packages result)
  set(stamp ${verne_web_dir}/node_modules/.package-lock.json)
  if(EXISTS ${stamp} AND NOT ${verne_web_dir}/package-lock.json IS_NEWER_THAN ${stamp})
    set(${result} TRUE PARENT_SCOPE)
    return()
  endif()
  message(STATUS "Installing the packages of web/ (npm ci)")
  execute_process(COMMAND ${VERNE_NPM} ci WORKING_DIRECTORY ${verne_web_dir} RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE why)
  if(code EQUAL 0)
    file(TOUCH ${stamp})
    set(${result} TRUE PARENT_SCOPE)
  else()
    message(WARNING "npm ci failed; the web page is left out:\n${why}")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

set(verne_has_page FALSE)
if(VERNE_WEB AND VERNE_NPM AND VERNE_NODE)
  verne_install_node_packages(verne_has_page)
elseif(VERNE_WEB)
  message(STATUS "npm was not found: the web page is left out")
endif()

set_property(GLOBAL PROPERTY VERNE_HAS_PAGE ${verne_has_page})
if(verne_has_page)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${verne_web_dir}/package-lock.json)
  file(GLOB_RECURSE verne_web_sources CONFIGURE_DEPENDS ${verne_web_dir}/src/*)
  set(verne_page_source ${PROJECT_BINARY_DIR}/web/page_template.cpp)
  add_custom_command(
    OUTPUT ${verne_page_source}
    COMMAND ${VERNE_NODE} build_page.mjs ${verne_page_source}
    WORKING_DIRECTORY ${verne_web_dir}
    DEPENDS ${verne_web_sources} ${verne_web_dir}/index.html ${verne_web_dir}/vite.config.js ${verne_web_dir}/build_page.mjs
            ${verne_web_dir}/tsconfig.json ${verne_web_dir}/package-lock.json ${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES
    COMMENT "Building the web page"
    VERBATIM)
endif()
