// The words of a lesson: en.md and zh.md, one heading a step.
//
//   # Does it fit?                     the title; the paragraph below says what one will be able to do
//   ## golf: Fewest bytes              a step and its title
//   Words of a [row block](memory).    a paragraph; goes on to an empty line. Links lead to a place of the picture
//       S_ij = Q_i K_j^T     T_r = 4   equations: four spaces before, five between
//   - item      | a | b |      > myth  a list, a table, what people believe
//   ? halve: How many bytes?           a question, and behind it, in any order:
//   ?? halve: Count the row blocks.    a hint
//   + memory: HBM                      the label of a choice
//   ! same: K passes again.            why an answer is wrong
//   = halve: Half as many row blocks.  why the right one is right
//   A paragraph behind a question      is told once the questions of the step are over
//
// Formulas stand in braces (facts.h) and are left as they are here.
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

/// A paragraph, or equations with the spaces above between them, in the markup of ui/rich_text.h; the lines of a table.
struct Block {
  BlockKind kind = BlockKind::paragraph;
  std::string text;
};

/// What is said of a question.
struct QuestionWords {
  std::string question, because;
  std::vector<std::string> hints;
};

struct Page {
  std::string name, title;
  std::vector<Block> blocks;
  std::vector<Block> told;  ///< behind the first question in the file: shown when all of them are over
  std::map<std::string, QuestionWords, std::less<>> questions;
  std::map<std::string, std::string, std::less<>> choices, reasons;
  int line = 0;  ///< of the file

  /// Words of a question; empty if the page has none.
  const QuestionWords& words(std::string_view question) const;
  /// Words of a choice; its name if the page has none.
  std::string_view label(std::string_view choice) const;
  /// Reason why an anticipated answer is wrong; empty if the page has none.
  std::string_view reason(std::string_view answer) const;
};

struct Words {
  std::string title;
  std::vector<Block> aim;  ///< what one will be able to do
  std::vector<Page> pages;
  const Page& page(std::string_view step) const;  ///< sim::Error for none
};

/// Reads en.md or zh.md; `file` is for errors: sim::Error with the line of a key that stands there twice or nowhere, of
/// HTML, or of more than 256 KiB. Sentences on two lines have a space between them, but for Chinese ones.
Words read_words(std::string_view markdown, Language language, const std::string& file);

/// The same with the numbers of the runs of its step.
Page filled(Page page, const Facts& facts);

/// All texts of a page: what is said before any answer, and the rest.
std::vector<std::string*> texts_of(Page& page);

}  // namespace lessons
