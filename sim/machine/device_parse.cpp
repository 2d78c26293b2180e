// Reads a device file: TOML in, a checked DeviceSpec out. The table of device_fields drives every check. A file is
// hostile until proven otherwise.

// toml++ 3.3 asserts where it has not refused malformed input before, as in a = 1979-02-27Tb7. Here a failed assertion
// is an error of the file, in every build.
namespace {
struct FailedAssertion {};
[[noreturn]] void fail_assertion() { throw FailedAssertion{}; }
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : fail_assertion())
#include <toml++/toml.h>

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/machine/device_fields.h"

namespace sim {
namespace {

constexpr std::size_t longest_file = std::size_t{12} * 1024;  // bounds how deep dotted keys can nest
constexpr std::size_t longest_text = 500;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // some editors begin UTF-8 files with it

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// The characters of bare keys, numbers, dates and times.
bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.+-:").find(c) != std::string_view::npos;
}

bool begins_number(char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-'; }

std::string at_line(const std::string& origin, const toml::source_region& region) {
  return text(origin, ":", region.begin.line, ": ");
}

/// A word that begins with a digit or a sign is a number: it goes on to the end of the value without quotes.
void check_number(std::string_view line, std::size_t begin, const std::string& where) {
  const std::string_view word = line.substr(begin, line.find_first_of(" \t\r,]}#", begin) - begin);
  require(std::all_of(word.begin(), word.end(), is_bare), where, quoted(word, 100), " is not a number");
}

/// Refuses what a device file does not need and toml++ 3.3 does not survive: [table] lines (it fails on a malformed
/// one, such as [.a]), and characters beyond ASCII where it asks whether they are spaces (undefined behaviour): outside
/// of quotes and comments, in """text""", and in text that follows a number without a space, which it scans as one.
void check_line(std::string_view line, const std::string& where) {
  const auto first = std::find_if(line.begin(), line.end(), [](char c) { return c > ' '; });
  require(first == line.end() || *first != '[', where, "a device file has no [tables]: write name = { ... }");
  char quote = '\0';  // the one that ends the text here, or none
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != '\0') {
      at += quote == '"' && c == '\\';  // what is escaped does not end the text
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      require(line.substr(at, 3) != std::string(3, c), where, "text has one quote on each side: write \"...\"");
      quote = c;
    } else if (c == '#') {
      return;
    } else {
      require(static_cast<unsigned char>(c) < 0x80, where, "only text in quotes and comments may go beyond ASCII");
      if (begins_number(c) && (at == 0 || !is_bare(line[at - 1]))) check_number(line, at, where);
    }
  }
}

void check_lines(std::string_view toml_text, const std::string& origin) {
  if (toml_text.starts_with(byte_order_mark)) toml_text.remove_prefix(byte_order_mark.size());
  for (std::int64_t number = 1; !toml_text.empty(); ++number) {
    const std::string_view line = toml_text.substr(0, toml_text.find('\n'));
    check_line(line, text(origin, ":", number, ": "));
    toml_text.remove_prefix(std::min(line.size() + 1, toml_text.size()));
  }
}

toml::table parse_toml(std::string_view toml_text, const std::string& origin) {
  require(toml_text.size() <= longest_file, origin, ": the file has ", toml_text.size(),
          " bytes, a device file at most ", longest_file);
  check_lines(toml_text, origin);
  try {
    return toml::parse(toml_text);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw Error(text(origin, ":", at.line, ":", at.column, ": not TOML: ", shortened(error.description(), 100)));
  } catch (const FailedAssertion&) {
    throw Error(origin + ": not TOML: a date, a number or a key is malformed");
  }
}

/// Refuses names in a table that are not among the known ones.
void check_names(const toml::table& table, const std::vector<std::string>& known, const std::string& what,
                 const std::string& origin) {
  for (auto&& [key, node] : table) {
    if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
    throw Error(at_line(origin, key.source()) + unknown_name_message(what, key.str(), known));
  }
}

/// The text `name = "..."` of a table: present, a string, not blank, one line.
std::string text_of(const toml::table& table, std::string_view name, const std::string& where) {
  const toml::node* node = table.get(name);
  require(node != nullptr, where, name, " is missing: add ", name, " = \"...\"");
  const std::string* value = node->is_string() ? &node->as_string()->get() : nullptr;
  require(value != nullptr, where, name, " must be text in quotes");
  require(value->find_first_not_of(' ') != std::string::npos, where, name, " must not be empty");
  require(value->size() <= longest_text && std::none_of(value->begin(), value->end(), is_control), where, name,
          " must be one line of at most ", longest_text, " bytes");
  return *value;
}

std::int64_t value_of(const toml::table& entry, const DeviceField& field, const std::string& where) {
  const toml::node* node = entry.get("value");
  require(node != nullptr, where, "value is missing: add value = <whole number of ", field.unit, ">");
  require(node->is_integer(), where, "value must be a whole number of ", field.unit);
  const std::int64_t value = node->as_integer()->get();
  require(field.min <= value && value <= field.max, where, "value ", value, " is not plausible: allowed are ",
          field.min, " to ", field.max, " ", field.unit);
  return value;
}

/// Checks one field and stores its number in the device.
Provenance read_field(const toml::table& root, const DeviceField& field, const std::string& origin,
                      DeviceSpec& device) {
  const std::string example =
      text(field.name, " = { value = ..., unit = \"", field.unit, "\", kind = \"published\", source = \"...\" }");
  const toml::node* node = root.get(field.name);
  require(node != nullptr, origin, ": ", field.name, " is missing: add ", example);
  const std::string line = at_line(origin, node->source());
  const toml::table* entry = node->as_table();
  require(entry != nullptr, line, field.name, " must be a table: ", example);
  check_names(*entry, {"value", "unit", "kind", "source"}, text("part of ", field.name), origin);

  const std::string where = text(line, field.name, ": ");
  const std::string unit = text_of(*entry, "unit", where);
  require(unit == field.unit, where, "unit ", quoted(unit, 100), " is wrong: expected \"", field.unit, "\"");
  const std::vector<std::string> kinds = {"published", "measured", "estimated"};
  const std::string kind = text_of(*entry, "kind", where);
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    throw Error(where + unknown_name_message("kind", kind, kinds));
  }
  device.*field.member = value_of(*entry, field, where);
  return {field.name, std::to_string(device.*field.member), unit, kind, text_of(*entry, "source", where)};
}

void check_name(const std::string& name, const std::string& where) {
  require(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos, where, "name ",
          quoted(name, 100), " is not allowed: use a-z, 0-9 and -");
}

}  // namespace

DeviceSpec parse_device(std::string_view toml_text, const std::string& origin) {
  const std::string file = shortened(origin, 1000);
  const toml::table root = parse_toml(toml_text, file);
  std::vector<std::string> known = {"name", "title", "architecture"};
  for (const DeviceField& field : device_fields()) known.emplace_back(field.name);
  check_names(root, known, "field", file);

  DeviceSpec device;
  device.name = text_of(root, "name", file + ": ");
  device.title = text_of(root, "title", file + ": ");
  device.architecture = text_of(root, "architecture", file + ": ");
  check_name(device.name, file + ": ");
  for (const DeviceField& field : device_fields()) device.provenance.push_back(read_field(root, field, file, device));
  check_together(device, file);

  const auto place = [&](const Provenance& p) { return root.get(p.field)->source().begin; };
  std::sort(device.provenance.begin(), device.provenance.end(),
            [&](const Provenance& a, const Provenance& b) { return place(a) < place(b); });
  return device;
}

}  // namespace sim
