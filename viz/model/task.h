// Long computations in slices: the window stays alive, and the browser needs no threads.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace explorer {

/// What a slice of estimated work aims at, in nanoseconds of one core: under the 4 ms, as estimates are.
inline constexpr double ns_per_slice = 3e6;

class Task {
 public:
  virtual ~Task() = default;
  /// One slice, of at most some 4 ms. False when nothing is left to do; it is not called again then.
  virtual bool advance() = 0;
};

/// The computations that are under way or done, one for each name and type.
class Tasks {
 public:
  /// The computation `name` for what `key` describes. Asked for with another key, the one before is dropped and a new
  /// one T(arguments...) begins; panels call this in every frame, and draw what there is so far.
  template <class T, class... Arguments>
  T& get(const std::string& name, const std::string& key, const Arguments&... arguments) {
    Entry& entry = entries_[{name, &type_mark<T>}];
    if (entry.task == nullptr || entry.key != key) entry = {key, std::make_shared<T>(arguments...), false};
    return static_cast<T&>(*entry.task);
  }

  /// One slice of the first that is not done. False when all are.
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
  static inline char type_mark = 0;  // its address tells types apart: the page is built without RTTI

  std::map<std::pair<std::string, const void*>, Entry> entries_;
};

}  // namespace explorer
