#include "kernels/bench/library.h"

#include <dlfcn.h>

#include "kernels/dev/python_packages.h"
#include "sim/base/check.h"

namespace bench {

Library::Library(const std::vector<std::string>& names) : handle_(dev::open_library(names)), name_(names.front()) {
  if (handle_ == nullptr) throw sim::Error(name_, " is not found (", dev::why_not_opened(), ")");
}

void* Library::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  sim::require(address != nullptr, name_, " has no function ", name);
  return address;
}

}  // namespace bench
