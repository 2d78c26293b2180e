#include "sim/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/report/line_breaks.h"

namespace report {
namespace {

constexpr const char* unknown = "-";  // a value that is not known, such as the time on a device that lacks fields

using Units = std::array<const char*, 7>;
constexpr Units byte_units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
constexpr Units flop_units = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
constexpr Units counts = {"", "k", "M", "G", "T", "P", "E"};

/// Returns n with one decimal and the largest prefix that keeps it at least 1; beyond all prefixes as a power of ten.
std::string scaled(double n, const Units& units) {
  constexpr double step = 1000;
  double value = n;
  std::size_t unit = 0;
  while (std::abs(value) >= step && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  if (std::abs(value) >= step) return fmt::format("{:.2e} {}", n, units[0]);
  return unit == 0 ? fmt::format("{:.3g} {}", value, units[0])
                   : fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : 1, units[unit]);
}
std::string scaled(std::int64_t n, const Units& units) { return scaled(static_cast<double>(n), units); }
std::string rate(double n, const Units& units) { return std::isnan(n) ? unknown : scaled(n, units) + "/s"; }

std::size_t width(const std::string& s) { return static_cast<std::size_t>(columns_of(s)); }

/// True if a cell begins with a letter, ASCII or Chinese.
bool begins_as_word(const std::string& cell) {
  const sim::Character first = sim::first_character(cell);
  return sim::is_letter(cell[0]) || columns_of(std::string_view(cell).substr(0, first.size)) > 1;
}

}  // namespace

std::string thousands(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string bytes(std::int64_t n) { return scaled(n, byte_units); }
std::string kibibytes(std::int64_t n) {
  return n > 0 && n < 1024 ? bytes(n) : fmt::format("{:.1f} KiB", static_cast<double>(n) / 1024);
}
std::string capacity(std::int64_t n) {
  if (n < 1024) return bytes(n);
  constexpr std::array<const char*, 4> units = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(n) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  const double tenths = std::round(10 * value) / 10;
  return fmt::format("{:.{}f} {}", tenths, tenths == std::floor(tenths) ? 0 : 1, units[unit]);
}
std::string flops(std::int64_t n) { return scaled(n, flop_units); }
std::string count(std::int64_t n) { return scaled(n, counts); }
std::string seconds(double n) {
  if (std::isnan(n)) return unknown;
  if (n < 60) return fmt::format("{:.1f} s", n);
  return n < 3600 ? fmt::format("{:.1f} min", n / 60) : fmt::format("{:.1f} h", n / 3600);
}

std::string ratio(double n) { return std::isnan(n) ? unknown : fmt::format("{:.2f} x", n); }
std::string percent(double part) { return std::isnan(part) ? unknown : fmt::format("{:.1f} %", 100 * part); }
std::string intensity(double n) {
  return std::isnan(n) ? unknown : fmt::format("{:.{}f} FLOP/B", n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0);
}
std::string flop_rate(double n) { return rate(n, flop_units); }
std::string byte_rate(double n) { return rate(n, byte_units); }
std::string count_rate(double n) { return rate(n, counts); }
std::string scientific(double n) { return fmt::format("{:.1e}", n); }
std::string error(double n) { return std::isfinite(n) ? scientific(n) : "not finite"; }

std::string microseconds(double n) {
  if (std::isnan(n)) return unknown;
  if (n > 0 && n < 0.1) return exact_time(n);
  if (n < 1e3) return fmt::format("{:.1f} us", n);
  if (n < 1e6) return fmt::format("{:.2f} ms", n / 1e3);
  return n < 1e9 ? fmt::format("{:.2f} s", n / 1e6) : fmt::format("{:.4g} s", n / 1e6);
}
std::string exact_time(double n) { return n > 0 && n < 1 ? fmt::format("{:.3g} ns", 1e3 * n) : microseconds(n); }

Table::Table(std::vector<std::string> header) {
  row(std::move(header));
  rule();
}

void Table::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = sim::printable(cell);
  rows_.push_back(std::move(cells));
}
void Table::rule() { rows_.emplace_back(); }

bool Table::is_words(std::size_t column) const {
  std::ptrdiff_t letters = 0, others = 0;
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    const std::string cell = column < rows_[r].size() ? rows_[r][column] : "";
    if (cell.empty() || cell == "-") continue;
    ++(begins_as_word(cell) ? letters : others);
  }
  return letters > others;
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size() && row.size() > 1; ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  return widths;
}

std::size_t Table::columns() const {
  const std::vector<std::size_t> each = widths();
  return std::accumulate(each.begin(), each.end(), each.size() * 2 - 2);
}

std::vector<bool> Table::word_columns() const {
  std::vector<bool> words(widths().size());
  for (std::size_t c = 0; c < words.size(); ++c) words[c] = c == 0 || is_words(c);
  return words;
}

std::string Table::text() const {
  const std::vector<std::size_t> widths = this->widths();
  const std::size_t total = columns();
  const std::vector<bool> words = word_columns();
  std::string out;
  for (const auto& row : rows_) {
    std::string line = row.empty() ? std::string(total, '-') : "";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - std::min(widths[c], width(row[c])), ' ');
      line += (c == 0 ? "" : "  ") + (words[c] ? row[c] + space : space + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace report
