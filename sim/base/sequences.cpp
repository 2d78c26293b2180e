#include "sim/base/sequences.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/amount.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::string_view blanks = " \t\r\v\f", blanks_and_ends = " \t\r\v\f\n",
                           what_is_allowed = "allowed are lines `count Nq Nk`, such as 2 128 128",
                           allowed_documents = "allowed are lengths, such as 300 724";
constexpr std::int64_t longest_text = std::int64_t{1} << 20;

/// The text of the lengths, and its location for messages.
struct SequenceText {
  std::string content, place;
};

SequenceText content_of(const std::string& typed, const std::string& option,
                        std::string_view allowed = what_is_allowed) {
  if (!names_sequence_file(typed)) return {typed, option};
  const std::string place = option + ": " + printable(typed);
  try {
    return {read_file(typed, longest_text, place), place};
  } catch (const FileError& error) {
    require(!error.is_missing(), place, ": no such file can be read; ", allowed, ", or a file of them");
    throw Error(error, "; ", allowed);
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

std::int64_t read_number(std::string_view word, const std::string& place, std::string_view what, std::int64_t most,
                         std::int64_t least = 1) {
  const std::optional<std::int64_t> number = whole_amount(Measure::count, word);
  require(number && *number >= least && *number <= most, place, ": ", what, " ",
          not_an_amount(Measure::count, word, least, most));
  return *number;
}

/// An entry of the list as it is written: one number or several, and its location for messages.
struct Part {
  std::vector<std::string_view> words;
  std::string_view text;
  std::string place;
};

/// Brackets around the whole list, as Python prints it, are left out.
std::string_view without_brackets(std::string_view content) {
  const std::string_view inside = trimmed(content, blanks_and_ends);
  return inside.starts_with('[') && inside.ends_with(']') ? inside.substr(1, inside.size() - 2) : content;
}

std::vector<Part> parts_of(const SequenceText& list) {
  require(!list.content.starts_with("\xef\xbb\xbf"), list.place,
          ": line 1: begins with a byte order mark: save it as UTF-8 without one");
  std::vector<Part> parts;
  const std::vector<std::string_view> lines = sim::split(without_brackets(list.content), "\n");
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (const std::string_view part : sim::split(lines[n].substr(0, lines[n].find('#')), ",")) {
      std::vector<std::string_view> words = words_of(part);
      if (!words.empty())
        parts.push_back({std::move(words), trimmed(part, blanks), text(list.place, ": line ", n + 1)});
    }
  }
  return parts;
}

/// Appends an entry to those before it, which may have the same length.
void append_length(SequenceClasses& classes, std::int64_t length) {
  const bool again = !classes.empty() && classes.back().seqlen_q == length;
  again ? void(++classes.back().count) : classes.push_back({1, length, length});
}

void append(SequenceClasses& classes, const Part& part) {
  if (part.words.size() == 1)
    return append_length(classes, read_number(part.words[0], part.place, "length", longest_sequence));
  const std::string_view hint = part.words.size() == 2
                                    ? "; as one entry of these queries and keys begin with 1, as two "
                                      "lengths separate them by a comma"
                                    : "; separate lengths by commas";
  require(part.words.size() == 3, part.place, ": ", quoted(part.text, 100), " has ", part.words.size(),
          " numbers, not 3: ", what_is_allowed, hint);
  classes.push_back({read_number(part.words[0], part.place, "count", most_sequences),
                     read_number(part.words[1], part.place, "Nq", longest_sequence),
                     read_number(part.words[2], part.place, "Nk", longest_sequence)});
}

/// Throws if both entries of one number and of three are in a list.
void check_alike(const std::vector<Part>& parts) {
  const auto single = [](const Part& part) { return part.words.size() == 1; };
  const auto first = std::find_if(parts.begin(), parts.end(), single);
  if (first == parts.end() || std::all_of(parts.begin(), parts.end(), single)) return;
  throw Error(first->place, ": ", quoted(first->text, 100), " has 1 number, not 3: ", what_is_allowed);
}

/// `explicit_list`: a comma at the end shows that one entry is meant.
SequenceList read_entries(const std::vector<Part>& parts, bool explicit_list) {
  check_alike(parts);
  SequenceList list;
  for (const Part& part : parts) {
    append(list.classes, part);
    require(static_cast<std::int64_t>(list.classes.size()) <= most_sequence_classes, part.place, ": more than ",
            most_sequence_classes, " lines of lengths: join entries that are alike");
  }
  if (parts.size() != 1 || parts[0].words.size() != 3 || explicit_list) return list;
  const SequenceClass& only = list.classes[0];
  list.note = text("one line of three numbers is read as `count Nq Nk`: ", only.count,
                   only.count == 1 ? " entry of " : " entries of ", only.seqlen_q, " queries and ", only.seqlen_k,
                   " keys; three entries of these lengths are written ", joined(parts[0].words));
  return list;
}

/// Entries between cumulative lengths. Those without tokens move nothing: they are left out.
SequenceList read_cumulative(const std::vector<Part>& parts) {
  SequenceList list;
  std::int64_t before = 0, entries = 0, empty = 0, numbers = 0;
  for (const Part& part : parts) {
    for (const std::string_view word : part.words) {
      const std::int64_t now = read_number(word, part.place, "cumulative length", longest_sequence, 0);
      require(numbers > 0 || now == 0, part.place, ": ", quoted(word, 100),
              " is the first cumulative length, which is 0; lengths themselves are given as --seqlens");
      require(now >= before, part.place, ": begins with 0, as cumulative lengths do, but falls from ", before, " to ",
              now, ": cumulative lengths never fall; else ", what_is_allowed);
      if (now > before) append_length(list.classes, now - before);
      empty += numbers > 0 && now == before ? 1 : 0;
      entries += numbers > 0 ? 1 : 0;
      before = now;
      ++numbers;
    }
    require(static_cast<std::int64_t>(list.classes.size()) <= most_sequence_classes, part.place, ": more than ",
            most_sequence_classes, " lengths in a row that differ");
  }
  if (empty > 0)
    list.note = text(empty, " of ", entries, empty == 1 ? " entries has" : " entries have", " no tokens: left out");
  return list;
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

SequenceList read_sequence_list(const std::string& typed) {
  const SequenceText list = content_of(typed, "seqlens");
  const std::vector<Part> parts = parts_of(list);
  const bool cumulative = !parts.empty() && whole_amount(Measure::count, parts[0].words[0]) == 0;
  SequenceList entries =
      cumulative ? read_cumulative(parts) : read_entries(parts, trimmed(list.content, blanks_and_ends).ends_with(','));
  check(entries.classes, list.place);
  if (cumulative)
    entries.note = text("a list that begins with 0 and never falls is read as cumulative lengths (--cu-seqlens), of ",
                        sizes_of(entries.classes).entries, " entries up to ", sizes_of(entries.classes).most_keys,
                        " long", entries.note.empty() ? "" : "; ", entries.note);
  if (!entries.note.empty()) entries.note = "seqlens: " + entries.note;
  return entries;
}

SequenceList read_cumulative_lengths(const std::string& typed) {
  const SequenceText list = content_of(typed, "cu-seqlens");
  SequenceList entries = read_cumulative(parts_of(list));
  check(entries.classes, list.place);
  if (!entries.note.empty()) entries.note = "cu-seqlens: " + entries.note;
  return entries;
}

bool names_document_file(std::string_view typed) {
  return names_sequence_file(typed) && !whole_amount(Measure::count, trimmed(typed));
}

std::vector<std::int64_t> read_documents(const std::string& typed) {
  const SequenceText list =
      names_document_file(typed) ? content_of(typed, "documents", allowed_documents) : SequenceText{typed, "documents"};
  std::vector<std::int64_t> bounds;
  bool cumulative = false;
  for (const Part& part : parts_of(list)) {
    for (const std::string_view word : part.words) {
      cumulative = cumulative || (bounds.empty() && whole_amount(Measure::count, word) == 0);
      if (bounds.empty()) bounds.push_back(0);
      const std::int64_t before = bounds.back(), least = cumulative ? 0 : 1;
      const std::string_view what = cumulative ? "cumulative length" : "length";
      const std::int64_t number = read_number(word, part.place, what, longest_sequence, least);
      require(!cumulative || number >= before, part.place, ": begins with 0, as cumulative lengths do, but falls from ",
              before, " to ", number, ": cumulative lengths never fall");
      const std::int64_t end = cumulative ? number : checked_add(before, number);
      if (end > before) bounds.push_back(end);
      require(std::ssize(bounds) <= most_documents + 1, part.place, ": more than ", most_documents, " documents");
    }
  }
  require(bounds.size() > 1, list.place, ": holds no lengths: ", allowed_documents);
  return bounds;
}

std::string text_of_documents(const std::vector<std::int64_t>& bounds) {
  std::string all;
  for (std::size_t n = 1; n < bounds.size(); ++n) {
    if (n > 1) all += ' ';
    all += std::to_string(bounds[n] - bounds[n - 1]);
  }
  return all;
}

SequenceClasses read_sequences(const std::string& typed) { return read_sequence_list(typed).classes; }

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
