// Commands on devices without a time, or without a cache model: they name the missing fields and print no wrong number.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using Words = std::vector<std::string>;

namespace {

constexpr const char* missing_of_v100 =
    "v100-sxm2-16gb has no hbm_latency_cycles, cta_turnover_cycles, mma_latency_cycles, exp_latency_cycles, "
    "launch_nanoseconds";

Words on(const std::string& gpu, Words words) {
  words.insert(words.end(), {"--gpu", gpu, "--seqlen", "2048", "--heads", "8"});
  return words;
}

std::string output(const Words& words) {
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  for (const char* wrong : {" nan", ":nan", ",nan", "\"nan", "-nan"}) CHECK_THAT(result.out, !Contains(wrong));
  return result.out;
}

void check_null(const Json& json, const std::string& path) {
  INFO(path);
  if (json.is_object() || json.is_array()) {
    for (const auto& [key, value] : json.items()) {
      if (key != "name" && key != "missing") check_null(value, path + "." + key);
    }
  } else {
    CHECK(json.is_null());
  }
}

}  // namespace

TEST_CASE("simulate reports in its table and its JSON which fields a device's time lacks") {
  const std::string table = output(on("v100-sxm2-16gb", {"simulate"}));
  CHECK_THAT(table, Contains(sim::text("no time is predicted: ", missing_of_v100,
                                       "; give them in a FILE.toml, or as --gpu "
                                       "v100-sxm2-16gb:hbm_latency_cycles=...")));
  const Json json = Json::parse(output(on("v100-sxm2-16gb", {"simulate", "--format", "json"})));
  CHECK(json.at("time").at("missing").size() == 5);
  check_null(json.at("time"), "time");
  CHECK(json.at("hbm_traffic").at("read_bytes").is_number());
  CHECK(json.at("links").at("hbm").at("percent_of_peak").is_null());
}

TEST_CASE("mi300x has tile traffic and memory, and reports why it has no HBM traffic") {
  const std::string table = output(on("mi300x", {"simulate"}));
  CHECK_THAT(table, Contains("no HBM traffic is counted: mi300x has an L2 of 4 MiB for each of 8 chiplets"));
  const Json json = Json::parse(output(on("mi300x", {"simulate", "--format", "json"}))),
             other =
                 Json::parse(output(on("h100-sxm", {"simulate", "--br", "128", "--bc", "128", "--format", "json"})));
  check_null(json.at("time"), "time");
  for (const char* way : {"read_bytes", "write_bytes"}) CHECK(json.at("hbm_traffic").at(way).is_null());
  CHECK(json.at("links").at("hbm").at("bytes").is_null());
  CHECK(json.at("tile_traffic") == other.at("tile_traffic"));
  CHECK(json.at("hbm_traffic").at("compulsory_bytes") == other.at("hbm_traffic").at("compulsory_bytes"));
}

TEST_CASE("commands that need a time name the device fields that it lacks") {
  check_refused(on("v100-sxm2-16gb", {"tune", "--for", "time"}), {"tune: no time is predicted", missing_of_v100});
  check_refused(on("v100-sxm2-16gb", {"simulate", "--why", "time.microseconds"}), {"why: ", missing_of_v100});
  check_refused(on("v100-sxm2-16gb", {"simulate", "--trace", "x.json"}), {"trace: ", missing_of_v100});
  check_refused(on("v100-sxm2-16gb", {"compare", "--format", "svg", "--chart", "time"}), {"chart: ", missing_of_v100});
  check_refused(
      {"sweep", "--gpu", "v100-sxm2-16gb", "--over", "seqlen=512,1024", "--quantity", "time", "--format", "svg"},
      {"no row has a number time.microseconds", missing_of_v100});
  check_refused(on("mi300x", {"simulate", "--why", "hbm_traffic"}), {"hbm_traffic: no HBM traffic is counted"});
  check_refused(on("mi300x", {"compare", "--format", "svg", "--chart", "hbm-traffic"}), {"chart: no HBM traffic"});
  check_refused(on("mi300x", {"simulate", "--l2", "4194304"}), {"l2: mi300x has", "leave it out"});
}

TEST_CASE("tables and charts on devices without a time show dashes instead", "[repeats]") {
  for (const char* gpu : {"v100-sxm2-16gb", "mi300x"}) {
    for (const Words& words : {Words{"simulate", "--format", "markdown"},
                               {"simulate", "--format", "latex"},
                               {"simulate", "--format", "csv"},
                               {"simulate", "--pass", "forward+backward"},
                               {"simulate", "--algorithm", "flash-decoding"},
                               {"simulate", "--measured", "2ms"},
                               {"simulate", "--why", "list"},
                               {"compare"},
                               {"compare", "--format", "markdown"},
                               {"compare", "--format", "latex"},
                               {"compare", "--format", "csv"},
                               {"compare", "--format", "json"},
                               {"compare", "--format", "svg", "--chart", "roofline"},
                               {"compare", "--measured", "1ms,-,2ms"},
                               {"tune"},
                               {"tune", "--format", "json"},
                               {"tune", "--format", "csv"}}) {
      INFO(gpu << " " << words[0] << " " << (words.size() > 2 ? words[2] : ""));
      output(on(gpu, words));
    }
    for (const char* format : {"csv", "json", "table", "markdown", "latex"})
      output({"sweep", "--gpu", gpu, "--over", "seqlen=512,1024", "--format", format});
    output({"sweep", "--over", sim::text("gpu=", gpu, ",h100-sxm"), "--format", "table"});
    output({"sweep", "--over", sim::text("gpu=h100-sxm,", gpu), "--quantity", "time", "--format", "svg"});
    output({"devices", "--gpu", gpu});
    output({"devices", "--gpu", gpu, "--format", "json"});
  }
}

TEST_CASE("an option supplies a field that the device file leaves out, and so does the user's device file") {
  const program::Folder folder;
  std::string file(sim::embedded_text("machine/devices/toy.toml"));
  const std::size_t line = file.find("mma_latency_cycles");
  file.erase(line, file.find('\n', line) - line);
  program::write_file(folder / "mine.toml", file);
  const program::Result without = program::run(folder, {"simulate", "--gpu", "mine.toml", "--seqlen", "256"});
  CHECK(without.exit_code == 0);
  CHECK_THAT(without.out, Contains("no time is predicted: toy has no mma_latency_cycles; give it in a FILE.toml"));
  const program::Result given =
      program::run(folder, {"simulate", "--gpu", "mine.toml:mma_latency_cycles=30", "--seqlen", "256"});
  CHECK(given.exit_code == 0);
  CHECK_THAT(given.out, Contains("predicted time") && !Contains("no time is predicted"));
}

TEST_CASE("an unknown GPU is refused with how to use a file, and a similar name only if there is one") {
  for (const char* gpu : {"mi250", "k80", "arc-a770", "tpu", "9"}) {
    const program::Result result = program::run({"simulate", "--gpu", gpu});
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Contains("--gpu FILE.toml") && !Contains("did you mean"));
  }
  check_refused({"simulate", "--gpu", "mi300"}, {"did you mean \"mi300x\"?", "--gpu FILE.toml"});
  check_refused({"simulate", "--gpu", "rtx-a600"}, {"did you mean \"rtx-a6000\"?"});
}
