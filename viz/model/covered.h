// Cover of what the open question of a lesson asks for: no panel, tooltip or description shows it before the answer.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace explorer {

struct Covered {
  /// Where parts of a text begin and end, in bytes.
  using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

  std::vector<std::string> quantities;             ///< meters of the run: "tile_traffic" covers all numbers of it
  bool order = false;                              ///< which line, tile or kernel follows which
  std::function<Spans(std::string_view)> numbers;  ///< finds the numbers in a text that tell the answer; may be empty

  /// True for a number of the run, by its path, that belongs to a covered meter.
  bool hides(std::string_view path) const;
  /// Replaces the numbers in a text that tell the answer with "?".
  std::string without_answer(const std::string& text) const;
};

}  // namespace explorer
