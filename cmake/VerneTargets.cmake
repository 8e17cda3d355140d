# What every target of the project has in common.

add_library(verne_options INTERFACE)
target_compile_options(verne_options INTERFACE -Wall -Wextra -Wshadow -Wno-psabi $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(VERNE_WERROR)
  target_compile_options(verne_options INTERFACE -Werror)
endif()
if(VERNE_SANITIZE)
  target_compile_options(verne_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_compile_definitions(verne_options INTERFACE VERNE_SANITIZE)
  target_link_options(verne_options INTERFACE -fsanitize=address,undefined)
endif()

# Links `target` privately against the common options without exporting them.
function(verne_common target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:verne_options>)
endfunction()
