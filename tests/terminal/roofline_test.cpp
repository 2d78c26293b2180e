// The roofline of flashscope compare: table, JSON, documents, chart.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/report/label_places.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

std::string printed(Words words) {
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// The box of each label of the chart's points.
std::vector<report::Box> labels_of(const std::string& svg) {
  std::vector<report::Box> boxes;
  const std::string begin = "<text class=\"label\" text-anchor=\"start\" x=\"";
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    double x = 0, y = 0;
    char name[64] = "";
    REQUIRE(std::sscanf(svg.c_str() + at + begin.size(), "%lf\" y=\"%lf\">%63[^<]", &x, &y, name) == 3);
    boxes.push_back({x, y - 11, x + 8.3 * static_cast<double>(std::string(name).size()), y + 4});
  }
  return boxes;
}

}  // namespace

TEST_CASE("compare's roofline entries are consistent: share = achieved / peak, achieved below attainable") {
  const Json all = Json::parse(printed({"compare", "--model", "gpt2-medium", "--batch", "64", "--format", "json"}));
  const Json& roofs = all.at("roofs");
  CHECK(roofs.at("ridge_flop_per_byte").at("hbm").get<double>() ==
        Approx(roofs.at("matrix_peak_tflops").get<double>() * 1e12 / roofs.at("hbm_bytes_per_second").get<double>()));
  for (const Json& run : all.at("results")) {
    const Json& roofline = run.at("roofline");
    REQUIRE(roofline.size() == run.at("kernels").size() + 1);
    CHECK(roofline.back().at("name") == "all kernels");
    CHECK(roofline.back().at("matmul_flops") == run.at("work").at("matmul_flops"));
    for (std::size_t k = 0; k < roofline.size(); ++k) {
      const Json& entry = roofline.at(k);
      const double achieved = entry.at("achieved_tflops"), peak = entry.at("peak_tflops");
      CHECK(entry.at("share_of_peak").get<double>() == Approx(achieved / peak));
      CHECK(achieved <= entry.at("attainable_tflops").get<double>());
      if (k + 1 < roofline.size()) CHECK(entry.at("intensity") == run.at("kernels").at(k).at("intensity"));
    }
  }
}

TEST_CASE("simulate reports a kernel's intensity and its derivation") {
  const Words words = {"simulate", "--algorithm", "flash2", "--seqlen", "512"};
  Words json = words, why = words;
  json.insert(json.end(), {"--format", "json"});
  why.insert(why.end(), {"--why", "kernels.0.intensity.tile"});
  const Json intensity = Json::parse(printed(json)).at("kernels").at(0).at("intensity");
  CHECK(intensity.at("tile").get<double>() == Approx(4.0 * 512 * 64 / (10 * 64 * 2 + 4)));
  CHECK_THAT(printed(why), Contains("FLOP/B") && Contains("matrix FLOPs / tile traffic = "));
}

TEST_CASE("compare's table and Markdown have a section roofline with units on every number") {
  for (const char* format : {"table", "markdown"}) {
    const std::string text = printed({"compare", "--format", format});
    CHECK(occurrences(text, "intensity, tile traffic") == 2);
    CHECK(occurrences(text, "intensity, HBM traffic") == 2);
    CHECK(occurrences(text, "FLOP/B") >= 12);
    CHECK(occurrences(text, "FLOP/s") >= 12);
    CHECK_THAT(text, Contains("longest kernel") && Contains("ridge at") && Contains("TB/s"));
  }
}

TEST_CASE("the roofline chart has a labelled dot and ring per algorithm, and labels that do not overlap") {
  for (const Words& more :
       {Words{}, Words{"--pass", "forward+backward", "--causal"}, Words{"--dtype", "fp32", "--gpu", "t4"},
        Words{"--seqlen", "8", "--gpu", "toy"}, Words{"--seqlen", "65536", "--gpu", "b200"}}) {
    Words words = {"compare", "--algorithms", "standard,memory-efficient,rabe-staats,flash1,flash2", "--format", "svg",
                   "--chart", "roofline"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string svg = printed(words);
    CHECK(occurrences(svg, "<circle class=\"dot\"") == 5 + 1);  // and one in the legend
    CHECK(occurrences(svg, "<circle class=\"ring\"") == 5 + 1);
    CHECK_THAT(svg, Contains("HBM ridge ") && Contains("L2 ridge ") && Contains("prefers-color-scheme:dark"));
    const std::vector<report::Box> labels = labels_of(svg);
    REQUIRE(labels.size() == 5);
    for (std::size_t a = 0; a < labels.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) CHECK(!labels[a].meets(labels[b]));
    }
  }
}

TEST_CASE("a run without FLOPs leaves no points in the roofline chart") {
  const std::string svg = printed({"compare", "--algorithms", "flash2", "--seqlen", "64", "--padding", "64", "--format",
                                   "svg", "--chart", "roofline"});
  CHECK(occurrences(svg, "<circle class=\"dot\"") <= 2);
  CHECK_THAT(svg, Contains("</svg>\n"));
}
