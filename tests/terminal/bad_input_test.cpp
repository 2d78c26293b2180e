// Wrong use and wrong input: exit code 2, one line on stderr with the error, its location and what is allowed, nothing
// on stdout, and existing files unchanged.
#include <catch2/catch.hpp>
#include <limits>

#include "sim/base/npy.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;

namespace {

std::string npy(const std::vector<std::int64_t>& shape, const std::string& dtype = "f4", float value = 0.5f) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  const auto bytes = sim::format_npy(shape, std::vector<float>(static_cast<std::size_t>(size), value), dtype);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("unknown names are answered with the nearest and all known ones") {
  check_refused({"simulat"}, {"did you mean \"simulate\"", "known: demo, simulate, compare"});
  check_refused({"simulate", "--sqelen", "5"}, {"did you mean \"--seqlen\""});
  check_refused(
      {"simulate", "--algorithm", "flash7"},
      {"unknown algorithm \"flash7\"",
       "standard, memory-efficient, rabe-staats, fmha, flash1, flash1-q-outer, flash2, flash3, "
       "flash-decoding, flash-decoding-plus, mla-decode, block-sparse, flash2-block-sparse, paged-attention"});
  check_refused({"simulate", "--gpu", "RTX"}, {"did you mean \"rtx-3090\"", "toy, t4"});
  check_refused({"simulate", "--gpu", "h10"}, {"did you mean \"h100-sxm\"", "toy, t4"});
  check_refused({"simulate", "--dtype", "fp61"}, {"did you mean \"fp16\"", "fp16, bf16, fp32, e4m3"});
  check_refused({"simulate", "--dtype", "fp8"}, {"dtype: e4m3 is of flash3, and flash2 takes none"});
  check_refused({"simulate", "--format", "xml"}, {"table, json, csv"});
  check_refused({"simulate", "--model", "gpt3"}, {"did you mean \"gpt2-medium\""});
  check_refused({"simulate", "--pass", "backwards"},
                {"did you mean \"backward\"", "forward, backward, forward+backward"});
  check_refused({"simulate", "--why", "tile_traffic.by_tensor.Z.read_bytes"},
                {"did you mean \"tile_traffic.by_tensor."});
  check_refused({"compare", "--algorithms", "flash1,flush2"}, {"did you mean \"flash2\""});
}

TEST_CASE("an unknown quantity is refused with the nearest, and with how to list all") {
  check_refused({"simulate", "--why", "sms"},
                {"why: unknown quantity \"sms\": did you mean \"time.sms\", \"time.sms_busy\" or ",
                 "flashscope simulate --why list names all"});
  CHECK(program::run({"simulate", "--why", "x"}).err.size() < 300);
  const std::string all = program::good({"simulate", "--seqlen", "64", "--why", "list"}).out;
  CHECK_THAT(all, Contains("\ntime.sms\n") && Contains("tile_traffic.by_tensor.O.read_bytes\n"));
  const std::string first = all.substr(0, all.find('\n'));
  CHECK_THAT(program::good({"simulate", "--seqlen", "64", "--why", first}).out, Contains(first + " = "));
}

TEST_CASE("sinks that are not logits, another number of them, and algorithms without sinks are refused by name") {
  const Folder folder;
  program::write_file(folder / "three.npy", npy({3}));
  program::write_file(folder / "square.npy", npy({2, 2}));
  program::write_file(folder / "nan.npy", npy({2}, "f4", std::numeric_limits<float>::quiet_NaN()));
  const auto refused = [&](const std::string& sink, const std::vector<std::string>& says) {
    check_refused(folder, {"simulate", "--heads", "2", "--sink", sink}, says);
  };
  refused("nan", {"sink: nan is not a logit: allowed are numbers of fp32, and -inf, which is no sink"});
  refused("inf", {"sink: inf is not a logit"});
  refused("loud", {"sink: \"loud\" is not a number"});
  refused("1,2,3", {"sink: 3 numbers for 2 query heads"});
  refused("three.npy", {"sink: 3 numbers for 2 query heads"});
  refused("square.npy", {"sink: square.npy: has 2 axes"});
  refused("nan.npy", {"sink: nan.npy: nan is not a logit"});
  refused("gone.npy", {"sink: gone.npy: no such file"});
  check_refused({"simulate", "--algorithm", "flash1", "--sink", "1"}, {"sink: is an option of ", "flash1 has none"});
  check_refused({"compare", "--algorithms", "flash1,flash2", "--sink", "1"}, {"flash1: has no --sink"});
  for (const char* sink : {"-inf", "-1", "100", "0.5,-2"})
    CHECK(program::good({"simulate", "--heads", "2", "--sink", sink, "--numerics", "on"}).err.empty());
}

TEST_CASE("sizes that are not positive whole numbers are refused with the allowed range", "[repeats]") {
  for (const char* option : {"batch", "heads", "kv-heads", "seqlen", "seqlen-q", "head-dim", "br", "bc"}) {
    for (const char* value : {"0", "-1", "abc", "", "1.5", "99999999999999999999"}) {
      check_refused({"simulate", std::string("--") + option, value},
                    {std::string(option) + ": \"" + value + "\"", "from 1 to"});
    }
  }
  check_refused({"simulate", "--padding", "1025"}, {"padding is 1025", "0 to seqlen-k = 1024"});
  check_refused({"simulate", "--window", "-1"}, {"window", "from 0 to"});
  check_refused({"simulate", "--heads", "6", "--kv-heads", "4"}, {"must divide heads = 6", "1, 2, 3, 6"});
  check_refused({"simulate", "--seqlen", "4000000000", "--batch", "1000000000"}, {"64 bits"});
  check_refused({"simulate", "--seqlen", "90000000", "--br", "1"}, {"seqlen-q", "larger --br"});
  check_refused({"simulate", "--seqlen-k", "0"}, {"seqlen-k is 0: allowed are 1 to"});  // an empty cache has --steps
  check_refused({"simulate", "--seqlen-k", "-1"}, {"seqlen-k: \"-1\"", "from 0 to"});
}

TEST_CASE("numbers that are not finite are refused") {
  for (const char* value : {"nan", "inf", "-inf", "1e999", "x", ""})
    check_refused({"simulate", "--scale", value}, {"scale: "});
  for (const char* value : {"nan", "inf", "x", "", "-0.1", "1", "1.5"})
    check_refused({"simulate", "--dropout", value}, {"dropout: "});
  check_refused({"simulate", "--dropout", "1"}, {"dropout: 1 is not in [0, 1)"});
}

TEST_CASE("tiles that do not fit are refused with the largest that do") {
  check_refused({"simulate", "--br", "512", "--bc", "512"},
                {"flash2.cpp:", "needs", "are free", "with --br 512 the largest --bc is 64", "h100-sxm"});
  CHECK(program::run({"simulate", "--br", "512", "--bc", "64"}).exit_code == 0);
  check_refused({"simulate", "--br", "512", "--bc", "65"}, {"largest --bc is 64"});
}

TEST_CASE("words that are not options, options without a value and odd characters are refused in one line") {
  check_refused({"simulate", "flash2"}, {"unexpected word \"flash2\""});
  check_refused({"simulate", "--seqlen"}, {"--seqlen"});
  check_refused({"simulate", "--algorithm", "a\nb\tc"}, {"a b c"});
  check_refused({"simulate", "--algorithm", std::string(20000, 'x')}, {"unknown algorithm"});
  check_refused({"a\nb"}, {"unknown command"});
  for (const char* option : {"--pass", "--seqlen", "--output"})
    check_refused({"simulate", std::string(option) + "=", "--causal"}, {std::string(option) + " needs a value"});
  check_refused({}, {"no command", "flashscope --help"});
}

TEST_CASE("npy files that cannot be used are refused with the reason") {
  const Folder folder;
  const std::string good = npy({4, 8});
  program::write_file(folder / "short.npy", good.substr(0, good.size() - 3));
  program::write_file(folder / "cut.npy", good.substr(0, 9));
  program::write_file(folder / "text.npy", "hello, this is no array");
  program::write_file(folder / "empty.npy", "");
  program::write_file(folder / "vector.npy", npy({32}));
  program::write_file(folder / "q.npy", good);
  program::write_file(folder / "k.npy", npy({5, 9}));
  program::write_file(folder / "v.npy", npy({6, 8}));
  check_refused(folder, {"simulate", "--input-q", "short.npy"}, {"short.npy", "128 bytes"});
  check_refused(folder, {"simulate", "--input-q", "cut.npy"}, {"cut.npy"});
  check_refused(folder, {"simulate", "--input-q", "text.npy"}, {"text.npy"});
  check_refused(folder, {"simulate", "--input-q", "empty.npy"}, {"empty.npy"});
  check_refused(folder, {"simulate", "--input-q", "missing.npy"}, {"missing.npy", "no such file"});
  check_refused(folder, {"simulate", "--input-q", "."}, {"."});
  check_refused(folder, {"simulate", "--input-q", "vector.npy"}, {"rank 1", "(N, d)"});
  check_refused(folder, {"simulate", "--input-q", "q.npy", "--input-k", "k.npy"}, {"input-k", "head-dim 9"});
  check_refused(folder, {"simulate", "--input-q", "q.npy", "--seqlen", "7"}, {"input-q", "seqlen-q 4", "7"});
  check_refused(folder, {"simulate", "--input-q", "q.npy", "--numerics", "off", "--output", "o.npy"}, {"numerics"});
}

TEST_CASE("device files that cannot be used are refused with field and range") {
  const Folder folder;
  program::write_file(folder / "bad.toml",
                      "name = \"x\"\nclock_hz = { value = 0, unit = \"Hz\", kind = \"published\", source = \"s\" }\n");
  program::write_file(folder / "broken.toml", "name = [");
  check_refused(folder, {"simulate", "--gpu", "bad.toml"}, {"bad.toml"});
  check_refused(folder, {"simulate", "--gpu", "broken.toml"}, {"broken.toml"});
  check_refused(folder, {"devices", "--gpu", "missing.toml"}, {"missing.toml"});
}

TEST_CASE("outputs that cannot be written are found before the work, and existing files are kept") {
  const Folder folder;
  program::write_file(folder / "old.npy", "old");
  check_refused(folder, {"simulate", "--output", "nowhere/o.npy"}, {"nowhere/o.npy", "No such file"});
  check_refused(folder, {"simulate", "--output", "."}, {"directory"});
  check_refused(folder, {"simulate", "--output", "/dev/full"}, {"/dev/full", "No space left"});
  check_refused(folder, {"simulate", "--output-dir", "old.npy"}, {"old.npy"});
  check_refused(folder, {"simulate", "--output", "old.npy", "--br", "4096"}, {"needs"});
  check_refused(folder, {"simulate", "--output", "old.npy", "--seqlen", "40000000"}, {"values"});
  check_refused(folder, {"simulate", "--output", "old.npy", "--why", "nothing"}, {"unknown quantity"});
  CHECK(program::read_file(folder / "old.npy") == "old");
  CHECK(folder.files() == 1);
  const program::Result full = program::run(folder, {"simulate"}, "/dev/full");
  CHECK(full.exit_code == 2);
  CHECK_THAT(full.err, Contains("No space left"));
}

TEST_CASE("a killed run leaves the old output and nothing else") {
  const Folder folder;
  program::write_file(folder / "o.npy", "old");
  const std::string command = "cd " + program::quoted(folder.path().string()) + " && timeout -s KILL 0.3 " +
                              program::quoted(FLASHSCOPE_PROGRAM) +
                              " simulate --algorithm memory-efficient --seqlen 100000 --output o.npy > /dev/null 2>&1";
  const int status = std::system(command.c_str());
  CHECK(status != 0);
  CHECK(program::read_file(folder / "o.npy") == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("an existing output is replaced when the new one is complete, also through a link") {
  const Folder folder;
  program::write_file(folder / "o.npy", "old");
  program::fs::create_symlink("o.npy", folder / "link.npy");
  CHECK(program::run(folder, {"simulate", "--seqlen", "8", "--output", "link.npy"}).exit_code == 0);
  CHECK(program::fs::is_symlink(folder / "link.npy"));
  CHECK(sim::read_npy(folder / "o.npy").shape == std::vector<std::int64_t>{1, 1, 8, 64});
  CHECK(folder.files() == 2);
}

TEST_CASE("NaN and infinity in the inputs are computed, with a warning") {
  const Folder folder;
  program::write_file(folder / "q.npy", npy({4, 8}, "f4", std::numeric_limits<float>::infinity()));
  const program::Result result = program::run(folder, {"simulate", "--input-q", "q.npy", "--dtype", "fp32"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Contains("32 of 32 values are NaN or infinite"));
}

TEST_CASE("values that would need too much memory are refused before the work") {
  check_refused({"simulate", "--seqlen", "200000", "--algorithm", "standard", "--numerics", "on"},
                {"values", "MiB", "--numerics off"});
  check_refused({"simulate", "--seqlen", "100000", "--heads", "10000", "--numerics", "on"},
                {"more than the limit of 8.59 GB", "--numerics off"});
}
