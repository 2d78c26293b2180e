# kernel_flavours(<name> <file.cu>...): compiles the kernels in these files for the emulated device, as object libraries
# <name>_emulated and <name>_traced. The traced one calls a hook of kernels/emulator/hooks.cpp before every load and
# store. The hook counts the loads and stores of the compiled code, so the optimisation level is fixed, and the compiler
# may neither vectorise nor merge them. No sanitizer runtime is linked, so programs with other sanitizers may link it.
function(kernel_flavours name)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
  foreach(flavour emulated traced)
    add_library(${name}_${flavour} OBJECT ${ARGN})
    target_link_libraries(${name}_${flavour} PRIVATE emulator flashscope_warnings)
    target_compile_options(${name}_${flavour} PRIVATE "SHELL:-x c++")
  endforeach()
  target_link_libraries(${name}_emulated PRIVATE flashscope_options)
  target_compile_definitions(${name}_traced PRIVATE DEV_TRACED)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(hooks "SHELL:--param tsan-instrument-func-entry-exit=0")
  else()
    set(hooks "SHELL:-mllvm -tsan-instrument-func-entry-exit=0" "SHELL:-mllvm -tsan-instrument-read-before-write=1"
      -fno-vectorize -fno-slp-vectorize -fno-builtin-memcpy -fno-builtin-memset)
  endif()
  target_compile_options(${name}_traced PRIVATE
    -fsanitize=thread ${hooks} -fasynchronous-unwind-tables  # a hook may throw
    -O2)
endfunction()
