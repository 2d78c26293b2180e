#include "kernels/bench/library.h"

#include <dlfcn.h>

#include "sim/base/check.h"

namespace bench {

Library::Library(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    name_ = name;
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
  }
  throw sim::Error(sim::text(names.front(), " is not found (", dlerror(), ")"));
}

void* Library::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  sim::require(address != nullptr, name_, " has no function ", name);
  return address;
}

}  // namespace bench
