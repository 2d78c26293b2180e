// A report of words and tables, written for a terminal, as Markdown and as LaTeX.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/report/common_unit.h"
#include "sim/report/numbers.h"

namespace terminal {

/// Lines of words, or a table.
struct DocumentPart {
  std::string words;
  std::optional<report::Table> table = std::nullopt;
};
using Document = std::vector<DocumentPart>;

/// For a terminal: an empty line between two parts.
std::string document_text(const Document& document);

/// GitHub's Markdown; a line that begins with two blanks is an item of a list.
std::string document_markdown(const Document& document);

/// LaTeX to \input; it needs \usepackage{booktabs}. `command`: what made it, for the comment on top.
std::string document_latex(const Document& document, const std::string& command);

std::string table_markdown(const report::Table& table);

/// Text as Markdown: escapes what Markdown, or the HTML within it, would take for its own.
std::string markdown(const std::string& text);

/// Text as LaTeX: escapes what LaTeX takes for its own.
std::string latex(const std::string& text);

/// "tile traffic (GB)": a title with the unit of its numbers, as LaTeX.
std::string latex_head(const std::string& title, const report::CommonUnit& unit);
std::string latex_unit(const report::CommonUnit& unit);  ///< "(GB)" alone

/// A comment line of LaTeX.
std::string latex_comment(const std::string& text);

/// Title of a row that is part of the one above: "  read" -> "- read".
std::string dashed(const std::string& title);

}  // namespace terminal
