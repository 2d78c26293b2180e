# flashscope_hardening: what keeps a fault of ours from becoming somebody's way in, for programs that read foreign files:
# canaries on the stack, checked sizes of the C library's calls, checked indices of the C++ library, addresses that
# nobody can guess, and tables of functions that are read-only before main() begins.
add_library(flashscope_hardening INTERFACE)
if(EMSCRIPTEN)  # the browser has walls of its own
  return()
endif()

target_compile_definitions(flashscope_hardening INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
target_compile_options(flashscope_hardening INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>)
if(NOT FLASHSCOPE_SANITIZE)  # sanitizers watch the same calls, more closely
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_cxx_source_compiles("#include <string.h>\nint main() {}" FORTIFIES_AT_LEVEL_3)  # else there is a warning
  unset(CMAKE_REQUIRED_FLAGS)
  set(level $<IF:$<BOOL:${FORTIFIES_AT_LEVEL_3}>,3,2>)
  set(optimised $<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>)
  # Some distributions define it themselves, and defining it anew is a warning.
  target_compile_options(flashscope_hardening INTERFACE
    $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=${level}>)
endif()

set(executable $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
set(linked_by_cxx $<AND:${executable},$<LINK_LANGUAGE:CXX>>)
target_link_options(flashscope_hardening INTERFACE
  $<$<LINK_LANGUAGE:CXX>:LINKER:-z,relro,-z,now> $<${linked_by_cxx}:-pie>)
