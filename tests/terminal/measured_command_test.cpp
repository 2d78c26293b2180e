// simulate --measured: its output, and where it is rejected.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using program::check_refused;
using program::with;
using Json = nlohmann::ordered_json;

namespace {

const std::vector<std::string> run = {"simulate", "--batch",    "2",   "--heads",    "32",   "--seqlen",
                                      "8192",     "--head-dim", "128", "--measured", "2.6ms"};

}  // namespace

TEST_CASE("a measured time is explained below the table, and in the JSON by the same sentences") {
  const Json measured = Json::parse(program::good(with(run, {"--format", "json"})).out).at("measured");
  const std::string table = program::good(run).out;
  CHECK(measured.at("microseconds") == 2600);
  CHECK_THAT(measured.at("says")[0].get<std::string>(), Catch::StartsWith("mma.sync is excluded"));
  for (const Json& sentence : measured.at("says")) CHECK_THAT(table, Catch::Contains(sentence.get<std::string>()));
}

TEST_CASE("a measured time is refused if the output would not show it") {
  for (const std::string other : {"why", "row"})
    check_refused(with(run, {"--" + other, other == "row" ? "1" : "time.microseconds"}),
                  {"measured: is printed with the report, which --" + other + " does not print"});
  check_refused(with(run, {"--cite"}), {"which --cite does not print"});
  check_refused(with(run, {"--format", "csv"}), {"measured: is of --format table and json"});
  check_refused({"simulate", "--measured", "2.6"}, {"is not a time with its unit"});
}
