// Where exporters put what they write, in pieces: a trace of a million events never has to be one string.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace sim {

/// Takes the pieces of a file in order. It may throw, for example on a full disk.
using Sink = std::function<void(std::string_view)>;

/// Bytes that are worth handing to a sink at a time.
inline constexpr std::size_t piece_size = std::size_t{1} << 16;

/// Collects small pieces and hands large ones to a sink. finish() hands over the rest.
class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  std::string& text() { return text_; }  ///< append here
  /// After each record: hands over what there is when it is worth it.
  void next() {
    if (text_.size() >= piece_size) finish();
  }
  void finish() {
    if (!text_.empty()) sink_(text_);
    text_.clear();
  }

 private:
  const Sink& sink_;
  std::string text_;
};

}  // namespace sim
