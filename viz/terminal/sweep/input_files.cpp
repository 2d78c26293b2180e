#include "viz/terminal/sweep/input_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/pattern.h"
#include "sim/base/sequences.h"
#include "viz/files/checksum.h"
#include "viz/terminal/input_file.h"

namespace terminal {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 26;  // for a picture; a program has its own limit

/// Option and path of each file.
std::vector<std::pair<std::string, std::string>> named_files(const results::Sweep& sweep, const Arguments& arguments) {
  std::vector<std::pair<std::string, std::string>> files;
  if (const auto program = arguments.find("program")) files.emplace_back("program", *program);
  const auto add_file = [&](const std::string& name, const std::string& value) {
    if (name == "pattern" && sim::names_picture(value)) files.emplace_back(name, value);
    if (name == "seqlens" && sim::names_sequence_file(value)) files.emplace_back(name, value);
  };
  for (const auto& [name, value] : sweep.fixed()) add_file(name, value);
  for (const results::Axis& axis : sweep.axes())
    for (const std::string& value : axis.values) add_file(axis.name, value);
  return files;
}

}  // namespace

nlohmann::ordered_json identity_with_files(const results::Sweep& sweep, const Arguments& arguments) {
  nlohmann::ordered_json identity = sweep.identity();
  for (const auto& [option, path] : named_files(sweep, arguments))
    identity["files"][path] = fmt::format("{:08x}", files::checksum(0, read_text(option, path, largest)));
  return identity;
}

}  // namespace terminal
