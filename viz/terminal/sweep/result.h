// The rows of a sweep as csv, json or a table, on stdout or in a file.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "sim/report/numbers.h"
#include "viz/files/output_file.h"
#include "viz/terminal/sweep/sweep.h"
#include "viz/terminal/sweep/verdict.h"

namespace terminal {

/// Written in large pieces while the rows come, so that a sweep may be longer than the memory; only a table is kept.
class SweepResult {
 public:
  static constexpr std::int64_t longest_table = 10'000;  ///< rows

  /// `file`: empty for stdout.
  SweepResult(const Sweep& sweep, std::string format, std::optional<files::OutputFile> file);
  void add(const std::string& row);
  void finish();  ///< the end of the document; commits the file
  std::int64_t rows() const { return rows_; }
  std::int64_t failed() const { return failed_; }  ///< rows with an error
  std::string verdict() const;                     ///< of the formula check, "" for none

 private:
  void put(const std::string& text);
  void write_out();
  void add_csv(const nlohmann::ordered_json& cells);
  void add_json(const nlohmann::ordered_json& cells);
  void add_table(const nlohmann::ordered_json& cells);
  void note_time(const nlohmann::ordered_json& row);
  std::string legend() const;  ///< of the words in the table
  bool is_table() const { return format_ == "table" || format_ == "markdown"; }

  const Sweep& sweep_;
  std::string format_;
  std::optional<files::OutputFile> file_;
  std::string text_;  ///< not yet written
  report::Table table_;
  FormulaVerdict verdict_;
  std::int64_t rows_ = 0, failed_ = 0, idle_ = 0;  ///< idle: times of fewer than half of the SMs
  bool unknown_ = false;                           ///< the error of a time
  std::set<std::string> bounds_;                   ///< what bounds the times
};

}  // namespace terminal
