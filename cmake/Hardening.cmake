# flashscope_hardening: makes bugs harder to exploit, in programs that read untrusted files: stack canaries, size checks in
# C library calls, index checks in the C++ library, randomised addresses (PIE), and function tables that are read-only
# before main() starts (RELRO).
add_library(flashscope_hardening INTERFACE)
if(EMSCRIPTEN)  # the browser has its own sandbox
  return()
endif()

target_compile_definitions(flashscope_hardening INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
target_compile_options(flashscope_hardening INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>)
if(NOT FLASHSCOPE_SANITIZE)  # sanitizers check the same calls, more closely
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_cxx_source_compiles("#include <string.h>\nint main() {}" FORTIFIES_AT_LEVEL_3)  # otherwise the compiler warns
  unset(CMAKE_REQUIRED_FLAGS)
  set(level $<IF:$<BOOL:${FORTIFIES_AT_LEVEL_3}>,3,2>)
  set(optimised $<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>)
  # Some distributions define the macro themselves, and redefining it is a warning.
  target_compile_options(flashscope_hardening INTERFACE
    $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=${level}>)
endif()

set(executable $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
set(linked_by_cxx $<AND:${executable},$<LINK_LANGUAGE:CXX>>)
target_link_options(flashscope_hardening INTERFACE
  $<$<LINK_LANGUAGE:CXX>:LINKER:-z,relro,-z,now> $<${linked_by_cxx}:-pie>)
