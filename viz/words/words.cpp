#include "viz/words/words.h"

#include <initializer_list>
#include <list>
#include <map>

#include "viz/words/languages.h"

namespace words {

std::string_view embedded_text(std::string_view path);

namespace {

using Table = std::map<std::string_view, std::string_view>;

const std::initializer_list<std::string_view> chinese_files = {FLASHSCOPE_WORDS};  // the compiled-in files

/// Reads lines in pairs, English and translation; skips empty lines and those that begin with #.
void read_pairs(std::string_view text, Table& table) {
  std::string_view english;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.substr(0, 2) == "  ") {
      table[english] = line.substr(2);
    } else {
      english = line;
    }
  }
}

/// Translations by English sentence; empty if Chinese is not loaded.
Table& chinese() {
  static Table table = [] {
    Table all;
    for (const std::string_view file : chinese_files) read_pairs(embedded_text(file), all);
    return all;
  }();
  return table;
}

}  // namespace

std::string_view say(Language language, std::string_view english) {
  if (language == Language::en) return english;
  const auto found = chinese().find(english);
  return found == chinese().end() ? english : found->second;
}

std::string spaced(std::string_view text) {
  const auto is_han = [](char c) { return c >= '\xE4' && c <= '\xE9'; };  // lead byte of three-byte UTF-8
  const auto is_latin = [](char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); };
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const bool after_han = n >= 3 && is_han(text[n - 3]) && is_latin(text[n]);
    const bool before_han = n > 0 && is_latin(text[n - 1]) && is_han(text[n]);
    if (after_han || before_han) out += ' ';
    out += text[n];
  }
  return out;
}

std::string translate(Language language, const sim::Sentence& sentence) {
  const std::string& words = sentence.words();
  if (sentence.is_name()) {
    const bool quoted = words.size() > 1 && words.front() == '"' && words.back() == '"';
    return quoted && language == Language::zh ? sim::text("“", words.substr(1, words.size() - 2), "”") : words;
  }
  return sim::Sentence::filled(say(language, words), sentence.values(),
                               [&](const sim::Sentence& value) { return translate(language, value); });
}

bool speaks(Language language) { return language == Language::en || !chinese().empty(); }

void learn_chinese(std::string text) {
  static std::list<std::string> learned;  // the table points into them
  read_pairs(learned.emplace_back(std::move(text)), chinese());
}

}  // namespace words
