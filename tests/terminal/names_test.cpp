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
