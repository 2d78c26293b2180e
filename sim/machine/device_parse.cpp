// Parses a device file (TOML) into a checked DeviceSpec. The table of device_fields drives every check. Files are
// untrusted.
#include <algorithm>
#include <optional>

#include "sim/base/amount.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/toml_file.h"
#include "sim/machine/device_fields.h"

namespace sim {
namespace {

const TomlRules rules{"a device file", std::size_t{12} * 1024, {}};

/// Returns the text `name = "..."` of a table.
std::string text_of(const toml::table& table, std::string_view name, const std::string& where) {
  const toml::node* node = table.get(name);
  require(node != nullptr, where, name, " is missing: add ", name, " = \"...\"");
  return toml_text(node, name, where);
}

/// Text of a number that is not a whole one in TOML, 3.35e12 or "50MiB"; "" for anything else.
std::string written(const toml::node& node) {
  TextStream out;
  out.precision(15);
  if (const auto* real = node.as_floating_point()) out << real->get();
  if (const auto* typed = node.as_string()) out << typed->get();
  return shortened(out.str(), 100);
}

std::int64_t value_of(const toml::table& entry, const DeviceField& field, const std::string& where) {
  const toml::node* node = entry.get("value");
  require(node != nullptr, where, "value is missing: add value = <whole number of ", field.unit, ">");
  const Measure measure = measure_of(field.unit);
  const std::string typed = written(*node);
  const auto value = node->is_integer() ? node->as_integer()->get() : whole_amount(measure, typed);
  require(value.has_value(), where, "value must be a whole number of ", field.unit,
          node->is_string() ? text("; ", suffix_rule(measure)) : "");
  const Sentence better =
      better_spelling(measure, typed.empty() ? std::to_string(*value) : typed, field.min, field.max);
  require(field.min <= *value && *value <= field.max, where, "value ", *value, " is not plausible: allowed are ",
          field.min, " to ", field.max, " ", field.unit, better);
  return *value;
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
    throw Error(where, unknown_name_message("kind", kind, kinds));
  }
  device.*field.member = value_of(*entry, field, where);
  return {field.name, std::to_string(device.*field.member), unit, kind, text_of(*entry, "source", where)};
}

/// Reads the entry that replaces the sizes of L2; empty if there is none.
std::optional<Provenance> read_caches(const toml::table& root, const std::string& origin) {
  const std::string name(unmodelled_caches_field);
  const toml::node* node = root.get(name);
  if (node == nullptr) return {};
  const std::string line = at_line(origin, node->source()), where = text(line, name, ": ");
  const toml::table* entry = node->as_table();
  require(entry != nullptr, line, name, " must be a table: ", name, " = { value = \"...\", source = \"...\" }");
  check_names(*entry, {"value", "source"}, text("part of ", name), origin);
  for (const char* size : {"l2_bytes", "l2_effective_bytes"})
    require(!root.contains(size), line, name, " replaces ", size, ": leave one of them out");
  return Provenance{name, text_of(*entry, "value", where), "text", "published", text_of(*entry, "source", where)};
}

/// True if a file may omit the field: only the predicted time needs it, or it is a size of an L2 that is not modelled.
bool may_be_absent(const DeviceField& field, bool caches) {
  const std::string_view name = field.name;
  return *field.in_time != '\0' || (caches && (name == "l2_bytes" || name == "l2_effective_bytes"));
}

void check_name(const std::string& name, const std::string& where) {
  require(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos, where, "name ",
          quoted(name, 100), " is not allowed: use a-z, 0-9 and -");
}

}  // namespace

DeviceSpec parse_device(std::string_view file_text, const std::string& origin) {
  const std::string file = shortened(origin, 1000);
  const toml::table root = read_toml(file_text, file, rules);
  std::vector<std::string> known = {"name", "aliases", "title", "architecture"};
  for (const DeviceField& field : device_fields()) known.emplace_back(field.name);
  known.emplace_back(unmodelled_caches_field);
  check_names(root, known, "field", file);

  DeviceSpec device;
  device.name = text_of(root, "name", file + ": ");
  if (root.contains("aliases")) device.aliases = text_of(root, "aliases", file + ": ");
  device.title = text_of(root, "title", file + ": ");
  device.architecture = text_of(root, "architecture", file + ": ");
  check_name(device.name, file + ": ");
  const std::optional<Provenance> caches = read_caches(root, file);
  if (caches) device.provenance.push_back(*caches);
  for (const DeviceField& field : device_fields()) {
    if (!root.contains(field.name) && may_be_absent(field, caches.has_value())) continue;
    const DeviceField* otherwise = find_device_field(field.otherwise);
    if (otherwise != nullptr && !root.contains(field.name))
      device.*field.member = device.*otherwise->member;
    else
      device.provenance.push_back(read_field(root, field, file, device));
  }
  check_together(device, file);

  const auto place = [&](const Provenance& p) { return root.get(p.field)->source().begin; };
  std::sort(device.provenance.begin(), device.provenance.end(),
            [&](const Provenance& a, const Provenance& b) { return place(a) < place(b); });
  return device;
}

}  // namespace sim
