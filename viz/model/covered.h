// Cover of the answer to a lesson's open question: hidden in panels, tooltips and descriptions until it is answered.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explorer {

struct Covered {
  /// Start and end of parts of a text, in bytes.
  using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

  std::vector<std::string> quantities;  ///< "tile_traffic" covers all numbers of it, "here.S.1.1" a value on the chip
  std::vector<std::string> levels;      ///< levels of memory whose contents decide it: "hbm", "shared"
  bool order = false;                   ///< order of lines, tiles or kernels
  std::function<Spans(std::string_view)> numbers;  ///< finds the numbers in a text that reveal the answer; may be empty

  /// True for a number of the run, by its path, that belongs to a covered meter.
  bool hides(std::string_view path) const;
  bool hides_level(std::string_view level) const;
  /// Replaces the numbers in a text that give away the answer with "?".
  std::string without_answer(const std::string& text) const;
};

}  // namespace explorer
