// Options as users type them, and numbers as they are printed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"
#include "viz/terminal/command.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

std::string printed(const Words& words) {
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

Json scenario(Words words) {
  words.insert(words.begin(), "simulate");
  words.insert(words.end(), {"--format", "json"});
  return Json::parse(printed(words)).at("scenario");
}

/// The line of `text` that starts with `start`.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = ("\n" + text).find("\n" + start);
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find('\n', at) - at);
}

/// The text with single blanks between words, however they were wrapped.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

}  // namespace

TEST_CASE("a value may follow its option or an equals sign") {
  CHECK(printed({"simulate", "--seqlen=300"}) == printed({"simulate", "--seqlen", "300"}));
  CHECK(scenario({"--seqlen=300"}).at("seqlen") == 300);
}

TEST_CASE("a negative number is a value, not an option") {
  CHECK(scenario({"--scale", "-0.5"}).at("scale") == -0.5);
  CHECK(scenario({"--scale=-2"}).at("scale") == -2);
  check_refused({"simulate", "--seqlen", "-5"}, {"seqlen: \"-5\""});
}

TEST_CASE("an option given twice is refused, a flag given twice is not") {
  check_refused({"simulate", "--seqlen", "5", "--seqlen", "6"}, {"simulate: --seqlen is given more than once"});
  check_refused({"simulate", "--format", "csv", "--format", "json"}, {"--format is given more than once"});
  CHECK(scenario({"--causal", "--causal"}).at("causal") == true);
}

TEST_CASE("an option without its value is refused by name") {
  for (const char* option : {"--seqlen", "--output", "--why", "--input-q", "--gpu"}) {
    check_refused({"simulate", option}, {std::string("simulate: ") + option + " needs a value"});
  }
  check_refused({"simulate", "--seqlen="}, {"--seqlen needs a value"});
  check_refused({"simulate", "--causal=maybe"}, {"--causal is a flag"});
}

TEST_CASE("every command of a program takes --color, which changes no result, and refuses unknown values",
          "[repeats]") {
  for (const terminal::Command& command : terminal::commands()) {
    const terminal::CommandSyntax syntax = command.syntax();
    if (!syntax.common) continue;
    check_refused({syntax.name, "--color", "sometimes"}, {"color", "sometimes", "auto, always, never"});
    check_refused({syntax.name, "--color"}, {"--color needs a value"});
  }
  for (const char* format : {"table", "json", "latex"})
    CHECK(printed({"compare", "--seqlen", "64", "--format", format, "--color", "always"}) ==
          printed({"compare", "--seqlen", "64", "--format", format}));
}

TEST_CASE("an option without its value does not take the next option for it") {
  const Folder folder;
  check_refused(folder, {"simulate", "--seqlen", "8", "--output", "--causal"},
                {"--output needs a value", "\"--causal\" is an option", "--output=--causal"});
  check_refused(folder, {"simulate", "--why", "-h"}, {"--why needs a value"});
  check_refused(folder, {"sweep", "--over", "--causal"}, {"--over needs a value"});
  CHECK(folder.files() == 0);
  CHECK(program::run(folder, {"simulate", "--seqlen", "8", "--output=--causal.npy"}).exit_code == 0);
  CHECK(folder.files() == 1);
  CHECK(scenario({"--scale", "-0.5"}).at("scale") == -0.5);
  check_refused({"sweep", "--over", "seqlen=8", "--formula", "-N*d"}, {"-512 is not above 0"});
}

TEST_CASE("empty values are refused if a name is required") {
  for (const char* option : {"algorithm", "gpu", "model", "dtype", "tiling", "format", "numerics"}) {
    check_refused({"simulate", std::string("--") + option, ""}, {"\"\"", "known: "});
  }
  check_refused({"compare", "--algorithms", "flash1,"}, {"unknown algorithm \"\""});
  check_refused({"simulate", "--output", ""}, {"not the name of a file"});
  check_refused({"simulate", "--output-dir", ""}, {"not the name of a folder"});
}

TEST_CASE("an error stays one line of limited length, whatever the arguments hold") {
  for (const char* option : {"--algorithm", "--input-q", "--gpu", "--why", "--seqlen", "--no-such"}) {
    check_refused({"simulate", option, std::string(100000, 'x')}, {});
    check_refused({"simulate", option, "a\nb\r\x1b[31m\x7f\xff"}, {});
    const std::string err = program::run({"simulate", option, std::string(100000, '\n')}).err;
    CHECK(err.size() < 6000);
    CHECK_THAT(program::run({"simulate", option, "\x1b\x7f"}).err, !Contains("\x1b") && !Contains("\x7f"));
  }
}

TEST_CASE("words after the options are refused in every command") {
  for (const char* command :
       {"demo", "simulate", "compare", "validate", "devices", "algorithms", "options", "counters", "test"}) {
    check_refused({command, "stray"}, {std::string(command) + ": unexpected word \"stray\""});
    check_refused({command, "--no-such"}, {"unknown option \"--no-such\"", "known: --help"});
  }
}

TEST_CASE("demo and compare offer their own option for choosing algorithms and hide the other") {
  check_refused({"demo", "--algorithm", "flash1"}, {"standard, flash1 and flash2", "simulate --algorithm"});
  check_refused({"compare", "--algorithm", "flash1"}, {"--algorithms A,B"});
  CHECK_THAT(printed({"demo", "--help"}), !Contains("--algorithm"));
  CHECK_THAT(printed({"compare", "--help"}), Contains("--algorithms") && !Contains("--algorithm "));
  CHECK_THAT(printed({"simulate", "--help"}), Contains("--algorithm "));
}

TEST_CASE("help followed by a command prints that command's help") {
  CHECK(printed({"help", "simulate"}) == printed({"simulate", "--help"}));
  CHECK(printed({"help"}) == printed({"--help"}));
  CHECK_THAT(printed({"--version"}), Contains("flashscope "));
  check_refused({"help", "simulat"}, {"did you mean \"simulate\""});
}

TEST_CASE("the list of options equals that of the help, with their defaults") {
  const Json options = Json::parse(printed({"options", "--format", "json"})).at("options");
  const Json scenario = Json::parse(printed({"simulate", "--format", "json"})).at("scenario");
  const std::string help = printed({"simulate", "--help"}), table = printed({"options"});
  for (const Json& option : options) {
    const std::string name = option.at("name");
    INFO(name);
    CHECK_THAT(help, Contains("--" + name));
    CHECK_THAT(in_one_line(help), Contains(in_one_line(option.at("help").get<std::string>())));
    CHECK_THAT(table, Contains(name));
    if (sim::option_called(name).is(sim::seldom)) continue;  // in JSON only if it differs from the default
    if (!option.at("default").is_null()) CHECK(option.at("default") == scenario.at(name));
  }
  const auto called = [&](const char* name) {
    return *std::find_if(options.begin(), options.end(), [&](const Json& option) { return option.at("name") == name; });
  };
  CHECK(called("model").at("sets") ==
        Json({"heads", "kv-heads", "head-dim", "head-dim-v", "layers", "scale", "softcap"}));
  CHECK(called("seqlen").at("sets") == Json({"seqlen-q", "seqlen-k"}));
  CHECK(called("dtype").at("words") == Json({"fp16", "bf16", "fp32", "e4m3"}));
}

TEST_CASE("test reports that the program alone lacks the test suite, with exit code 3") {
  const program::Result result = program::run({"test"});
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Contains("error: ") && Contains("./flashscope test"));
}

TEST_CASE("every listed counter has a derivation by --why", "[repeats]") {
  const Json counters = Json::parse(printed({"counters", "--format", "json"})).at("counters");
  for (const Json& counter : counters) {
    std::string path = counter.at("name");
    if (const std::size_t at = path.find(".T."); at != std::string::npos) path.replace(at, 3, ".O.");
    if (const std::size_t at = path.find(".N."); at != std::string::npos) path.replace(at, 3, ".0.");
    if (const std::size_t at = path.find(".E."); at != std::string::npos) path.replace(at, 3, ".tensor.");
    if (const std::size_t at = path.find(".A."); at != std::string::npos) path.replace(at, 3, ".ldmatrix.");
    const bool of_stall = path.find(".waits.") != std::string::npos;
    if (path.ends_with(".C")) path.replace(path.size() - 1, 1, of_stall ? "barrier" : "issue");
    const std::string why = printed(
        {"simulate", "--algorithm", "flash1", "--seqlen", "64", "--softcap", "9", "--numerics", "on", "--why", path});
    CHECK(why.rfind(path + " = ", 0) == 0);
  }
}

TEST_CASE("a derivation is available as JSON and CSV too, and its terms sum to its value") {
  const Words words = {
      "simulate", "--algorithm", "flash1", "--seqlen", "300", "--why", "tile_traffic.total.read_bytes"};
  Words as_json = words, as_csv = words;
  as_json.insert(as_json.end(), {"--format", "json"});
  as_csv.insert(as_csv.end(), {"--format", "csv"});
  const Json json = Json::parse(printed(as_json));
  CHECK(json.at("path") == words.back());
  CHECK(json.at("unit") == "bytes");
  CHECK(json.at("formula").size() > 1);
  std::int64_t sum = 0;
  for (const Json& term : json.at("terms")) {
    CHECK(term.at("each").get<std::int64_t>() * term.at("times").get<std::int64_t>() == term.at("total"));
    sum += term.at("total").get<std::int64_t>();
  }
  CHECK(json.at("value") == sum);
  CHECK_THAT(printed(as_csv), Contains("value," + std::to_string(sum) + "\n"));
}

TEST_CASE("compare's CSV holds the exact numbers of simulate's JSON") {
  const Words size = {"--batch", "1000", "--heads", "128", "--seqlen", "131072", "--causal", "--head-dim", "128"};
  Words compare = {"compare", "--format", "csv", "--algorithms", "flash1"}, simulate = {"simulate", "--format", "json"};
  compare.insert(compare.end(), size.begin(), size.end());
  simulate.insert(simulate.end(), size.begin(), size.end());
  simulate.insert(simulate.end(), {"--algorithm", "flash1"});
  const Json json = Json::parse(printed(simulate));
  const std::string csv = printed(compare);
  const std::int64_t flops = json.at("work").at("matmul_flops");
  CHECK(flops > std::int64_t{1} << 53);  // a double would round
  CHECK_THAT(csv, Contains("," + std::to_string(flops) + ","));
  CHECK_THAT(csv, Contains("," + json.at("tile_traffic").at("total").at("read_bytes").dump() + ","));
  CHECK_THAT(csv, Contains("work.matmul_flops"));
  const std::string header = csv.substr(0, csv.find('\n')), row = csv.substr(header.size() + 1);
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(row.begin(), row.end(), ','));
}

TEST_CASE("columns of numbers are right-aligned and columns of words left-aligned") {
  const std::string table = printed({"simulate", "--algorithm", "flash1"});
  CHECK(line_of(table, "  Q ").size() == line_of(table, "total ").size());
  CHECK(line_of(table, "  Q ").size() == line_of(table, "tile traffic").size());
  const std::string devices = printed({"devices"});
  CHECK(line_of(devices, "h100-sxm ").find("NVIDIA") == line_of(devices, "device ").find("name"));
  CHECK(line_of(devices, "toy ").find("Toy") == line_of(devices, "device ").find("name"));
}

TEST_CASE("the lines of standard attention are listed in the order in which its kernels run") {
  const std::string table = printed({"simulate", "--algorithm", "standard", "--causal"});
  const std::size_t lines = table.find("\nline ");
  std::size_t before = lines;
  for (const char* kernel : {"\nqk_gemm\n", "\nmask\n", "\nsoftmax\n", "\npv_gemm\n"}) {
    const std::size_t at = table.find(kernel, lines);
    REQUIRE(at != std::string::npos);
    CHECK(at > before);
    before = at;
  }
}

TEST_CASE("the option l2 sets the L2 available to hot data, 0 turns it off, and the default is the device's") {
  const auto run = [](Words words) {
    words.insert(words.begin(), {"simulate", "--algorithm", "flash1", "--format", "json"});
    return Json::parse(printed(words));
  };
  CHECK(run({}).at("scenario").at("l2") == 37'224'448);
  CHECK(run({"--l2", "1000000"}).at("scenario").at("l2") == 1'000'000);
  const Json off = run({"--l2", "0"});
  CHECK(off.at("hbm_traffic").at("read_bytes") == off.at("tile_traffic").at("total").at("read_bytes"));
  CHECK(off.at("hbm_traffic").at("write_bytes") == off.at("tile_traffic").at("total").at("write_bytes"));
  CHECK(off.at("hbm_traffic").at("by_tensor").at("Q").at("l2_hit_rate") == 0);
  CHECK(run({}).at("hbm_traffic").at("by_tensor").at("O").at("l2_hit_rate") > 0.5);
  CHECK(run({}).at("hbm_traffic").at("read_bytes") < off.at("hbm_traffic").at("read_bytes"));
  check_refused({"simulate", "--l2", "-1"}, {"l2", "-1"});
  check_refused({"simulate", "--l2", "much"}, {"l2", "much"});
  check_refused({"simulate", "--l2", "9223372036854775807"}, {"l2", "from 0 to"});
}

TEST_CASE("the size of the L2 is an axis of a sweep") {
  const std::string rows = printed({"sweep", "--algorithm", "flash1", "--over", "l2=0,100000,1000000"});
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 4);
  CHECK(line_of(rows, "0,") != line_of(rows, "1000000,"));
}

TEST_CASE("the papers' tiling warns with its percentage and still counts") {
  const program::Result result = program::run({"simulate", "--tiling", "paper", "--sram", "64"});
  CHECK(result.exit_code == 0);
  CHECK(result.err_lines() == 2);
  CHECK_THAT(result.err, Contains("note: sram: 64 is 64 bytes"));
  CHECK_THAT(result.err, Contains("warning: ") && Contains("% of the 64 bytes") && Contains("overflow"));
  CHECK_THAT(result.out, Contains("tile traffic"));
}

TEST_CASE("a report names the options of an algorithm that were set, and no others") {
  const auto head = [](const Words& words) {
    const std::string out = printed(words);
    return out.substr(0, out.find('\n'));
  };
  CHECK_THAT(head({"simulate", "--algorithm", "flash3", "--stages", "2", "--schedule", "serial"}),
             Contains(", fp16, schedule serial, stages 2; NVIDIA"));
  CHECK_THAT(head({"simulate", "--keys", "down"}), Contains(", fp16, keys down; NVIDIA"));
  CHECK_THAT(head({"simulate", "--algorithm", "flash3"}), Contains(", fp16; NVIDIA"));
}
