// Names and numbers as users type them, in every command; and the program's own name in its output.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::good;
using Words = std::vector<std::string>;

namespace {

Json scenario(const program::Result& result) { return Json::parse(result.out).at("scenario"); }

/// Runs flashscope under another name, as the launcher does with exec -a, and returns the output.
std::string said_as(const std::string& name, const std::string& words) {
  const Folder folder;
  const std::string command =
      "bash -c " +
      program::quoted("exec -a " + program::quoted(name) + " " + program::quoted(FLASHSCOPE_PROGRAM) + " " + words) +
      " > " + program::quoted(folder / "out") + " 2>&1";
  CHECK(std::system(command.c_str()) != -1);
  return program::read_file(folder / "out");
}

}  // namespace

TEST_CASE("a GPU, a dtype and a length in common spellings give the exact values, with a note") {
  const program::Result typed =
      good({"simulate", "--gpu", "A100", "--seqlen", "8k", "--dtype", "bfloat16", "--format", "json"});
  CHECK(scenario(typed).at("gpu") == "a100-sxm-40gb");
  CHECK(scenario(typed).at("seqlen") == 8192);
  CHECK(scenario(typed).at("dtype") == "bf16");
  CHECK(typed.err == "note: dtype: \"bfloat16\" taken as bf16\nnote: gpu: \"A100\" taken as a100-sxm-40gb\n");
  const program::Result exact =
      good({"simulate", "--gpu", "a100-sxm-40gb", "--seqlen", "8192", "--dtype", "bf16", "--format", "json"});
  CHECK(exact.out == typed.out);
  CHECK(exact.err.empty());
}

TEST_CASE("lists of algorithms, sweep axes and device options accept common spellings") {
  const program::Result compared =
      good({"compare", "--seqlen", "1k", "--algorithms", "fa1,FlashAttention-2", "--format", "csv"});
  CHECK_THAT(compared.out, Contains("\nflash1,") && Contains("\nflash2,"));
  CHECK(compared.err ==
        "note: algorithm: \"fa1\" taken as flash1\nnote: algorithm: \"FlashAttention-2\" taken as flash2\n");
  const program::Result swept = good({"sweep", "--over", "seqlen=1k:4k:x2", "--over", "gpu=A100,h100"});
  CHECK_THAT(swept.out, Contains("\n1024,a100-sxm-40gb,") && Contains("\n4096,h100-sxm,"));
  CHECK(good({"devices", "--gpu", "3090"}).out == good({"devices", "--gpu", "rtx-3090"}).out);
  CHECK(good({"algorithms", "--algorithm", "FA2"}).out == good({"algorithms", "--algorithm", "flash2"}).out);
  check_refused({"sweep", "--over", "gpu=h100,h100-sxm"}, {"h100-sxm occurs twice"});
}

TEST_CASE("unknown names keep their error with the known ones") {
  check_refused({"simulate", "--gpu", "A1000"}, {"unknown GPU \"A1000\"", "known: toy, t4"});
  check_refused({"simulate", "--algorithm", "flash7"}, {"unknown algorithm \"flash7\""});
  check_refused({"simulate", "--seqlen", "8,192"}, {"\"8,192\" is not a whole number"});
}

TEST_CASE("one k holds in every option, field and axis: sizes and lengths are binary, rates and clocks decimal",
          "[repeats]") {
  const auto l2_of = [](const Words& words) {
    return scenario(good(program::with({"simulate", "--seqlen", "64", "--format", "json"}, words))).at("l2");
  };
  CHECK(l2_of({"--l2", "50M"}) == 52'428'800);
  CHECK(l2_of({"--l2", "50MB"}) == l2_of({"--l2", "50 MiB"}));
  CHECK(l2_of({"--gpu", "h100:l2_effective_bytes=50M"}) == 52'428'800);
  CHECK(scenario(good({"simulate", "--seqlen", "128k", "--format", "json"})).at("seqlen") == 131'072);
  CHECK(scenario(good({"simulate", "--seqlen", "64", "--clock", "1500MHz", "--format", "json"})).at("clock") ==
        1'500'000'000);
  CHECK_THAT(good({"sweep", "--over", "seqlen=1e3,128k,1k:4k:x2", "--over", "gpu.clock_hz=1.5GHz"}).out,
             Contains("\n1000,1500000000,") && Contains("\n131072,") && Contains("\n4096,"));
  CHECK_THAT(good({"sweep", "--seqlen", "64", "--over", "clock=1.2G:1.3GHz:50M"}).out, Contains("\n1250000000,"));
  const program::Result small = good({"simulate", "--seqlen", "64", "--l2", "50"});
  CHECK(small.err == "note: l2: 50 is 50 bytes, less than any GPU has (512k): write 50M\n");
  check_refused({"simulate", "--clock", "1500"},
                {"clock: \"1500\" is not a clock in Hz from 100M to 10G: write 1500M"});
  check_refused({"simulate", "--seqlen", "8,192"}, {"write 8192"});
  CHECK(good({"simulate", "--measured", "2.6 ms"}).out == good({"simulate", "--measured", "2600\u00b5s"}).out);
}

TEST_CASE("cumulative lengths are those that they sum up, in options and lists of lengths") {
  const Words exact = {"simulate", "--seqlens", "1 64 64, 1 128 128", "--format", "json"};
  const program::Result listed = good({"simulate", "--seqlens", "0 64 192", "--format", "json"}),
                        given = good({"simulate", "--cu-seqlens", "0, 64, 192", "--format", "json"}),
                        plain = good({"simulate", "--seqlens", "64, 128", "--format", "json"});
  CHECK(listed.out == good(exact).out);
  CHECK(given.out == listed.out);
  CHECK(plain.out == listed.out);
  CHECK_THAT(listed.err, Contains("note: seqlens: a list that begins with 0 and never falls is read as cumulative"));
  CHECK(given.err.empty());
  CHECK_THAT(good({"simulate", "--seqlens", "128 256 512"}).err,
             Contains("note: seqlens: one line of three numbers") && Contains("128 entries of 256 queries"));
  check_refused({"simulate", "--cu-seqlens", "64 192"}, {"cu-seqlens: line 1: \"64\" is the first cumulative length"});
  check_refused({"simulate", "--cu-seqlens", "0 64", "--seqlens", "64,"}, {"also given as --seqlens"});
  const Folder folder;
  program::write_file(folder / "cu.txt", "0, 64,\n192\n");
  for (const char* option : {"--seqlens", "--cu-seqlens"})
    CHECK(good({"simulate", option, folder / "cu.txt", "--format", "csv"}).out ==
          good({"simulate", "--seqlens", "1 64 64, 1 128 128", "--format", "csv"}).out);
}

TEST_CASE("names of the field are taken as options with a note, or the options to give are named") {
  const program::Result taken = good({"simulate", "--num-heads", "8", "--num_kv_heads=2", "-N", "256", "-d", "128",
                                      "--batch-size", "2", "--window-size", "64", "--bf16", "--format", "json"});
  const program::Result exact = good({"simulate", "--heads", "8", "--kv-heads", "2", "--seqlen", "256", "--head-dim",
                                      "128", "--batch", "2", "--window", "64", "--dtype", "bf16", "--format", "json"});
  CHECK(taken.out == exact.out);
  CHECK_THAT(taken.err, Contains("note: --num-heads: taken as --heads\n") &&
                            Contains("note: -N: taken as --seqlen\n") &&
                            Contains("note: --bf16: taken as --dtype bf16\n"));
  check_refused({"simulate", "--hidden-size", "4096"}, {"is heads x head-dim: give --heads and --head-dim"});
  check_refused({"simulate", "--sliding-window", "4096"}, {"give --window W-1"});
  check_refused({"simulate", "--batch-size", "2", "--batch", "3"}, {"--batch is given more than once"});
  check_refused({"simulate", "--sqelen", "3"}, {"did you mean \"--seqlen\""});
  CHECK_THAT(good({"sweep", "--over", "batch_size=1,2"}).out, Contains("batch,"));
  CHECK(good({"simulate", "--model", "llama3"}).err == "note: model: \"llama3\" taken as llama-3-8b\n");
  check_refused({"simulate", "--schedule", "ping-pong"}, {"add --algorithm flash3"});
}

TEST_CASE("flags take words for yes and no, and choices any case") {
  const auto causal = [](const Words& words) {
    return scenario(good(program::with({"simulate", "--seqlen", "64", "--format", "JSON"}, words))).at("causal");
  };
  for (const char* yes : {"1", "true", "True", "on", "yes"}) CHECK(causal({"--causal", yes}) == true);
  for (const char* no : {"0", "false", "off", "NO"}) CHECK(causal({"--causal", no}) == false);
  CHECK(causal({"--causal=false"}) == false);
  CHECK(causal({"--causal", "--batch", "2"}) == true);
  check_refused({"simulate", "--causal", "maybe"}, {"unexpected word \"maybe\""});
  CHECK(good({"sweep", "--over", "causal=false,true"}).out == good({"sweep", "--over", "causal=0,1"}).out);
  check_refused({"sweep", "--over", "causal=1,true"}, {"occurs twice"});
}

TEST_CASE("compare refuses an algorithm that is named twice, under any of its names") {
  check_refused({"compare", "--algorithms", "flash2,flash1,fa2"}, {"algorithms: flash2 occurs twice"});
}

TEST_CASE("a list of scenarios accepts common spellings") {
  const Folder folder;
  program::write_file(folder / "list", "algorithm=FA1&seqlen=64&gpu=A100\n--algorithm fa2 --seqlen 64 --dtype half\n");
  CHECK(program::run({"verify", "--scenarios", folder / "list"}).exit_code == 0);
}

TEST_CASE("hints use the name under which the program was started") {
  CHECK_THAT(said_as("./flashscope", ""), Contains("begin with ./flashscope demo, see ./flashscope --help"));
  CHECK_THAT(said_as("./flashscope", "simulate --no"), Contains("unknown option"));
  CHECK_THAT(said_as("./flashscope", "simulate stray"), Contains("see ./flashscope simulate --help"));
  CHECK_THAT(said_as("flashscope", "--help"),
             Contains("Usage: flashscope COMMAND") && Contains("with: flashscope demo"));
  CHECK_THAT(said_as("/opt/a b/flashscope", "simulate --help"), Contains("Usage: '/opt/a b/flashscope' simulate"));
  CHECK_THAT(said_as("./flashscope", "devices"), Contains("\n./flashscope devices --gpu NAME"));
  CHECK_THAT(said_as("./flashscope", "tour --step 1"), Contains("\nIn the window: ./flashscope explore --link"));
  CHECK_THAT(said_as("./flashscope", "compare --seqlen 64"), Contains("see ./flashscope validate.\n"));
  CHECK_THAT(said_as("./flashscope", "simulate --why tile"), !Contains(" flashscope "));
}

TEST_CASE("the option -V prints the version as --version does") {
  CHECK(good({"-V"}).out == good({"--version"}).out);
  CHECK_THAT(good({"--help"}).out, Contains("(-V)"));
}
