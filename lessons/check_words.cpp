// Checks that need no run: the length of texts, their formulas and numbers, and the dependencies of lessons.
#include <algorithm>
#include <set>

#include "lessons/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

bool is_chinese(char32_t code) { return code >= 0x3400 && code < 0xA000; }
bool is_word(char32_t code) {
  return code < 128 ? sim::is_letter(static_cast<char>(code)) || sim::is_digit(static_cast<char>(code)) : code < 0x2000;
}

/// Passes text outside of formulas to `prose`, and each formula in braces to `formula`.
template <class Prose, class Formula>
void walk(std::string_view text, Prose prose, Formula formula) {
  char before = ' ';
  while (!text.empty()) {
    const std::size_t close = text[0] == '{' ? text.find('}') : std::string_view::npos;
    if (close != std::string_view::npos && before != '_' && before != '^') {
      formula(text.substr(1, close - 1));
      before = '}';
      text.remove_prefix(close + 1);
      continue;
    }
    const sim::Character character = sim::first_character(text);
    prose(character.code, text.substr(0, character.size));
    before = text[character.size - 1];
    text.remove_prefix(character.size);
  }
}

bool is_year(std::string_view digits) {
  return digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
}

}  // namespace

std::string without_places(std::string_view text) {
  std::string words;
  for (std::size_t at = 0; (at = text.find("](")) != std::string_view::npos;) {
    words += text.substr(0, at + 1);
    text.remove_prefix(std::min(text.find(')', at), text.size() - 1) + 1);
  }
  return words + std::string(text);
}

std::string unexplained_cta(const Words& words, Language language) {
  const std::string_view plural = language == Language::zh ? "CTA（线程块）" : "CTAs (blocks of threads)";
  const std::string_view one = language == Language::zh ? "CTA（线程块）" : "CTA (block of threads)";
  for (Page page : words.pages) {
    for (const std::string* text : texts_of(page)) {
      const std::size_t at = text->find("CTA");
      if (at == std::string::npos) continue;
      const std::string_view first = std::string_view(*text).substr(at);
      return first.starts_with(one) || first.starts_with(plural) ? ""
                                                                 : sim::text("the first CTA is not explained: ", one);
    }
  }
  return "";
}

std::size_t words_in(std::string_view linked) {
  const std::string text = without_places(linked);
  std::size_t halves = 0;
  bool inside = false;
  const auto formula = [&](std::string_view) {
    halves += 2;
    inside = false;
  };
  walk(
      text,
      [&](char32_t code, std::string_view) {
        const bool word = is_word(code) || (inside && (code == '-' || code == '_' || code == '\''));
        if (is_chinese(code)) halves += 1;
        if (word && !inside) halves += 2;
        inside = word;
      },
      formula);
  return (halves + 1) / 2;
}

std::string bare_number(std::string_view linked) {
  const std::string text = without_places(linked);
  std::string plain;  // a letter replaces each formula, so that adjacent text counts as part of it
  walk(
      text, [&](char32_t, std::string_view bytes) { plain += bytes; }, [&](std::string_view) { plain += "x"; });
  for (std::size_t n = 0; n < plain.size();) {
    if (!sim::is_digit(plain[n])) {
      ++n;
      continue;
    }
    std::size_t end = n;
    while (end < plain.size() && (sim::is_digit(plain[end]) ||
                                  (plain[end] == '.' && end + 1 < plain.size() && sim::is_digit(plain[end + 1]))))
      ++end;
    std::string digits = plain.substr(n, end - n);
    const char before = n == 0 ? ' ' : plain[n - 1], after = end == plain.size() ? ' ' : plain[end];
    const bool in_name = sim::is_letter(before) || before == '_' || before == '^' || before == '-' || before == '.' ||
                         before == '{' || before == '/' || sim::is_letter(after);
    if (!in_name && !is_year(digits) && digits != "0" && digits != "1") return digits;
    n = end;
  }
  return "";
}

std::vector<std::string> formulas_in(std::string_view text) {
  std::vector<std::string> formulas;
  walk(
      text, [](char32_t, std::string_view) {}, [&](std::string_view formula) { formulas.emplace_back(formula); });
  return formulas;
}

std::vector<Finding> check_needs(const std::vector<const Lesson*>& all) {
  std::vector<Finding> findings;
  std::set<std::string> done;
  for (std::size_t round = 0; round < all.size(); ++round) {
    for (const Lesson* lesson : all) {
      const auto& needs = lesson->needs;
      if (std::all_of(needs.begin(), needs.end(), [&](const std::string& need) { return done.count(need) > 0; }))
        done.insert(lesson->id);
    }
  }
  for (const Lesson* lesson : all) {
    if (done.count(lesson->id) == 0) findings.push_back(lesson->id + "/lesson.toml: needs go in a circle");
  }
  return findings;
}

}  // namespace lessons
