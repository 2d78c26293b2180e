// Long computations in slices: keeps the window responsive, and the browser needs no threads.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace explorer {

/// Target of a slice's estimated work, in nanoseconds of one core: below 4 ms, to allow for estimation errors.
inline constexpr double ns_per_slice = 3e6;

class Task {
 public:
  virtual ~Task() = default;
  /// Runs one slice, of at most about 4 ms. False if nothing is left to do; it is then not called again.
  virtual bool advance() = 0;
};

/// The computations under way or done, one per name and type.
class Tasks {
 public:
  /// The computation `name` for the inputs described by `key`. If the key changes, the old one is dropped and
  /// T(arguments...) begins; panels call this in every frame, and draw the result so far.
  template <class T, class... Arguments>
  T& get(const std::string& name, const std::string& key, const Arguments&... arguments) {
    Entry& entry = entries_[{name, &type_mark<T>}];
    if (entry.task == nullptr || entry.key != key) entry = {key, std::make_shared<T>(arguments...), false};
    return static_cast<T&>(*entry.task);
  }

  /// Runs one slice of the first unfinished computation. False if all are done.
  bool advance() {
    for (auto& [place, entry] : entries_) {
      if (entry.done) continue;
      entry.done = !entry.task->advance();
      return true;
    }
    return false;
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<Task> task;
    bool done = false;
  };
  template <class T>
  static inline char type_mark = 0;  // its address identifies the type: the page is built without RTTI

  std::map<std::pair<std::string, const void*>, Entry> entries_;
};

}  // namespace explorer
