// Tables of lessons: as wide as a terminal, Chinese in two columns a character. One that is too wide becomes a list.
#pragma once
#include <string>
#include <vector>

namespace terminal {

class LessonTable {
 public:
  explicit LessonTable(std::vector<std::string> header) : header_(std::move(header)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void rule() { rows_.emplace_back(); }  ///< a line between rows

  /// Words stand left, numbers right. Where the columns of a terminal do not suffice, each row is its first cell, and
  /// below it "header: cell" for the others: nothing is cut off.
  std::string text(int columns) const;

 private:
  std::vector<std::size_t> widths() const;
  bool is_words(std::size_t column) const;  ///< most cells begin with a letter
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;
  std::string list(int columns) const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

}  // namespace terminal
