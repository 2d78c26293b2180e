// Human-readable numbers: thousands, SI units, aligned tables.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace report {

std::string thousands(std::int64_t n);  ///< 1,234,567
std::string bytes(std::int64_t n);      ///< "134.2 MB", decimal units; "512 B" below 1000
std::string kibibytes(std::int64_t n);  ///< "48.0 KiB", for on-chip memories; "64 B" below 1 KiB
std::string capacity(std::int64_t n);   ///< "80 GiB", "50 MiB", "227 KiB": size of a memory, in binary units
std::string flops(std::int64_t n);      ///< "8.6 GFLOP"
std::string count(std::int64_t n);      ///< "67.1 M"
std::string microseconds(double n);     ///< "12.3 us", "4.56 ms"; "31.4 ns" below 0.1 us
std::string exact_time(double n);       ///< as microseconds(), with three digits also below 1 us: "314 ns"
std::string seconds(double n);          ///< "3.4 s", "2.1 min", "5.0 h"
std::string ratio(double n);            ///< "0.21 x"
std::string scientific(double n);       ///< "1.2e-04"
std::string error(double n);            ///< as scientific(), for an error; "not finite" if it is not a number
std::string percent(double part);       ///< 0.415 -> "41.5 %"
std::string intensity(double n);        ///< FLOPs per byte: "295 FLOP/B", "0.25 FLOP/B"
std::string flop_rate(double n);        ///< FLOPs per second: "989.5 TFLOP/s"
std::string byte_rate(double n);        ///< bytes per second: "3.35 TB/s"
std::string count_rate(double n);       ///< "4.20 T/s"

/// Rows of cells; the first column and columns of words are left-aligned, columns of numbers right-aligned; a row of
/// one cell spans the table. Cells are made printable; a Chinese character takes two terminal columns.
class Table {
 public:
  explicit Table(std::vector<std::string> header);
  void row(std::vector<std::string> cells);
  void rule();  ///< a line between rows
  std::string text() const;
  /// Width of the table in terminal columns.
  std::size_t columns() const;
  /// The header, a rule, and the added rows; an empty row is a rule.
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  /// True for each column that is left-aligned.
  std::vector<bool> word_columns() const;

 private:
  std::vector<std::size_t> widths() const;
  bool is_words(std::size_t column) const;  ///< most cells below the header begin with a letter
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace report
