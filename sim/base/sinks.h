// Attention sinks: a logit per query head joins the sum of the softmax of each of its rows. It has no key and no value,
// so it takes weight away from the keys: l = sum exp(S - m) + exp(sink - m), and L contains it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/score.h"

namespace sim {

class Sinks {
 public:
  /// `logits`: one for all query heads of the frame, or one for each. Throws Error for another number of them.
  Sinks(std::vector<float> logits, const ScoreFrame& frame);
  /// Logit of a row as the program sees it; `head` counts from the first batch entry.
  float of(std::int64_t head, std::int64_t row) const;

 private:
  std::vector<float> logits_;
  ScoreFrame frame_;
};

/// True if sinks are given as the name of a .npy file, not as numbers.
bool names_sink_file(std::string_view typed);

/// Reads the text of --sink, numbers separated by commas, or the file that it names. Throws Error for NaN,
/// +infinity and anything that is not a number; -infinity is no sink.
std::vector<float> read_sinks(const std::string& typed);

/// Returns "1" or "0.5,-inf,2", which read_sinks() reads back.
std::string text_of_sinks(const std::vector<float>& logits);

}  // namespace sim
