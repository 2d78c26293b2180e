// flashscope verify: output, exit codes and rejected input.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "viz/terminal/verify/on_device.h"
#include "viz/terminal/verify/scenario_list.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;

namespace {

const std::vector<std::string> small = {"verify", "--seqlen", "40", "--head-dim", "16"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json verified(const Folder& folder, const std::vector<std::string>& words) {
  const program::Result result = program::run(folder, with(words, {"--format", "json"}));
  INFO(result.err << result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return Json::parse(result.out);
}

const Json& row_of(const Json& verdict, const std::string& quantity) {
  for (const Json& row : verdict.at("rows")) {
    if (row.at("quantity") == quantity) return row;
  }
  FAIL("no row " << quantity);
  return verdict;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

/// Checks the contract: {"device", "ok", "rows": [{"quantity", ...}]}.
void check_schema(const Json& verdict) {
  CHECK(keys(verdict) == std::vector<std::string>{"device", "ok", "rows"});
  CHECK(verdict.at("device").is_string());
  CHECK(verdict.at("ok").is_boolean());
  CHECK(!verdict.at("rows").empty());
  for (const Json& row : verdict.at("rows")) {
    INFO(row.dump());
    CHECK(keys(row) == std::vector<std::string>{"cause", "difference", "measured", "ok", "quantity", "simulated",
                                                "tolerance", "unit"});
    for (const char* name : {"quantity", "unit", "cause"}) CHECK(row.at(name).is_string());
    for (const char* name : {"simulated", "measured", "difference", "tolerance"}) CHECK(row.at(name).is_number());
    CHECK(row.at("ok").is_boolean());
    const bool count = row.at("unit") != "max abs error";
    CHECK(row.at("simulated").is_number_integer() == count);
  }
}

std::vector<terminal::ListedScenario> parsed(const std::string& text, const sim::OptionValues& base = {}) {
  return terminal::parse_scenarios(text, "list.txt", base, std::nullopt);
}

}  // namespace

TEST_CASE("scenarios are planned for the card they run on, by its table or its shared memory") {
  const auto planned = [](sim::OptionValues scenario, const char* gpu, std::int64_t smem) {
    terminal::plan_for_card(scenario, gpu, smem);
    return scenario;
  };
  using Options = sim::OptionValues;
  CHECK(planned({}, "rtx-4090", 101376) == Options{{"gpu", "rtx-4090"}});
  CHECK(planned({}, "", 101376) == Options{{"sram", "101376"}});
  CHECK(planned({{"sram", "60000"}}, "", 101376) == Options{{"sram", "60000"}});
  CHECK(planned({{"gpu", "l4"}}, "", 101376) == Options{{"gpu", "l4"}});
  CHECK(planned({}, "", 233472).empty());  // more than the default GPU has
}

TEST_CASE("verify's JSON is the contract's object, and its bytes are those of simulate") {
  const std::vector<std::string> scenario = {
      "--algorithm", "flash1", "--seqlen", "40",     "--head-dim",      "16", "--br", "16",
      "--bc",        "16",     "--causal", "--pass", "forward+backward"};
  const Json verdict = verified(Folder(), with({"verify"}, scenario));
  check_schema(verdict);
  CHECK_THAT(verdict.at("device").get<std::string>(), Contains("emulated device"));
  const Json simulated = Json::parse(program::run(with(with({"simulate"}, scenario), {"--format", "json"})).out);
  const Json& tensors = simulated.at("tile_traffic").at("by_tensor");
  for (const auto& [tensor, moved] : tensors.items()) {
    for (const auto& [direction, bytes] : moved.items()) {
      if (bytes == 0) continue;
      const Json& row = row_of(verdict, "tile_traffic.by_tensor." + tensor + "." + direction);
      CHECK(row.at("simulated") == bytes);
      CHECK(row.at("measured") == bytes);
    }
  }
  CHECK(row_of(verdict, "memory.peak").at("measured") == simulated.at("memory").at("peak_hbm_bytes"));
  for (const char* quantity :
       {"error.O", "error.dQ", "error.dK", "error.dV", "tile_traffic.total.read_bytes", "tile_traffic.atomic_bytes",
        "sectors.Q.read", "sectors.dQ.write", "wavefronts", "races"})
    CHECK(row_of(verdict, quantity).at("ok") == true);
}

TEST_CASE("verify's table names scenario, kernel and device, has units, and ends with a verdict") {
  const program::Result result = program::run(with(small, {"--kernel", "flash2", "--workers", "1"}));
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("FlashAttention-2 forward: batch 1, heads 1, N 40, d 16, fp16") &&
                             Contains("kernel flash2, emulated device (CPU, 1 worker)") && Contains("  1,280 ") &&
                             Contains("  bytes ") && Contains("\nverified: ") && Contains(" rows agree\n"));
  CHECK(result.out.find("rows agree\n") + 11 == result.out.size());
}

TEST_CASE("verify prints the same when repeated, with any number of workers and with random schedules", "[workers]") {
  const std::vector<std::string> words = with(small, {"--kernel", "flash2", "--dtype", "bf16"});
  // Other cases check that they agree: ThreadSanitizer removes the hooks that count (KernelFlavours.cmake).
  const auto rows = [&](const std::vector<std::string>& more) {
    return Json::parse(program::run(with(with(words, {"--format", "json"}), more)).out).at("rows");
  };
  const Json one = rows({"--workers", "1"});
  CHECK(one.size() > 10);
  CHECK(rows({"--workers", "3"}) == one);
  CHECK(rows({"--schedules", "3"}) == one);
}

TEST_CASE("verify takes inputs from files and draws them by seed") {
  const Folder folder;
  std::string npy = "\x93NUMPY\x01";
  npy += std::string(1, '\0') + "\x76" + std::string(1, '\0');
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (40, 16), }";
  header += std::string(117 - header.size(), ' ') + "\n";
  program::write_file(folder / "q.npy", npy + header + std::string(40 * 16 * 4, '\0'));
  const Json zero = verified(folder, {"verify", "--kernel", "flash2", "--dtype", "fp32", "--input-q", "q.npy",
                                      "--input-k", "q.npy", "--input-v", "q.npy"});
  CHECK(row_of(zero, "error.O").at("measured") == 0);
  const std::vector<std::string> drawn = {"verify", "--seqlen", "40", "--head-dim", "32", "--kernel", "flash2"};
  const Json first = verified(Folder(), drawn);
  const Json second = verified(Folder(), with(drawn, {"--seed", "7"}));
  CHECK(row_of(first, "error.O") != row_of(second, "error.O"));
}

TEST_CASE("verify takes lists of scenarios as options and as links, with the other options for all lines") {
  const Folder folder;
  program::write_file(folder / "list.txt",
                      "# two of them\n\n--algorithm flash1 --seqlen 24\r\n"
                      "  algorithm=flash2&seqlen=20&causal=1&pass=forward%2Bbackward&kernel=flash2  ");
  const std::vector<std::string> words = {"verify", "--scenarios", "list.txt", "--head-dim", "8"};
  const Json list = verified(folder, words);
  CHECK(keys(list) == std::vector<std::string>{"device", "ok", "verdicts"});
  REQUIRE(list.at("verdicts").size() == 2);
  Json entry = list.at("verdicts").at(1);
  CHECK(entry.at("kernel") == "flash2");
  CHECK_THAT(entry.at("scenario").get<std::string>(), Contains("algorithm=flash2&seqlen=20"));
  CHECK(row_of(entry, "error.dQ").at("ok") == true);
  CHECK(row_of(list.at("verdicts").at(0), "tile_traffic.by_tensor.K.read_bytes").at("simulated") == 24 * 8 * 2);
  entry.erase("kernel");
  entry.erase("scenario");
  check_schema(entry);
  const program::Result table = program::run(folder, words);
  CHECK_THAT(table.out, Contains("--algorithm flash1 --seqlen 24") && Contains("verified: 2 scenarios, ") &&
                            Contains(" rows agree\n"));
}

TEST_CASE("a wrong line of a list is named before anything runs", "[repeats]") {
  const auto refused = [](const std::string& text, const std::vector<std::string>& says) {
    const Folder folder;
    program::write_file(folder / "list.txt", text);
    check_refused(folder, {"verify", "--scenarios", "list.txt"}, says);
  };
  const std::string good = "--algorithm flash1 --seqlen 8 --head-dim 8\n";
  refused(good + "--algorithm flash9\n", {"list.txt:2: ", "unknown algorithm \"flash9\"", "flash1"});
  refused(good + good + "seqlen=8&hed-dim=8\n", {"list.txt:3: ", "\"hed-dim\"", "head-dim"});
  refused("seqlen\n", {"list.txt:1: ", "\"seqlen\" is not NAME=VALUE"});
  refused("seqlen=8&seqlen=9\n", {"list.txt:1: seqlen is given more than once"});
  refused("seqlen=%zz\n", {"list.txt:1: seqlen: \"%zz\" is not a whole number"});
  refused("kernel=flash9\n", {"list.txt:1: ", "unknown kernel \"flash9\""});
  refused("--head-dim 12 --kernel flash2\n", {"list.txt:1: head-dim: 12 is not a multiple of 8"});
  refused("--algorithm memory-efficient\n", {"list.txt:1: algorithm: memory-efficient has no kernel"});
  refused("--heads 4 --kv-heads 3\n", {"list.txt:1: "});
  refused("--help\n", {"list.txt:1: --help is not a scenario option"});
  refused("--input-q q.npy\n", {"list.txt:1: ", "unknown option \"--input-q\""});
  refused("#algorithm=flash2&seqlen=8\n", {"list.txt:1: a link is written without its #"});
  refused("# nothing\n\n", {"scenarios: list.txt has no scenario"});
  refused(std::string("\0\x01\xff=\x1b[2J\n", 9), {"list.txt:1: "});
  refused("--seed " + std::string(5000, '1'), {"list.txt:1: the line has 5007 characters"});
  refused(std::string((1 << 20) + 1, '\n'), {"scenarios: list.txt: has 1048577 bytes, allowed are at most 1048576"});
}

TEST_CASE("a list is read from a regular file only, and takes no inputs") {
  const Folder folder;
  check_refused(folder, {"verify", "--scenarios", "none.txt"}, {"scenarios: none.txt: no such file"});
  check_refused(folder, {"verify", "--scenarios", "/dev/zero"}, {"scenarios: /dev/zero: is not a regular file"});
  check_refused(folder, {"verify", "--scenarios", "default", "--input-q", "q.npy"}, {"input-q: is of one scenario"});
}

TEST_CASE("a line of a list overrides the command line, and its seqlen both lengths") {
  const auto lines = parsed("seqlen=8\nseqlen-q=4\n", {{"seqlen-q", "100"}, {"seqlen-k", "200"}, {"causal", "1"}});
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].options == sim::OptionValues{{"seqlen-q", "8"}, {"seqlen-k", "8"}, {"causal", "1"}});
  CHECK(lines[1].options == sim::OptionValues{{"seqlen-q", "4"}, {"seqlen-k", "200"}, {"causal", "1"}});
  CHECK(lines[1].where == "list.txt:2");
}

TEST_CASE("the default list covers every algorithm with kernels, pass, dtype, mask, grouped heads and dropout") {
  const auto lines = parsed(std::string(terminal::default_scenarios()));
  for (const std::string algorithm : {"standard", "flash1", "flash2", "flash-decoding", "flash2-block-sparse"}) {
    for (const std::string option : {"--pass backward", "--pass forward+backward", "--dtype bf16", "--dtype fp32",
                                     "--causal", "--window", "--padding", "--kv-heads", "--dropout", "--seqlen-k"}) {
      if (algorithm == "flash-decoding" && option.find("--pass") == 0) continue;  // forward pass only
      INFO(algorithm << " with " << option);
      CHECK(std::any_of(lines.begin(), lines.end(), [&](const terminal::ListedScenario& line) {
        return line.options.at("algorithm") == algorithm && line.text.find(option) != std::string::npos;
      }));
    }
  }
}

TEST_CASE("every scenario of the default list is verified", "[slow]") {
  const Json list = verified(Folder(), {"verify", "--scenarios", "default"});
  CHECK(list.at("verdicts").size() == parsed(std::string(terminal::default_scenarios())).size());
}

TEST_CASE("without a GPU cuda is a missing capability with how to get it, and auto takes the emulated device") {
  const program::Result cuda = program::run(with(small, {"--device", "cuda", "--kernel", "flash2"}));
  if (cuda.exit_code != 3) {
    WARN("skipped: there is a GPU here");
    return;
  }
  CHECK(cuda.out.empty());
  CHECK(cuda.err_lines() == 1);
  CHECK_THAT(cuda.err, Contains("--device emulated"));
  const program::Result automatic = program::run(with(small, {"--device", "auto", "--kernel", "flash2"}));
  CHECK(automatic.exit_code == 0);
  CHECK_THAT(automatic.out, Contains("emulated device"));
  CHECK_THAT(automatic.err, Contains("warning: no GPU is used: "));
}

TEST_CASE("verify refuses scenarios that kernels do not take in one line", "[repeats]") {
  check_refused(with(small, {"--algorithm", "memory-efficient"}), {"memory-efficient has no kernel", "flash1"});
  check_refused({"verify", "--algorithm", "flash1", "--tiling", "released", "--batch", "4"},
                {"tiling: released has no kernel"});
  check_refused(with(small, {"--kernel", "flash1"}), {"flash1 has no kernel for flash2_forward"});
  check_refused(with(small, {"--kernel", "flash3"}), {"unknown kernel \"flash3\"", "flash2"});
  check_refused({"verify", "--head-dim", "20", "--kernel", "flash2"}, {"head-dim: 20 is not a multiple of 8"});
  check_refused({"verify", "--kernel", "flash2", "--seqlen", "100000", "--workers", "1"},
                {"would take about", "emulated device", "--device cuda"});
  check_refused({"verify", "--kernel", "flash2", "--batch", "4000000000", "--seqlen", "8"}, {"batch: 4000000000"});
  check_refused(with(small, {"--device", "gpu"}), {"unknown device \"gpu\"", "emulated, cuda, auto"});
  check_refused(with(small, {"--workers", "0"}), {"workers: \"0\" is not a whole number from 1 to 1024"});
  check_refused(with(small, {"--schedules", "-1"}), {"schedules"});
  check_refused(with(small, {"--format", "csv"}), {"unknown format \"csv\""});
  check_refused(with(small, {"--numerics", "off"}), {"unknown option \"--numerics\""});
}

TEST_CASE("verify's help names its options, devices and kernels") {
  const program::Result result = program::run({"verify", "--help"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("emulated|cuda|auto") && Contains("--kernel") && Contains("flash2_mma") &&
                             Contains("--scenarios FILE|default") && Contains("--schedules") &&
                             Contains("Example: " FLASHSCOPE_PROGRAM " verify"));
  CHECK_THAT(program::run({"--help"}).out, Contains("verify"));
}

TEST_CASE("verify of a small scenario runs in a limited address space") {
  const std::string limited = "ulimit -v 4000000 && exec " + program::quoted(FLASHSCOPE_PROGRAM);
  if (std::system(("(" + limited + " --version) > /dev/null 2>&1").c_str()) != 0) {
    WARN("skipped: the program does not run here with 4 GB of addresses");  // a build with sanitizers
    return;
  }
  CHECK(std::system(("(" + limited + " verify --seqlen 40 --kernel flash2) > /dev/null").c_str()) == 0);
}
