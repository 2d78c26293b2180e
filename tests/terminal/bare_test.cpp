// Commands without a scenario fill the card; with any scenario option the defaults are one head. If few SMs get work
// every output with times reports it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::Folder;
using program::good;
using Words = std::vector<std::string>;

namespace {

const std::string filled = "batch 4, heads 32";

}  // namespace

TEST_CASE("a bare compare fills the card and notes it, in every format") {
  const program::Result table = good({"compare"});
  CHECK(table.out == good({"compare", "--batch", "4", "--heads", "32"}).out);
  CHECK(table.err.rfind("note: no scenario option is given: " + filled, 0) == 0);
  CHECK(table.err_lines() == 1);
  CHECK_THAT(table.out, !Contains("SMs get work") && !Contains("SMs busy"));
  for (const Words& words :
       {Words{"compare", "--format", "json"}, Words{"compare", "--algorithms", "flash1", "--format", "json"}}) {
    const program::Result json = good(words);
    CHECK(Json::parse(json.out).at("results").at(0).at("scenario").at("heads") == 32);
    CHECK_THAT(json.err, Contains(filled));
  }
}

TEST_CASE("a compare with a scenario option defaults to one head, and reports busy SMs and what fills the card") {
  const program::Result table = good({"compare", "--seqlen", "1024"});
  CHECK(table.err.empty());
  CHECK_THAT(table.out, Contains("forward: batch 1, heads 1, N 1,024"));
  CHECK_THAT(table.out, Contains("\nSMs busy") && Contains("1 of 132") && Contains("8 of 132"));
  CHECK_THAT(table.out,
             Contains("Few SMs get work, the rest of the card is idle: --batch 4 --heads 32 would fill it.\n"));
  CHECK_THAT(good({"compare", "--seqlen", "1024", "--format", "markdown"}).out, Contains("| SMs busy |"));
}

TEST_CASE("the options that a note proposes to fill the card do fill it") {
  const program::Result table = good({"simulate", "--algorithm", "flash1"});
  CHECK_THAT(table.out,
             Contains("1 of 132 SMs get work, the rest of the card is idle: --batch 4 --heads 32 would fill it."));
  const program::Result full = good({"simulate", "--algorithm", "flash1", "--batch", "4", "--heads", "32"});
  CHECK_THAT(full.out, !Contains("SMs get work"));
  CHECK_THAT(good({"simulate", "--algorithm", "flash1", "--heads", "16"}).out,
             Contains("idle: --batch 8 would fill it."));
}

TEST_CASE("JSON, CSV and counters have the SMs that are busy") {
  const Json time = Json::parse(good({"simulate", "--algorithm", "standard", "--format", "json"}).out).at("time");
  CHECK(time.at("sms") == 132);
  CHECK(time.at("sms_busy").get<int>() >= 1);
  for (const Json& kernel : time.at("kernels")) CHECK(kernel.at("sms_busy").get<int>() <= 132);
  CHECK_THAT(good({"compare", "--format", "csv"}).out, Contains(",time.sms_busy,time.sms,"));
  CHECK_THAT(good({"counters"}).out, Contains("time.sms_busy"));
  CHECK_THAT(good({"simulate", "--why", "time.sms_busy"}).out,
             Contains("time.sms_busy = 8 SMs") && Contains("of 132 SMs"));
}

TEST_CASE("sweep has a column of busy SMs and counts the points with few") {
  const program::Result swept = good({"sweep", "--over", "heads=1,256", "--format", "table"});
  CHECK_THAT(swept.out, Contains("SMs busy") && Contains("8 of 132") && Contains("132 of 132"));
  CHECK_THAT(swept.out, Contains("\nAt 1 of 2 points fewer than half of the SMs get work"));
}

TEST_CASE("tune reports that its times are those of a mostly idle card") {
  CHECK_THAT(good({"tune", "--seqlen", "256"}).out, Contains("SMs get work"));
}

TEST_CASE("terms of a table are explained below it") {
  const program::Result table = good({"compare", "--seqlen", "1024"});
  CHECK_THAT(table.out, Contains("\nBound by "));
  CHECK_THAT(table.out, Contains("\nError unknown: no published times of such a run are near; see "));
  const program::Result known = good({"compare", "--model", "gpt2-medium", "--batch", "64", "--algorithms", "flash2"});
  CHECK_THAT(known.out, Contains("issue: the issue slots of an SM: instructions rather than bytes or FLOPs."));
  CHECK_THAT(known.out, !Contains("Error unknown"));
  CHECK_THAT(good({"simulate"}).out, Contains(", bound by ") && Contains(" ("));
}
