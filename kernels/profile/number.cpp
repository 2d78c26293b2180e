#include "kernels/profile/number.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/profile/table.h"
#include "sim/base/check.h"
#include "sim/base/text.h"

namespace profile {
namespace {

constexpr char space = '\'';  // replaces each kind of space and apostrophe between thousands

/// Decimal mark and thousands separator.
struct Style {
  char decimal, thousands;
};
constexpr std::array<Style, 4> styles = {{{'.', ','}, {'.', space}, {',', '.'}, {',', space}}};
constexpr unsigned no_style = 0;

/// Runs of digits and the marks between them; the exponent is kept as text.
struct Parts {
  std::vector<std::string_view> runs;
  std::string marks;
  std::string_view exponent;
};

/// Length of a mark at the beginning of a text; 0 if there is none.
std::size_t mark_length(std::string_view text) {
  constexpr std::array<std::string_view, 9> marks = {
      ".", ",", "'", " ", "\xC2\xA0", "\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
  const auto found =
      std::find_if(marks.begin(), marks.end(), [&](std::string_view mark) { return text.starts_with(mark); });
  return found == marks.end() ? 0 : found->size();
}

std::string_view take_run(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && sim::is_digit(rest[length])) ++length;
  const std::string_view run = rest.substr(0, length);
  rest.remove_prefix(length);
  return run;
}

bool is_exponent(std::string_view text) {
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), sim::is_digit);
}

/// Splits a number; empty if the cell is not a number in any style.
std::optional<Parts> parts_of(std::string_view rest) {
  Parts parts;
  while (true) {
    parts.runs.push_back(take_run(rest));
    if (parts.runs.back().empty()) return std::nullopt;
    const std::size_t length = mark_length(rest);
    if (length == 0) break;
    parts.marks += rest[0] == '.' || rest[0] == ',' ? rest[0] : space;
    rest.remove_prefix(length);
  }
  if (!rest.empty() && ((rest[0] != 'e' && rest[0] != 'E') || !is_exponent(rest))) return std::nullopt;
  parts.exponent = rest;
  return parts;
}

/// True if digits are grouped in threes, or as in India in twos and at the end three.
bool are_groups(const std::vector<std::string_view>& runs, std::size_t count) {
  if (count == 1) return true;
  if (runs[0].size() > 3 || runs[0][0] == '0' || runs[count - 1].size() != 3) return false;
  const auto sized = [&](std::size_t size) {
    return std::all_of(runs.begin() + 1, runs.begin() + static_cast<std::ptrdiff_t>(count) - 1,
                       [&](std::string_view run) { return run.size() == size; });
  };
  return sized(3) || (sized(2) && runs[0].size() <= 2);
}

std::optional<Spelled> read_in(const Parts& parts, const Style& style) {
  const bool fraction = !parts.marks.empty() && parts.marks.back() == style.decimal;
  const std::size_t groups = parts.runs.size() - (fraction ? 1 : 0);
  const bool marked = std::all_of(parts.marks.begin(), parts.marks.end() - (fraction ? 1 : 0),
                                  [&](char mark) { return mark == style.thousands; });
  if (!marked || !are_groups(parts.runs, groups) || (groups > 1 && !parts.exponent.empty())) return std::nullopt;
  Spelled number;
  for (std::size_t n = 0; n < groups; ++n) number.digits += parts.runs[n];
  if (fraction) {
    number.decimals = static_cast<int>(parts.runs.back().size());
    number.digits.append(".").append(parts.runs.back());
  }
  number.digits += parts.exponent;
  return number;
}

}  // namespace

std::string_view number_text(std::string_view cell) {
  cell = sim::trimmed(cell);
  if (cell.starts_with("(!)")) cell = sim::trimmed(cell.substr(3));
  if (cell.ends_with(')') || cell.ends_with('}')) cell = sim::trimmed(cell.substr(0, cell.find_first_of("({")));
  for (const char* none : {"n/a", "nan", "-nan", "inf", "-inf"}) {
    if (cell == none) return {};
  }
  return cell;
}

bool NumberStyle::learn(std::string_view cell, bool whole) {
  const std::optional<Parts> parts = parts_of(number_text(cell));
  if (!parts) return true;
  unsigned fitting = no_style, without_decimals = no_style;
  for (std::size_t n = 0; n < styles.size(); ++n) {
    const std::optional<Spelled> number = read_in(*parts, styles[n]);
    if (number) fitting |= 1U << n;
    if (number && number->decimals == 0) without_decimals |= 1U << n;
  }
  if (whole && without_decimals != no_style) fitting = without_decimals;
  if (fitting == no_style) return true;
  if ((left_ & fitting) == no_style) return false;
  left_ &= fitting;
  parts_nothing_ = parts_nothing_ || (whole && parts->marks.empty() && parts->runs[0].size() > 3);
  return true;
}

Spelled NumberStyle::read(std::string_view cell) const {
  const std::optional<Parts> parts = parts_of(cell);
  std::optional<Spelled> number;
  for (std::size_t n = 0; parts && n < styles.size(); ++n) {
    std::optional<Spelled> next = (left_ & (1U << n)) != 0 ? read_in(*parts, styles[n]) : std::nullopt;
    if (!next) continue;
    const bool differs = number && number->digits != next->digits;
    sim::require(!differs || parts_nothing_, quoted(cell), " is ", next->digits, " or ", number ? number->digits : "",
                 ", and no count in the file shows which: record it again with LC_ALL=C in front of ncu, which then ",
                 "writes points before decimals");
    if (!differs || next->decimals > number->decimals) number = std::move(next);
  }
  sim::require(number.has_value(), quoted(cell), " is not a number as in 1234.5 or 1,234.5");
  return *number;
}

}  // namespace profile
