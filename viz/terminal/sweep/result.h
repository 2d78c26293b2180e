// The rows of a sweep as csv, json, a table or a chart, on stdout or in a file.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "viz/files/output_file.h"
#include "viz/results/sweep.h"
#include "viz/results/verdict.h"

namespace terminal {

/// Written in large pieces while the rows come, so that a sweep may be longer than the memory; only tables and charts
/// are kept to the end.
class SweepResult {
 public:
  static constexpr std::int64_t most_kept = 10'000;  ///< rows of a table or a chart

  /// True if a format needs all rows at once.
  static bool keeps(const std::string& format) { return format != "csv" && format != "json"; }

  /// `file`: empty for stdout.
  SweepResult(const results::Sweep& sweep, std::string format, std::optional<files::OutputFile> file);
  void add(const std::string& row);
  void finish();  ///< the end of the document; commits the file
  std::int64_t rows() const { return rows_; }
  std::int64_t failed() const { return failed_; }  ///< rows with an error
  std::vector<std::string> empty_columns() const;  ///< chosen columns without a number in any row
  std::string verdict() const;                     ///< result of the formula check, "" if there is none

 private:
  void put(const std::string& text);
  void write_out();
  void add_csv(const nlohmann::ordered_json& cells);
  void add_json(const nlohmann::ordered_json& cells);
  void note(const nlohmann::ordered_json& row);
  std::string legend() const;  ///< explanations of the words in the table
  bool is_kept() const { return keeps(format_); }

  const results::Sweep& sweep_;
  std::string format_;
  std::optional<files::OutputFile> file_;
  std::string text_;                          ///< not yet written
  std::vector<nlohmann::ordered_json> kept_;  ///< rows by column names
  results::FormulaVerdict verdict_;
  std::int64_t rows_ = 0, failed_ = 0, idle_ = 0;  ///< idle: times of fewer than half of the SMs
  std::int64_t without_time_ = 0;                  ///< rows whose GPUs lack fields
  bool unknown_ = false;                           ///< the error of a time
  std::set<std::string> bounds_;                   ///< limits that bound the times
  std::set<std::int64_t> clocks_;                  ///< clocks at which the times were computed
  std::set<std::string> seen_;                     ///< chosen columns that have a number
};

}  // namespace terminal
