// parse_csv, parse_published and parse_accuracy: any text is a table that survives being written and read again, or an
// Error.
#include <cstdint>

#include "sim/base/csv.h"
#include "sim/model/accuracy.h"
#include "sim/model/published.h"
#include "tests/fuzz/invariant.h"

namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t n = 0; n < cells.size(); ++n) line += (n == 0 ? "" : ",") + sim::csv_field(cells[n]);
  return line + "\n";
}

void check_table(std::string_view input) {
  const sim::CsvTable table = sim::parse_csv(input, "fuzz.csv");
  std::string written = line_of(table.columns);
  for (const sim::CsvTable::Row& row : table.rows) {
    fuzz::check(row.cells.size() == table.columns.size(), "a row has as many cells as the header");
    written += line_of(row.cells);
  }
  if (written.size() > sim::longest_csv) return;
  const sim::CsvTable again = sim::parse_csv(written, "again.csv");
  fuzz::check(again.columns == table.columns && again.rows.size() == table.rows.size(), "a table survives writing");
  for (std::size_t n = 0; n < table.rows.size(); ++n)
    fuzz::check(again.rows[n].cells == table.rows[n].cells, "a row survives writing");
}

void check_points(std::string_view input) {
  for (const sim::PublishedPoint& p : sim::parse_published(input, "fuzz.csv")) {
    fuzz::check(p.value > 0, "a published value is positive");
    fuzz::check(is_factor(p.quantity) || sim::published_microseconds(p).value() > 0, "a published time is positive");
  }
}

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  attempt([&] { check_table(text); });
  attempt([&] { check_points(text); });
  attempt([&] { sim::parse_accuracy(text, "fuzz.csv"); });
  return 0;
}
