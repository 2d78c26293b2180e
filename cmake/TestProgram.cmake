# test_program(<name> SOURCES <file>... LIBRARIES <target>...): one CTest entry per test case, and one entry <name>_slow
# with the label slow for the cases tagged [slow]. Under node, where starting a process is expensive, all cases are one entry.
include(TestBatches)

# The code under test keeps its optimisation and sanitizers; tests are compiled without optimisation, with AddressSanitizer
# only.
add_library(test_options INTERFACE)
target_compile_options(test_options INTERFACE
  -O0 "SHELL:-U _FORTIFY_SOURCE"  # the macro needs optimisation
  $<$<BOOL:${FLASHSCOPE_SANITIZE}>:-fno-sanitize=undefined>)

set(own_state "")
if(NOT EMSCRIPTEN)  # where nothing has state
  set(own_state ${CMAKE_CURRENT_SOURCE_DIR}/support/own_state.cpp)
endif()
if(TARGET header::catch2)  # version 2, headers only
  add_library(catch_main OBJECT support/catch_main.cpp ${own_state})
  target_link_libraries(catch_main PUBLIC header::catch2 PRIVATE flashscope_options test_options)
else()
  add_library(catch_main INTERFACE)
  target_sources(catch_main INTERFACE ${own_state})
  target_include_directories(catch_main INTERFACE support/catch3)
  target_link_libraries(catch_main INTERFACE Catch2::Catch2WithMain)
endif()

add_library(test_headers OBJECT support/test_headers.cpp)  # compiled once for all test programs
target_link_libraries(test_headers PRIVATE catch_main flashscope_options test_options)
target_precompile_headers(test_headers PRIVATE support/test_headers.h)

if(NOT EMSCRIPTEN)
  find_package(Catch2 QUIET REQUIRED)
  include(Catch)  # catch_discover_tests
endif()

set(not_discovered "~[slow]")
if(FLASHSCOPE_SANITIZE)  # cases that repeat the code of others, on more sizes or only to compare pictures
  string(APPEND not_discovered "~[repeats]")
endif()

# link_first(<program> <library>...): links the static libraries before the program's own files. If both contain a template
# or an inline function, the linker keeps the first copy. The copy of the tests, without optimisation, would also serve
# the libraries, and made products of tiles 15 times as slow in WebAssembly.
function(link_first program)
  set(archives "")
  foreach(library IN LISTS ARGN)
    if(NOT TARGET ${library})  # a library named by a generator expression
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND archives $<TARGET_FILE:${library}>)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archives)
  target_link_options(${program} PRIVATE LINKER:--whole-archive ${archives} LINKER:--no-whole-archive)
endfunction()

function(test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(tests ${arg_SOURCES})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(REMOVE_ITEM arg_SOURCES ${tests})
  test_batches(batches ${name} ${tests})
  add_executable(${name} ${batches} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} catch_main flashscope_options test_options)
  target_precompile_headers(${name} REUSE_FROM test_headers)
  link_first(${name} sim ${arg_LIBRARIES})
  if(EMSCRIPTEN)
    target_link_options(${name} PRIVATE
      -O1                # the code under test is already optimised; optimising again took a minute per program
      -sALLOW_MEMORY_GROWTH=1 -sEXIT_RUNTIME=1
      -sSINGLE_FILE=1    # node 18 and later would fetch a separate .wasm, and fail
      -sNODERAWFS=1)     # tests read and write files
    add_test(NAME ${name} COMMAND ${name} "~[slow]~[repeats]")
  else()
    catch_discover_tests(${name} TEST_SPEC "${not_discovered}" PROPERTIES LABELS case TIMEOUT 1500 SKIP_REGULAR_EXPRESSION "skipped:")
  endif()
  add_test(NAME ${name}_slow COMMAND ${name} "[slow]")
  set_tests_properties(${name}_slow PROPERTIES LABELS slow SKIP_REGULAR_EXPRESSION "No test cases matched" TIMEOUT 36000)
endfunction()
