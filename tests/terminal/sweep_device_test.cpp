// flashscope sweep over fields of the device, --over gpu.l2_bytes=25Mi:100Mi:x2, and over files of models.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "viz/results/axes.h"
#include "viz/terminal/request.h"

using Catch::Contains;
using Json = nlohmann::ordered_json;
using program::check_refused;
using program::with;
using Words = std::vector<std::string>;

namespace {

Words values_of(const std::string& axis) { return results::parse_axis(axis, terminal::option_files()).values; }

Json json_of(const Words& words) {
  const program::Result result = program::run(with(words, {"--format", "json"}));
  INFO("stderr: " << result.err);
  REQUIRE(result.exit_code == 0);
  return Json::parse(result.out);
}

/// The number of a JSON at a path.
Json at(const Json& json, const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return json.at(Json::json_pointer(pointer));
}

const Words scenario = {"--seqlen", "16k", "--heads", "32", "--causal"};

/// Checks that rows have simulate's numbers with the fields after the GPU, and the columns of sweep.
void check_rows(const Json& rows, const std::vector<std::string>& gpus) {
  REQUIRE(rows.size() == gpus.size());
  for (std::size_t n = 0; n < gpus.size(); ++n) {
    INFO(gpus[n]);
    const Json run = json_of(with({"simulate", "--gpu", gpus[n]}, scenario));
    int compared = 0;
    for (const auto& [path, value] : rows[n].items()) {
      if (path.find('.') == std::string::npos || path.starts_with("gpu.")) continue;
      CHECK(value == at(run, path));
      ++compared;
    }
    CHECK(compared > 5);
  }
}

}  // namespace

TEST_CASE("an axis is a field of the device, in its unit or with k, M, G, T, Ki, Mi, Gi or Ti") {
  CHECK(values_of("gpu.l2_bytes=25Mi:100Mi:x2") == Words{"26214400", "52428800", "104857600"});
  CHECK(values_of("gpu.sm_count=66,132") == Words{"66", "132"});
  CHECK(values_of("gpu.l2_bytes=10Mi:20Mi:5Mi,100M") == Words{"10485760", "15728640", "20971520", "104857600"});
  CHECK(values_of("gpu.hbm_bytes_per_second=2T:3T:+500G") == Words{"2000000000000", "2500000000000", "3000000000000"});
}

TEST_CASE("a point of a device's field has every number of --gpu with that field") {
  const Json one = json_of(with({"sweep", "--over", "gpu.l2_bytes=25Mi:100Mi:x2"}, scenario)).at("rows");
  check_rows(one, {"h100-sxm:l2_bytes=25Mi", "h100-sxm", "h100-sxm:l2_bytes=100Mi"});
  CHECK(one[0].at("gpu.l2_bytes") == 26214400);
  CHECK(one[1].at("time.microseconds") == json_of(with({"simulate"}, scenario)).at("time").at("microseconds"));
  check_rows(
      json_of(with({"sweep", "--gpu", "a100:sm_count=54", "--over", "gpu.hbm_bytes_per_second=1T,1.2T"}, scenario))
          .at("rows"),
      {"a100-sxm-40gb:sm_count=54:hbm_bytes_per_second=1T", "a100-sxm-40gb:sm_count=54:hbm_bytes_per_second=1.2T"});
}

TEST_CASE("fields are appended to each GPU of an axis, whichever axis comes first") {
  const Words sms = {"--over", "gpu.sm_count=100,120"}, gpus = {"--over", "gpu=h100,h200:clock_hz=1.5G"};
  const std::vector<std::string> names = {"h100-sxm:sm_count=100", "h200:clock_hz=1.5G:sm_count=100",
                                          "h100-sxm:sm_count=120", "h200:clock_hz=1.5G:sm_count=120"};
  check_rows(json_of(with(with(with({"sweep"}, sms), gpus), scenario)).at("rows"), names);
  check_rows(json_of(with(with(with({"sweep"}, gpus), sms), scenario)).at("rows"),
             {names[0], names[2], names[1], names[3]});
}

TEST_CASE("fields that contradict each other at one point only are that point's error") {
  const Json rows = json_of({"sweep", "--over", "gpu.l2_effective_bytes=20Mi,90Mi"}).at("rows");
  CHECK(rows[0].at("error").is_null());
  CHECK_THAT(rows[1].at("error").get<std::string>(), Catch::Contains("l2_effective_bytes"));
}

TEST_CASE("an axis of the device that cannot be read is refused before any work") {
  const auto refused = [](const std::string& axis, const Words& says) {
    check_refused({"sweep", "--over", axis}, says);
  };
  refused("gpu.l2_byte=1Mi", {"over: gpu: unknown field", "did you mean \"l2_bytes\""});
  refused("gpu.=1", {"over: gpu: unknown field"});
  refused("gpu.l2_bytes=25Mi,big", {"over: gpu: l2_bytes: \"big\" is not a number of"});
  refused("gpu.l2_bytes=25Mi,7", {"over: gpu: l2_bytes: \"7\" is not plausible: allowed are"});
  refused("gpu.sm_count=1.5", {"over: gpu: sm_count: \"1.5\" is not a whole number"});
  refused("gpu.sm_count=2:9:0.5", {"over: gpu.sm_count: a step of 0.5 is not a whole number"});
  refused("gpu.sm_count=2:9:x1", {"does not grow"});
  refused("gpu.sm_count=9:2:1", {"is empty: 9 is beyond 2"});
  refused("gpu.l2_bytes=25Mi,26214400", {"26214400 occurs twice"});
  check_refused({"sweep", "--gpu", "h100:sm_count=66", "--over", "gpu.sm_count=66,132"},
                {"over: gpu.sm_count is also given in the GPU h100-sxm:sm_count=66"});
  check_refused({"sweep", "--over", "gpu=t4:sm_count=20", "--over", "gpu.sm_count=20"}, {"also given in the GPU t4"});
  check_refused({"sweep", "--over", "gpu.sm_count=20", "--over", "gpu.sm_count=40"}, {"is an axis twice"});
}

TEST_CASE("every report of a time names the clock that it is of") {
  const auto out_of = [](const Words& words) {
    const program::Result result = program::run(with(words, {"--batch", "4", "--heads", "32", "--clock", "1.29G"}));
    INFO("stderr: " << result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  };
  CHECK_THAT(out_of({"simulate"}), Catch::Contains(" at 1290 MHz, bound by "));
  CHECK_THAT(out_of({"compare"}), Catch::Contains("Times are at 1290 MHz, the clock of the SMs."));
  CHECK_THAT(out_of({"sweep", "--over", "window=8,64", "--format", "table"}),
             Catch::Contains("Times are at 1290 MHz, the clock of the SMs."));
  CHECK_THAT(out_of({"tune", "--br", "64"}), Catch::Contains("Times are predicted, at 1290 MHz."));
  const Json run = json_of({"simulate", "--clock", "1.29G"}), table = json_of({"simulate"});
  CHECK(at(run, "time.clock_hz") == 1'290'000'000);
  CHECK(at(run, "scenario.clock") == 1'290'000'000);
  CHECK(at(table, "time.clock_hz") == 1'830'000'000);
  CHECK_FALSE(table.at("scenario").contains("clock"));
  CHECK(json_of({"tune", "--clock", "1.29G", "--br", "64"}).at("clock_hz") == 1'290'000'000);
  check_refused({"simulate", "--clock", "0"}, {"clock: \"0\" is not a clock in Hz from 100M to 10G"});
}

TEST_CASE("every command with a time of flash3 warns of a card whose clock under wgmma is not known") {
  const std::string other = "h100-sxm:sm_count=66";
  const std::string warning = "clock: " + other + " has no wgmma_clock_hz: times are at its clock_hz, 1830 MHz";
  const Words run = {"--seqlen", "1024", "--heads", "8"};
  for (const Words& command : {Words{"simulate", "--algorithm", "flash3", "--gpu", other},
                               Words{"compare", "--algorithms", "flash2,flash3", "--gpu", other},
                               Words{"tune", "--algorithm", "flash3", "--gpu", other},
                               Words{"sweep", "--algorithm", "flash3", "--over", "gpu=h100-sxm," + other},
                               Words{"sweep", "--algorithm", "flash3", "--over", "gpu.sm_count=66,132"}}) {
    INFO(command[0]);
    const std::string err = program::good(with(command, run)).err;
    CHECK_THAT(err, Catch::Contains(warning));
    CHECK(err.find(warning) == err.rfind(warning));
  }
  const Words tune = with({"tune", "--algorithm", "flash3", "--gpu", other}, run);
  CHECK(json_of(tune).at("warnings") == Json::array({warning}));
  // Without a time there is nothing to warn of, nor for other kernels.
  const Words bytes = {"sweep",  "--algorithm", "flash3",    "--gpu",       other,
                       "--over", "seqlen=1024", "--columns", "tile-traffic"};
  CHECK(program::good(bytes).err.find("clock") == std::string::npos);
  CHECK(program::good({"sweep", "--gpu", other, "--over", "seqlen=1024"}).err.find("wgmma") == std::string::npos);
}

TEST_CASE("a model's config.json is a value of an axis, and other axes take precedence over it") {
  const program::Folder folder;
  for (const int heads : {4, 8})
    program::write_file(folder / (std::to_string(heads) + ".json"),
                        Json{{"model_type", "llama"}, {"hidden_size", 1024}, {"num_attention_heads", heads}}.dump());
  const auto swept = [&](const Words& words) {
    const Words sweep = {"sweep", "--columns", "scenario.heads,scenario.kv-heads,scenario.head-dim", "--seqlen", "64"};
    const program::Result result = program::run(folder, with(sweep, words));
    INFO(result.err);
    CHECK(result.exit_code == 0);
    return result;
  };
  const program::Result models = swept({"--over", "model=4.json,8.json,llama-3-8b"});
  CHECK(models.out ==
        "model,scenario.heads,scenario.kv-heads,scenario.head-dim,error\n4.json,4,4,256,\n8.json,8,8,128,\n"
        "llama-3-8b,32,8,128,\n");
  CHECK_THAT(models.err, Contains("model: 4.json: ") && Contains("model: 8.json: "));
  const std::string of_heads = "heads,scenario.heads,scenario.kv-heads,scenario.head-dim,error\n16,16,4,256,\n";
  CHECK(swept({"--model", "4.json", "--over", "heads=16"}).out == of_heads);
  for (const Words& axes : {Words{"--over", "model=4.json", "--over", "heads=16"},
                            {"--over", "heads=16", "--over", "model=4.json"},
                            {"--over", "model=4.json", "--heads", "16"}})
    CHECK_THAT(swept(axes).out, Contains(",16,4,256,"));
  check_refused(folder, {"sweep", "--over", "model=none.json"}, {"model: none.json: no such file"});
}
