#include "viz/words/words.h"

#include <array>
#include <map>

namespace words {

std::string_view embedded_text(std::string_view path);

namespace {

using Table = std::map<std::string_view, std::string_view>;

constexpr std::array chinese_files = {
    std::string_view("words/zh/explorer.txt"), std::string_view("words/zh/matrix.txt"),
    std::string_view("words/zh/softmax.txt"),  std::string_view("words/zh/memory.txt"),
    std::string_view("words/zh/timeline.txt"), std::string_view("words/zh/top_bar.txt"),
    std::string_view("words/zh/why.txt"),      std::string_view("words/zh/listing.txt"),
    std::string_view("words/zh/roofline.txt"), std::string_view("words/zh/center.txt"),
    std::string_view("words/zh/tour.txt"),     std::string_view("words/zh/front.txt"),
    std::string_view("words/zh/compare.txt"),  std::string_view("words/zh/lesson.txt")};

/// Lines in pairs, English and translation; empty lines and those that begin with # do not count.
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

const Table& chinese() {
  static const Table table = [] {
    Table all;
    for (const std::string_view file : chinese_files) read_pairs(embedded_text(file), all);
    return all;
  }();
  return table;
}

}  // namespace

std::string_view say(explorer::Language language, std::string_view english) {
  if (language == explorer::Language::en) return english;
  const auto found = chinese().find(english);
  return found == chinese().end() ? english : found->second;
}

}  // namespace words
