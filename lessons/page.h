// The text of a lesson: en.md and zh.md, one heading for each step.
//
//   # Does it fit?                     title; the paragraph below states what the learner will be able to do
//   ## golf: Fewest bytes              a step and its title
//   Words of a [row block](memory).    a paragraph, up to an empty line; links name things in the picture
//       S_ij = Q_i K_j^T     T_r = 4   equations: four spaces before, five between
//   - item      | a | b |      > myth  a list, a table, a common misconception
//   ? halve: How many bytes?           a question, followed in any order by:
//   ?? halve: Count the row blocks.    a hint
//   + memory: HBM                      the label of a choice
//   ! same: K passes again.            the reason why an answer is wrong
//   = halve: Half as many row blocks.  the reason why the right one is right
//   A paragraph after a question       is shown once all questions of the step are over
//
// Formulas are in braces (facts.h); reading a page leaves them unchanged.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/facts.h"

namespace lessons {

enum class Language { en, zh };
std::string_view name_of(Language language);  ///< "en"

inline constexpr std::string_view between_equations = "     ";

enum class BlockKind { paragraph, equations, item, table, myth };

/// A paragraph, equations separated by `between_equations` in the markup of ui/rich_text.h, or the lines of a table.
struct Block {
  BlockKind kind = BlockKind::paragraph;
  std::string text;
};

/// Texts of a question.
struct QuestionWords {
  std::string question, because;
  std::vector<std::string> hints;
};

struct Page {
  std::string name, title;
  std::vector<Block> blocks;
  std::vector<Block> told;  ///< after the first question in the file: shown once all questions are over
  std::map<std::string, QuestionWords, std::less<>> questions;
  std::map<std::string, std::string, std::less<>> choices, reasons;
  int line = 0;  ///< line number in the file

  /// Words of a question; empty if the page has none.
  const QuestionWords& words(std::string_view question) const;
  /// Words of a choice; its name if the page has none.
  std::string_view label(std::string_view choice) const;
  /// Reason why an anticipated answer is wrong; empty if the page has none.
  std::string_view reason(std::string_view answer) const;
};

struct Words {
  std::string title;
  std::vector<Block> aim;  ///< learning goals
  std::vector<Page> pages;
  const Page& page(std::string_view step) const;  ///< throws sim::Error if there is none
};

/// Reads en.md or zh.md. `file` is for errors: sim::Error with the line of a repeated or undefined key, of HTML, or for
/// more than 256 KiB. Joins the lines of a paragraph with a space, except in Chinese.
Words read_words(std::string_view markdown, Language language, const std::string& file);

/// Returns a page with its formulas replaced by the numbers of the step's runs.
Page filled(Page page, const Facts& facts);

/// Returns all texts of a page, before and after the answers.
std::vector<std::string*> texts_of(Page& page);

}  // namespace lessons
