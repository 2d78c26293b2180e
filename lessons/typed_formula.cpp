// Rewrites formulas as people type and print them to the language of sim/base/expression.h: "(2 + 3 T_c) N d" becomes
// "( 2 + 3 * Tc ) * N * d".
#include <algorithm>

#include "lessons/answer_errors.h"
#include "lessons/marking_parts.h"
#include "sim/base/expression.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

enum class Piece { number, name, function, open, close, sign };
struct FormulaToken {
  Piece piece;
  string text;
};
using FormulaTokens = std::vector<FormulaToken>;

bool is_function(string_view name) {
  constexpr string_view functions[] = {"ceil", "floor", "sqrt", "log", "log2", "tanh",
                                       "abs",  "exp",   "exp2", "min", "max"};
  return std::find(std::begin(functions), std::end(functions), name) != std::end(functions);
}

std::size_t digits_at(string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("0123456789", std::min(at, text.size()));
  return std::min(end, text.size()) - std::min(at, text.size());
}

/// Returns the size of the number at the start of a text: "2.5e-3", and only "2" of "2e", in which e is a name.
std::size_t size_of_number(string_view text) {
  std::size_t size = digits_at(text, 0);
  if (size < text.size() && text[size] == '.' && digits_at(text, size + 1) > 0) size += 1 + digits_at(text, size + 1);
  if (size == 0 || size == text.size() || (text[size] != 'e' && text[size] != 'E')) return size;
  const bool with_sign = size + 1 < text.size() && (text[size + 1] == '+' || text[size + 1] == '-');
  const std::size_t power = size + (with_sign ? 2 : 1);
  return digits_at(text, power) == 0 ? size : power + digits_at(text, power);
}

/// Returns the size of the names at the start of a text, with their subscripts: "B_r", "T_{c}", "Nd".
std::size_t size_of_names(string_view text) {
  std::size_t size = 0;
  bool braced = false;
  for (; size < text.size(); ++size) {
    const char c = text[size];
    if (c == '{' && size > 0 && text[size - 1] == '_') {
      braced = true;
    } else if (c == '}' && braced) {
      braced = false;
    } else if (!sim::is_letter(c) && !sim::is_digit(c) && c != '_') {
      break;
    }
  }
  return size;
}

/// Returns the symbol that a name is, also in another case if it stays clear: "BR" and "n", but not "B" for b.
string symbol_called(const string& name, const std::vector<string>& symbols) {
  for (const string& symbol : symbols) {
    const bool clear = name.size() > 1 || name == "n" || name == "D";
    if (symbol == name || (clear && sim::in_lower_case(symbol) == sim::in_lower_case(name))) return symbol;
  }
  return "";
}

/// Splits "NdTc" into symbols, the longest first; empty if it has other letters.
FormulaTokens split_names(string_view names, const std::vector<string>& symbols) {
  FormulaTokens tokens;
  while (!names.empty()) {
    string longest;
    for (const string& symbol : symbols) {
      if (names.starts_with(symbol) && symbol.size() > longest.size()) longest = symbol;
    }
    if (longest.empty()) return {};
    names.remove_prefix(longest.size());
    tokens.push_back({Piece::name, longest});
  }
  return tokens;
}

FormulaTokens names_of(string_view typed, const std::vector<string>& symbols) {
  string name(typed);
  std::erase_if(name, [](char c) { return c == '_' || c == '{' || c == '}'; });
  if (is_function(name)) return {{Piece::function, name}};
  if (const string symbol = symbol_called(name, symbols); !symbol.empty()) return {{Piece::name, symbol}};
  FormulaTokens tokens = split_names(name, symbols);
  require_clear(!tokens.empty(), answer_errors::no_name, sim::quoted(typed), sim::joined(symbols));
  return tokens;
}

FormulaTokens tokens_of(string_view typed, const std::vector<string>& symbols) {
  FormulaTokens tokens;
  while (!typed.empty()) {
    const char c = typed.front();
    std::size_t size = size_of_number(typed);
    if (size > 0) {
      const string number(typed.substr(0, size));
      tokens.push_back({Piece::number, number.front() == '.' ? "0" + number : number});
    } else if (sim::is_letter(c)) {
      size = size_of_names(typed);
      for (FormulaToken& token : names_of(typed.substr(0, size), symbols)) tokens.push_back(std::move(token));
    } else {
      size = 1;
      const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
      if (c != ' ')
        tokens.push_back({opens    ? Piece::open
                          : closes ? Piece::close
                                   : Piece::sign,
                          opens    ? "("
                          : closes ? ")"
                                   : string(1, c)});
    }
    typed.remove_prefix(size);
  }
  return tokens;
}

bool begins_factor(const FormulaToken& token) { return token.piece != Piece::close && token.piece != Piece::sign; }

/// True if a token and the one before it are a product without a sign: "3 N", "N (d + 1)". Two numbers are not, except
/// after a power: "N^2 3".
bool is_product(const FormulaTokens& tokens, std::size_t n) {
  const FormulaToken &left = tokens[n - 1], &right = tokens[n];
  const bool ends = left.piece == Piece::number || left.piece == Piece::name || left.piece == Piece::close;
  const bool numbers = left.piece == Piece::number && right.piece == Piece::number;
  return ends && begins_factor(right) && (!numbers || (n > 1 && tokens[n - 2].text == "^"));
}

/// Inserts the signs of products, and the brackets of "sqrt N".
FormulaTokens with_products(const FormulaTokens& tokens) {
  FormulaTokens all;
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    const bool operand = tokens[n].piece == Piece::number || tokens[n].piece == Piece::name;
    const bool bare = n > 0 && operand && tokens[n - 1].piece == Piece::function;
    if (n > 0 && is_product(tokens, n)) all.push_back({Piece::sign, " * "});
    if (bare) all.push_back({Piece::open, "("});
    all.push_back(tokens[n]);
    if (bare) all.push_back({Piece::close, ")"});
  }
  return all;
}

/// Puts what follows a division, up to the next sign that was typed, into brackets: "N / 2 d" as N / (2 d).
FormulaTokens with_denominators(const FormulaTokens& tokens) {
  FormulaTokens all;
  std::vector<bool> in_denominator = {false};  // for each open bracket
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    const FormulaToken& token = tokens[n];
    const bool after_sign = n > 0 && tokens[n - 1].piece == Piece::sign;
    const bool ends = token.piece == Piece::close ||
                      (token.piece == Piece::sign && !after_sign && token.text != "^" && token.text != " * ");
    if (ends && in_denominator.back()) {
      all.push_back({Piece::close, ")"});
      in_denominator.back() = false;
    }
    if (token.piece == Piece::open) in_denominator.push_back(false);
    if (token.piece == Piece::close && in_denominator.size() > 1) in_denominator.pop_back();
    all.push_back(token);
    if (token.text != "/" || n + 1 == tokens.size() || !begins_factor(tokens[n + 1])) continue;
    all.push_back({Piece::open, "("});
    in_denominator.back() = true;
  }
  if (in_denominator.back()) all.push_back({Piece::close, ")"});
  return all;
}

string text_of_tokens(const FormulaTokens& tokens) {
  string text;
  for (const FormulaToken& token : tokens) text += (text.empty() ? "" : " ") + token.text;
  return text;
}

}  // namespace

std::vector<string> formula_readings(string_view typed, const std::vector<string>& symbols) {
  const FormulaTokens tokens = with_products(tokens_of(typed, symbols));
  bool divides = false, juxtaposes = false;
  for (const FormulaToken& token : tokens) {
    divides = divides || token.text == "/";
    juxtaposes = juxtaposes || (divides && token.text == " * ");
  }
  if (!juxtaposes) return {text_of_tokens(tokens)};
  return {text_of_tokens(tokens), text_of_tokens(with_denominators(tokens))};
}

string in_plain_signs(string_view typed) {
  constexpr std::pair<char32_t, string_view> signs[] = {
      {U'×', "*"},      {U'·', "*"}, {U'⋅', "*"},       {U'∙', "*"},  {U'∗', "*"},      {U'÷', "/"},
      {U'∕', "/"},      {U'−', "-"}, {U'–', "-"},       {U'、', ","}, {U'\u3000', " "}, {U'\u00A0', " "},
      {U'⌈', " ceil("}, {U'⌉', ")"}, {U'⌊', " floor("}, {U'⌋', ")"},  {U'√', " sqrt "}};
  constexpr std::u32string_view superscripts = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
  string plain;
  for (bool raised = false; !typed.empty();) {
    const sim::Character character = sim::first_character(typed);
    const auto sign =
        std::find_if(std::begin(signs), std::end(signs), [&](const auto& one) { return one.first == character.code; });
    const bool wide = character.code > 0xFF00 && character.code < 0xFF5F;  // full-width forms of ! to ~
    const std::size_t power = superscripts.find(character.code);
    const bool raises = power != superscripts.npos;
    if (raises)
      plain.append(raised ? "" : "^").append(1, "0123456789-"[power]);
    else if (sign != std::end(signs))
      plain += sign->second;
    else if (wide)
      plain += static_cast<char>(character.code - 0xFF00 + 0x20);
    else
      plain += typed.substr(0, character.size);
    raised = raises;
    typed.remove_prefix(character.size);
  }
  return string(sim::trimmed(plain));
}

}  // namespace lessons
