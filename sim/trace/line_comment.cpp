#include "sim/trace/line_comment.h"

#include <algorithm>

#include "sim/base/text.h"

namespace sim {
namespace {

std::string without_blanks(std::string_view text) { return std::string(trimmed(text)); }

bool is_extent(std::string_view word) {
  for (const std::string_view extent : {"N", "Br", "Bc", "d", "Tr", "Tc"}) {
    if (word == extent) return true;
  }
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

/// True for "(Br, d)" and "(1)", but not for "(S)" or "(1 - p)".
bool is_shape(std::string_view bracket) {
  std::string_view inside = bracket.substr(1, bracket.size() - 2);
  for (;;) {
    const std::size_t comma = inside.find(", ");
    if (!is_extent(inside.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    inside.remove_prefix(comma + 2);
  }
}

/// Position and length of the shape in a comment.
std::pair<std::size_t, std::size_t> find_shape(std::string_view comment) {
  for (std::size_t open = comment.find('('); open != std::string_view::npos; open = comment.find('(', open + 1)) {
    const std::size_t close = comment.find(')', open);
    if (close == std::string_view::npos) break;
    if (is_shape(comment.substr(open, close - open + 1))) return {open, close - open + 1};
  }
  return {std::string_view::npos, 0};
}

}  // namespace

LineComment read_comment(std::string_view comment) {
  const auto [at, size] = find_shape(comment);
  if (at != std::string_view::npos) {
    std::string after = without_blanks(comment.substr(at + size));
    if (after.substr(0, 2) == ", ") after.erase(0, 2);  // a remark on the shape: "(Br, Bc), bytes"
    return {without_blanks(comment.substr(0, at)), std::string(comment.substr(at, size)), after};
  }
  const std::string whole = without_blanks(comment);
  const std::size_t gap = whole.find("   ");
  if (gap == std::string::npos) return {whole, "", ""};
  return {without_blanks(std::string_view(whole).substr(0, gap)), "",
          without_blanks(std::string_view(whole).substr(gap))};
}

std::size_t comment_at(std::string_view line) { return std::min(line.find("  //"), line.find("  #")); }

LineComment comment_of(std::string_view line) {
  const std::size_t at = comment_at(line);
  if (at == std::string_view::npos) return {};
  const std::string_view comment = line.substr(line.find_first_not_of(' ', at));
  const std::size_t sign = comment.starts_with('#') ? 1 : 2;
  return comment.substr(sign).starts_with(' ') ? read_comment(comment.substr(sign + 1)) : LineComment{};
}

}  // namespace sim
