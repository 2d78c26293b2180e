// flashscope validate: what it prints, rejects and writes.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "kernels/measurements/recorded.h"
#include "sim/model/simulation.h"
#include "tests/support/program.h"
#include "viz/terminal/evidence.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;

namespace {

std::string printed(std::vector<std::string> words) {
  words.insert(words.begin(), "validate");
  const program::Result result = program::run(words);
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out;
}

/// A recording of an H100, from its rows.
measurements::Recording recording_of(const std::string& rows) {
  const std::string head =
      "# FlashScope recording 1\n# device: NVIDIA H100 80GB HBM3\n# gpu: h100-sxm\n# driver: 1\n# date: "
      "2026-01-02T03:04:05Z\n# command: c\n# commit: c\n"
      "kernel,algorithm,pass,batch,heads,kv-heads,seqlen-q,seqlen-k,head-dim,dtype,causal,window,padding,dropout,br,bc,"
      "caches,quantity,unit,value,low,high,runs,sm_mhz,watts\n";
  return measurements::parse_recording(head + rows, "some.csv");
}

/// Creates a folder with the files of the source folder that --update needs.
void make_source(const Folder& folder, const std::string& page) {
  program::fs::create_directories(folder / "sim/model");
  program::write_file(folder / "sim/model/accuracy_table.csv", "old\n");
  program::fs::create_directories(folder / "docs");
  program::write_file(folder / "docs/accuracy.md", page);
}

}  // namespace

TEST_CASE("validate shows errors by group, fitted and held out, ratios and contradicted numbers", "[repeats]") {
  const std::string out = printed({});
  for (const char* words : {"fa2-paper-a100", "held out: ", "fitted: ", "mean |error|", "standard to it",
                            "N to the next shorter N", "contradicted by the NeurIPS version"}) {
    CHECK_THAT(out, Contains(words));
  }
}

TEST_CASE("validate prints the same when repeated", "[repeats]") {
  CHECK(printed({"--group", "fa2-paper-a100"}) == printed({"--group", "fa2-paper-a100"}));
}

TEST_CASE("validate's JSON has its groups, totals and, with --points, every published number", "[repeats]") {
  const Json j = Json::parse(printed({"--format", "json", "--points"}));
  CHECK(j.at("schema") == 1);
  CHECK(j.at("fitted_on") == "a100-sxm-80gb");
  CHECK(j.at("fit").is_null());
  CHECK(!j.at("constants").empty());
  CHECK(j.at("held_out").at("mean_error_percent").is_number());
  const auto is_published = [](const Json& p) { return p.at("kernel") == ""; };
  CHECK(std::count_if(j.at("points").begin(), j.at("points").end(), is_published) == 736);
  for (const Json& p : j.at("points")) {
    REQUIRE(p.at("skipped").is_null() == p.at("predicted").is_number());
    if (!p.at("skipped").is_null()) continue;
    const double error = 100 * (p.at("predicted").get<double>() / p.at("published").get<double>() - 1);
    CHECK(p.at("error_percent").get<double>() == Approx(error).margin(1e-9));
  }
  CHECK(!Json::parse(printed({"--format", "json", "--group", "fa2-paper-a100"})).contains("points"));
}

TEST_CASE("validate's CSV has a row per group and algorithm, or per point", "[repeats]") {
  const std::string groups = printed({"--format", "csv", "--group", "fa2-paper-a100"}),
                    points = printed({"--format", "csv", "--points"});
  CHECK(groups.find("group,gpu,algorithm,fitted,points,skipped,mean_error_percent,bias_percent,skipped_because\n") ==
        0);
  CHECK(std::count(points.begin(), points.end(), '\n') >= 422);  // and recorded points
  CHECK_THAT(points, Contains("scenario.seqlen") && Contains("contradicted"));
}

TEST_CASE("validate --fit fits the points of another GPU", "[slow]") {
  const Json j = Json::parse(printed({"--fit", "b200", "--format", "json"}));
  CHECK(j.at("fitted_on") == "b200");
  CHECK(j.at("fit").at("evaluations") > 0);
  for (const Json& row : j.at("groups")) {  // two constants stay those that were fitted to recorded times
    const bool stays = row.at("algorithm") == "standard-pytorch" && row.at("gpu") == "h100-sxm";
    CHECK(row.at("fitted") == (stays || row.at("gpu") == "b200"));
  }
  CHECK_THAT(printed({"--fit", "b200"}), Contains("after ") && Contains(" evaluations"));
}

TEST_CASE("validate shows whose held-out times are, by GPU, and the sums are those of all held-out points",
          "[repeats]") {
  const Json j = Json::parse(printed({"--format", "json", "--points"}));
  std::int64_t points = 0, of_gpus = 0;
  double error = 0;
  for (const Json& row : j.at("held_out_by")) {
    if (!row.at("gpu").is_null()) {
      of_gpus += row.at("points").get<std::int64_t>();
      continue;
    }
    const std::int64_t counted = std::count_if(j.at("points").begin(), j.at("points").end(), [&](const Json& p) {
      return p.at("standing") == "score" && p.at("fitted") == false && p.at("skipped").is_null() &&
             (p.at("kernel") != "") == row.at("recorded");
    });
    CHECK(row.at("points") == counted);
    points += counted;
    error += static_cast<double>(counted) * row.at("mean_error_percent").get<double>();
  }
  CHECK(points == j.at("held_out").at("points"));
  CHECK(of_gpus == points);
  CHECK(error / static_cast<double>(points) == Approx(j.at("held_out").at("mean_error_percent").get<double>()));
  const std::string text = printed({});
  for (const char* words : {"held out, published by others", "held out, recorded with FlashScope",
                            "recorded points are predicted at the clock of the SMs that was measured in their run"})
    CHECK_THAT(text, Contains(words));
}

TEST_CASE("validate shows the errors of points that are not scored, and why", "[repeats]") {
  const Json j = Json::parse(printed({"--format", "json", "--points"}));
  std::map<std::string, std::int64_t> by_standing;
  for (const Json& row : j.at("not_scored"))
    by_standing[row.at("standing").get<std::string>()] += row.at("points").get<std::int64_t>();
  for (const auto& [standing, points] : by_standing) {
    CHECK(points == std::count_if(j.at("points").begin(), j.at("points").end(), [&, name = standing](const Json& p) {
            return p.at("standing") == name && p.at("skipped").is_null();
          }));
  }
  CHECK(by_standing.count("ratio") == 1);
  const std::string text = printed({});
  for (const char* words :
       {"ratio only", "a speed-up over standard attention was published, not a time", "the GPU is of the H100 class",
        "than in table 7 of the same paper", "not of the kernel pytorch-cudnn", "constants of their algorithm alone"})
    CHECK_THAT(text, Contains(words));
}

TEST_CASE("validate's chart has a mark for each time, of a look for each kind", "[repeats]") {
  const Folder folder;
  const program::Result made = program::run(folder, {"validate", "--output", "accuracy.svg"});
  CHECK(made.exit_code == 0);
  CHECK(made.out.empty());
  const std::string svg = program::read_file(folder / "accuracy.svg");
  const Json all = Json::parse(printed({"--format", "json", "--points"})), points = all.at("points");
  std::int64_t marks = 0;
  for (const std::string end : {"</title></path>", "</title></circle>"}) {
    for (std::size_t at = svg.find(end); at != std::string::npos; at = svg.find(end, at + 1)) ++marks;
  }
  CHECK(marks == std::count_if(points.begin(), points.end(),
                               [](const Json& p) { return p.at("unit") == "us" && p.at("skipped").is_null(); }));
  for (const Json& row : all.at("held_out_by")) {
    if (!row.at("gpu").is_null()) continue;
    CHECK_THAT(svg,
               Contains(fmt::format(">held out, {}: {} times, mean |error| {:.1f} %<",
                                    row.at("recorded") == true ? "recorded with FlashScope" : "published by others",
                                    row.at("points").get<int>(), row.at("mean_error_percent").get<double>())));
  }
  for (const char* words : {"Predicted time, ", "published or recorded time, ", "prefers-color-scheme:dark",
                            ">fitted: ", ">not scored: ", ">10 % more or less<"})
    CHECK_THAT(svg, Contains(words));
}

TEST_CASE("the suffix of validate --output decides the format, and a file that cannot be written is named",
          "[repeats]") {
  const Folder folder;
  for (const auto& [file, format] : {std::pair{"a.json", "json"}, {"a.csv", "csv"}, {"a.txt", "table"}}) {
    CHECK(program::run(folder, {"validate", "--group", "fa2-paper-a100", "--output", file}).exit_code == 0);
    CHECK(program::read_file(folder / file) == printed({"--group", "fa2-paper-a100", "--format", format}));
  }
  check_refused(folder, {"validate", "--output", "x.foo"}, {"output:", "x.foo", "allowed are", ".svg"});
  check_refused(folder, {"validate", "--output", "missing/x.svg"}, {"missing/x.svg"});
  check_refused(folder, {"validate", "--output", "x.svg", "--format", "json"}, {"format: json", "x.svg"});
  check_refused(folder, {"validate", "--output", "x.svg", "--group", "fa1-speedups-t4"},
                {"group: fa1-speedups-t4 has no time that can be predicted"});
  check_refused(folder, {"validate", "--output", "x.svg", "--group", "fa2"}, {"unknown group \"fa2\""});
  CHECK(folder.files() == 3);
}

TEST_CASE("validate refuses unknown names with the nearest", "[repeats]") {
  check_refused({"validate", "--group", "fa2"}, {"unknown group \"fa2\"", "fa2-paper-a100"});
  check_refused({"validate", "--fit", "toy"}, {"unknown GPU with scored points \"toy\"", "h100-sxm"});
  check_refused({"validate", "--fit", "h100-sxm", "--group", "fa3-paper-h100"}, {"cannot be combined with --group"});
  check_refused({"validate", "--update", "--group", "fa3-paper-h100"}, {"update:", "cannot be combined"});
  check_refused({"validate", "--points=some"}, {"--points is a flag and takes no value"});
  check_refused({"validate", "--seqlen", "3"}, {"unknown option \"--seqlen\""});
}

TEST_CASE("validate --update writes the table and the block of docs/accuracy.md, and nothing else", "[repeats]") {
  const Folder folder;
  make_source(folder, "before\n<!-- accuracy -->\nold\n<!-- /accuracy -->\nafter\n");
  CHECK(program::run(folder, {"validate", "--update"}).exit_code == 0);
  CHECK(program::read_file(folder / "sim/model/accuracy_table.csv") ==
        program::read_file(std::string(FLASHSCOPE_SOURCE) + "/sim/model/accuracy_table.csv"));
  const std::string page = program::read_file(folder / "docs/accuracy.md");
  CHECK(page.find("before\n<!-- accuracy -->\n```\npredicted / published or recorded - 1") == 0);
  CHECK_THAT(page, Contains("```\n<!-- /accuracy -->\nafter\n") && !Contains("\nold\n"));
  const program::fs::recursive_directory_iterator all(folder.path());
  CHECK(std::distance(begin(all), end(all)) == 6);  // three folders, three files
  CHECK(program::read_file(folder / "docs/accuracy.svg") == printed({"--format", "svg"}));
}

TEST_CASE("validate --update changes nothing if it cannot write everything", "[repeats]") {
  const Folder empty, without_marks;
  check_refused(empty, {"validate", "--update"}, {"accuracy_table.csv is not here", "source folder"});
  CHECK(empty.files() == 0);
  make_source(without_marks, "no marks\n<!-- accuracy -->\n");
  check_refused(without_marks, {"validate", "--update"}, {"docs/accuracy.md needs the lines"});
  CHECK(program::read_file(without_marks / "sim/model/accuracy_table.csv") == "old\n");
  CHECK(program::read_file(without_marks / "docs/accuracy.md") == "no marks\n<!-- accuracy -->\n");
}

TEST_CASE("simulate notes that its times are not those of plain kernels, the only ones in fp32") {
  const std::string note = "note: predicted times are of kernels that reach the rates of the device; the plain kernels";
  CHECK_THAT(program::run({"simulate", "--dtype", "fp32"}).err, Contains(note));
  CHECK_THAT(program::run({"simulate", "--dtype", "fp32", "--format", "json"}).err, Contains(note));
  CHECK(program::run({"simulate", "--dtype", "bf16"}).err.empty());
}

TEST_CASE("simulate reports the error of times near the scenario, in every format") {
  const std::vector<std::string> words = {"simulate", "--batch",    "4",   "--heads",  "16",      "--seqlen",
                                          "4096",     "--head-dim", "128", "--tiling", "released"};
  std::vector<std::string> as_json = words;
  as_json.insert(as_json.end(), {"--format", "json"});
  const Json time = Json::parse(program::run(as_json).out).at("time");
  CHECK(time.at("validated") == true);
  CHECK(time.at("error_percent").is_number());
  CHECK_THAT(time.at("validated_on").get<std::string>(), Contains("on h100-sxm (fa3-paper-h100, h100-"));
  CHECK_THAT(program::run(words).out, Contains("error of time: ±") && Contains("fa3-paper-h100"));
  CHECK_THAT(program::run({"simulate"}).out, Contains("error of time: not validated"));
  CHECK_THAT(
      program::run({"sweep", "--over", "batch=1,16", "--heads", "16", "--head-dim", "128", "--format", "table"}).out,
      Contains("unknown") && Contains("± "));
}

TEST_CASE("evidence compares the cold times of long sequences, as the other kernel's over ours") {
  const auto row = [](const char* kernel, int length, const char* caches, double value) {
    return fmt::format("{},flash2,forward,1,16,16,{},{},64,fp16,0,,0,0,,,{},time,us,{},1,1e9,9,,\n", kernel, length,
                       length, caches, value);
  };
  const measurements::Recording recording =
      recording_of(row("flash2_mma", 2048, "cold", 100) + row("pytorch-flash", 2048, "cold", 120) +
                   row("pytorch-cudnn", 2048, "cold", 50) + row("pytorch-flash", 2048, "warm", 900) +
                   row("flash2_mma", 4096, "cold", 200) + row("pytorch-flash", 4096, "cold", 220) +
                   row("flash2_mma", 512, "cold", 10) + row("pytorch-flash", 512, "cold", 90) +
                   row("pytorch-flash", 8192, "cold", 90));
  const std::vector<terminal::Evidence> all = terminal::evidence_of({recording});
  REQUIRE(all.size() == 1);
  CHECK(all[0].date == "2026-01-02");
  CHECK(all[0].flash_forward.count == 2);
  CHECK(all[0].flash_forward.least == Approx(1.1));
  CHECK(all[0].flash_forward.most == Approx(1.2));
  CHECK(all[0].cudnn_forward.least == Approx(0.5));
  CHECK(all[0].flash_backward.count == 0);
  CHECK(all[0].runs.empty());
  CHECK(all[0].plain.count == 0);
}

TEST_CASE("evidence divides by what a GPU counted, over all kernels and recordings, and names the worst scenario") {
  // Without reuse flash2 writes O and L once: 4 x 16 heads of 1,024 rows with 64 halves and a float.
  const double written = 4 * 16 * 1024 * (64 * 2 + 4);
  const auto row = [&](const char* kernel, const char* algorithm, int batch, double factor) {
    return fmt::format(
        "{},{},forward,{},16,16,1024,1024,64,fp16,0,,0,0,,,cold,lts__t_sectors_srcunit_tex_op_write.sum,"
        "sector,{},0,1e12,1,,\n",
        kernel, algorithm, batch, factor * written * batch / 4 / 32);
  };
  const std::vector<terminal::Evidence> all =
      terminal::evidence_of({recording_of(row("flash2_mma", "flash2", 4, 2) + row("flash2", "flash2", 4, 0.8)),
                             recording_of(row("flash2_mma", "flash2", 8, 1))});
  REQUIRE(all.size() == 1);
  CHECK(all[0].runs.size() == 3);
  const terminal::ByteErrors errors = all[0].errors(terminal::Bytes::l2_written);
  CHECK(errors.runs == 3);
  CHECK(errors.largest == Approx(-0.5));
  CHECK(errors.mean == Approx(0.25));
  CHECK(errors.bias == Approx(-0.25 / 3));
  CHECK(errors.worst == all[0].runs.data());
  CHECK(all[0].errors(terminal::Bytes::hbm_read).runs == 0);
}

TEST_CASE("evidence has the time of a plain kernel over the predicted one") {
  const auto row = [](const char* kernel, double us) {
    return fmt::format("{},flash2,forward,4,16,16,1024,1024,64,fp16,0,,0,0,,,cold,time,us,{},0,1e12,1,,\n", kernel, us);
  };
  sim::Scenario s;
  s.gpu = sim::built_in_gpu("h100-sxm");
  s.shape = {.batch = 4, .heads = 16, .kv_heads = 16, .seqlen_q = 1024, .seqlen_k = 1024, .head_dim = 64};
  const double predicted = sim::simulate(s).microseconds;
  const auto all = terminal::evidence_of({recording_of(row("flash2", 50 * predicted) + row("flash2_mma", predicted))});
  CHECK(all[0].plain.count == 1);
  CHECK(all[0].plain.least == Approx(50));
}

TEST_CASE("GPUs count the program's bytes between L2 and SMs, but for local memory and writes of parts") {
  for (const terminal::Evidence& one : terminal::evidence_of(measurements::recordings())) {
    for (const terminal::CountedRun& run : one.runs) {
      INFO(one.device << ", " << run.kernel);
      const bool plain = !run.kernel.ends_with("_mma"), parts = run.kernel.starts_with("flash-decoding");
      if (parts || (plain && run.scenario.pass == sim::Pass::backward)) continue;
      for (const auto kind : {terminal::Bytes::l2_read, terminal::Bytes::l2_written}) {
        REQUIRE(run.bytes[static_cast<std::size_t>(kind)]);
        CHECK(std::abs(run.bytes[static_cast<std::size_t>(kind)]->error()) < 0.01);
      }
    }
    CHECK(one.runs.size() >= 10);
    CHECK(std::abs(one.errors(terminal::Bytes::l2_added).largest) < 0.0001);
    CHECK(one.plain.least > 10);
    CHECK(one.flash_forward.count >= 16);
  }
}
