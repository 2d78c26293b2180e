#include "sim/base/toml_file.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors begin UTF-8 files with it

/// The characters of bare keys, numbers, dates and times.
bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.+-:").find(c) != std::string_view::npos;
}

constexpr int most_levels = 256;  // in a line: toml++ recurses for each dot of a name and each bracket

bool begins_number(char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-'; }

/// Checks a value that begins with a digit or a sign: it is a number and extends to the next separator.
void check_number(std::string_view line, std::size_t begin, const std::string& where) {
  const std::string_view word = line.substr(begin, line.find_first_of(" \t\r,]}#", begin) - begin);
  require(std::all_of(word.begin(), word.end(), is_bare), where, quoted(word, 100), " is not a number");
}

/// Rejects what no file needs and toml++ 3.3 does not survive: [table] lines other than those of the rules (it fails on
/// a malformed one, such as [.a]), and non-ASCII characters where it tests for spaces (undefined behaviour): outside
/// quotes and comments, in """text""", and in text that follows a number without a space, which it scans as part of the
/// number. Also rejects deep names and brackets, which would exhaust the stack of a browser.
void check_line(std::string_view line, const std::string& where, const TomlRules& rules) {
  const std::string_view head = trimmed(line.substr(0, line.find('#')), " \t\r");
  const bool known = std::find(rules.tables.begin(), rules.tables.end(), head) != rules.tables.end();
  require(known || !head.starts_with('['), where, rules.what, " has no ",
          rules.tables.empty() ? "[tables]: write name = { ... }" : "other tables than " + joined(rules.tables));
  if (known) return;
  int levels = 0;
  char quote = '\0';  // the quote that ends the string here, or none
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != '\0') {
      at += quote == '"' && c == '\\';  // an escaped character does not end the string
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      require(line.substr(at, 3) != std::string(3, c), where, "text has one quote on each side: write \"...\"");
      quote = c;
    } else if (c == '#') {
      return;
    } else {
      levels += c == '.' || c == '[' || c == '{';
      require(levels <= most_levels, where, "a line has at most ", most_levels, " dots and brackets");
      require(static_cast<unsigned char>(c) < 0x80, where, "only text in quotes and comments may go beyond ASCII");
      if (begins_number(c) && (at == 0 || !is_bare(line[at - 1]))) check_number(line, at, where);
    }
  }
}

void check_lines(std::string_view toml_text, const std::string& origin, const TomlRules& rules) {
  if (toml_text.starts_with(byte_order_mark)) toml_text.remove_prefix(byte_order_mark.size());
  for (std::int64_t number = 1; !toml_text.empty(); ++number) {
    const std::string_view line = toml_text.substr(0, toml_text.find('\n'));
    check_line(line, text(origin, ":", number, ": "), rules);
    toml_text.remove_prefix(std::min(line.size() + 1, toml_text.size()));
  }
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string at_line(const std::string& origin, const toml::source_region& region) {
  return text(origin, ":", region.begin.line, ": ");
}

toml::table read_toml(std::string_view toml_text, const std::string& origin, const TomlRules& rules) {
  require(toml_text.size() <= rules.longest, origin, ": the file has ", toml_text.size(), " bytes, ", rules.what,
          " at most ", rules.longest);
  check_lines(toml_text, origin, rules);
  try {
    return toml::parse(toml_text);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw Error(origin, ":", at.line, ":", at.column, ": not TOML: ", shortened(error.description(), 100));
  } catch (const FailedTomlAssertion&) {
    throw Error(origin, ": not TOML: a date, a number or a key is malformed");
  }
}

void check_names(const toml::table& table, const std::vector<std::string>& known, const std::string& what,
                 const std::string& origin) {
  for (auto&& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    throw Error(at_line(origin, key.source()), unknown_name_message(what, key.str(), known));
  }
}

std::string toml_text(const toml::node* node, std::string_view name, const std::string& where, std::size_t longest) {
  const std::string* value = node->is_string() ? &node->as_string()->get() : nullptr;
  require(value != nullptr, where, name, " must be text in quotes");
  require(value->find_first_not_of(' ') != std::string::npos, where, name, " must not be empty");
  require(value->size() <= longest && std::none_of(value->begin(), value->end(), is_control), where, name,
          " must be one line of at most ", longest, " bytes");
  return *value;
}

}  // namespace sim
