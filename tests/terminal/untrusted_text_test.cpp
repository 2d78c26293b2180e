// Untrusted text enters by every input and leaves in every format, with invisible characters escaped.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/measurements/example.h"
#include "tests/support/device_file.h"
#include "tests/support/profile_text.h"
#include "tests/support/program.h"
#include "tests/support/untrusted.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;

namespace {

/// Runs the command, which may fail but not by a signal, and checks that its output is printable.
program::Result seen(const Folder& folder, const Words& words) {
  program::Result result = program::run(folder, words);
  INFO(sim::printable(Catch::StringMaker<Words>::convert(words)));
  CHECK(result.exit_code >= 0);
  CHECK(result.exit_code <= 3);
  untrusted::check_seen(result.out);
  untrusted::check_seen(result.err);
  return result;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return result + "\"";
}

/// A device with control characters in its title, its architecture and one source.
std::string device() {
  using namespace device_file;
  std::string file = with_field("title", "title = " + in_quotes(untrusted::polite));
  file = with_field("architecture", "architecture = " + in_quotes(untrusted::polite), file);
  return with_field(
      "sm_count",
      "sm_count = { value = 4, unit = \"SM\", kind = \"estimated\", source = " + in_quotes(untrusted::polite) + " }",
      file);
}

std::string recording() {
  std::string text = example_recording;
  const auto replace = [&](const std::string& before, const std::string& after) {
    REQUIRE(text.find(before) != std::string::npos);
    text.replace(text.find(before), before.size(), after);
  };
  const std::string any = untrusted::unseen + "\xff<script>";
  replace("Example H200", any);
  replace("CUDA 13.0", any);
  replace("flashscope bench --scenarios default", any);
  replace("pytorch-flash", any);
  return text;
}

const Words small = {"--seqlen", "64", "--head-dim", "16"};

}  // namespace

TEST_CASE("arguments of any bytes are printed as visible text", "[repeats]") {
  const Folder folder;
  for (const std::string& text : untrusted::texts) {
    seen(folder, {text});
    seen(folder, {"simulate", text});
    seen(folder, {"simulate", "--" + text});
    seen(folder, {"simulate", "--" + text + "=1"});
    for (const char* option : {"--algorithm", "--gpu", "--seqlen", "--scale", "--why", "--format", "--input-q"})
      seen(folder, {"simulate", option, text});
    seen(folder, {"simulate", "--trace", "t.json", "--cta", text});
    seen(folder, {"sweep", "--over", text});
    seen(folder, {"sweep", "--over", "gpu=" + text + ".toml"});
    seen(folder, {"sweep", "--over", "seqlen=64", "--formula", text});
    seen(folder, {"compare", "--algorithms", text});
    seen(folder, {"verify", "--scenarios", text});
    seen(folder, {"verify", "--kernel", text});
  }
}

TEST_CASE("file names of any bytes are printed as visible text") {
  const Folder folder;
  const std::string gpu = untrusted::name + ".toml", list = untrusted::name + ".list", cells = untrusted::name + ".csv";
  program::write_file(folder / gpu, device());
  program::write_file(folder / list, "--seqlen nothing\n");
  program::write_file(folder / cells, "not,a,recording\n");
  program::write_file(folder / (untrusted::name + ".npy"), "no array");
  for (const char* format : {"table", "json", "csv"}) {
    CHECK(seen(folder, with({"simulate", "--gpu", gpu, "--format", format}, small)).exit_code == 0);
    const program::Result swept = seen(folder, {"sweep", "--over", "gpu=" + gpu, "--seqlen", "64", "--format", format});
    CHECK(swept.exit_code == 0);
    if (std::string(format) == "json") CHECK(Json::parse(swept.out).at("rows").size() == 1);
  }
  program::write_file(folder / (untrusted::name + "2.toml"), "name = 1");
  CHECK(seen(folder, {"devices", "--gpu", untrusted::name + "2.toml"}).exit_code == 2);
  CHECK(seen(folder, {"verify", "--scenarios", list}).exit_code == 2);
  CHECK(seen(folder, with({"verify", "--recorded", cells}, small)).exit_code == 2);
  CHECK(seen(folder, with({"verify", "--import", cells}, small)).exit_code == 2);
  CHECK(seen(folder, {"simulate", "--input-q", untrusted::name + ".npy"}).exit_code == 2);
  CHECK(seen(folder, {"simulate", "--output", untrusted::name + "/none.npy"}).exit_code == 2);
  CHECK(seen(folder, with({"demo", "--output-dir", untrusted::name}, small)).exit_code == 0);
}

TEST_CASE("titles and sources of device files are printed as visible text in every format", "[repeats]") {
  const Folder folder;
  program::write_file(folder / "gpu.toml", device());
  CHECK_THAT(seen(folder, {"devices", "--gpu", "gpu.toml"}).out, Contains("\\u{9b}31m\\u{202e}"));
  const Json json = Json::parse(seen(folder, {"devices", "--gpu", "gpu.toml", "--format", "json"}).out);
  CHECK(json.at("devices").at(0).at("title") == untrusted::polite);  // JSON has the full text, escaped
  for (const char* format : {"table", "json", "csv"})
    CHECK(seen(folder, with({"simulate", "--gpu", "gpu.toml", "--format", format}, small)).exit_code == 0);
  for (const char* suffix : {"md", "tex", "svg", "csv", "json", "txt"}) {
    const std::string file = std::string("out.") + suffix;
    const Words words =
        with({"compare", "--algorithms", "standard,flash2", "--gpu", "gpu.toml", "--output", file}, small);
    CHECK(seen(folder, words).exit_code == 0);
    const std::string text = program::read_file(folder / file);
    untrusted::check_seen(text);
    if (file != "out.json" && file != "out.tex" && file != "out.txt") CHECK(text.find("<script") == std::string::npos);
  }
  CHECK_THAT(program::read_file(folder / "out.md"), Contains("&lt;script&gt;"));
  for (const char* chart : {"tile-traffic", "hbm-traffic", "memory", "time", "roofline"}) {
    const Words words = with({"compare", "--gpu", "gpu.toml", "--output", "out.svg", "--chart", chart}, small);
    CHECK(seen(folder, words).exit_code == 0);
    const std::string text = program::read_file(folder / "out.svg");
    untrusted::check_seen(text);
    CHECK(text.find("<script") == std::string::npos);
  }
  for (const char* file : {"t.json", "t.csv", "t.txt"}) {
    CHECK(seen(folder, with({"simulate", "--gpu", "gpu.toml", "--trace", file}, small)).exit_code == 0);
    untrusted::check_seen(program::read_file(folder / file));
  }
  CHECK(seen(folder, with({"simulate", "--gpu", "gpu.toml", "--trace", "t.pftrace"}, small)).exit_code == 0);
  CHECK(program::read_file(folder / "t.pftrace").find("\xe2\x80\xae") == std::string::npos);
  CHECK(seen(folder, with({"tune", "--gpu", "gpu.toml"}, small)).exit_code == 0);
  CHECK(seen(folder, with({"verify", "--gpu", "gpu.toml", "--device", "recorded"}, small)).exit_code <= 3);
}

TEST_CASE("device files with control characters are refused with a printable message") {
  const Folder folder;
  for (const char* text : {"\\u001b[31m", "\\u0007", "\x1b[31m", "\xff"}) {
    program::write_file(folder / "gpu.toml", device_file::with_field("title", std::string("title = \"") + text + "\""));
    CHECK(seen(folder, {"devices", "--gpu", "gpu.toml"}).exit_code == 2);
  }
  program::write_file(folder / "gpu.toml", device_file::toy_file() + "\n'\xe2\x80\xae\\' = 1\n");
  CHECK(seen(folder, {"devices", "--gpu", "gpu.toml"}).exit_code == 2);
}

TEST_CASE("recordings are printed as visible text", "[slow]") {  // a fuzzer reads them as well
  const Folder folder;
  program::write_file(folder / "r.csv", recording());
  const Words scenario = {"--seqlen", "256", "--heads", "2", "--causal", "--gpu", "h200", "--recorded", "r.csv"};
  for (const char* format : {"table", "json"}) {
    CHECK(seen(folder, with({"verify", "--device", "recorded", "--format", format}, scenario)).exit_code == 0);
    CHECK(seen(folder, {"validate", "--recorded", "r.csv", "--points", "--format", format}).exit_code <= 1);
  }
  CHECK(seen(folder, {"validate", "--recorded", "r.csv", "--points", "--format", "csv"}).exit_code <= 1);
}

TEST_CASE("names in profiles of Nsight Compute are printed as visible text", "[repeats]") {
  const Folder folder;
  for (const std::string& text : untrusted::texts) {
    if (text.find('\n') != std::string::npos) continue;
    const profile_text::Launch launch = {"0", text, {{"dram__bytes_read.sum", "byte", "1"}, {"x" + text, text, text}}};
    program::write_file(folder / "p.csv", profile_text::raw({launch}));
    for (const char* format : {"table", "json"}) {
      const program::Result result = seen(folder, with({"verify", "--import", "p.csv", "--format", format}, small));
      if (result.exit_code == 0 && std::string(format) == "json")
        CHECK(Json::parse(result.out).at("launches").size() == 1);
    }
    seen(folder, with({"verify", "--import", "p.csv", "--launch", text}, small));
  }
}

TEST_CASE("lines of scenario lists are printed as visible text", "[slow]") {
  const Folder folder;
  for (const std::string& text : untrusted::texts) {
    for (const std::string& line :
         {"--algorithm " + text, text, "seqlen=64&" + text, "algorithm=" + text, "--kernel " + text}) {
      program::write_file(folder / "list", line + "\n");
      for (const char* format : {"table", "json"})
        seen(folder, {"verify", "--scenarios", "list", "--seqlen", "32", "--head-dim", "16", "--format", format});
    }
    program::write_file(folder / "list", "# " + text + "\n--seqlen 32 --head-dim 16 --kernel flash2 --dtype fp32\n");
    seen(folder, {"verify", "--scenarios", "list"});
  }
}

TEST_CASE("links are printed as visible text", "[slow]") {
  const Folder folder;
  for (const std::string& text : {std::string("%1b%5b31m"), std::string("%c2%9b"), std::string("%ff"),
                                  std::string("%e2%80%ae"), untrusted::unseen, untrusted::markup}) {
    for (const std::string& link : {"#seqlen=" + text, "#" + text + "=1", "#gpu=" + text, "#compare=flash1,br:" + text})
      seen(folder, {"screenshot", "--describe", "--link", link + "&batch=1&heads=1"});
    seen(folder, {"explore", "--describe", text});
  }
}

TEST_CASE("text in a CSV is never a spreadsheet formula") {
  const Folder folder;
  program::write_file(folder / "=1+1.toml", device_file::toy_file());
  program::write_file(folder / "@x,y.toml", device_file::toy_file());
  const program::Result result = program::run(folder, {"sweep", "--seqlen", "64", "--over", "gpu==1+1.toml"});
  CHECK_THAT(result.out, Contains("\n'=1+1.toml,"));
  CHECK_THAT(program::run(folder, {"simulate", "--scale", "-0.5", "--format", "csv"}).out,
             Contains("scenario.scale,-0.5\n"));
}
