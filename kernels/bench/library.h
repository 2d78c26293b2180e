// A shared library that is opened when it is needed: a program starts without it.
#pragma once
#include <string>
#include <vector>

namespace bench {

class Library {
 public:
  /// The first of the names that opens. Throws sim::Error with the system's reason when none does.
  explicit Library(const std::vector<std::string>& names);
  /// Throws sim::Error when there is none of this name.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;
  void* handle_ = nullptr;  ///< stays open: these libraries cannot be unloaded
  std::string name_;
};

}  // namespace bench
