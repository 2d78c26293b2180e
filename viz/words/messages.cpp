// Messages of the simulator in other languages: an error is a text, of which the words of a known sentence are found.
#include <optional>

#include "viz/words/words.h"

namespace words {
namespace {

constexpr std::string_view messages[] = {
    /*say*/ "{}:{}: {} tile ({}, {}) {} needs {}, {} of {} SMEM are free",
    /*say*/ "{}:{}: {} tile ({}, {}) {} needs {}, {} of {} registers are free",
    /*say*/ "{}: {} is more than the {} of fmha, which keeps all keys of a head on chip: {}",
    /*say*/
    "seqlen: {} single rows are more than the {} that are counted between two frames; flashscope sweep counts them",
};

/// Finds what stands in the places {} of a pattern, if the text has its words.
std::optional<std::vector<sim::Sentence>> values_in(std::string_view text, std::string_view pattern) {
  std::vector<sim::Sentence> values;
  while (true) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return text == pattern ? std::optional(values) : std::nullopt;
    if (text.substr(0, place) != pattern.substr(0, place)) return std::nullopt;
    text.remove_prefix(place);
    pattern.remove_prefix(place + 2);
    const std::string_view next = pattern.substr(0, pattern.find("{}"));
    const std::size_t end = next.empty() ? text.size() : text.find(next);
    if (end == std::string_view::npos) return std::nullopt;
    values.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

std::string translate_message(explorer::Language language, std::string_view english) {
  for (const std::string_view pattern : messages) {
    if (language == explorer::Language::en) break;
    if (const auto values = values_in(english, pattern))
      return sim::Sentence::filled(say(language, pattern), *values,
                                   [](const sim::Sentence& value) { return value.text(); });
  }
  return std::string(english);
}

}  // namespace words
