#include "viz/terminal/sweep/result.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/document.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/sweep/chart.h"
#include "viz/terminal/sweep/table.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

SweepResult::SweepResult(const results::Sweep& sweep, std::string format, std::optional<files::OutputFile> file)
    : sweep_(sweep), format_(std::move(format)), file_(std::move(file)), verdict_(sweep) {
  if (format_ == "json")
    text_ = "{\n  \"schema\": 1,\n  \"sweep\": " + report::to_line(sweep.identity()) + ",\n  \"rows\": [";
  if (format_ != "csv") return;
  for (const std::string& column : sweep.columns()) text_ += (text_.empty() ? "" : ",") + column;
  text_ += "\n";
}

void SweepResult::add(const std::string& row) {
  const Json cells = Json::parse(row);
  sim::require(cells.is_array() && cells.size() == sweep_.columns().size(), "sweep: row ", rows_, " has ", cells.size(),
               " cells, not ", sweep_.columns().size());
  if (format_ == "json") add_json(cells);
  if (format_ == "csv") add_csv(cells);
  if (is_kept()) kept_.push_back(sweep_.named(cells));
  if (!cells.back().is_null())
    ++failed_;
  else
    note(sweep_.named(cells));
  if (sweep_.formula()) {
    const Json &formula = cells[cells.size() - 3], &ratio = cells[cells.size() - 2];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    verdict_.add(ratio.is_number() ? ratio.get<double>() : none, formula.is_number() ? formula.get<double>() : none);
  }
  ++rows_;
}

void SweepResult::add_csv(const Json& cells) {
  std::string line;
  for (const Json& cell : cells) line += (&cell == &cells.front() ? "" : ",") + report::csv_cell(cell);
  put(line + "\n");
}

void SweepResult::add_json(const Json& cells) {
  put((rows_ == 0 ? "\n    " : ",\n    ") + report::to_line(sweep_.named(cells)));
}

void SweepResult::note(const Json& row) {
  if (sweep_.has_chosen()) {
    for (const results::TableNumber& number : sweep_.numbers()) {
      if (!row.at(number.path).is_null()) seen_.insert(number.path);
    }
    return;
  }
  if (row.at("time.microseconds").is_null()) {
    ++without_time_;
    return;
  }
  if (busy_sms_of(row).few()) ++idle_;
  unknown_ = unknown_ || row.at("time.error_percent").is_null();
  clocks_.insert(row.at("time.clock_hz").get<std::int64_t>());
  bounds_.insert(row.at("bound_by").get<std::string>());
}

std::string SweepResult::legend() const {
  std::string words =
      clock_line(clocks_) + bound_legend({bounds_.begin(), bounds_.end()}) + (unknown_ ? unknown_error_line() : "");
  if (without_time_ > 0) {
    words += sim::text("At ", report::thousands(without_time_), " of ", report::thousands(rows_),
                       " points no time is predicted: their GPUs lack fields, which flashscope devices --gpu NAME ",
                       "names.\n");
  }
  if (idle_ > 0) {
    words +=
        sim::text("At ", report::thousands(idle_), " of ", report::thousands(rows_),
                  " points fewer than half of the SMs get work: ", "more --batch or --heads would fill the card.\n");
  }
  return words;
}

std::vector<std::string> SweepResult::empty_columns() const {
  std::vector<std::string> empty;
  for (const results::TableNumber& number : sweep_.numbers()) {
    if (sweep_.has_chosen() && rows_ > failed_ && seen_.count(number.path) == 0) empty.push_back(number.path);
  }
  return empty;
}

std::string SweepResult::verdict() const { return sweep_.formula() ? verdict_.text() : ""; }

void SweepResult::finish() {
  if (format_ == "table" || format_ == "markdown") {
    Document document = {{"", sweep_table(sweep_, kept_)}};
    if (const std::string words = legend(); !words.empty()) document.push_back({words});
    put(format_ == "table" ? document_text(document) : document_markdown(document));
  }
  if (format_ == "latex") put(sweep_latex(sweep_, kept_, command_line()));
  if (format_ == "svg") put(sweep_svg(sweep_, kept_));
  if (format_ == "json") {
    const Json verdict = sweep_.formula() ? Json(verdict_.text()) : Json(nullptr);
    put(fmt::format("\n  ],\n  \"failed\": {},\n  \"verdict\": {}\n}}\n", failed_, report::to_line(verdict)));
  }
  write_out();
  if (file_) file_->commit();
}

void SweepResult::put(const std::string& text) {
  constexpr std::size_t piece = 1 << 16;
  text_ += text;
  if (text_.size() >= piece) write_out();
}

void SweepResult::write_out() {
  if (file_) {
    file_->write(text_);
  } else {
    print(text_);
  }
  text_.clear();
}

}  // namespace terminal
