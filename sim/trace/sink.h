// Output of exporters in pieces: a trace of a million events never has to be one string.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace sim {

/// Receives the pieces of a file in order. May throw, for example on a full disk.
using Sink = std::function<void(std::string_view)>;

/// Number of bytes from which a piece is passed to a sink.
inline constexpr std::size_t piece_size = std::size_t{1} << 16;

/// Collects small pieces and passes large ones to a sink. finish() passes the rest.
class Pieces {
 public:
  explicit Pieces(const Sink& sink) : sink_(sink) {}
  std::string& text() { return text_; }  ///< append here
  /// Called after each record: passes on the collected text if it is large enough.
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
