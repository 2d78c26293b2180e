# flashscope_options: the compiler settings that every target of the project links PRIVATE. flashscope_warnings: those of
# them that are not sanitizers.
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
    $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)  # 512 MiB before g++ collects garbage: a tenth of its time
endif()

if(EMSCRIPTEN)
  target_compile_options(flashscope_warnings INTERFACE
    -Wno-shorten-64-to-32)  # an index into memory has 32 bits there, and so has every size that fits
endif()

if(FLASHSCOPE_WERROR)
  target_compile_options(flashscope_warnings INTERFACE -Werror)
endif()

# Code that runs at any address, of a program or of a module that Python loads. Nothing outside of the two replaces or
# calls a function of ours, so that calls among them stay direct.
if(NOT EMSCRIPTEN)
  set(module $<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>)
  set(ours $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:${module}>>)
  target_compile_options(flashscope_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fPIC> $<${ours}:-fno-semantic-interposition> $<${ours}:-fvisibility=hidden>)
endif()

add_library(flashscope_options INTERFACE)
include(Hardening)
target_link_libraries(flashscope_options INTERFACE flashscope_warnings flashscope_hardening)

# A faster linker, where there is one. Kernels for GPUs are linked by nvcc, which knows none of these.
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
    if(NOT FLASHSCOPE_SANITIZE STREQUAL all)  # checks of each use of a pointer: a third of the compilation. What they find,
      # AddressSanitizer nearly always finds as well; the slow stages ask them all.
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
    -fwasm-exceptions  # errors are exceptions, which emscripten leaves out unless asked
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>  # no code asks for a type at run time, and their names are many kB of a page
    -fno-threadsafe-statics  # there is one thread
    -mbulk-memory -mnontrapping-fptoint -msign-ext  # what has exceptions has these, and they are shorter
    -Wno-deprecated-experimental-coroutine)  # its library has no other coroutines
  target_link_options(flashscope_options INTERFACE -fwasm-exceptions)
endif()

# What only says things, words, tables and panels, takes no time to run: compiled quickly, in half the time with
# sanitizers, in two thirds without. What computes, beside it in the same folder, is compiled as everything else.
if(FLASHSCOPE_SANITIZE)
  set(flashscope_says -O0)
  set(flashscope_computes -O1)
elseif(NOT EMSCRIPTEN)
  set(flashscope_says $<$<CONFIG:Release>:-O1>)
  set(flashscope_computes $<$<CONFIG:Release>:-O3>)
endif()

find_program(CCACHE ccache)
if(EMSCRIPTEN AND CCACHE)  # it knows the compiler that em++ calls
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env EM_COMPILER_WRAPPER=${CCACHE})
elseif(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})  # else it does not keep what uses a precompiled header
elseif(NOT CCACHE)
  message(STATUS "ccache: off (not found: apt-get install ccache)")
endif()

# precompiled(<target> <header>): the header that all files of the target read first. GCC tells a header that was read
# already by its content, comments included, so ccache must not hand out a precompiled one from before a comment changed;
# with a name space of its own it finds none that it kept without comments.
function(precompiled target header)
  target_precompile_headers(${target} PRIVATE ${header})
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_COMMENTS=1;CCACHE_NAMESPACE=comments;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()
