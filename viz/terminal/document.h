// A report of text and tables, for a terminal, Markdown and LaTeX.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/report/common_unit.h"
#include "sim/report/numbers.h"

namespace terminal {

/// Lines of text, or a table.
struct DocumentPart {
  std::string words;
  std::optional<report::Table> table = std::nullopt;
};
using Document = std::vector<DocumentPart>;

/// Text for a terminal: parts are separated by an empty line.
std::string document_text(const Document& document);

/// GitHub's Markdown; a line that begins with two blanks is a list item.
std::string document_markdown(const Document& document);

/// LaTeX to \input, which needs \usepackage{booktabs}. `command`: the command line, for the comment at the top.
std::string document_latex(const Document& document, const std::string& command);

std::string table_markdown(const report::Table& table);

/// Escapes characters with a meaning in Markdown, or in the HTML within it.
std::string markdown(const std::string& text);

/// Escapes characters with a meaning in LaTeX.
std::string latex(const std::string& text);

/// Title with the unit of its numbers, in LaTeX: "tile traffic (GB)".
std::string latex_head(const std::string& title, const report::CommonUnit& unit);
std::string latex_unit(const report::CommonUnit& unit);  ///< only "(GB)"

/// A comment line in LaTeX.
std::string latex_comment(const std::string& text);

/// Title of a row that is part of the one above: "  read" -> "- read".
std::string dashed(const std::string& title);

}  // namespace terminal
