#include "sim/model/accuracy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "sim/base/csv.h"
#include "sim/base/embedded.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "sim/model/compiled_kernels.h"
#include "sim/model/fitted_times.h"

namespace sim {
namespace {

constexpr const char* table_path = "model/accuracy_table.csv";
const std::vector<std::string> column_names = {"group",        "algorithm", "variant",    "gpu",      "pass",
                                               "mask",         "dropout",   "shared",     "shortest", "longest",
                                               "smallest_d",   "largest_d", "least_rows", "points",   "error_percent",
                                               "bias_percent", "recorded"};

double percent(const std::string& where, const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  require(!word.empty() && *end == '\0' && std::isfinite(number), where, "\"", word.substr(0, 100),
          "\" is not a number");
  return number;
}

AccuracyRow read_row(const CsvTable& table, const CsvTable::Row& row) {
  std::size_t column = 0;
  const auto word = [&] { return row.cells[column++]; };
  const auto whole = [&](std::int64_t least) {
    const std::string where = text(table.origin, ":", row.line, ": ", column_names[column]);
    return parse_whole_number(where, row.cells[column++], least, std::int64_t{1} << 50);
  };
  AccuracyRow r;
  for (std::string* name : {&r.group, &r.algorithm, &r.variant, &r.gpu, &r.pass, &r.mask}) *name = word();
  r.dropout = whole(0) != 0;
  r.shared = whole(0) != 0;
  for (std::int64_t* size : {&r.shortest, &r.longest, &r.smallest_d, &r.largest_d, &r.least_rows, &r.points}) {
    *size = whole(1);
  }
  for (double* error : {&r.error_percent, &r.bias_percent}) {
    *error = percent(table.place(row, column), row.cells[column]);
    ++column;
  }
  r.recorded = whole(0) != 0;
  return r;
}

bool shares_keys(const Scenario& s) { return s.shape.kv_heads < s.shape.heads; }

bool backward_too(std::string_view pass) { return pass != name_of(Pass::forward); }

/// True if the points of a row ran this code: the row has its name, or its algorithm with a tiling rule.
bool is_of(const AccuracyRow& row, const Program& code, TilingRule tiling) {
  if (!code.variant_of.empty() && row.algorithm == code.variant_of) return row.variant == variant_word(code.rule);
  return row.algorithm == code.name && row.variant == (code.variant_of.empty() ? variant_word(tiling) : "");
}

bool neighbours(const AccuracyRow& row, const Scenario& s, const std::string& mask, const Program& code) {
  const auto next_to = [](std::int64_t size, std::int64_t smallest, std::int64_t largest) {
    return size >= smallest - size && size - largest <= largest;  // a factor of 2 on both sides, without overflow
  };
  const double rows =
      static_cast<double>(s.shape.seqlen_q) * static_cast<double>(s.shape.batch) * static_cast<double>(s.shape.heads);
  return is_of(row, code, s.tiling) && row.gpu == s.gpu->name && row.mask == mask && row.dropout == (s.dropout > 0) &&
         row.shared == shares_keys(s) && backward_too(row.pass) == (s.pass != Pass::forward) &&
         next_to(s.shape.seqlen_q, row.shortest, row.longest) && s.shape.head_dims().are_equal() &&
         next_to(s.shape.head_dim, row.smallest_d, row.largest_d) &&
         row.is_wide() == (s.shape.head_dim > widest_common_d) && 2 * rows >= static_cast<double>(row.least_rows);
}

std::string tenths(double percent) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.1f", percent == 0 ? 0 : percent);  // never "-0.0"
  return digits.data();
}

}  // namespace

std::string mask_word(const Mask& mask) {
  if (!mask.any()) return "none";
  if (mask == Mask{.causal = true}) return "causal";
  return mask == Mask{.padding = mask.padding} ? "padding" : "other";
}

/// True if an option of the program has another value than by default, such as a schedule or the stages of flash3:
/// measured times are of the defaults.
bool has_other_value(const Scenario& s) {
  if (s.own.empty()) return false;
  Scenario usual = s;
  usual.own.clear();
  const Plan own = make_plan(s), by_default = make_plan(usual);
  const auto differs = [&](const OwnOption& option) { return value_of(option, own) != value_of(option, by_default); };
  return std::any_of(own.code->options.begin(), own.code->options.end(), differs);
}

bool is_plain(const Scenario& s) {
  return s.sequences == nullptr && s.gpus == 1 && s.gpu->built_in && is_half(s.dtype) &&
         s.shape.seqlen_q == s.shape.seqlen_k && !s.br && !s.bc && !s.sram && score_formulas(s).empty() &&
         s.sinks == nullptr && !s.shape.kv_shared && !s.page_size && mask_word(s.shape.mask) != "other" &&
         s.shape.mask.padding <= s.shape.seqlen_k / 4 && !has_other_value(s);
}

namespace {

/// Text for heads that share K and V if no point is near: the error with one KV head per head.
std::string known_of_shared(Scenario s) {
  s.shape.kv_heads = s.shape.heads;
  const Accuracy own = accuracy_of(s);
  if (!own.validated) return "";
  return text("no published or recorded time with shared KV heads is near; with as many KV heads as heads it is ± ",
              tenths(*own.error_percent), " %, the mean error against ", own.where);
}

/// Text for a program without points near whose released code has some: the error of that code.
std::string known_of_released(Scenario s) {
  if (s.tiling != TilingRule::kernel || s.pattern.any()) return "";
  const auto is_released_code = [&](const Program& variant) {
    return variant.variant_of == s.algorithm && variant.rule == TilingRule::released;
  };
  if (std::none_of(variants().begin(), variants().end(), is_released_code)) return "";
  s.tiling = TilingRule::released;
  const Accuracy released = accuracy_of(s);
  if (!released.validated) return "";
  return text("no published or recorded time of this kernel is near; its released code (--tiling released) is ± ",
              tenths(*released.error_percent), " %, the mean error against ", released.where);
}

}  // namespace

std::string variant_word(TilingRule tiling) { return tiling == TilingRule::kernel ? "" : std::string(name_of(tiling)); }

Accuracy accuracy_of(const Scenario& scenario) {
  Accuracy accuracy;
  if (!is_plain(scenario)) return accuracy;
  const std::string mask = mask_word(scenario.shape.mask);
  const std::shared_ptr<const Program> code = program_of(scenario);
  std::int64_t points = 0, recorded = 0;
  bool seen = false;
  double sum = 0;
  std::string groups;
  for (const AccuracyRow& row : accuracy_table()) {
    if (!neighbours(row, scenario, mask, *code)) continue;
    points += row.points;
    if (row.recorded) recorded += row.points;
    seen = seen || fitted_times(row.group, row.algorithm) != nullptr;
    sum += row.error_percent * static_cast<double>(row.points);
    if (groups.find(row.group) == std::string::npos) groups += (groups.empty() ? "" : ", ") + row.group;
  }
  if (points == 0) {
    accuracy.known = known_of_released(scenario);
    if (accuracy.known.empty() && shares_keys(scenario)) accuracy.known = known_of_shared(scenario);
    return accuracy;
  }
  seen = seen || (scenario.gpu->name == fitted_on && recorded < points);
  const char* origin = recorded == 0 ? " published" : recorded == points ? " recorded" : " published and recorded";
  return {.validated = true,
          .error_percent = sum / static_cast<double>(points),
          .where = text(points, origin, " time", points == 1 ? "" : "s", " on ", scenario.gpu->name, " (", groups,
                        seen ? "; fitted)" : ")"),
          .known = ""};
}

Accuracy accuracy_of(const Plan& plan) { return is_estimated(plan) ? Accuracy{} : accuracy_of(plan.scenario); }

const std::vector<AccuracyRow>& accuracy_table() {
  static const std::vector<AccuracyRow> rows = parse_accuracy(embedded_text(table_path), table_path);
  return rows;
}

std::string accuracy_csv(const std::vector<AccuracyRow>& rows) {
  std::string out = joined(column_names, ",");
  for (const AccuracyRow& r : rows) {
    out += "\n";
    for (const std::string* name : {&r.group, &r.algorithm, &r.variant, &r.gpu, &r.pass, &r.mask}) {
      out += csv_field(*name) + ",";
    }
    out += text(r.dropout ? 1 : 0, ",", r.shared ? 1 : 0, ",", r.shortest, ",", r.longest, ",", r.smallest_d, ",",
                r.largest_d, ",", r.least_rows, ",", r.points, ",", tenths(r.error_percent), ",",
                tenths(r.bias_percent), ",", r.recorded ? 1 : 0);
  }
  return out + "\n";
}

std::vector<AccuracyRow> parse_accuracy(std::string_view csv, const std::string& origin) {
  const CsvTable table = parse_csv(csv, origin);
  table.expect_columns(column_names);
  std::vector<AccuracyRow> rows;
  for (const CsvTable::Row& row : table.rows) rows.push_back(read_row(table, row));
  return rows;
}

}  // namespace sim
