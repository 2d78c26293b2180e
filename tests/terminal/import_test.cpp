// flashscope verify --import: output, exit codes and rejected input. The profiles are synthetic: no GPU was measured.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/profile_text.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;

namespace {

const std::vector<std::string> scenario = {"--seqlen", "1024", "--heads", "16", "--batch", "4"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

program::Result import(const Folder& folder, const std::vector<std::string>& more = {}) {
  return program::run(folder, with(with({"verify", "--import", "profile.csv"}, scenario), more));
}

Json simulated() { return Json::parse(program::run(with(with({"simulate"}, scenario), {"--format", "json"})).out); }

/// The simulation's numbers as a profiler would write them, with 10 % more HBM reads.
profile_text::Launch launch(const std::string& id, const std::string& kernel) {
  const Json numbers = simulated();
  const std::int64_t reads = numbers.at("hbm_traffic").at("read_bytes").get<std::int64_t>();
  const std::int64_t tiles = numbers.at("tile_traffic").at("total").at("read_bytes").get<std::int64_t>();
  return {id,
          kernel,
          {{"l1tex__m_xbar2l1tex_read_bytes.sum", "byte", std::to_string(tiles)},
           {"dram__bytes_read.sum", "byte", std::to_string(reads + reads / 10)},
           {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "50.0"}}};
}

Json row_of(const Json& report, const std::string& quantity) {
  for (const Json& row : report.at("rows")) {
    if (row.at("quantity") == quantity) return row;
  }
  FAIL("no row " << quantity);
  return {};
}

}  // namespace

TEST_CASE("verify --import compares a profile with the program, and a difference is not a failure") {
  const Folder folder;
  for (const auto& page : {profile_text::raw, profile_text::details}) {
    program::write_file(folder / "profile.csv", "==PROF== Connected\n" + page({launch("0", "my_kernel")}));
    const program::Result result = import(folder);
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK_THAT(result.out, Contains("1 launch for 1 kernel of the program: compared in order"));
    CHECK_THAT(result.out, Contains("flash2_forward, compared with launch 0, my_kernel"));
    CHECK_THAT(result.out, Contains("+10.00 %"));
    CHECK_THAT(result.out, Contains("Not compared: 1 other metric of the file: sm__throughput"));
    CHECK_THAT(result.out, Contains("compared: 2 rows, 1 beyond what is expected\n"));
  }
}

TEST_CASE("verify --import's JSON has the rows of verify, null if the file has no number") {
  const Folder folder;
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", "my_kernel")}));
  const program::Result result = import(folder, {"--format", "json"});
  CHECK(result.exit_code == 0);
  const Json report = Json::parse(result.out), numbers = simulated();
  CHECK(report.at("device") == "profile profile.csv");
  CHECK(report.at("ok") == false);
  CHECK(report.at("matching") == "in order");
  CHECK(report.at("launches") == Json::parse(R"([{"id": "0", "kernel": "my_kernel"}])"));
  CHECK(report.at("unknown_metrics").size() == 1);
  const Json reads = row_of(report, "hbm_traffic.read_bytes");
  CHECK(reads.at("simulated") == numbers.at("hbm_traffic").at("read_bytes"));
  CHECK(reads.at("difference").get<std::int64_t>() == reads.at("simulated").get<std::int64_t>() / 10);
  CHECK(reads.at("ok") == false);
  CHECK(reads.at("metric") == "dram__bytes_read.sum");
  CHECK(row_of(report, "tile_traffic.total.read_bytes").at("ok") == true);
  const Json time = row_of(report, "time.microseconds");
  CHECK(time.at("measured").is_null());
  CHECK_THAT(time.at("cause").get<std::string>(), Contains("add --metrics gpu__time_duration.sum"));
}

TEST_CASE("verify --import sums the launches of a pass and reports it, --launch selects") {
  const Folder folder;
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", "warm_up"), launch("1", "my_kernel")}));
  const program::Result all = import(folder);
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.out, Contains("2 launches for 1 kernel of the program: the launches are summed, --launch chooses"));
  CHECK_THAT(all.out, Contains("2 launches are summed: --launch chooses some"));
  for (const char* choice : {"1", "my_"})
    CHECK_THAT(import(folder, {"--launch", choice}).out, Contains("compared with launch 1, my_kernel"));
}

TEST_CASE("verify --import compares the median of repetitions, reports their spread and names launches left out") {
  const Folder folder;
  std::vector<profile_text::Launch> launches = {launch("0", "warm_up")};
  const std::vector<std::string> nanoseconds = {"90,000", "30,000", "31,500"};
  for (std::size_t n = 0; n < nanoseconds.size(); ++n) launches.push_back(launch(std::to_string(n + 1), "my_kernel"));
  for (std::size_t n = 0; n < launches.size(); ++n)
    launches[n].cells.push_back({"gpu__time_duration.sum", "ns", n == 0 ? "7,000,000" : nanoseconds[n - 1]});
  program::write_file(folder / "profile.csv", profile_text::raw(launches));
  const program::Result table = import(folder);
  CHECK(table.exit_code == 0);
  CHECK_THAT(table.out, Contains("3 repetitions of 1 launch for 1 kernel of the program: compared in order, by the "
                                 "median of the repetitions"));
  CHECK_THAT(table.out, Contains("left out, as they fit no repetition: launch 0, warm_up (--launch chooses)"));
  CHECK_THAT(table.out, Contains("30.0 to 90.0"));
  const Json report = Json::parse(import(folder, {"--format", "json"}).out);
  CHECK(report.at("repetitions") == 3);
  CHECK(report.at("launches").size() == 3);
  CHECK(report.at("left_out") == Json::parse(R"([{"id": "0", "kernel": "warm_up"}])"));
  const Json time = row_of(report, "time.microseconds");
  CHECK(time.at("measured").get<double>() == Approx(31.5));
  CHECK(time.at("low").get<double>() == Approx(30));
  CHECK(time.at("high").get<double>() == Approx(90));
  CHECK(time.at("repetitions") == 3);
}

TEST_CASE("verify --import with nothing to compare reports what the file has and what is missing, with exit 2") {
  const Folder folder;
  const std::vector<profile_text::Launch> none = {{"0", "k", {{"sm__throughput.avg", "%", "42.5"}}}};
  program::write_file(folder / "profile.csv", profile_text::details(none));
  check_refused(folder, with({"verify", "--import", "profile.csv"}, scenario),
                {"profile.csv: nothing to compare: it has sm__throughput.avg", "time.microseconds", "counters --ncu"});
}

TEST_CASE("verify --import of a binary Nsight Compute report names the command that exports it") {
  const Folder folder;
  program::write_file(folder / "my run.ncu-rep", "NVR");
  check_refused(folder, with({"verify", "--import", "my run.ncu-rep"}, scenario),
                {"ncu --import 'my run.ncu-rep' --csv --page raw --print-units base > 'my run.csv'"});
  program::write_file(folder / "run.nsys-rep", "");
  check_refused(folder, with({"verify", "--import", "run.nsys-rep"}, scenario), {"Nsight Systems"});
}

TEST_CASE("verify --import names a GPU other than the scenario's") {
  const Folder folder;
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", "my_kernel")}));
  CHECK_THAT(import(folder, {"--gpu", "a100-sxm-40gb"}).out,
             Contains("compute capability 9.0, the scenario's a100-sxm-40gb has 8.0: --gpu chooses"));
  CHECK_THAT(import(folder).out, !Contains("compute capability"));
}

TEST_CASE("verify --import prints names from the file shortened, whatever bytes they hold") {
  const Folder folder;
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", std::string(5000, 'k'))}));
  const program::Result result = import(folder);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find(std::string(61, 'k')) == std::string::npos);
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", "k\xff\x80")}));
  CHECK(import(folder).exit_code == 0);
  CHECK(Json::parse(import(folder, {"--format", "json"}).out).at("launches").size() == 1);
}

TEST_CASE("verify --import refuses options of kernel runs, and files that are not profiles") {
  const Folder folder;
  program::write_file(folder / "profile.csv", profile_text::raw({launch("0", "my_kernel")}));
  const std::vector<std::vector<std::string>> runs = {{"--device", "emulated"},   {"--schedules", "1"},
                                                      {"--scenarios", "default"}, {"--workers", "1"},
                                                      {"--kernel", "flash2"},     {"--input-q", "q.npy"}};
  const std::vector<std::string> words = with({"verify", "--import", "profile.csv"}, scenario);
  for (const auto& option : runs)
    check_refused(folder, with(words, option), {option[0].substr(2) + ": is for kernels that run here"});
  check_refused({"verify", "--launch", "1"}, {"launch: chooses launches of --import"});
  check_refused(folder, with(words, {"--launch", "other"}), {"\"other\" fits no launch of profile.csv"});
  check_refused(folder, {"verify", "--import", "missing.csv"}, {"import", "missing.csv"});
  program::write_file(folder / "profile.csv", "nothing\n");
  check_refused(folder, words, {"profile.csv: no line begins with \"ID\""});
}

TEST_CASE("verify --import names files of Nsight Systems, and separators that a spreadsheet has written") {
  const Folder folder;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    program::write_file(folder / "profile.csv", text);
    check_refused(folder, with({"verify", "--import", "profile.csv"}, scenario), parts);
  };
  // The headers that nsys stats prints: docs.nvidia.com, Nsight Systems User Guide, "Available Reports".
  for (const char* text :
       {"NVTX Range,Style,PID,TID,NVTX Inst,Kern Inst,Total Time (ns),Avg (ns),Kernel "
        "Name\n:a:b,PushPop,1,1,20,20,8,4,k\n",
        "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev "
        "(ns),Name\n100,8,1,8,8,8,8,0,k\n",
        "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n100,8,1,8,8,8,k\n",
        "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,Name\n1,2,3,4,5,6,7,8,9,10,k\n",
        " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n Time (%)  Total Time (ns)  Instances  Name\n",
        "NVTX Range;Style;PID;TID;NVTX Inst;Total Time (ns)\n:a;PushPop;1;1;20;8\n", "SQLite format 3"})
    refused(text, {"profile.csv: is of Nsight Systems, which has times and no counters", "--measured TIME"});
  const std::string profile = profile_text::raw({launch("0", "my_kernel")});
  const auto separated = [&](const std::string& by, bool quoted) {
    std::string text;
    for (const char c : profile) text += c == ',' ? by : c == '"' && !quoted ? "" : std::string(1, c);
    return text;
  };
  for (const bool quoted : {false, true}) {
    refused(separated(";", quoted), {"profile.csv: its cells are separated by semicolons", "ncu --import"});
    refused("sep=;\r\n" + separated(";", quoted), {"separated by semicolons"});
    refused(separated("\t", quoted), {"separated by tabs"});
    refused("\xef\xbb\xbf" + separated(";", quoted), {"separated by semicolons"});
  }
}

TEST_CASE("verify --import tells of a grid that fits another batch, as a note and as the cause") {
  const Folder folder;
  std::string text = profile_text::raw({launch("0", "my_kernel")});
  text.replace(text.find("(8, 1, 1)"), 9, "(8, 2, 16)");  // 8 row blocks of 128 rows, 2 entries, 16 heads
  program::write_file(folder / "profile.csv", text);
  const std::string other = "the grid (8, 2, 16) is that of --batch 2; the scenario has batch 4";
  CHECK_THAT(import(folder).out, Contains("\n" + other + "\n") && Contains("hbm_traffic.read_bytes: " + other));
  CHECK(row_of(Json::parse(import(folder, {"--format", "json"}).out), "hbm_traffic.read_bytes").at("cause") == other);
  CHECK_THAT(
      program::run(folder, {"verify", "--import", "profile.csv", "--seqlen", "1024", "--heads", "16", "--batch", "2"})
          .out,
      !Contains("the grid"));
}

TEST_CASE("counters --ncu prints one line, the command that records what --import compares") {
  const program::Result result = program::run({"counters", "--ncu"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::StartsWith("ncu --csv --page raw --print-units base --metrics "));
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 1);
  check_refused({"counters", "--ncu", "--format", "json"}, {"ncu: prints a command line"});
}

TEST_CASE("counters --ncu with a kernel and a program prints the complete command, quoted for a shell") {
  const program::Result result =
      program::run({"counters", "--ncu", "--kernel", "attn|flash", "--", "python", "k.py", "--name", "a b", "--ncu"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::EndsWith(" --kernel-name 'regex:attn|flash' --launch-skip 0 --launch-count 5 "
                                         "--log-file profile.csv python k.py --name 'a b' --ncu\n"));
  const program::Result chosen = program::run({"counters", "--ncu", "--kernel", "k", "--launch-skip", "3",
                                               "--launch-count", "7", "--profile-from-start", "off"});
  CHECK_THAT(chosen.out, Contains(" --kernel-name regex:k --launch-skip 3 --launch-count 7 --profile-from-start off "
                                  "--log-file profile.csv ./"));
  check_refused({"counters", "--kernel", "k"}, {"kernel: is for the command that --ncu prints"});
  check_refused({"counters", "--", "python"}, {"a program after --"});
  check_refused({"counters", "--ncu", "--launch-skip", "3"}, {"launch-skip", "add --kernel NAME"});
  check_refused({"counters", "--ncu", "--kernel", "k", "--launch-count", "0"}, {"launch-count"});
}
