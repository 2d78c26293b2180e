#include "viz/model/listing/equation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace explorer {
namespace {

using sim::is_digit;
using sim::is_letter;

/// Symbol of a name in comments that has one.
std::string sign_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> signs = {
      {{"alpha", "α"}, {"beta", "β"}, {"l", "ℓ"}, {"inf", "∞"}, {"o", "∘"}}};
  for (const auto& [word, sign] : signs) {
    if (name == word) return std::string(sign);
  }
  return std::string(name);
}

/// Reads an equation from the front and writes its markup.
class Writer {
 public:
  explicit Writer(std::string_view rest) : rest_(rest) {}

  std::string write() {
    while (!rest_.empty()) {
      if (is_letter(rest_[0])) {
        write_name();
      } else if (rest_[0] == '^') {
        write_power();
      } else if (!write_sign()) {
        out_ += take(1);
      }
    }
    return out_;
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view take_word() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), [](char c) { return is_letter(c) || is_digit(c); });
    return take(static_cast<std::size_t>(end - rest_.begin()));
  }

  /// Writes "S_masked_ij": a name and its subscripts. The row o_i has no symbol.
  void write_name() {
    const std::string_view name = take_word();
    const bool row = name == "o" && !rest_.empty() && rest_[0] == '_';
    out_ += row ? std::string(name) : sign_of(name);
    std::string below;
    while (rest_.size() > 1 && rest_[0] == '_' && (is_letter(rest_[1]) || is_digit(rest_[1]))) {
      take(1);
      if (!below.empty()) below += ",";
      below += take_word();
    }
    if (!below.empty()) out_ += below.size() == 1 ? "_" + below : "_{" + below + "}";
  }

  /// Writes "^T" and "^-1".
  void write_power() {
    take(1);
    const bool negative = !rest_.empty() && rest_[0] == '-';
    if (negative) take(1);
    out_ += "^{";
    if (negative) out_ += "−";
    out_ += take(1);
    out_ += "}";
  }

  bool write_sign() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> signs = {
        {{" = ", " ← "}, {" . ", " · "}, {"'", "′"}, {"~", "^~"}, {"-", "−"}}};
    for (const auto& [plain, sign] : signs) {
      if (rest_.substr(0, plain.size()) != plain) continue;
      take(plain.size());
      out_ += sign;
      return true;
    }
    return false;
  }

  std::string_view rest_;
  std::string out_;
};

/// The first argument of a call, from after its bracket: "n - 1), true" -> "n - 1".
std::string_view first_argument(std::string_view rest) {
  int open = 0;
  for (std::size_t n = 0; n < rest.size(); ++n) {
    if (open == 0 && (rest[n] == ',' || rest[n] == ')')) return rest.substr(0, n);
    open += rest[n] == '(' ? 1 : rest[n] == ')' ? -1 : 0;
  }
  return rest;
}

}  // namespace

std::string equation_markup(std::string_view equation) { return Writer(equation).write(); }

std::string words_markup(std::string_view words) {
  std::string markup;
  for (const char c : words) {
    if (c == '_' || c == '^' || c == '\\') markup += '\\';
    markup += c;
  }
  return markup;
}

std::string sync_markup(std::string_view statement) {
  std::string plain(statement);  // with the ring of consumer w as an element, dQ[w]
  if (const std::size_t of = plain.find("dq_of(w)"); of != std::string::npos) plain.replace(of, 8, "dQ[w]");
  std::string_view code = plain;
  const auto cut = [&code](std::string_view front) {
    const bool found = code.substr(0, front.size()) == front;
    if (found) code.remove_prefix(front.size());
    return found;
  };
  const bool waits = cut("co_await "), arrives = !waits && cut("arrive(");
  if (!waits && cut("cta.products(")) return "products(" + std::string(code.substr(0, code.rfind(')'))) + ")";
  const std::size_t open = code.find('('), dot = code.rfind('.', open);
  if (open == std::string_view::npos || dot == std::string_view::npos || dot == 0) return "";
  const std::string_view member = code.substr(dot + 1, open - dot - 1);
  const std::string_view verb = member == "release"              ? "release "
                                : waits                          ? "wait "
                                : arrives || member == "pass_to" ? "arrive "
                                                                 : "";
  if (verb.empty()) return "";
  std::string_view object = code.substr(0, dot);
  object.remove_prefix(object.find('.') + 1);  // the struct that holds the barriers; npos + 1 is 0
  const std::string side = member == "full" || member == "empty" ? sim::text(".", member) : "";
  return std::string(verb) + words_markup(sim::text(object, side, "[", first_argument(code.substr(open + 1)), "]"));
}

}  // namespace explorer
