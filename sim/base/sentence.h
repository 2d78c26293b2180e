// A sentence template with its values kept separate, so that a translation can use the same values.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace sim {

/// A template with {} placeholders for values, which may be sentences themselves: Sentence("{} of {}", 3, gpu.name).
class Sentence {
 public:
  Sentence() = default;
  /// Text without values, or text that is equal in every language: a name, a line of code.
  Sentence(std::string_view words) : words_(words) {}
  Sentence(const std::string& words) : words_(words) {}
  Sentence(const char* words) : words_(words) {}
  template <class First, class... Rest>
  Sentence(std::string_view words, const First& first, const Rest&... rest)
      : words_(words), values_{as_value(first), as_value(rest)...} {}

  const std::string& words() const { return words_; }
  const std::vector<Sentence>& values() const { return values_; }
  std::string text() const {
    return filled(words_, values_, [](const Sentence& value) { return value.text(); });
  }

  /// Fills the placeholders with text_of(value): {} is the next value, {2} the third.
  template <class TextOf>
  static std::string filled(std::string_view words, const std::vector<Sentence>& values, TextOf text_of) {
    if (values.empty()) return std::string(words);
    std::string all;
    for (std::size_t next = 0; !words.empty();) {
      const std::size_t open = words.find('{'), close = words.find('}', std::min(open, words.size()));
      all += words.substr(0, open);
      if (close == std::string_view::npos) break;
      const bool numbered = close > open + 1;
      const std::size_t n = numbered ? static_cast<std::size_t>(words[open + 1] - '0') : next++;
      require(n < values.size(), "sentence: \"", words, "\" has more places than values");
      all += text_of(values[n]);
      words.remove_prefix(close + 1);
    }
    return all;
  }

  /// Joins sentences with a separator.
  static Sentence list(std::vector<Sentence> parts, std::string_view separator = ", ") {
    Sentence all;
    for (std::size_t n = 0; n < parts.size(); ++n) all.words_.append(n == 0 ? "" : separator).append("{}");
    all.values_ = std::move(parts);
    return all;
  }

  friend bool operator==(const Sentence& a, const Sentence& b) { return a.text() == b.text(); }

 private:
  template <class Value>
  static Sentence as_value(const Value& value) {
    if constexpr (std::is_same_v<Value, Sentence>)
      return value;
    else
      return Sentence(sim::text(value));
  }

  std::string words_;
  std::vector<Sentence> values_;
};

}  // namespace sim
