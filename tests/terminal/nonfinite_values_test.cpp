// Non-finite values in the commands: an infinite bound agrees with nothing, and every command reports the cause.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

void write(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<float>& values,
           const std::string& dtype = "f4") {
  const auto bytes = sim::format_npy(shape, values, dtype);
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

constexpr std::size_t heads = 2, n = 32, d = 32, of_head = n * d;

/// Writes Q, K and V in fp16, small waves; scores of head 1 are beyond fp16: 32 x 300 x 300 / 5.7.
void write_overflow(const Folder& folder) {
  std::vector<float> q(heads * of_head), v(heads * of_head);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = i < of_head ? std::sin(static_cast<float>(i)) : 300.0f;
    v[i] = std::cos(static_cast<float>(i));
  }
  for (const char* name : {"q.npy", "k.npy"}) write(folder / name, {heads, n, d}, q, "f2");
  write(folder / "v.npy", {heads, n, d}, v, "f2");
}

const Words inputs = {"--input-q", "q.npy", "--input-k", "k.npy", "--input-v", "v.npy"};

Words with_inputs(Words words, const Words& more = {}) { return program::with(program::with(words, inputs), more); }

const char* const what = "1024 of 1024 values of O in head 1 are not finite, since line ";
const char* const where = "of standard/standard.cpp, kernel qk_gemm: cta.store(S, block(p.hbm.S, i, j));";

Json error_row(const Json& verdict, const std::string& tensor) {
  for (const Json& row : verdict.at("rows"))
    if (row.at("quantity") == "error." + tensor) return row;
  return nullptr;
}

}  // namespace

TEST_CASE("demo differs if scores exceed the range of fp16: exit 1, the values, their head and the line") {
  const Folder folder;
  write_overflow(folder);
  const program::Result result = program::run(folder, with_inputs({"demo"}));
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Contains("DIFFER") && Contains(std::string("\nstandard: ") + what) && Contains(where));
  CHECK_THAT(result.out, !Contains("\nflash1: ") && !Contains("\nflash2: ") && !Contains("inf"));
  CHECK_THAT(result.out, Contains("error of O             not finite "));
  CHECK_THAT(result.err, Contains("the scores of 1 head are beyond fp16"));
  CHECK(program::run(folder, with_inputs({"demo"}, {"--dtype", "fp32"})).exit_code == 0);
}

TEST_CASE("verify of a kernel whose values are not finite ends with exit 1, null in JSON, the head and the line") {
  const Folder folder;
  write_overflow(folder);
  const Words verify = with_inputs({"verify", "--algorithm", "standard", "--format", "json"});
  const program::Result result = program::run(folder, verify);
  CHECK(result.exit_code == 1);
  const Json verdict = Json::parse(result.out), row = error_row(verdict, "O");
  CHECK(verdict.at("ok") == false);
  CHECK(row.at("ok") == false);
  for (const char* key : {"simulated", "measured", "difference"}) CHECK(row.at(key).is_null());
  CHECK_THAT(row.at("cause").get<std::string>(),
             Contains("1024 of 1024 values of O in head 1 are not finite in program and kernel, since line") &&
                 Contains(where));
  const program::Result table = program::run(folder, with_inputs({"verify", "--algorithm", "standard"}));
  CHECK_THAT(table.out, Contains("not finite") && Contains("FAILS") && !Contains("inf ") && !Contains("nan"));
}

TEST_CASE("verify checks a kernel that keeps scores in fp32 against a finite bound where fp16 has none") {
  const Folder folder;
  write_overflow(folder);
  const program::Result result =
      program::run(folder, with_inputs({"verify", "--algorithm", "flash2", "--format", "json"}));
  const Json row = error_row(Json::parse(result.out), "O");
  CHECK(row.at("ok") == true);
  CHECK(row.at("tolerance") < 0.01);
  CHECK_THAT(row.at("cause").get<std::string>(), Contains("scores of 1 head are beyond fp16"));
}

TEST_CASE("simulate and compare warn of non-finite values, and report no error for them") {
  const Folder folder;
  write_overflow(folder);
  const program::Result one =
      program::run(folder, with_inputs({"simulate", "--algorithm", "standard", "--format", "json"}));
  CHECK(one.exit_code == 0);
  CHECK_THAT(one.err, Contains(std::string("warning: ") + what) && Contains(where));
  const Json json = Json::parse(one.out);
  CHECK(json.at("check").at("max_abs_error").is_null());
  CHECK(json.at("check").at("by_tensor").at("O").at("max_rel_error").is_null());
  const program::Result table = program::run(folder, with_inputs({"simulate", "--algorithm", "standard"}));
  CHECK_THAT(table.out, Contains("against double precision: O not finite\n"));
  const program::Result several = program::run(folder, with_inputs({"compare"}));
  CHECK(several.exit_code == 0);
  CHECK_THAT(several.err, Contains(std::string("warning: standard: ") + what) && Contains(where));
  CHECK_THAT(several.err, !Contains("flash2"));
}

TEST_CASE("inputs of only NaN have no error 0.0 and agree with nothing") {
  const Folder folder;
  const std::vector<float> nothing(heads * of_head, NAN);
  for (const char* name : {"q.npy", "k.npy", "v.npy"}) write(folder / name, {heads, n, d}, nothing, "f2");
  const program::Result demo = program::run(folder, with_inputs({"demo"}));
  CHECK(demo.exit_code == 1);
  CHECK_THAT(demo.out, Contains("DIFFER") && !Contains("0.0e+00"));
  CHECK_THAT(demo.out, Contains("flash2: 1024 of 1024 values of O in head 0 are not finite, since line") &&
                           Contains("cta.load(block(hbm.Q, i))"));
  const program::Result simulate = program::run(folder, with_inputs({"simulate"}));
  CHECK_THAT(simulate.out, !Contains("0.0e+00"));
  CHECK_THAT(simulate.err, Contains("input Q: 2048 of 2048 values are NaN or infinite"));
  const program::Result verify = program::run(folder, with_inputs({"verify", "--format", "json"}));
  CHECK(verify.exit_code == 1);
  CHECK_THAT(verify.err, Contains("input Q: 2048 of 2048 values are NaN or infinite"));
  for (const char* tensor : {"O", "L"}) CHECK(error_row(Json::parse(verify.out), tensor).at("measured").is_null());
}

TEST_CASE("a finite value beyond the dtype is reported with file, position, value and the remedy") {
  const Folder folder;
  std::vector<float> values(of_head, 0.5f);
  write(folder / "k.npy", {n, d}, values);
  write(folder / "v.npy", {n, d}, values);
  values[3 * d + 5] = 70000;
  values[9 * d] = -80000;
  write(folder / "q.npy", {n, d}, values);
  for (const char* command : {"simulate", "compare", "verify", "demo"}) {
    const program::Result result = program::run(folder, with_inputs({command}));
    INFO(command << result.err);
    CHECK_THAT(result.err, Contains("warning: input-q: q.npy: 70000 at [3, 5] is beyond fp16, whose largest value is "
                                    "65,504, and becomes infinite, as do 1 more: use --dtype bf16 or --dtype fp32"));
    CHECK_THAT(result.err, !Contains("NaN or infinite"));
  }
  const program::Result wide = program::run(folder, with_inputs({"demo", "--dtype", "bf16"}));
  CHECK_THAT(wide.err, !Contains("beyond"));
  CHECK(wide.exit_code == 0);
}

TEST_CASE("a number of f8 beyond fp32 is beyond every dtype") {
  const Folder folder;
  std::string bytes("\x93NUMPY\x01\x00\x46\x00", 10);
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  header.resize(69, ' ');
  bytes += header + "\n";
  for (const double value : {1.0, 1e300}) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  program::write_file(folder / "q.npy", bytes);
  for (const char* dtype : {"fp16", "bf16", "fp32"}) {
    const program::Result result = program::run(folder, {"simulate", "--input-q", "q.npy", "--dtype", dtype});
    CHECK_THAT(result.err, Contains(std::string("q.npy: 1e+300 at [0, 1] is beyond ") + dtype) &&
                               Contains("infinite: scale the values") && !Contains("NaN or infinite"));
  }
}

namespace {

/// A file of 2 x 8 ones in bfloat16, as NumPy saves those of ml_dtypes.
std::string bfloat16_file() {
  std::string header = "{'descr': '<V2', 'fortran_order': False, 'shape': (2L, 8L), }";
  header.resize(69, ' ');
  std::string bytes = std::string("\x93NUMPY\x01\x00\x46\x00", 10) + header + "\n";
  for (int i = 0; i < 16; ++i) bytes += std::string("\x80\x3f", 2);
  return bytes;
}

}  // namespace

TEST_CASE("a file of bfloat16 makes the run bf16 with a note, unless --dtype is given") {
  const Folder folder;
  program::write_file(folder / "q.npy", bfloat16_file());
  const Words simulate = {"simulate", "--input-q", "q.npy", "--format", "json"};
  const program::Result result = program::run(folder, simulate);
  CHECK(result.exit_code == 0);
  CHECK(Json::parse(result.out).at("scenario").at("dtype") == "bf16");
  CHECK_THAT(result.err, Contains("note: input-q: is bfloat16, and so is the run; --dtype takes another"));
  CHECK_THAT(result.err, !Contains("rounded"));
  const program::Result half = program::run(folder, program::with(simulate, {"--dtype", "fp16"}));
  CHECK(Json::parse(half.out).at("scenario").at("dtype") == "fp16");
  CHECK_THAT(half.err, !Contains("note: input-q") && Contains("input-q (bf16): rounded to fp16"));
}

TEST_CASE("values that would take more than an hour are refused before the work, with the remedy") {
  const std::pair<const char*, Words> commands[] = {{"simulate", {"--numerics", "on"}},
                                                    {"compare", {"--numerics", "on", "--algorithms", "flash1,flash2"}},
                                                    {"verify", {}}};
  for (const auto& [command, more] : commands) {
    program::check_refused(program::with({command, "--seqlen", "1000000"}, more),
                           {"values: would take about ", " of matrix products, more than the hour that is allowed",
                            "--window", "fewer heads"});
  }
  const Words windowed = {"simulate", "--seqlen", "8192", "--window", "16", "--causal", "--numerics", "on"};
  CHECK(program::run(windowed).err.empty());
}

TEST_CASE("a trace with more events than the limit is refused before memory is allocated") {
  const Folder folder;
  const std::string limit = "ulimit -v 300000; ";
  if (program::shell(folder, limit + "exec \"$flashscope\" --version").exit_code != 0) {
    WARN("skipped: this build needs more memory to start");
    return;
  }
  const program::Result result =
      program::shell(folder, limit +
                                 "exec \"$flashscope\" simulate --algorithm memory-efficient --seqlen-q 1 "
                                 "--seqlen-k 40000000 --bc 64 --trace t.json");
  INFO(result.err);
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Contains("one CTA has more than 4194304 events"));
}
