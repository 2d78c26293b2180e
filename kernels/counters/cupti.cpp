#include "kernels/counters/cupti.h"

#include <dlfcn.h>

#include <string>

#include "kernels/dev/python_packages.h"

namespace counters {
namespace {

using enum Unavailable::Kind;
static_assert(CUPTI_ERROR_HARDWARE_BUSY == 26 && CUPTI_ERROR_INSUFFICIENT_PRIVILEGES == 35 &&
              CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES == 40);  // codes that reason.cpp knows

/// Opens CUPTI from the system's path, else from the toolkit of the build, else from a Python package. Never closed:
/// CUPTI cannot be unloaded.
void* open_cupti() {
  const std::string name = "libcupti.so." + std::to_string(CUDA_VERSION / 1000);
  if (void* library = dev::open_library({name, std::string(COUNTERS_CUPTI_FOLDER "/") + name})) return library;
  throw Unavailable(no_cupti, sim::text("CUPTI is not found (", dev::why_not_opened(),
                                        "): install the CUDA toolkit, or put its folder into LD_LIBRARY_PATH"));
}

void* open_driver() {
  if (void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) return library;
  throw Unavailable(no_driver, "no NVIDIA driver here: install one");
}

void* function_of(void* library, const char* name, const char* library_name) {
  if (void* function = dlsym(library, name)) return function;
  throw Unavailable(no_cupti, sim::text(library_name, " has no function ", name, ": it is too old, install CUDA ",
                                        CUDA_VERSION / 1000, " or later"));
}

}  // namespace

void* cupti_function(const char* name) {
  static void* const library = open_cupti();  // retried if it throws
  return function_of(library, name, "CUPTI");
}

void* driver_function(const char* name) {
  static void* const library = open_driver();
  return function_of(library, name, "the NVIDIA driver");
}

void check(CUptiResult result, const char* function) {
  if (result == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  const auto name_of = reinterpret_cast<decltype(&cuptiGetResultString)>(cupti_function("cuptiGetResultString"));
  if (name_of(result, &name) != CUPTI_SUCCESS || name == nullptr) name = "an unknown error";
  throw refusal(function, static_cast<int>(result), name);
}

}  // namespace counters
