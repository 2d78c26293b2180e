#include "lessons/page.h"

#include <algorithm>

#include "lessons/lesson.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using sim::require;
using std::string;
using std::string_view;

constexpr std::size_t longest_words = std::size_t{256} * 1024;

/// Removes the next line from a text and returns it.
string_view next_line(string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// True for a link target of the form "matrix" or "tensor:K".
bool is_place(string_view link) {
  const auto fits = [](char c) { return sim::is_letter(c) || sim::is_digit(c) || string_view("_-:,").find(c) < 4; };
  return !link.empty() && std::all_of(link.begin(), link.end(), fits);
}

/// True if a line has tags, HTML comments, or links to addresses outside of the lesson.
bool is_foreign(string_view line) {
  for (std::size_t n = 0; n + 1 < line.size(); ++n) {
    const string_view rest = line.substr(n);
    const bool opens = rest[0] == '<' && (sim::is_letter(rest[1]) || rest[1] == '/' || rest[1] == '!');
    if (opens && rest.find('>') != string_view::npos) return true;
    if (rest.starts_with("](") && !is_place(rest.substr(2, rest.find(')') - 2))) return true;
  }
  return false;
}

class WordsReader {
 public:
  WordsReader(Language language, string file) : chinese_(language == Language::zh), file_(std::move(file)) {}

  Words read(string_view markdown) {
    while (!markdown.empty()) {
      ++line_;
      read_line(next_line(markdown));
    }
    require(!words_.title.empty(), file_, ": no title: begin with \"# Title\"");
    return std::move(words_);
  }

 private:
  void read_line(string_view line) {
    require(!is_foreign(line), where(), "a lesson may contain neither HTML nor addresses of other machines");
    const string_view rest = sim::trimmed(line.substr(std::min(line.find(' '), line.size())));
    if (line.empty()) {
      begins_ = true;
    } else if (line.starts_with("# ")) {
      require(words_.title.empty(), where(), "a second title");
      words_.title = rest;
    } else if (line.starts_with("## ")) {
      begin_page(rest);
    } else if (line.starts_with("?? ")) {
      const auto [key, text] = keyed(rest);
      question(key).hints.emplace_back(text);
    } else if (line.starts_with("? ")) {
      const auto [key, text] = keyed(rest);
      keep(page().questions[key].question, key, text);
    } else if (line.starts_with("= ")) {
      const auto [key, text] = keyed(rest);
      keep(question(key).because, key, text);
    } else if (line.starts_with("! ")) {
      const auto [key, text] = keyed(rest);
      keep(page().reasons[key], key, text);
    } else if (line.starts_with("+ ")) {
      const auto [key, text] = keyed(rest);
      keep(page().choices[key], key, text);
    } else {
      add_block(line);
    }
  }

  void begin_page(string_view heading) {
    const auto [key, title] = keyed(heading);
    for (const Page& known : words_.pages) require(known.name != key, where(), "step ", key, " is given twice");
    words_.pages.emplace_back();
    Page& page = words_.pages.back();
    page.name = key;
    page.title = title;
    page.line = line_;
    begins_ = true;
    last_ = nullptr;
  }

  /// Splits "golf: Fewest bytes" into key and text.
  std::pair<string, string_view> keyed(string_view text) const {
    const std::size_t colon = text.find(':');
    require(colon != string_view::npos && colon > 0, where(), "\"", sim::shortened(text, 60),
            "\" has no key: write \"key: words\"");
    return {string(sim::trimmed(text.substr(0, colon))), sim::trimmed(text.substr(colon + 1))};
  }

  void keep(string& place, const string& key, string_view text) {
    require(place.empty(), where(), sim::quoted(key), " is given twice in its step");
    require(!text.empty(), where(), sim::quoted(key), " has no words");
    place = text;
    last_ = &place;
    begins_ = false;
  }

  /// Adds a line to the current block or text of a question, which an empty line ends; else begins a block.
  void add_block(string_view line) {
    const BlockKind kind = kind_of(line);
    if (last_ != nullptr && !begins_ && kind == BlockKind::paragraph) {
      *last_ += (chinese_ ? "" : " ") + string(line);
      return;
    }
    last_ = nullptr;
    std::vector<Block>& blocks = words_.pages.empty()       ? words_.aim
                                 : page().questions.empty() ? page().blocks
                                                            : page().told;
    const string_view text = text_of(kind, line);
    const bool new_one = begins_ || blocks.empty() || kind == BlockKind::item ||
                         (blocks.back().kind != kind && kind != BlockKind::paragraph);
    if (new_one) {
      blocks.push_back({kind, string(text)});
    } else {
      const BlockKind of = blocks.back().kind;
      const string_view between = of == BlockKind::equations ? between_equations
                                  : of == BlockKind::table   ? "\n"
                                  : chinese_                 ? ""
                                                             : " ";
      blocks.back().text += string(between) + string(text);
    }
    begins_ = false;
  }

  static BlockKind kind_of(string_view line) {
    if (line.starts_with("    ")) return BlockKind::equations;
    if (line.starts_with("- ")) return BlockKind::item;
    if (line.starts_with("|")) return BlockKind::table;
    return line.starts_with("> ") ? BlockKind::myth : BlockKind::paragraph;
  }
  static string_view text_of(BlockKind kind, string_view line) {
    if (kind == BlockKind::equations) return line.substr(4);
    return kind == BlockKind::item || kind == BlockKind::myth ? line.substr(2) : line;
  }

  Page& page() {
    require(!words_.pages.empty(), where(), "precedes the first step");
    return words_.pages.back();
  }
  QuestionWords& question(const string& key) {
    const auto found = page().questions.find(key);
    require(found != page().questions.end(), where(), "there is no \"? ", key, ":\" before it in this step");
    return found->second;
  }
  string where() const { return sim::text(file_, ":", line_, ": "); }

  bool chinese_;
  string file_;
  int line_ = 0;
  bool begins_ = true;      // the next line begins a block
  string* last_ = nullptr;  // text that the next line continues
  Words words_;
};

}  // namespace

string_view name_of(Language language) { return language == Language::zh ? "zh" : "en"; }

const QuestionWords& Page::words(string_view question) const {
  static const QuestionWords none;
  const auto found = questions.find(question);
  return found == questions.end() ? none : found->second;
}

string_view Page::label(string_view choice) const {
  const auto found = choices.find(choice);
  return found == choices.end() ? choice : found->second;
}

string_view Page::reason(string_view answer) const {
  const auto found = reasons.find(answer);
  return found == reasons.end() ? string_view() : found->second;
}

const Page& Words::page(string_view step) const {
  for (const Page& page : pages) {
    if (page.name == step) return page;
  }
  throw sim::Error("lesson: no step is called \"", step, "\" in ", title);
}

Words read_words(string_view markdown, Language language, const string& origin) {
  const string file = sim::shortened(origin, 1000);
  require(markdown.size() <= longest_words, file, ": the file has ", markdown.size(), " bytes, words at most ",
          longest_words);
  constexpr string_view byte_order_mark = "\xEF\xBB\xBF";  // some editors write it
  if (markdown.starts_with(byte_order_mark)) markdown.remove_prefix(byte_order_mark.size());
  string text(markdown);  // may have the line ends of any system
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != string::npos;) text.erase(at, 1);
  require(sim::printable_lines(text) == text, file, ": holds characters that cannot be seen, or is not UTF-8");
  return WordsReader(language, file).read(text);
}

std::vector<string*> texts_of(Page& page) {
  std::vector<string*> texts{&page.title};
  for (auto* blocks : {&page.blocks, &page.told}) {
    for (Block& block : *blocks) texts.push_back(&block.text);
  }
  for (auto& [key, words] : page.questions) {
    texts.insert(texts.end(), {&words.question, &words.because});
    for (string& hint : words.hints) texts.push_back(&hint);
  }
  for (auto* named : {&page.choices, &page.reasons}) {
    for (auto& [key, text] : *named) texts.push_back(&text);
  }
  return texts;
}

Page filled(Page page, const Facts& facts) {
  for (string* text : texts_of(page)) *text = facts.filled(*text);
  return page;
}

}  // namespace lessons
