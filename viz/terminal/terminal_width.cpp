#include "viz/terminal/terminal_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/report/line_breaks.h"
#include "viz/terminal/help.h"

namespace terminal {
namespace {

constexpr std::size_t least_columns = 40;

/// A line as characters by terminal column: the second column of a wide character is empty.
using Cells = std::vector<std::string_view>;

Cells cells_of(std::string_view line) {
  Cells cells;
  while (!line.empty()) {
    const std::string_view character = line.substr(0, std::max<std::size_t>(1, sim::first_character(line).size));
    cells.push_back(character);
    if (report::columns_of(character) > 1) cells.emplace_back();
    line.remove_prefix(character.size());
  }
  return cells;
}

std::string text_between(const Cells& cells, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t n = begin; n < std::min(end, cells.size()); ++n) text += cells[n];
  return std::string(sim::trimmed(text));
}

bool is_rule(std::string_view line) { return line.size() > 2 && line.find_first_not_of('-') == std::string_view::npos; }

/// A column of a table: [begin, end).
struct Span {
  std::size_t begin, end;
};

/// Columns of text that are separated by at least two blanks in all lines.
std::vector<Span> spans_of(const std::vector<Cells>& lines) {
  std::size_t width = 0;
  for (const Cells& line : lines) width = std::max(width, line.size());
  std::vector<bool> filled(width);
  for (const Cells& line : lines) {
    for (std::size_t n = 0; n < line.size(); ++n) filled[n] = filled[n] || line[n] != " ";
  }
  std::vector<Span> spans;
  for (std::size_t n = 0; n < width; ++n) {
    if (!filled[n]) continue;
    if (!spans.empty() && n < spans.back().end + 2)
      spans.back().end = n + 1;
    else
      spans.push_back({n, n + 1});
  }
  return spans;
}

/// A table within a text: its header, its rule, and the rows below them.
struct TableLines {
  std::size_t lines = 0, width = 0;
  std::vector<Cells> rows;  ///< the header first; an empty row is a rule
  std::vector<Span> spans;
};

/// Reads the table that begins at `first`; without lines if there is none. Rows end at an empty line, and before a line
/// that does not keep the columns free: a sentence below the table.
TableLines table_at(const std::vector<std::string_view>& lines, std::size_t first) {
  TableLines table;
  if (first + 1 >= lines.size() || lines[first].empty() || !is_rule(lines[first + 1])) return table;
  const std::size_t headers = spans_of({cells_of(lines[first])}).size();
  std::vector<Cells> filled;
  for (std::size_t n = first; n < lines.size() && !lines[n].empty(); ++n) {
    const bool rule = is_rule(lines[n]);
    if (!rule) {
      filled.push_back(cells_of(lines[n]));
      std::vector<Span> spans = spans_of(filled);
      if (spans.size() < headers) break;
      table.spans = std::move(spans);
    }
    table.rows.push_back(rule ? Cells() : filled.back());
    table.width = std::max(table.width, rule ? lines[n].size() : filled.back().size());
    table.lines = n + 1 - first;
  }
  return table;
}

/// A row as its first cell and a line for each of the others.
std::string list_item(const TableLines& table, const Cells& row, std::size_t columns) {
  std::size_t widest = 0;
  for (std::size_t c = 1; c < table.spans.size(); ++c)
    widest = std::max(widest, text_between(table.rows[0], table.spans[c].begin, table.spans[c].end).size());
  std::string item = wrapped(text_between(row, table.spans[0].begin, table.spans[0].end), columns, 2) + "\n";
  for (std::size_t c = 1; c < table.spans.size(); ++c) {
    const std::string name = text_between(table.rows[0], table.spans[c].begin, table.spans[c].end),
                      value = text_between(row, table.spans[c].begin, table.spans[c].end);
    const std::size_t second = widest + 4;
    if (value.empty()) continue;
    item += "  " + name + std::string(widest - name.size() + 2, ' ') + wrapped(value, columns, second, second) + "\n";
  }
  return item;
}

std::string list_of(const TableLines& table, std::size_t columns) {
  std::string list;
  for (std::size_t n = 1; n < table.rows.size(); ++n) {
    if (!table.rows[n].empty()) list += list_item(table, table.rows[n], columns);
  }
  return list;
}

/// A sentence has no gap between its words; aligned text and code do.
std::string wrapped_sentence(std::string_view line, std::size_t columns) {
  const std::string_view words = sim::trimmed(line);
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (static_cast<std::size_t>(report::columns_of(line)) <= columns || words.find("  ") != std::string_view::npos)
    return std::string(line);
  return std::string(indent, ' ') + wrapped(words, columns, indent, indent);
}

}  // namespace

std::string fitted(const std::string& text, std::size_t columns) {
  const std::vector<std::string_view> lines = sim::split(text, "\n");
  std::string out;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const TableLines table = table_at(lines, n);
    if (table.lines > 0 && table.width > columns && table.spans.size() > 1) {
      out += list_of(table, columns);
      n += table.lines - 1;
      continue;
    }
    out += wrapped_sentence(lines[n], columns);
    if (n + 1 < lines.size()) out += "\n";
  }
  return out;
}

bool is_for_people(const CommandSyntax& syntax, const Arguments& arguments) {
  if (arguments.find("cite") || arguments.find("ncu")) return false;
  if (syntax.name == "demo") return true;
  const auto format = std::find_if(syntax.own.begin(), syntax.own.end(),
                                   [](const CommandOption& option) { return option.name == "format"; });
  if (format == syntax.own.end()) return false;
  return arguments.value("format", format->help.ends_with("[table]") ? "table" : "") == "table";
}

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  if (::isatty(descriptor) == 0 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  return std::max<std::size_t>(size.ws_col, least_columns);
}

}  // namespace terminal
