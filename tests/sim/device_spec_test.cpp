#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "sim/base/check.h"
#include "sim/machine/device_fields.h"
#include "tests/support/device_file.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using device_file::edited;
using device_file::refusal;
using device_file::toy_file;
using device_file::with_field;
using device_file::with_value;

constexpr std::int64_t KiB = 1024;

/// FLOP/s of the whole chip.
double tensor_peak(const DeviceSpec& gpu) {
  return static_cast<double>(gpu.matmul_flops_per_clock(Dtype::fp16)) * static_cast<double>(gpu.sm_count) *
         static_cast<double>(gpu.clock_hz);
}

TEST_CASE("every built-in device parses under its own name and sources every number") {
  for (const std::string& name : device_names()) {
    INFO(name);
    const DeviceSpec& gpu = device(name);
    CHECK(gpu.name == name);
    CHECK_FALSE(gpu.title.empty());
    CHECK_FALSE(gpu.architecture.empty());
    const std::size_t caches = unmodelled_caches(gpu).empty() ? 0 : 1;
    const std::string_view file = embedded_text(text("machine/devices/", name, ".toml"));
    std::size_t left_out = missing_fields(gpu).size();
    for (const char* optional :
         {"\nwgmma_clock_hz", "\nframework_hbm_percent", "\nlink_bytes_per_second", "\nlink_latency_nanoseconds"})
      left_out += file.find(optional) == file.npos ? 1 : 0;
    CHECK(gpu.provenance.size() == device_fields().size() - left_out + caches);
    std::set<std::string> fields;
    for (const Provenance& p : gpu.provenance) {
      INFO(p.field);
      fields.insert(p.field);
      if (p.field != unmodelled_caches_field) CHECK(std::stoll(p.value) > 0);
      CHECK_FALSE(p.unit.empty());
      CHECK((p.kind == "published" || p.kind == "measured" || p.kind == "estimated"));
      CHECK(p.source.size() > 10);
    }
    CHECK(fields.size() == gpu.provenance.size());
  }
}

TEST_CASE("the sources of a device are in the order of its file") {
  const DeviceSpec& toy = device("toy");
  CHECK(toy.provenance.front().field == "sm_count");
  CHECK(toy.provenance.back().field == "launch_nanoseconds");
  const std::string last =
      "launch_nanoseconds = { value = 1000, unit = \"ns\", kind = \"estimated\", source = \"s\" }\n";
  const DeviceSpec moved = parse_device(last + with_field("launch_nanoseconds", ""), "x.toml");
  CHECK(moved.provenance.front().field == "launch_nanoseconds");
  CHECK(moved.provenance.front().value == "1000");
}

TEST_CASE("a device is parsed once") { CHECK(&device("toy") == &device("toy")); }

TEST_CASE("an unknown device is refused with the known names and the nearest one") {
  CHECK_THROWS_WITH(device("h100"), Contains("unknown GPU \"h100\"") && Contains("toy, t4, rtx-3090"));
  CHECK_THROWS_WITH(device("h100-sxn"), Contains("did you mean \"h100-sxm\"?"));
  // An A40 is not an A10, nor a GB200 a GH200: cards that exist are not taken for a typing error.
  for (const char* other : {"a40", "A30", "l40", "B300", "gb200", "rtx-3080", "RTX 4070 Ti", "NVIDIA GeForce RTX 3060",
                            "a10g", "tesla p40", "mi250x", "rtx-a4000", "rtx-6000-ada", "gtx 1080"})
    CHECK_THROWS_WITH(device(other), Contains("there is no table of it. known: toy") && !Contains("did you mean"));
  CHECK_THROWS_WITH(device("h201"), Contains("did you mean \"h200\"?"));
  CHECK_THROWS_WITH(device("rtx-a600"), Contains("did you mean \"rtx-a6000\"?"));
  CHECK_THROWS_AS(device("../toy"), Error);
}

TEST_CASE("SMs x clock x tensor rate reaches the published dense fp16 peak within 1 %") {
  const std::vector<std::pair<std::string, double>> published = {{"t4", 65e12},
                                                                 {"rtx-3090", 71e12},
                                                                 {"a100-sxm-40gb", 312e12},
                                                                 {"a100-sxm-80gb", 312e12},
                                                                 {"h100-sxm", 989.4e12},
                                                                 {"h200", 989.4e12},
                                                                 {"b200", 2250e12},
                                                                 {"rtx-4090", 165.2e12},
                                                                 {"rtx-5090", 209.5e12},
                                                                 {"gb10", 125e12},
                                                                 {"l4", 121e12},
                                                                 {"l40s", 362.05e12},
                                                                 {"a10", 125e12},
                                                                 {"a100-pcie-40gb", 312e12},
                                                                 {"a100-pcie-80gb", 312e12},
                                                                 {"h100-pcie", 756e12},
                                                                 {"h100-nvl", 835.5e12},
                                                                 {"h200-nvl", 835.5e12},
                                                                 {"v100-sxm2-16gb", 125e12},
                                                                 {"v100-sxm2-32gb", 125e12},
                                                                 {"rtx-2080-ti", 53.8e12},
                                                                 {"rtx-a6000", 154.8e12},
                                                                 {"gh200-96gb", 990e12},
                                                                 {"mi300x", 1307.4e12},
                                                                 {"h20", 148e12},
                                                                 {"h800-sxm", 989.4e12},
                                                                 {"a800-sxm-80gb", 312e12},
                                                                 {"l20", 119.5e12},
                                                                 {"rtx-4080", 97.5e12},
                                                                 {"rtx-a5000", 111.1e12}};
  CHECK(published.size() + 1 == device_names().size());  // all but the toy device
  for (const auto& [name, flops] : published) {
    INFO(name);
    CHECK(tensor_peak(device(name)) == Approx(flops).epsilon(0.01));
  }
}

TEST_CASE("SMs x clock x FP32 lanes and the memory bandwidth match the datasheets") {
  struct Sheet {
    const char* name;
    double fp32, bandwidth;
  };
  for (const Sheet& sheet : {Sheet{"v100-sxm2-16gb", 15.7e12, 900e9},
                             {"v100-sxm2-32gb", 15.7e12, 900e9},
                             {"rtx-2080-ti", 13.45e12, 616e9},
                             {"rtx-a6000", 38.7e12, 768e9},
                             {"mi300x", 163.4e12, 5.3e12},
                             {"gh200-96gb", 61.8e12, 4e12},
                             {"a800-sxm-80gb", 19.5e12, 2.039e12},
                             {"l20", 59.8e12, 864e9},
                             {"rtx-4080", 48.7e12, 716.8e9},
                             {"rtx-a5000", 27.8e12, 768e9},
                             {"gb10", 31.3e12, 273e9}}) {
    INFO(sheet.name);
    const DeviceSpec& gpu = device(sheet.name);
    const double fp32 =
        static_cast<double>(gpu.fp32_flops_per_clock * gpu.sm_count) * static_cast<double>(gpu.clock_hz);
    CHECK(fp32 == Approx(sheet.fp32).epsilon(0.01));
    CHECK(static_cast<double>(gpu.hbm_bytes_per_second) == Approx(sheet.bandwidth).epsilon(0.001));
  }
}

TEST_CASE("only cards without enough published measurements have no time") {
  std::vector<std::string> without;
  for (const std::string& name : device_names()) {
    if (!has_time(device(name))) without.push_back(name);
    CHECK(counts_hbm_traffic(device(name)) == (name != "mi300x"));
  }
  CHECK(without == std::vector<std::string>{"v100-sxm2-16gb", "v100-sxm2-32gb", "mi300x"});
  CHECK(missing_fields(device("v100-sxm2-16gb")) ==
        std::vector<std::string>{"hbm_latency_cycles", "cta_turnover_cycles", "mma_latency_cycles",
                                 "exp_latency_cycles", "launch_nanoseconds"});
}

TEST_CASE("the ridge of the A100 40 GB is about 200 FLOP per byte") {
  const DeviceSpec& gpu = device("a100-sxm-40gb");
  CHECK(tensor_peak(gpu) / static_cast<double>(gpu.hbm_bytes_per_second) == Approx(312e12 / 1555e9).epsilon(0.01));
}

TEST_CASE("tensor cores of the A100 multiply fp16 and bf16 16 times as fast as its FP32 lanes") {
  const DeviceSpec& gpu = device("a100-sxm-80gb");
  CHECK(gpu.matmul_flops_per_clock(Dtype::fp16) == 16 * gpu.matmul_flops_per_clock(Dtype::fp32));
  CHECK(gpu.matmul_flops_per_clock(Dtype::bf16) == gpu.matmul_flops_per_clock(Dtype::fp16));
}

TEST_CASE("the RTX 3090 multiplies at its fp32-accumulate rate, half of the fp16-accumulate rate") {
  const DeviceSpec& gpu = device("rtx-3090");
  CHECK(tensor_peak(gpu) == Approx(142e12 / 2).epsilon(0.01));
  for (const Provenance& p : gpu.provenance) {
    if (p.field == "tensor_flops_per_clock_fp16") CHECK_THAT(p.source, Contains("fp32 accumulate"));
  }
}

TEST_CASE("on-chip memory is that of the CUDA programming guide") {
  const auto kib = [](std::string_view name) {
    const DeviceSpec& gpu = device(name);
    return std::vector<std::int64_t>{gpu.l1_smem_bytes_per_sm / KiB, gpu.smem_bytes_per_sm / KiB,
                                     gpu.smem_bytes_per_cta / KiB, gpu.register_bytes_per_sm / KiB};
  };
  CHECK(kib("t4") == std::vector<std::int64_t>{64, 64, 64, 256});
  CHECK(kib("rtx-2080-ti") == kib("t4"));
  CHECK(kib("v100-sxm2-16gb") == std::vector<std::int64_t>{128, 96, 96, 256});
  CHECK(kib("mi300x") == std::vector<std::int64_t>{64, 64, 64, 512});
  for (const char* name :
       {"rtx-3090", "rtx-a6000", "rtx-a5000", "a10", "rtx-4090", "rtx-4080", "l4", "l20", "l40s", "rtx-5090", "gb10"})
    CHECK(kib(name) == std::vector<std::int64_t>{128, 100, 99, 256});
  for (const char* name : {"a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie-40gb", "a100-pcie-80gb", "a800-sxm-80gb"})
    CHECK(kib(name) == std::vector<std::int64_t>{192, 164, 163, 256});
  for (const char* name :
       {"h100-sxm", "h100-pcie", "h100-nvl", "h200", "h200-nvl", "gh200-96gb", "b200", "h20", "h800-sxm"})
    CHECK(kib(name) == std::vector<std::int64_t>{256, 228, 227, 256});
}

TEST_CASE("a missing field is refused with the line to add") {
  CHECK(refusal(with_field("hbm_bytes", "")) ==
        "x.toml: hbm_bytes is missing: add hbm_bytes = { value = ..., unit = \"B\", kind = \"published\", "
        "source = \"...\" }");
  CHECK(refusal(with_field("title", "")) == "x.toml: title is missing: add title = \"...\"");
  CHECK_THAT(refusal(""), Contains("name is missing"));
}

TEST_CASE("other names of a device are optional") {
  CHECK(parse_device(toy_file(), "x.toml").aliases.empty());
  CHECK(parse_device("aliases = \"mine, my card\"\n" + toy_file(), "x.toml").aliases == "mine, my card");
}

TEST_CASE("an unknown field is refused with its line and the nearest name") {
  CHECK_THAT(refusal(edited("\nsm_count", "\nsm_cuont")),
             StartsWith("x.toml:6: unknown field \"sm_cuont\"") && Contains("did you mean \"sm_count\"?"));
  CHECK_THAT(refusal(edited("unit = \"SM\"", "units = \"SM\"")),
             StartsWith("x.toml:6: unknown part of sm_count \"units\": did you mean \"unit\"?"));
}

TEST_CASE("a field of the wrong type is refused") {
  CHECK_THAT(refusal(with_field("sm_count", "sm_count = 4")),
             StartsWith("x.toml:6: sm_count must be a table: sm_count = { value = ..., unit = \"SM\""));
  CHECK(refusal(with_value("sm_count", "4.5", "SM")) == "x.toml:6: sm_count: value must be a whole number of SM");
  CHECK(refusal(with_value("sm_count", "\"four\"", "SM")) ==
        "x.toml:6: sm_count: value must be a whole number of SM; k, M, G and T are powers of 1,024");
  CHECK_THAT(refusal(with_field("title", "title = 3")), Contains("title must be text in quotes"));
}

TEST_CASE("a value outside its plausible range is refused with the range") {
  CHECK(refusal(with_value("sm_count", "-4", "SM")) ==
        "x.toml:6: sm_count: value -4 is not plausible: allowed are 1 to 999 SM");
  CHECK_THAT(refusal(with_value("exps_per_clock", "0", "exp/clk")), Contains("value 0 is not plausible"));
  CHECK_THAT(refusal(with_value("l2_bytes", "40", "B")), Contains("allowed are 524288 to 523239424 B"));
  CHECK_THAT(refusal(with_value("l2_bytes", "9223372036854775807", "B")), Contains("not plausible"));
}

TEST_CASE("a wrong unit is refused with the expected one") {
  CHECK_THAT(refusal(with_value("hbm_bytes_per_second", "64", "GB/s")),
             Contains("hbm_bytes_per_second: unit \"GB/s\" is wrong: expected \"B/s\""));
  CHECK_THAT(refusal(edited("unit = \"SM\", ", "")), Contains("sm_count: unit is missing"));
}

TEST_CASE("a field without a source or with an unknown kind is refused") {
  CHECK_THAT(refusal(edited(", source = \"chosen for lessons\"", "")), Contains("sm_count: source is missing"));
  CHECK_THAT(refusal(edited("chosen for lessons", "  ")), Contains("sm_count: source must not be empty"));
  CHECK_THAT(refusal(edited("chosen for lessons", "two\\nlines")), Contains("source must be one line"));
  CHECK_THAT(refusal(edited("\"estimated\"", "\"measurd\"")),
             Contains("unknown kind \"measurd\": did you mean \"measured\"? known: published, measured, estimated"));
}

TEST_CASE("a name of other characters than a-z, 0-9 and - is refused") {
  CHECK_THAT(refusal(edited("\"toy\"", "\"Toy GPU\"")),
             Contains("name \"Toy GPU\" is not allowed: use a-z, 0-9 and -"));
  CHECK_THAT(refusal(edited("\"toy\"", "\"../toy\"")), Contains("is not allowed"));
}

TEST_CASE("a TOML syntax error is refused with its line and column") {
  CHECK_THAT(refusal("name = \"x\"\ntitle = = 3\n"), StartsWith("x.toml:2:9: not TOML: "));
  CHECK_THAT(refusal("name = \"x\"\nname = \"y\"\n"), StartsWith("x.toml:2:"));
  CHECK_THAT(refusal(std::string("name = \"\xff\xfe\"")), StartsWith("x.toml:1:"));
}

TEST_CASE("the line of a table is refused before the TOML parser sees it") {
  CHECK(refusal("name = \"x\"\n \t[hbm]\n") == "x.toml:2: a device file has no [tables]: write name = { ... }");
  CHECK_THAT(refusal("\xef\xbb\xbf[.a]"), StartsWith("x.toml:1: a device file has no [tables]"));
  CHECK(refusal(edited("chosen for lessons", "chosen [for] lessons")) == "accepted");
}

TEST_CASE("characters beyond ASCII are text and comments of a device file, and nothing else") {
  const std::string source = "quoted \\\" and é # [課", comment = "# ['é\n";
  CHECK(refusal("\xef\xbb\xbf" + comment + edited("chosen for lessons\"", source + "\"")) == "accepted");
  CHECK(refusal("n\xef\xbb\xbd$ce'''") == "x.toml:1: only text in quotes and comments may go beyond ASCII");
  CHECK(refusal("a = 1\né = 2") == "x.toml:2: only text in quotes and comments may go beyond ASCII");
  CHECK_THAT(refusal("a = 'it\\' é"), Contains("only text in quotes"));
  CHECK(refusal("a = \"\"\"x\\\né\"\"\"") == "x.toml:1: text has one quote on each side: write \"...\"");
  CHECK_THAT(refusal("a = ''''''"), Contains("one quote on each side"));
  CHECK(refusal("a = { b = 28_0@\"é\" }") == "x.toml:1: \"28_0@\"é\"\" is not a number");
  CHECK_THAT(refusal("a = 1979-05-27 0=\"é\""), Contains("is not a number"));
}

TEST_CASE("a malformed date or key of a device file is refused where the TOML parser would assert") {
  CHECK(refusal("a = 1979-02-27Tb730:600c = 1979-05-27\n") ==
        "x.toml: not TOML: a date, a number or a key is malformed");
}

TEST_CASE("a malicious device file is rejected and costs neither memory nor stack") {
  CHECK_THAT(refusal(std::string(1 << 20, '#')), Contains("the file has 1048576 bytes, a device file at most 12288"));
  std::string dotted, brackets(8000, '[');
  for (int i = 0; i < 6000; ++i) dotted += "a.";
  CHECK_THAT(refusal(dotted + "a = 1"), Contains("at most 256 dots and brackets"));
  CHECK_THAT(refusal("name = " + brackets), Contains("at most 256 dots and brackets"));
  CHECK_THAT(refusal(dotted.substr(0, 400) + "a = 1"), Contains("unknown field \"a\""));
  CHECK_THAT(refusal("name = " + brackets.substr(0, 200)), Contains("not TOML"));
  CHECK_THAT(refusal("\"a\\nb" + std::string(9000, 'c') + "\" = 1"), Contains("unknown field \"a b"));
}

TEST_CASE("a truncated device file is accepted or refused with an Error, never anything else") {
  const std::string file = toy_file();
  const std::size_t last_line = file.find("fp32_flops_per_clock");  // later fields may be absent
  for (std::size_t size = 0; size < last_line; size += 5) CHECK(refusal(file.substr(0, size)) != "accepted");
}

TEST_CASE("a mutated device file is accepted or refused with an Error, never anything else") {
  std::mt19937 random(1);
  const std::string file = toy_file();
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string mutant = file;
    for (int i = 0; i <= round % 3; ++i) {
      const std::size_t at = random() % mutant.size();
      const char byte = static_cast<char>(random() % 256);
      switch (random() % 4) {
        case 0:
          mutant[at] = byte;
          break;
        case 1:
          mutant.insert(at, 1, byte);
          break;
        case 2:
          mutant.erase(at, 1 + random() % 20);
          break;
        default:
          mutant.insert(at, mutant.substr(random() % mutant.size(), random() % 200));
          break;
      }
    }
    refused += refusal(mutant) != "accepted";
  }
  CHECK(refused > 500);
  CHECK(refused < 2000);  // a mutation of a comment or a source changes nothing that is checked
}

}  // namespace
}  // namespace sim
