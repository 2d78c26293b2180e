// The strict CSV reader: what it accepts, and its errors.
#include "sim/base/csv.h"

#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "tests/support/says.h"

using namespace sim;

namespace {

std::string error_message(const std::string& csv) {
  try {
    parse_csv(csv, "t.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("csv reads bare and quoted cells, LF and CRLF, with and without a last line end") {
  const CsvTable table = parse_csv("a,b,c\r\n1,,\"x, \"\"y\"\"\"\n,2,z", "t.csv");
  CHECK(table.columns == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells == std::vector<std::string>{"1", "", "x, \"y\""});
  CHECK(table.rows[1].cells == std::vector<std::string>{"", "2", "z"});
  CHECK(table.rows[1].line == 3);
  CHECK(table.place(table.rows[1], 2) == "t.csv:3: c: ");
  CHECK(parse_csv("a,b\n", "t.csv").rows.empty());
}

TEST_CASE("csv errors name file, line and column") {
  CHECK(error_message("") == "t.csv: is empty: expected a header");
  CHECK(error_message("\n") == "t.csv:1: cell 1 of the header is empty: expected a column name");
  CHECK(error_message("a,,b\n") == "t.csv:1: cell 2 of the header is empty: expected a column name");
  CHECK(error_message("a,b,a\n") == "t.csv:1: column \"a\" occurs twice");
  CHECK(error_message("a,b\n1,2\n1\n") == "t.csv:3: has 1 cells, expected 2, from \"a\" to \"b\"");
  CHECK(error_message("a,b\n1,2,3\n") == "t.csv:2: has 3 cells, expected 2, from \"a\" to \"b\"");
  CHECK(error_message("a,b\n\n1,2\n") == "t.csv:2: has 1 cells, expected 2, from \"a\" to \"b\"");
  CHECK(error_message("a,b\n1,\"2\n") == "t.csv:2: column 3: this quote is not closed on its line");
  CHECK(error_message("a,b\n\"1\"x,2\n") == "t.csv:2: column 4: text after a closing quote: expected a comma");
  CHECK(error_message("a,b\n1\"x,2\n") ==
        "t.csv:2: column 2: a quote within a bare cell: put the cell in quotes and write \"\"");
  CHECK(error_message("a,b\n1\t,2\n") == "t.csv:2: column 2: control character 9: only printable text is allowed");
  CHECK(error_message(std::string("a,b\n1,\0", 7)) ==
        "t.csv:2: column 3: control character 0: only printable text is allowed");
  CHECK(error_message("a,b\n1\r,2\n") == "t.csv:2: column 2: control character 13: only printable text is allowed");
  CHECK(error_message("a,b\n1," + std::string(501, 'x')) ==
        "t.csv:2: column 504: a cell of 501 bytes ends here, more than 500");
  CHECK(error_message(std::string(longest_csv + 1, 'a')) == "t.csv: has 1048577 bytes, more than 1048576");
}

TEST_CASE("csv takes a cell and a file of the largest size") {
  const std::string cell(longest_csv_cell, 'x');
  std::string csv = "a";
  while (csv.size() + 1 + cell.size() <= longest_csv) csv += "\n" + cell;
  if (csv.size() < longest_csv) csv += "\n" + std::string(longest_csv - csv.size() - 1, 'x');
  REQUIRE(csv.size() == longest_csv);
  CHECK(error_message(csv) == "no error");
}

TEST_CASE("csv reports which column is not the expected one") {
  const CsvTable table = parse_csv("a,b\n", "t.csv");
  CHECK_NOTHROW(table.expect_columns({"a", "b"}));
  CHECK_THROWS_MATCHES(table.expect_columns({"a", "c"}), Error,
                       Says("column {} is {}: expected", "t.csv", 2, "\"b\"", "c"));
  CHECK_THROWS_MATCHES(table.expect_columns({"a", "b", "c"}), Error, Says("is missing: expected", "t.csv", 3, "c"));
  CHECK_THROWS_MATCHES(table.expect_columns({"a"}), Error, Says("expected only", "t.csv", 2, "\"b\"", 1));
}

TEST_CASE("csv survives being written and read again") {
  const std::vector<std::string> cells = {"plain", "", "with, comma", "\"quoted\"", " spaces ", "\"", "100 %"};
  std::string header, row;
  for (std::size_t n = 0; n < cells.size(); ++n) {
    header += (n == 0 ? "" : ",") + text("c", n);
    row += (n == 0 ? "" : ",") + csv_field(cells[n]);
  }
  CHECK(parse_csv(header + "\n" + row + "\n", "t.csv").rows.at(0).cells == cells);
}
