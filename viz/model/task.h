// Long computations in slices: keeps the window responsive, and the browser needs no threads.
#pragma once
#include <map>
#include <memory>
#include <tuple>
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

/// The computations under way or done: one of each type for each compared run, by its number.
class Tasks {
 public:
  /// The computation of these arguments. If one of them changes, the old computation is dropped and T(arguments...)
  /// begins; panels call this in every frame, and draw the result so far.
  template <class T, class... Arguments>
  T& get(std::size_t run, const Arguments&... arguments) {
    return get_for<T>(run, std::tuple(arguments...), arguments...);
  }

  /// The computation of a key, whose values decide in place of the arguments.
  template <class T, class Key, class... Arguments>
  T& get_for(std::size_t run, const Key& key, const Arguments&... arguments) {
    std::unique_ptr<Entry>& entry = entries_[{run, &type_mark<Keyed<T, Key>>}];
    auto* known = static_cast<Keyed<T, Key>*>(entry.get());
    if (known == nullptr || known->key != key) {
      entry.reset();  // before the next begins: it may hold much memory
      entry = std::make_unique<Keyed<T, Key>>(key, arguments...);
      known = static_cast<Keyed<T, Key>*>(entry.get());
    }
    return known->task;
  }

  /// Runs one slice of the first unfinished computation. False if all are done.
  bool advance() {
    for (auto& [place, entry] : entries_) {
      if (entry->done) continue;
      entry->done = !entry->advance();
      return true;
    }
    return false;
  }

 private:
  struct Entry : Task {
    bool done = false;
  };
  template <class T, class Key>
  struct Keyed : Entry {
    template <class... Arguments>
    explicit Keyed(const Key& of, const Arguments&... arguments) : key(of), task(arguments...) {}
    bool advance() override { return task.advance(); }
    Key key;
    T task;
  };
  template <class T>
  static inline char type_mark = 0;  // its address identifies the type: the page is built without RTTI

  std::map<std::pair<std::size_t, const void*>, std::unique_ptr<Entry>> entries_;
};

}  // namespace explorer
