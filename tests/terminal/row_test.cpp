// The option --row: the softmax of one query as text, JSON and CSV, and options that contradict it.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/npy.h"
#include "sim/model/row_answer.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;

namespace {

const Words row = {"simulate", "--seqlen", "100", "--bc", "16", "--heads", "3", "--head", "2", "--row", "57"};

/// Checks a number: JSON has the shortest digits that restore the float.
void check_number(const Json& json, float value) {
  if (std::isfinite(value))
    CHECK(json.get<float>() == value);
  else
    CHECK(json.is_null());
}

}  // namespace

TEST_CASE("simulate --row prints the numbers of every tile, as the simulator computes them") {
  const Json json = Json::parse(program::good(with(row, {"--without-alpha", "--format", "json"})).out);
  sim::Scenario scenario;
  scenario.shape = {1, 3, 3, 100, 100, 64, {}};
  scenario.bc = 16;
  sim::SoftmaxRow own(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 2, 57);
  own.finish();
  CHECK(json.at("row") == 57);
  CHECK(json.at("head") == 2);
  REQUIRE(json.at("tiles").size() == own.tiles().size());
  for (std::size_t t = 0; t < own.tiles().size(); ++t) {
    const Json& printed = json.at("tiles")[t];
    const sim::SoftmaxTile& tile = own.tiles()[t];
    CHECK(printed.at("first_key") == tile.keys.begin);
    check_number(printed.at("score_max"), tile.score_max);
    check_number(printed.at("m_before"), tile.m_before);
    check_number(printed.at("m"), tile.m);
    check_number(printed.at("alpha"), tile.alpha);
    check_number(printed.at("sum"), tile.sum);
    check_number(printed.at("l_before"), tile.l_before);
    check_number(printed.at("l"), tile.l);
    for (std::size_t j = 0; j < tile.scores.size(); ++j) check_number(printed.at("weights")[j], tile.weights[j]);
    for (std::size_t c = 0; c < 8; ++c) check_number(printed.at("O")[c], tile.O[c]);
  }
  const auto kept = sim::answer_of(own.tiles(), own.tiles().size(), sim::Rescaling::kept);
  const auto skipped = sim::answer_of(own.tiles(), own.tiles().size(), sim::Rescaling::skipped);
  CHECK(json.at("without_alpha").at("relative_error") == Approx(sim::relative_error(skipped.O, kept.O)));
}

TEST_CASE("simulate --row has a line for each tile, also as CSV and in a file") {
  const std::string table = program::good(with(row, {"--without-alpha"})).out;
  CHECK_THAT(table, Contains("softmax of query 57 in head 2, flash2") && Contains("96..99") &&
                        Contains("share with alpha") && Contains("O is off by"));
  CHECK_THAT(program::good(with(row, {"--format", "csv"})).out, Contains("\ntiles.6.first_key,96\n"));
  const Folder folder;
  CHECK(program::run(folder, with(row, {"--output", "row.json"})).out.empty());
  CHECK_THAT(program::read_file(folder / "row.json"), Contains("\"tiles\""));
  const std::string standard = program::good(with(row, {"--without-alpha", "--algorithm", "standard"})).out;
  CHECK_THAT(standard, Contains("without alpha: the same"));
}

TEST_CASE("simulate --row reads Q, K and V of files") {
  const Folder folder;
  const Words sizes = {"simulate", "--seqlen", "40", "--head-dim", "16", "--br", "16", "--bc", "16", "--dtype", "fp32"};
  const std::vector<std::int64_t> shape = {40, 16};
  const auto bytes = sim::format_npy(shape, std::vector<float>(40 * 16, 0.25f), "f4");
  program::write_file(folder / "q.npy", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const program::Result given =
      program::run(folder, with(sizes, {"--input-q", "q.npy", "--row", "3", "--format", "json"}));
  REQUIRE(given.exit_code == 0);
  CHECK(Json::parse(given.out).at("tiles")[0].at("scores") !=
        Json::parse(program::good(with(sizes, {"--row", "3", "--format", "json"})).out).at("tiles")[0].at("scores"));
}

TEST_CASE("simulate --row refuses options that contradict it") {
  check_refused({"simulate", "--row", "1024"}, {"row: 1024 is not a query from 0 to 1023"});
  check_refused({"simulate", "--row", "x"}, {"row: \"x\" is not a whole number"});
  check_refused({"simulate", "--head", "1"}, {"head: is an option of --row N"});
  check_refused({"simulate", "--without-alpha"}, {"without-alpha: is an option of --row N"});
  check_refused({"simulate", "--row", "1", "--head", "1"}, {"head: 1 is not a query head from 0 to 0"});
  check_refused({"simulate", "--row", "1", "--pass", "backward"}, {"--pass backward", "--pass forward"});
  check_refused({"simulate", "--row", "1", "--format", "latex"}, {"format: latex", "table, json and csv"});
  check_refused({"simulate", "--row", "1", "--output", "O.npy"}, {"row: prints the steps of one query"});
  check_refused({"simulate", "--row", "1", "--why", "list"}, {"--why cannot be combined with it"});
}

TEST_CASE("simulate --inputs text:mouse sets its sizes and notes that scores are synthetic") {
  const Json json = Json::parse(
      program::good({"simulate", "--inputs", "text:mouse", "--row", "15", "--head", "3", "--format", "json"}).out);
  CHECK(json.at("scenario").at("inputs") == "text:mouse");
  CHECK(json.at("scenario").at("seqlen-k") == 16);
  CHECK(json.at("scenario").at("bc") == 4);
  CHECK(json.at("text").at("words")[11] == "cat");
  CHECK(json.at("text").at("scores") == "synthetic");
  CHECK_THAT(program::good({"simulate", "--inputs", "text:mao"}).out, Contains("synthetic scores over the text mao"));
  check_refused({"simulate", "--inputs", "text:dog"}, {"unknown inputs \"text:dog\"", "text:mouse", "text:mao"});
  check_refused({"simulate", "--inputs", "text:mouse", "--seqlen", "32"},
                {"text:mouse", "seqlen-q 32", "leave out that"});
  check_refused({"simulate", "--inputs", "text:mouse", "--model", "gpt2-medium"}, {"text:mouse", "heads 16"});
}
