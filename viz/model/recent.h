// Cache of the last few large objects, limited by bytes: the least recently used is evicted first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>

namespace explorer {

/// T has bytes(), which may grow during use.
template <class T>
class Recent {
 public:
  explicit Recent(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  /// The object of a key, made by make() if absent; then evicts down to the limit. O(kept).
  template <class Make>
  std::shared_ptr<T> get(std::int64_t key, Make make) {
    auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Entry& entry) { return entry.key == key; });
    if (found == kept_.end()) {
      kept_.push_front({key, make()});
    } else {
      kept_.splice(kept_.begin(), kept_, found);
    }
    std::int64_t sum = bytes();
    while (sum > most_bytes_ && kept_.size() > 1) {
      sum -= kept_.back().value->bytes();
      kept_.pop_back();
    }
    return kept_.front().value;
  }

  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (const Entry& entry : kept_) sum += entry.value->bytes();
    return sum;
  }
  std::size_t size() const { return kept_.size(); }

 private:
  struct Entry {
    std::int64_t key;
    std::shared_ptr<T> value;
  };
  std::int64_t most_bytes_;
  std::list<Entry> kept_;  // newest first
};

}  // namespace explorer
