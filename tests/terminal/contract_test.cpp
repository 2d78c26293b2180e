// The command line's contract: the output of each command.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/attention.h"
#include "sim/base/npy.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::Folder;

namespace {

Json simulate(std::vector<std::string> words) {
  words.insert(words.begin(), "simulate");
  words.insert(words.end(), {"--format", "json"});
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return Json::parse(result.out);
}

void write_npy(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<float>& values,
               const char* dtype) {
  const auto bytes = sim::format_npy(shape, values, dtype);
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::int64_t sum_of(const Json& list, const char* direction) {
  std::int64_t sum = 0;
  for (const Json& entry : list) sum += entry.at(direction).get<std::int64_t>();
  return sum;
}

}  // namespace

TEST_CASE("simulate's JSON has every key of schema 1 with its type") {
  const Json j = simulate({"--algorithm", "flash1", "--causal"});
  CHECK(j.at("schema") == 1);
  for (const char* name : {"algorithm", "pass",  "batch",  "heads",   "kv-heads", "seqlen",  "seqlen-q", "seqlen-k",
                           "head-dim",  "dtype", "causal", "padding", "window",   "dropout", "scale",    "gpu",
                           "sram",      "l2",    "tiling", "br",      "bc",       "seed"}) {
    CHECK(j.at("scenario").contains(name));
  }
  CHECK_FALSE(j.at("scenario").contains("inputs"));  // present only if not drawn
  CHECK(j.at("scenario").at("causal") == true);
  CHECK(j.at("scenario").at("gpu") == "h100-sxm");
  for (const char* name : {"br", "bc", "ctas", "threads", "smem_bytes"})
    CHECK(j.at("kernels").at(0).at(name).is_number_integer());
  CHECK(j.at("kernels").at(0).at("name").is_string());
  CHECK(j.at("warnings").is_array());
  for (const char* name : {"matrix", "statistics", "initialisation", "total"}) {
    CHECK(j.at("tile_traffic").at(name).at("read_bytes").is_number_integer());
    CHECK(j.at("tile_traffic").at(name).at("write_bytes").is_number_integer());
  }
  for (const char* name : {"kernel", "line", "text", "read_bytes", "write_bytes"})
    CHECK(j.at("tile_traffic").at("by_line").at(0).contains(name));
  CHECK(j.at("tile_traffic").at("atomic_bytes") == 0);
  for (const char* name : {"read_bytes", "write_bytes", "by_tensor", "compulsory_bytes", "compulsory_read_bytes",
                           "compulsory_write_bytes"})
    CHECK(j.at("hbm_traffic").contains(name));
  for (const char* name : {"peak_hbm_bytes", "extra_hbm_bytes", "peak_sram_bytes", "sram_capacity_bytes"})
    CHECK(j.at("memory").at(name).is_number_integer());
  for (const char* name : {"matmul_flops", "other_flops", "exp_count"})
    CHECK(j.at("work").at(name).is_number_integer());
  CHECK(j.at("time").at("microseconds").is_number_float());
  CHECK(j.at("time").at("error_percent").is_null());  // a GPU with one head is not full: no published point is near
  CHECK(j.at("time").at("validated") == false);
  CHECK(j.at("time").at("validated_on").is_null());
  for (const char* name : {"name", "microseconds", "waves", "bound_by", "budget"})
    CHECK(j.at("time").at("kernels").at(0).contains(name));
  CHECK(j.at("check").is_null());
}

TEST_CASE("the budget of each kernel adds up to its time, and the budgets of kernels to the whole, cause by cause") {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    const Json time = simulate({"--algorithm", algorithm, "--seqlen", "777", "--heads", "40", "--causal", "--pass",
                                "forward+backward"})
                          .at("time");
    std::map<std::string, double> by_cause;
    for (const Json& kernel : time.at("kernels")) {
      double sum = 0;
      for (const auto& [cause, microseconds] : kernel.at("budget").items()) {
        CHECK(microseconds.get<double>() > -1e-9);
        sum += microseconds.get<double>();
        by_cause[cause] += microseconds.get<double>();
      }
      CHECK(sum == Approx(kernel.at("microseconds").get<double>()));
    }
    CHECK(by_cause.size() == time.at("budget").size());
    for (const auto& [cause, microseconds] : by_cause) {
      CHECK(time.at("budget").at(cause).get<double>() == Approx(microseconds).margin(1e-9));
    }
  }
}

TEST_CASE("the table shows where the time goes: causes that take time, and the kernels when they are few") {
  const auto table = [](std::vector<std::string> words) {
    words.insert(words.begin(), "simulate");
    return program::run(words).out;
  };
  const std::string one = table({"--seqlen", "1024"}), three = table({"--algorithm", "standard", "--seqlen", "1024"});
  CHECK_THAT(one, Contains("time budget") && Contains("\n  issue ") && Contains("\n  barrier ") && Contains("100.0 %"));
  CHECK_THAT(one, !Contains("\n  tail "));  // eight equal CTAs
  CHECK_THAT(three, Contains("all kernels"));
  const std::string many = table({"--algorithm", "standard", "--pass", "forward+backward", "--seqlen", "1024"});
  const std::size_t header = many.find("time budget");
  REQUIRE(header != std::string::npos);
  const std::string line = many.substr(header, many.find('\n', header) - header);
  CHECK_THAT(line, Contains("all kernels") && !Contains("softmax_backward"));
}

TEST_CASE("total traffic is the sum of the buckets, of the tensors and of the lines") {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    const Json t =
        simulate({"--algorithm", algorithm, "--seqlen", "777", "--causal", "--heads", "4", "--kv-heads", "2"})
            .at("tile_traffic");
    for (const char* direction : {"read_bytes", "write_bytes"}) {
      const std::int64_t total = t.at("total").at(direction).get<std::int64_t>();
      CHECK(total > 0);
      CHECK(sum_of(Json::array({t.at("matrix"), t.at("statistics"), t.at("initialisation")}), direction) == total);
      CHECK(sum_of(t.at("by_tensor"), direction) == total);
      CHECK(sum_of(t.at("by_line"), direction) == total);
    }
  }
}

TEST_CASE("the paper tiling gives the published block sizes") {
  const Json j = simulate({"--algorithm", "flash1", "--tiling", "paper", "--sram", "196608"});
  CHECK(j.at("scenario").at("bc") == 384);
  CHECK(j.at("scenario").at("br") == 64);
  const Json t = j.at("tile_traffic").at("matrix");
  CHECK(t.at("read_bytes").get<std::int64_t>() + t.at("write_bytes").get<std::int64_t>() == 11 * 1024 * 64 * 2);
}

TEST_CASE("models set the heads and options override them") {
  const Json llama = simulate({"--model", "llama-3-8b"}).at("scenario");
  CHECK(llama.at("heads") == 32);
  CHECK(llama.at("kv-heads") == 8);
  CHECK(llama.at("head-dim") == 128);
  CHECK(simulate({"--model", "llama-3-8b", "--head-dim", "64"}).at("scenario").at("head-dim") == 64);
  CHECK(simulate({"--heads", "6"}).at("scenario").at("kv-heads") == 6);
}

TEST_CASE("O has the rank of Q and the dtype's own npy type, and is right") {
  const sim::Shape shape{.batch = 2, .heads = 4, .kv_heads = 2, .seqlen_q = 9, .seqlen_k = 11, .head_dim = 8};
  const sim::AttentionInputs inputs = sim::draw_inputs(shape, sim::Dtype::fp16, 3);
  const sim::AttentionReference reference = sim::attention_reference(shape, 1 / std::sqrt(8.0), inputs);
  for (const char* dtype : {"fp16", "fp32"}) {
    for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
      const Folder folder;
      write_npy(folder / "q.npy", {2, 4, 9, 8}, inputs.q, "f2");
      write_npy(folder / "k.npy", {2, 2, 11, 8}, inputs.k, "f4");
      write_npy(folder / "v.npy", {2, 2, 11, 8}, inputs.v, "f2");
      const program::Result result =
          program::run(folder, {"simulate", "--algorithm", algorithm, "--dtype", dtype, "--input-q", "q.npy",
                                "--input-k", "k.npy", "--input-v", "v.npy", "--output-dir", "out", "--format", "json"});
      INFO(algorithm << ' ' << dtype << ' ' << result.err);
      REQUIRE(result.exit_code == 0);
      CHECK(Json::parse(result.out).at("check").at("max_abs_error") < 2e-3);
      const sim::NpyArray o = sim::read_npy(folder / "out/O.npy");
      CHECK(o.shape == std::vector<std::int64_t>{2, 4, 9, 8});
      CHECK(o.dtype == (std::string(dtype) == "fp16" ? "f2" : "f4"));
      for (std::size_t n = 0; n < o.values.size(); ++n) REQUIRE(o.values[n] == Approx(reference.o[n]).margin(2e-3));
      if (std::string(algorithm) == "standard") continue;
      const sim::NpyArray L = sim::read_npy(folder / "out/L.npy");
      CHECK(L.shape == std::vector<std::int64_t>{2, 4, 9});
      for (std::size_t n = 0; n < L.values.size(); ++n)
        REQUIRE(L.values[n] == Approx(reference.log_sum_exp[n]).margin(1e-5));
    }
  }
}

TEST_CASE("rank 2 and 3 inputs give rank 2 and 3 outputs") {
  const Folder folder;
  write_npy(folder / "q2.npy", {5, 8}, std::vector<float>(40, 1), "f4");
  write_npy(folder / "q3.npy", {3, 5, 8}, std::vector<float>(120, 1), "f4");
  REQUIRE(program::run(folder, {"simulate", "--input-q", "q2.npy", "--output", "o2.npy"}).exit_code == 0);
  REQUIRE(program::run(folder, {"simulate", "--input-q", "q3.npy", "--output", "o3.npy"}).exit_code == 0);
  CHECK(sim::read_npy(folder / "o2.npy").shape == std::vector<std::int64_t>{5, 8});
  CHECK(sim::read_npy(folder / "o3.npy").shape == std::vector<std::int64_t>{3, 5, 8});
}

TEST_CASE("simulate --why prints the formula with its values and the lines that sum to the number") {
  const program::Result result =
      program::run({"simulate", "--algorithm", "flash1", "--why", "tile_traffic.by_tensor.O.read_bytes"});
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("= 1048576 bytes") && Contains("B H Tc Nq d e") && Contains("Tc = 8") &&
                             Contains("cta.load(block(hbm.O, i))") && Contains("8,192"));
}

TEST_CASE("every number of the JSON except the scenario's has a derivation by --why", "[repeats]") {
  std::set<std::string> asked;  // once per algorithm: a process for every number is slow
  for (const char* algorithm : {"standard", "flash1"}) {
    Json j = simulate({"--algorithm", algorithm, "--seqlen", "100", "--causal", "--numerics", "on"});
    j.erase("scenario");
    j.erase("schema");
    const Json flat = j.flatten();
    for (const auto& [pointer, value] : flat.items()) {
      if (!value.is_number()) continue;
      std::string path = pointer.substr(1);
      std::replace(path.begin(), path.end(), '/', '.');
      if (path.ends_with(".line") || !asked.insert(path).second) continue;  // a line number is not a quantity
      const program::Result result = program::run(
          {"simulate", "--algorithm", algorithm, "--seqlen", "100", "--causal", "--numerics", "on", "--why", path});
      INFO(path << ": " << result.err);
      REQUIRE(result.exit_code == 0);
      CHECK(result.out.rfind(path + " = ", 0) == 0);
      if (value.is_number_integer()) CHECK_THAT(result.out, Contains(" = " + value.dump() + " "));
    }
  }
}

TEST_CASE("every leaf of the JSON is a row of the CSV") {
  const program::Result csv = program::run({"simulate", "--format", "csv"});
  CHECK(csv.out.rfind("quantity,value\n", 0) == 0);
  CHECK_THAT(csv.out, Contains("tile_traffic.total.read_bytes,2228224\n") && Contains("scenario.algorithm,flash2\n"));
}

TEST_CASE("compare shows algorithms side by side in each format") {
  const program::Result table = program::run({"compare"});
  CHECK_THAT(table.out, Contains("standard") && Contains("flash1") && Contains("flash2") && Contains(" x"));
  const Json json = Json::parse(program::run({"compare", "--format", "json", "--algorithms", "flash2,flash1"}).out);
  REQUIRE(json.at("results").size() == 2);
  CHECK(json.at("results").at(0).at("scenario").at("algorithm") == "flash2");
  const std::string csv = program::run({"compare", "--format", "csv"}).out;
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
}

TEST_CASE("demo checks values and writes a chart and a trace", "[repeats]") {
  const Folder folder;
  const program::Result result = program::run(folder, {"demo"});
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.out,
             Contains("agree") && Contains("batch 64, heads 16, N 1,024, d 64, fp16") && Contains("9.13 GB"));
  CHECK_THAT(program::read_file(folder / "flashscope-demo/tile-traffic.svg"),
             Contains("<svg ") && Contains("</svg>\n"));
  CHECK_THAT(program::read_file(folder / "flashscope-demo/flash2-trace.txt"), Contains("kernel flash2_forward"));
}

TEST_CASE("demo takes the user's own Q, K and V") {
  const Folder folder;
  write_npy(folder / "q.npy", {3, 40, 16}, std::vector<float>(1920, 0.25f), "f4");
  const program::Result result =
      program::run(folder, {"demo", "--input-q", "q.npy", "--input-k", "q.npy", "--input-v", "q.npy"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("heads 3, N 40, d 16"));
}

TEST_CASE("devices, algorithms and counters list everything built in") {
  CHECK_THAT(program::run({"devices"}).out, Contains("toy") && Contains("h200") && Contains("b200"));
  CHECK_THAT(program::run({"devices", "--gpu", "t4"}).out, Contains("Sources") && Contains("hbm_bytes_per_second"));
  CHECK(Json::parse(program::run({"devices", "--format", "json"}).out).at("devices").size() == 31);
  CHECK_THAT(program::run({"algorithms"}).out, Contains("memory-efficient") && Contains("Algorithm 0"));
  CHECK_THAT(program::run({"algorithms", "--algorithm", "flash2"}).out, Contains("S = Q_i K_j^T"));
  CHECK_THAT(program::run({"counters"}).out, Contains("dram__bytes_read.sum"));
  CHECK(Json::parse(program::run({"counters", "--format", "json"}).out).at("counters").size() > 10);
}

TEST_CASE("help is printed to stdout, and every command has one with an example") {
  CHECK_THAT(program::run({"--help"}).out, Contains("simulate") && Contains("Exit codes"));
  for (const char* command :
       {"demo", "simulate", "compare", "validate", "devices", "algorithms", "options", "counters"}) {
    const program::Result result = program::run({command, "--help"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, Contains("Example: " FLASHSCOPE_PROGRAM));
  }
}

TEST_CASE("repeating a command prints the same bytes") {
  const std::vector<std::string> words = {"simulate", "--format", "json", "--numerics", "on", "--seqlen", "200"};
  CHECK(program::run(words).out == program::run(words).out);
}
