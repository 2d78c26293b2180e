// A sentence template with its values kept separate, so that a translation can use the same values.
#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/text.h"

namespace sim {

/// A template with {} placeholders for values, which may be sentences themselves: Sentence("{} of {}", 3, gpu.name).
class Sentence {
 public:
  Sentence() = default;
  /// Text without values, which may have a translation.
  Sentence(std::string_view words) : words_(words) {}
  Sentence(const std::string& words) : words_(words) {}
  Sentence(const char* words) : words_(words) {}
  template <class First, class... Rest>
  Sentence(std::string_view words, const First& first, const Rest&... rest)
      : words_(words), values_{as_value(first), as_value(rest)...} {}

  /// Text that is equal in every language: a name, a number, what a user typed.
  static Sentence name(std::string_view text) {
    Sentence named(text);
    named.is_name_ = true;
    return named;
  }

  /// Joins parts as text() does. String literals become the template and other parts its values: sentences, errors with
  /// their sentences, and names. of("needs ", 3, " KiB") is "needs {} KiB" with the value 3.
  template <class... Part>
  static Sentence of(const Part&... parts) {
    if constexpr (sizeof...(parts) == 1) {
      return (alone(parts), ...);
    } else {
      Sentence all;
      (all.add(parts), ...);
      return all;
    }
  }

  const std::string& words() const { return words_; }
  const std::vector<Sentence>& values() const { return values_; }
  bool is_name() const { return is_name_; }
  bool empty() const { return words_.empty(); }
  std::string text() const {
    return filled(words_, values_, [](const Sentence& value) { return value.text(); });
  }

  /// Fills the placeholders with text_of(value): {} is the next value, {2} the third. A placeholder without a value
  /// remains.
  template <class TextOf>
  static std::string filled(std::string_view words, const std::vector<Sentence>& values, TextOf text_of) {
    std::string all;
    for (std::size_t next = 0; !words.empty() && !values.empty();) {
      const std::size_t open = words.find('{'), close = words.find('}', std::min(open, words.size()));
      if (close == std::string_view::npos) break;
      const bool numbered = close > open + 1;
      const std::size_t n = numbered ? static_cast<std::size_t>(words[open + 1] - '0') : next++;
      all += words.substr(0, open);
      all += n < values.size() ? text_of(values[n]) : std::string(words.substr(open, close + 1 - open));
      words.remove_prefix(close + 1);
    }
    return all.append(words);
  }

  /// Joins sentences with a separator.
  static Sentence list(std::vector<Sentence> parts, std::string_view separator = ", ") {
    Sentence all;
    for (std::size_t n = 0; n < parts.size(); ++n) all.words_.append(n == 0 ? "" : separator).append("{}");
    all.values_ = std::move(parts);
    return all;
  }

  friend bool operator==(const Sentence& a, const Sentence& b) { return a.text() == b.text(); }
  friend std::ostream& operator<<(std::ostream& out, const Sentence& sentence) { return out << sentence.text(); }

 private:
  template <class Value>
  static Sentence as_value(const Value& value) {
    if constexpr (std::is_same_v<Value, Sentence>)
      return value;
    else
      return Sentence(sim::text(value));
  }

  /// The sentence of an only part, which needs no placeholder.
  template <class Part>
  static Sentence alone(const Part& part) {
    if constexpr (requires { part.sentence(); })
      return part.sentence();
    else
      return as_value(part);
  }

  template <class Part>
  void add(const Part& part) {
    if constexpr (std::is_array_v<Part>)
      add_words(part);
    else if constexpr (std::is_same_v<Part, Sentence> || requires { part.sentence(); })
      add_value(alone(part));
    else
      add_value(name(sim::text(part)));
  }

  /// Appends words to the template; as a value if their braces would be placeholders.
  void add_words(std::string_view words) {
    if (words.find_first_of("{}") == std::string_view::npos)
      words_ += words;
    else
      add_value(words);
  }
  void add_value(Sentence value) {
    words_ += "{}";
    values_.push_back(std::move(value));
  }

  std::string words_;
  std::vector<Sentence> values_;
  bool is_name_ = false;
};

/// Returns the English texts of sentences.
inline std::vector<std::string> texts(const std::vector<Sentence>& sentences) {
  std::vector<std::string> all;
  for (const Sentence& sentence : sentences) all.push_back(sentence.text());
  return all;
}

}  // namespace sim
