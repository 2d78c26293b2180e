# Chooses the compiler; include it before project(). FLASHSCOPE_CLANG selects clang++ if it is installed with its
# sanitizers, else the compiler that CMake finds. CMAKE_CXX_COMPILER and the environment variable CXX take precedence.
if(NOT FLASHSCOPE_CLANG OR CMAKE_CXX_COMPILER OR NOT "$ENV{CXX}" STREQUAL "")
  return()
endif()

find_program(CLANG clang++ NO_CMAKE_SYSTEM_PATH)
mark_as_advanced(CLANG)
if(NOT CLANG)
  message(STATUS "clang: off (not found: apt-get install clang libclang-rt-14-dev); sanitizers are those of g++")
  return()
endif()
set(try ${CMAKE_BINARY_DIR}/try_sanitizers.cpp)
file(WRITE ${try} "int main() {}\n")
execute_process(COMMAND ${CLANG} -fsanitize=address,undefined ${try} -o ${try}.out
  RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
file(REMOVE ${try} ${try}.out)
if(code EQUAL 0)
  set(CMAKE_CXX_COMPILER ${CLANG})
else()
  message(STATUS "clang: off (it has no sanitizers: apt-get install libclang-rt-14-dev); those of g++ are taken")
endif()
