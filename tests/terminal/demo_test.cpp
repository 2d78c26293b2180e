// Heads that the demo checks: all heads of files, and the reported number of drawn ones.
#include <catch2/catch.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"
#include "viz/terminal/head_check.h"

using Catch::Contains;
using program::Folder;

namespace {

void write(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  const auto bytes = sim::format_npy(shape, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

terminal::Request request_of(const sim::OptionValues& options) {
  terminal::Request request;
  request.scenario = sim::scenario_from(options, sim::built_in_gpu);
  return request;
}

constexpr std::int64_t no_limit = std::int64_t{1} << 40;
const std::vector<std::string> algorithms = {"standard", "flash1", "flash2"};

}  // namespace

TEST_CASE("all heads of files are checked: one wrong head of many is found", "[workers]") {
  const Folder folder;
  std::vector<float> values(std::size_t{2} * 3 * 20 * 8, 0.25f);
  write(folder / "good.npy", {2, 3, 20, 8}, values);
  values.back() = std::numeric_limits<float>::infinity();  // in the last head only
  write(folder / "bad.npy", {2, 3, 20, 8}, values);
  const program::Result good = program::run(folder, {"demo", "--input-q", "good.npy", "--dtype", "fp32"});
  CHECK_THAT(good.out, Contains("Values of all 6 heads against attention in double precision: agree"));
  const program::Result bad = program::run(folder, {"demo", "--input-v", "bad.npy", "--dtype", "fp32"});
  CHECK_THAT(bad.err, Contains("input V: 1 of 960 values are NaN or infinite"));
}

TEST_CASE("the demo reports how many heads of drawn inputs it checked", "[repeats]") {
  const program::Result some = program::run({"demo", "--model", "gpt2-medium", "--batch", "64", "--seqlen", "2048"});
  CHECK_THAT(some.out, Contains("Values of the first 4 of 1,024 heads"));
  CHECK_THAT(program::run({"demo", "--heads", "3", "--seqlen", "64"}).out, Contains("Values of all 3 heads"));
  CHECK_THAT(program::run({"demo", "--seqlen", "64"}).out, Contains("Values of the only head"));
}

TEST_CASE(
    "without a folder for its files the demo prints its table, then a warning; a folder that is named must work") {
  const std::string prefix = program::as_nobody();
  if (!program::possible(prefix + "\"$flashscope\" --help", "running the program as nobody (setpriv)")) return;
  const Folder folder;
  program::fs::permissions(folder.path(), program::fs::perms(0555));
  const std::string demo = prefix + "$flashscope demo --seqlen 64 ";
  const program::Result both = program::shell(folder, demo + "2>&1");
  CHECK(both.exit_code == 0);
  const std::size_t table = both.out.find("flash2"), warning = both.out.find("warning: the chart and the traces");
  CHECK(table < warning);
  CHECK_THAT(both.out, Contains("flashscope-demo: Permission denied: choose a folder with --output-dir") &&
                           Contains("agree") && Contains("Next: ") && !Contains("Chart of the traffic"));
  const program::Result named = program::shell(folder, demo + "--output-dir mine");
  CHECK(named.exit_code == 2);
  CHECK(named.out.empty());
  CHECK(named.err_lines() == 1);
  program::fs::permissions(folder.path(), program::fs::perms(0755));
  program::write_file(folder / "flashscope-demo", "a file in its place");
  const program::Result taken = program::run(folder, {"demo", "--seqlen", "64"});
  CHECK(taken.exit_code == 0);
  CHECK_THAT(taken.err, Contains("warning: the chart and the traces are not written"));
  CHECK(program::read_file(folder / "flashscope-demo") == "a file in its place");
}

TEST_CASE("a full disk costs the demo its files, not its table") {
  const Folder folder;
  const program::Result full =
      program::shell(folder, "trap '' XFSZ; ulimit -f 8; $flashscope demo --seqlen 64 --numerics off");
  CHECK(full.exit_code == 0);
  CHECK_THAT(full.out, Contains("flash2"));
  CHECK_THAT(full.err, Contains("warning: the chart and the traces are not written: ") && Contains("File too large"));
  CHECK(folder.files() == 0);
}

TEST_CASE("the demo warns beforehand if one head takes long", "[repeats]") {
  const program::Result long_keys = program::run({"demo", "--seqlen", "32", "--seqlen-k", "600000", "--head-dim", "8"});
  CHECK(long_keys.exit_code == 0);
  CHECK_THAT(long_keys.err, Contains("warning: values: the scores of one head are 32 x 600,000") &&
                                Contains("takes 230.4 MB") && Contains("--numerics off"));
  CHECK(program::run({"demo", "--seqlen", "64"}).err.empty());
}

TEST_CASE("the errors of heads are those of the whole computation, with dropout, grouped heads and gradients") {
  const sim::OptionValues options = {
      {"batch", "2"},    {"heads", "4"},     {"kv-heads", "2"},           {"seqlen", "48"},
      {"head-dim", "8"}, {"dropout", "0.3"}, {"pass", "forward+backward"}};
  terminal::Request request = request_of(options);
  const terminal::HeadCheck check = terminal::check_heads(request, algorithms, no_limit);
  CHECK(check.heads == 8);
  CHECK(check.of == 8);
  CHECK(check.agrees());
  for (std::size_t n = 0; n < algorithms.size(); ++n) {
    sim::Scenario whole = request.scenario;
    whole.algorithm = algorithms[n];
    const sim::Plan plan = sim::make_plan(whole);
    sim::AttentionInputs inputs = sim::draw_inputs(whole.shape, whole.dtype, whole.seed);
    inputs.d_o = sim::draw_output_gradient(whole.shape, whole.dtype, whole.seed);
    const sim::ValueChecks expected = sim::check_outputs(plan, inputs, sim::compute(plan, inputs));
    for (const auto& [name, error] : expected.by_tensor) {
      INFO(algorithms[n] << " " << sim::name_of(name));
      CHECK(check.programs[n].errors.at(name).max_abs_error == error.max_abs_error);
    }
  }
}

TEST_CASE("more heads have larger errors, and the tightest of their bounds is shown") {
  terminal::Request request = request_of({{"heads", "12"}, {"seqlen", "64"}, {"head-dim", "16"}});
  const terminal::HeadCheck one = terminal::check_heads(request, {"flash2"}, 1);
  const terminal::HeadCheck all = terminal::check_heads(request, {"flash2"}, no_limit);
  CHECK(one.heads == 1);
  CHECK(all.heads == 12);
  const sim::Tensor O = sim::Tensor::O;
  CHECK(all.programs[0].errors.at(O).max_abs_error > one.programs[0].errors.at(O).max_abs_error);
  CHECK(all.allowed.at(O) <= one.allowed.at(O));
}

TEST_CASE("a head agrees if all its values are finite and within a finite bound") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(sim::agrees({1e-3, 1, 0}, 1e-3));
  CHECK(!sim::agrees({1.1e-3, 1, 0}, 1e-3));
  CHECK(!sim::agrees({1e-3, 1, 0}, infinity));
  CHECK(!sim::agrees({1e-3, 1, 0}, nan));
  CHECK(!sim::agrees({nan, 1, 0}, 1));
  CHECK(!sim::agrees({1e-3, 1, 1}, 1));
}
