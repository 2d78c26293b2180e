// Shared library that is opened on demand: a program starts without it.
#pragma once
#include <string>
#include <vector>

namespace bench {

class Library {
 public:
  /// Opens the first of the names that loads. Throws sim::Error with the system's reason if none does.
  explicit Library(const std::vector<std::string>& names);
  /// Returns a function. Throws sim::Error if the library has none of this name.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;
  void* handle_ = nullptr;  ///< never closed: these libraries cannot be unloaded
  std::string name_;
};

}  // namespace bench
