# The packages of the distribution, as targets whose headers are SYSTEM (their warnings are not ours).
#   header::eigen header::toml header::random123    for sim
#   header::cli11 header::json fmt::fmt ZLIB::ZLIB   for the command line
#   Boost::context Threads::Threads                for the kernel emulator, optional
#   PkgConfig::IMGUI PNG::PNG                     for drawing the explorer, optional
#   glfw                                          for its window, optional
#   cupti                                         for hardware counters: headers only, optional
#   header::catch2 or Catch2::Catch2WithMain, benchmark::benchmark   tests and benchmarks, optional

# header_only(<name> <header> [PATH_SUFFIXES <folder>...]): target header::<name> for a package that is only headers.
# It is reached through a link to its own folder under build/<preset>/headers, never through /usr/include: emscripten
# must not see the headers of the host's C library.
function(header_only name header)
  find_path(${name}_PARENT ${header} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH ${ARGN})
  if(NOT ${name}_PARENT)
    return()
  endif()
  string(REGEX MATCH "^[^/]+" folder ${header})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
  file(CREATE_LINK ${${name}_PARENT}/${folder} ${PROJECT_BINARY_DIR}/headers/${folder} SYMBOLIC)
  add_library(header::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(header::${name} INTERFACE ${PROJECT_BINARY_DIR}/headers)
endfunction()

# need(<target> <package>): stops and names the package to install if the target is missing.
function(need target package)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${target} is missing: apt-get install --no-install-recommends ${package}")
  endif()
endfunction()

header_only(eigen Eigen/Core PATHS /usr/include/eigen3)
header_only(toml toml++/toml.h)
header_only(random123 Random123/philox.h)
header_only(cli11 CLI/CLI.hpp)
header_only(json nlohmann/json.hpp)
header_only(catch2 catch2/catch.hpp)  # version 2: version 3 has no such file
if(NOT TARGET header::catch2 AND NOT EMSCRIPTEN)  # a library, which is compiled for this machine
  find_package(Catch2 3 QUIET)
endif()

need(header::eigen libeigen3-dev)
need(header::toml libtomlplusplus-dev)
need(header::random123 librandom123-dev)

if(EMSCRIPTEN OR NOT CMAKE_CROSSCOMPILING)
  need(header::json nlohmann-json3-dev)
  header_only(fmt fmt/format.h)
  need(header::fmt libfmt-dev)
  # Compiled in: the packaged library has another version in each distribution.
  target_compile_definitions(header::fmt INTERFACE FMT_HEADER_ONLY)
  add_library(fmt::fmt ALIAS header::fmt)
endif()

if(EMSCRIPTEN)
  target_compile_definitions(header::fmt INTERFACE
    FMT_STATIC_THOUSANDS_SEPARATOR=',')  # otherwise fmt queries the locale, which links all locales into the page
  # Random123 rejects architectures that are not in its list; it reads this macro nowhere else.
  target_compile_definitions(header::random123 INTERFACE __riscv)
endif()

if(NOT CMAKE_CROSSCOMPILING)
  need(header::cli11 libcli11-dev)
  find_package(ZLIB QUIET)
  need(ZLIB::ZLIB zlib1g-dev)
  find_package(benchmark QUIET)
endif()

if(NOT EMSCRIPTEN)
  set(Boost_USE_STATIC_LIBS ON)  # its versions differ among distributions
  find_package(Boost QUIET CONFIG COMPONENTS context)
  find_package(Threads REQUIRED)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(IMGUI QUIET IMPORTED_TARGET GLOBAL imgui)
  endif()
  find_package(PNG QUIET)
  find_package(glfw3 3.3 QUIET)
endif()

# nvcc of CUDA 12 or 13. Kernels for GPUs take a quarter of the compilation, and run on a GPU only.
set(FLASHSCOPE_CUDA AUTO CACHE STRING "Build the kernels for GPUs as well: AUTO (where nvcc and a GPU are), ON or OFF")
set_property(CACHE FLASHSCOPE_CUDA PROPERTY STRINGS AUTO ON OFF)
if(EMSCRIPTEN OR FLASHSCOPE_CUDA STREQUAL OFF)
  message(STATUS "kernels for GPUs: off (not wanted in this build)")
elseif(FLASHSCOPE_CUDA STREQUAL AUTO AND NOT EXISTS /dev/nvidiactl AND NOT EXISTS /dev/dxg)  # Linux, and inside Windows
  message(STATUS "kernels for GPUs: off (no GPU here; -DFLASHSCOPE_CUDA=ON builds them for others)")
else()
  include(CheckLanguage)
  set(CMAKE_CUDA_ARCHITECTURES 80)  # for CMake's compiler checks; the kernels set their own
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12 REQUIRED)
  elseif(FLASHSCOPE_CUDA STREQUAL ON)
    message(FATAL_ERROR "FLASHSCOPE_CUDA is ON and there is no nvcc: install the CUDA toolkit, 12 or 13")
  else()
    message(STATUS "kernels for GPUs: off (no nvcc: install the CUDA toolkit, 12 or 13)")
  endif()
endif()

# CUPTI of the CUDA toolkit: only its headers are needed here, the library is opened when counters are read. Kernels for
# GPUs are not needed for it: its errors without a GPU are tested in every build.
set(FLASHSCOPE_CUPTI AUTO CACHE STRING "Read the hardware's counters on a GPU: AUTO (where CUPTI is found), ON or OFF")
set_property(CACHE FLASHSCOPE_CUPTI PROPERTY STRINGS AUTO ON OFF)
if(CMAKE_CROSSCOMPILING OR FLASHSCOPE_CUPTI STREQUAL OFF)
  message(STATUS "counters of GPUs: off (not wanted in this build)")
elseif(FLASHSCOPE_SANITIZE)  # CUPTI opens its own library with RTLD_DEEPBIND, for which AddressSanitizer aborts the program
  message(STATUS "counters of GPUs: off (CUPTI does not run under sanitizers)")
else()
  set(cupti_places ${CUDAToolkit_LIBRARY_ROOT} $ENV{CUDA_PATH} /usr/local/cuda)
  find_path(CUPTI_HEADERS cupti_range_profiler.h PATHS ${cupti_places} PATH_SUFFIXES include extras/CUPTI/include)
  find_path(CUDA_HEADERS cuda.h PATHS ${cupti_places} PATH_SUFFIXES include)
  find_library(CUPTI_LIBRARY cupti PATHS ${cupti_places} PATH_SUFFIXES lib64 extras/CUPTI/lib64)
  if(CUPTI_HEADERS AND CUDA_HEADERS AND CUPTI_LIBRARY)
    cmake_path(GET CUPTI_LIBRARY PARENT_PATH cupti_folder)
    add_library(cupti INTERFACE IMPORTED GLOBAL)
    target_include_directories(cupti INTERFACE ${CUPTI_HEADERS} ${CUDA_HEADERS})
    target_compile_definitions(cupti INTERFACE COUNTERS_CUPTI_FOLDER="${cupti_folder}")
  elseif(FLASHSCOPE_CUPTI STREQUAL ON)
    message(FATAL_ERROR "FLASHSCOPE_CUPTI is ON and there is no CUPTI: install the CUDA toolkit 13 with CUPTI")
  else()
    message(STATUS "counters of GPUs: off (no CUPTI: install the CUDA toolkit 13 with CUPTI)")
  endif()
endif()
