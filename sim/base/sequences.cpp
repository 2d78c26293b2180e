#include "sim/base/sequences.h"

#include <algorithm>
#include <charconv>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::string_view blanks = " \t\r\v\f", what_is_allowed = "allowed are lines `count Nq Nk`, such as 2 128 128";
constexpr std::int64_t longest_text = std::int64_t{1} << 20;

/// The text of the lengths, and its location for messages.
struct SequenceText {
  std::string content, place;
};

SequenceText content_of(const std::string& typed) {
  if (!names_sequence_file(typed)) return {typed, "seqlens"};
  const std::string place = "seqlens: " + printable(typed);
  try {
    return {read_file(typed, longest_text, place), place};
  } catch (const FileError& error) {
    require(!error.is_missing(), place, ": no such file can be read; ", what_is_allowed, ", or a file of them");
    throw Error(text(error.what(), "; ", what_is_allowed));
  }
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line, blanks)).empty()) {
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::int64_t read_number(std::string_view word, const std::string& place, std::string_view what, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  require(error == std::errc{} && end == word.data() + word.size() && number >= 1 && number <= most, place, ": ", what,
          " \"", printable(word.substr(0, 100)), "\" is not a whole number from 1 to ", most);
  return number;
}

SequenceClass read_class(std::string_view line, const std::string& place) {
  const std::vector<std::string_view> words = words_of(line);
  require(words.size() == 3, place, ": \"", printable(trimmed(line, blanks).substr(0, 100)), "\" has ", words.size(),
          words.size() == 1 ? " number" : " numbers", ", not 3: ", what_is_allowed);
  return {read_number(words[0], place, "count", most_sequences), read_number(words[1], place, "Nq", longest_sequence),
          read_number(words[2], place, "Nk", longest_sequence)};
}

void check(const SequenceClasses& classes, const std::string& place) {
  require(!classes.empty(), place, ": holds no lengths: ", what_is_allowed);
  const std::int64_t entries = sizes_of(classes).entries;
  require(entries <= most_sequences, place, ": ", entries, " batch entries are more than ", most_sequences);
}

}  // namespace

std::string_view name_of(IssueOrder order) { return order == IssueOrder::file ? "file" : "longest"; }

bool names_sequence_file(std::string_view typed) {
  if (typed.find_first_of(" \t\r\n,") == std::string_view::npos) return !trimmed(typed).empty();
  return typed.find('/') != std::string_view::npos && typed.find_first_of("\n#") == std::string_view::npos;
}

SequenceClasses read_sequences(const std::string& typed) {
  const auto [content, place] = content_of(typed);
  require(!content.starts_with("\xef\xbb\xbf"), place,
          ": line 1: begins with a byte order mark: save it as UTF-8 without one");
  SequenceClasses classes;
  const std::vector<std::string_view> lines = split(content, "\n");
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string where = text(place, ": line ", n + 1);
    for (const std::string_view part : split(lines[n].substr(0, lines[n].find('#')), ",")) {
      if (trimmed(part, blanks).empty()) continue;
      require(static_cast<std::int64_t>(classes.size()) < most_sequence_classes, where, ": more than ",
              most_sequence_classes, " lines of lengths: join entries that are alike");
      classes.push_back(read_class(part, where));
    }
  }
  check(classes, place);
  return classes;
}

std::string text_of(const SequenceClasses& classes) {
  std::string all;
  for (const SequenceClass& c : classes) {
    if (!all.empty()) all += ", ";
    all += std::to_string(c.count) + ' ' + std::to_string(c.seqlen_q) + ' ' + std::to_string(c.seqlen_k);
  }
  return all;
}

SequenceSizes sizes_of(const SequenceClasses& classes) {
  SequenceSizes sizes;
  for (const SequenceClass& c : classes) {
    sizes.entries += c.count;
    sizes.most_queries = std::max(sizes.most_queries, c.seqlen_q);
    sizes.most_keys = std::max(sizes.most_keys, c.seqlen_k);
  }
  return sizes;
}

}  // namespace sim
