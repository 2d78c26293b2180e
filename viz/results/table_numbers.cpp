#include "viz/results/table_numbers.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/catalogue/quantities.h"
#include "sim/report/numbers.h"
#include "sim/report/quantities.h"
#include "sim/report/run_json.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* directions[] = {".read_bytes", ".write_bytes"};

bool has(const std::vector<sim::PathValue>& run, const std::string& path) {
  return std::any_of(run.begin(), run.end(), [&](const sim::PathValue& value) { return value.path == path; });
}

bool is_sum(const std::string& path) {
  return sim::find_quantity(path) == nullptr && sim::find_quantity(path + directions[0]) != nullptr;
}

std::vector<std::string> names_with(const std::vector<std::string>& more) {
  std::vector<std::string> names;
  for (const TableNumber& number : table_numbers()) names.push_back(number.name);
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

TableNumber chosen(const std::string& typed, const std::vector<std::string>& more, std::string_view what) {
  for (const TableNumber& number : table_numbers()) {
    if (number.name == typed || number.path == typed) return number;
  }
  if (std::find(more.begin(), more.end(), typed) != more.end()) return {typed, typed, ""};
  if (sim::find_quantity(typed) != nullptr || is_sum(typed)) return {typed, typed, typed};
  throw sim::Error(sim::unknown_name_message(what, typed, names_with(more)),
                   "; or a path of a number in flashscope simulate --format json");
}

}  // namespace

std::string TableNumber::unit() const { return is_sum(path) ? "bytes" : std::string(report::written_unit(path)); }

std::string TableNumber::text(double value) const {
  const std::string in = unit();
  return in == "exponentials" ? report::count(std::llround(value)) : report::text_in(in, value);
}

const std::vector<TableNumber>& table_numbers() {
  static const std::vector<TableNumber> all = [] {
    std::vector<TableNumber> numbers;
    const auto add = [&](const sim::TableName& known, std::string_view path) {
      if (known.name.empty()) return;
      numbers.push_back(
          {std::string(known.name), std::string(known.title), std::string(path), std::string(known.brief)});
    };
    for (const sim::RunQuantity& quantity : sim::quantities()) {
      add(quantity.sum, quantity.path.substr(0, quantity.path.rfind('.')));
      add(quantity.named, quantity.path);
    }
    return numbers;
  }();
  return all;
}

std::vector<TableNumber> exact_numbers() {
  std::vector<TableNumber> numbers;
  for (const std::string& path : report::exact_quantities()) numbers.push_back({path, path, path});
  return numbers;
}

std::vector<TableNumber> chosen_numbers(const std::string& list, const std::vector<std::string>& more,
                                        std::string_view what) {
  std::vector<TableNumber> numbers;
  for (const std::string_view part : sim::split(list, ",")) {
    const std::string typed(sim::trimmed(part));
    for (const TableNumber& other : numbers)
      sim::require(other.name != typed && other.path != typed, "columns: ", sim::quoted(typed, 100), " occurs twice");
    numbers.push_back(chosen(typed, more, what));
  }
  return numbers;
}

Json number_in(const std::vector<sim::PathValue>& run, const std::string& path) {
  Json value = report::value_at(run, path);
  const Json read = report::value_at(run, path + directions[0]);
  if (!value.is_null() || read.is_null()) return value;
  return sim::checked_add(read.get<std::int64_t>(), report::value_at(run, path + directions[1]).get<std::int64_t>());
}

void require_numbers(const std::vector<TableNumber>& numbers, const std::vector<std::vector<sim::PathValue>>& runs) {
  for (const TableNumber& number : numbers) {
    const std::string path = number.path + (is_sum(number.path) ? directions[0] : "");
    const bool any =
        number.path.empty() || std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return has(run, path); });
    sim::require(any, "columns: no run has ", number.path, ", see flashscope simulate --format json");
  }
}

std::string column_help(const std::vector<std::string>& more) {
  return sim::joined(names_with(more)) + ", or paths of JSON such as time.budget.issue";
}

}  // namespace results
