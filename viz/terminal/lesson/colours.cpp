#include "viz/terminal/lesson/colours.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace terminal {
namespace {

using std::string;
using std::string_view;

/// The colour of a letter; null if it does not name a tensor.
const TensorColour* colour_of(char letter) {
  const auto* const found = std::find_if(tensor_colours.begin(), tensor_colours.end(),
                                         [&](const TensorColour& colour) { return colour.tensor == letter; });
  return found == tensor_colours.end() ? nullptr : found;
}

string coloured(string_view letters, char tensor) {
  return sim::text("\x1b[38;5;", colour_of(tensor)->number, "m", letters, "\x1b[39m");
}

bool all_tensors(string_view word) { return std::all_of(word.begin(), word.end(), colour_of); }
bool is_gradient(string_view word) { return word.size() == 2 && word[0] == 'd' && colour_of(word[1]) != nullptr; }

bool belongs_to_word(char c) { return sim::is_letter(c) || sim::is_digit(c); }

/// The alphanumeric word at the start of a text.
string_view word_at(string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), belongs_to_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

string in_colours(string_view text) {
  string result;
  while (!text.empty()) {
    const string_view word = word_at(text);
    const string_view rest = text.substr(std::max<std::size_t>(word.size(), 1));
    const bool order = word == "O" && rest.starts_with("(");  // O(N d)
    if (is_gradient(word)) {
      result += coloured(word, word[1]);
    } else if (!word.empty() && all_tensors(word) && !order) {
      for (const char& letter : word) result += coloured({&letter, 1}, letter);
    } else {
      result += text.substr(0, text.size() - rest.size());
    }
    text = rest;
  }
  return result;
}

}  // namespace terminal
