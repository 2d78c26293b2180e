# flashscope_options: the compiler settings that every target of the project links PRIVATE. flashscope_warnings: the same
# settings without sanitizers.
set(FLASHSCOPE_SANITIZE OFF CACHE STRING "ON: AddressSanitizer and UndefinedBehaviorSanitizer; all: with every check; thread: ThreadSanitizer")
option(FLASHSCOPE_COVERAGE "Count which lines and branches run, with clang" OFF)
option(FLASHSCOPE_FUZZ "Build the fuzzers of tests/fuzz, with clang, in place of the tests" OFF)
option(FLASHSCOPE_WERROR "Turn warnings into errors" OFF)

add_library(flashscope_warnings INTERFACE)
target_compile_features(flashscope_warnings INTERFACE cxx_std_20)
target_compile_options(flashscope_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-missing-field-initializers  # designated initialisers name what differs from the defaults
  -ffp-contract=off)  # no fused multiply-add: the same values from every compiler

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(flashscope_warnings INTERFACE
    -Wno-restrict -Wno-stringop-overflow)  # g++ 12 suspects its own std::string: bug 105651
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(flashscope_warnings INTERFACE
    -Wno-dangling-reference)  # g++ 13 and 14 suspect each function that takes one reference and returns another
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(flashscope_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)  # g++ collects garbage only above 512 MiB: saves a tenth of its time
endif()

if(EMSCRIPTEN)
  target_compile_options(flashscope_warnings INTERFACE
    -Wno-shorten-64-to-32)  # indices and sizes have 32 bits there
endif()

if(FLASHSCOPE_WERROR)
  target_compile_options(flashscope_warnings INTERFACE -Werror)
endif()

# Compiles position-independent code, for programs and for the module that Python loads. No other library replaces or calls
# our functions, so calls among them stay direct.
if(NOT EMSCRIPTEN)
  set(module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
  set(ours $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:${module}>>)
  target_compile_options(flashscope_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fPIC> $<${ours}:-fno-semantic-interposition> $<${ours}:-fvisibility=hidden>)
endif()

add_library(flashscope_options INTERFACE)
include(Hardening)
target_link_libraries(flashscope_options INTERFACE flashscope_warnings flashscope_hardening)

# Uses a faster linker if one is installed. nvcc, which links kernels for GPUs, does not know these.
include(CheckLinkerFlag)
foreach(linker mold lld)
  if(NOT EMSCRIPTEN AND NOT CMAKE_CROSSCOMPILING AND NOT flashscope_linker)
    check_linker_flag(CXX -fuse-ld=${linker} LINKS_WITH_${linker})
    if(LINKS_WITH_${linker})
      set(flashscope_linker ${linker})
      target_link_options(flashscope_options INTERFACE $<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>)
    endif()
  endif()
endforeach()

if(FLASHSCOPE_SANITIZE)
  if(FLASHSCOPE_SANITIZE STREQUAL thread)
    set(sanitizers -fsanitize=thread)
  else()
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
    if(NOT FLASHSCOPE_SANITIZE STREQUAL all)  # checks of each pointer access take a third of the compilation, and
      # AddressSanitizer finds nearly all of their errors as well; the slow stages enable all.
      list(APPEND sanitizers -fno-sanitize=null,alignment,object-size,pointer-overflow)
    endif()
  endif()
  target_compile_options(flashscope_options INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(flashscope_options INTERFACE ${sanitizers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # instrumented code hides the initialisations from g++
    target_compile_options(flashscope_options INTERFACE -Wno-maybe-uninitialized)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
    target_compile_options(flashscope_options INTERFACE
      -fno-sanitize=function)  # coroutines do not assemble with it ("difference across sections")
  endif()
endif()

if(FLASHSCOPE_COVERAGE)
  target_compile_options(flashscope_options INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  target_link_options(flashscope_options INTERFACE -fprofile-instr-generate)
endif()

if(FLASHSCOPE_FUZZ)
  target_compile_options(flashscope_options INTERFACE -fsanitize=fuzzer-no-link)  # tells the fuzzer which edges ran
endif()

if(EMSCRIPTEN)
  target_compile_options(flashscope_options INTERFACE
    -fwasm-exceptions  # errors are exceptions, which emscripten omits by default
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>  # no code queries types at run time, and their names would add many kB to the page
    -fno-threadsafe-statics  # there is one thread
    -mbulk-memory -mnontrapping-fptoint -msign-ext  # browsers with exceptions have these, and the code is shorter
    -Wno-deprecated-experimental-coroutine)  # its library has no other coroutines
  target_link_options(flashscope_options INTERFACE -fwasm-exceptions)
endif()

# flashscope_says: for code that only produces text, tables and panels. Its run time does not matter, so it is compiled
# with less optimisation, in half the time with sanitizers and in two thirds without. flashscope_computes: for files in
# the same folders that compute; they are compiled like all other code.
if(FLASHSCOPE_SANITIZE)
  set(flashscope_says -O0)
  set(flashscope_computes -O1)
elseif(NOT EMSCRIPTEN)
  set(flashscope_says $<$<CONFIG:Release>:-O1>)
  set(flashscope_computes $<$<CONFIG:Release>:-O3>)
endif()

find_program(CCACHE ccache)
if(EMSCRIPTEN AND CCACHE)  # wraps the compiler that em++ calls
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env EM_COMPILER_WRAPPER=${CCACHE})
elseif(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})  # otherwise it does not cache files that use a precompiled header
elseif(NOT CCACHE)
  message(STATUS "ccache: off (not found: apt-get install ccache)")
endif()

# precompiled(<target> <header>): precompiles the header that all files of the target include first. GCC recognises a
# header that it has read by its content, comments included, so ccache must not return a precompiled header from before a
# comment changed. Its own namespace hides objects that were cached without comments.
function(precompiled target header)
  target_precompile_headers(${target} PRIVATE ${header})
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_COMMENTS=1;CCACHE_NAMESPACE=comments;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()
