// Columns selected for a sweep, its table in LaTeX, and its chart.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::good;
using program::with;
using Words = std::vector<std::string>;

namespace {

const Words lengths = {"sweep", "--over", "seqlen=1024:8192:x2", "--heads", "4"};

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string chart(const Words& more) { return good(with(with(lengths, {"--format", "svg"}), more)).out; }

/// The centres of the circles of a class.
std::vector<std::pair<double, double>> circles(const std::string& svg, const std::string& look) {
  const std::regex circle("<circle class=\"" + look + "\" cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::vector<std::pair<double, double>> all;
  for (std::sregex_iterator found(svg.begin(), svg.end(), circle), end; found != end; ++found)
    all.emplace_back(std::stod((*found)[1]), std::stod((*found)[2]));
  return all;
}

}  // namespace

TEST_CASE("the option --columns selects the numbers of a sweep, equal to those of simulate") {
  const Words chosen = {"--columns", "hbm-traffic,time,tile_traffic.by_tensor.K.read_bytes"};
  const Json rows = Json::parse(good(with(with(lengths, chosen), {"--format", "json"})).out).at("rows");
  REQUIRE(rows.size() == 4);
  for (const Json& row : rows) {
    const Words words = {
        "simulate", "--heads", "4", "--format", "json", "--seqlen", std::to_string(row.at("seqlen").get<int>())};
    const Json run = Json::parse(good(words).out);
    CHECK(row.at("hbm_traffic") == run.at("hbm_traffic").at("read_bytes").get<std::int64_t>() +
                                       run.at("hbm_traffic").at("write_bytes").get<std::int64_t>());
    CHECK(row.at("time.microseconds") == run.at("time").at("microseconds"));
    CHECK(row.at("tile_traffic.by_tensor.K.read_bytes") ==
          run.at("tile_traffic").at("by_tensor").at("K").at("read_bytes"));
    CHECK(row.size() == 5);
  }
  CHECK_THAT(good(with(lengths, chosen)).out,
             Catch::StartsWith("seqlen,hbm_traffic,time.microseconds,tile_traffic.by_tensor.K.read_bytes,error\n"));
  CHECK_THAT(good(with(with(lengths, chosen), {"--format", "table"})).out, Contains("HBM traffic  predicted time"));
}

TEST_CASE("a selected column that no row of a sweep has is named in a warning") {
  const program::Result result = good(with(lengths, {"--columns", "time,tile_traffic.by_tensor.S"}));
  CHECK_THAT(result.err, Contains("warning: columns: no row has a number tile_traffic.by_tensor.S"));
  CHECK_THAT(result.err, !Contains("time.microseconds"));
}

TEST_CASE("a sweep's LaTeX fits into a column of a two-column article, each number in the unit of its head") {
  const std::string latex = good(with(lengths, {"--over", "causal=0,1", "--format", "latex"})).out;
  CHECK_THAT(latex, Contains("\\shortstack[r]{HBM\\\\traffic\\\\(MB)}"));
  CHECK_THAT(latex, Contains("% made by: flashscope sweep ") && Contains("\\usepackage{booktabs}"));
  const Json rows =
      Json::parse(good(with(lengths, {"--over", "causal=0,1", "--format", "json", "--columns", "hbm-traffic"})).out)
          .at("rows");
  std::istringstream lines(latex);
  std::size_t row = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" & ") == std::string::npos || line.find("seqlen") != std::string::npos) continue;
    std::istringstream cells(line);
    std::string cell;
    for (int n = 0; n < 4; ++n) std::getline(cells, cell, '&');
    CHECK(std::stod(cell) ==
          Approx(rows.at(row).at("hbm_traffic").get<double>() / 1e6).epsilon(0.005));  // three digits
    ++row;
  }
  CHECK(row == rows.size());
  if (!program::possible("command -v pdflatex && kpsewhich booktabs.sty", "pdflatex with booktabs")) return;
  const Folder folder;
  program::write_file(folder / "table.tex", latex);
  program::write_file(folder / "article.tex",
                      "\\documentclass[10pt,twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
                      "\\input{table.tex}\n\\end{document}\n");
  const program::Result made = program::shell(folder, "HOME=$PWD pdflatex -interaction=nonstopmode article.tex");
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.out, !Contains("Overfull"));
}

TEST_CASE("a sweep's chart has a line for each point of the other axes, with a dot for each row") {
  const std::string svg = chart({"--over", "algorithm=standard,flash2", "--over", "causal=0,1"});
  CHECK(occurrences(svg, " stroke-width=\"1.6\" ") == 8);  // in the chart, and a piece beside each name
  CHECK(occurrences(svg, "causal, seqlen ") == 16);
  for (const char* own :
       {"<circle class=\"dot\"", "<path class=\"dot\"", "<circle class=\"ring\"", " dash1\"", " dash2\""})
    CHECK(occurrences(svg, own) >= 1);  // lines differ in marks and dashes
  CHECK_THAT(svg, Contains(">standard, not causal</text>") && Contains(">flash2, causal</text>"));
  CHECK_THAT(svg, Contains("HBM traffic after L2 over seqlen") && Contains(">heads 4.</text>"));
  CHECK_THAT(svg, Contains("<title>flash2, causal, seqlen 1024: "));
}

TEST_CASE("an axis of multiplied values is logarithmic, and so is the axis of the quantity") {
  const auto dots =
      circles(chart({"--algorithm", "standard", "--quantity", "tile_traffic.by_tensor.S.write_bytes"}), "dot");
  REQUIRE(dots.size() == 4);  // N^2 is linear on logarithmic axes
  for (std::size_t n = 2; n < dots.size(); ++n) {
    CHECK(dots[n].first - dots[n - 1].first == Approx(dots[1].first - dots[0].first).margin(0.2));
    CHECK(dots[n].second - dots[n - 1].second == Approx(dots[1].second - dots[0].second).margin(0.2));
  }
  const Words linear = {"sweep", "--over", "seqlen=1000,2000,3000", "--format", "svg", "--quantity", "work.exp_count"};
  const auto exponentials = circles(good(linear).out, "dot");  // N^2 again, on a linear axis from 0
  REQUIRE(exponentials.size() == 3);
  const double one = exponentials[0].second - exponentials[1].second,
               two = exponentials[1].second - exponentials[2].second;
  CHECK(two / one == Approx(5.0 / 3).epsilon(0.01));
}

TEST_CASE("the labels of a chart's lines do not overlap, and are inside the chart") {
  const std::string svg =
      chart({"--over", "algorithm=standard,flash1,flash2", "--over", "head-dim=32,64,128", "--over", "causal=0,1"});
  const std::regex name("<text class=\"label\"[^>]* y=\"([0-9.]+)\"");
  double before = 0;
  std::size_t names = 0;
  for (std::sregex_iterator found(svg.begin(), svg.end(), name), end; found != end; ++found, ++names) {
    const double y = std::stod((*found)[1]);
    if (names > 0) CHECK(y >= before + 13);  // letters of 12 px
    CHECK(y < 540);
    before = y;
  }
  CHECK(names == 18);
}

TEST_CASE("published times are drawn as rings next to predicted ones of the same scenario") {
  const Words paper = {"sweep",
                       "--over",
                       "seqlen=2048,4096,8192",
                       "--batch",
                       "4",
                       "--heads",
                       "32",
                       "--pass",
                       "forward+backward",
                       "--gpu",
                       "a100-sxm-80gb",
                       "--tiling",
                       "released",
                       "--format",
                       "svg"};
  const std::string svg = good(with(paper, {"--quantity", "time"})).out;
  CHECK(occurrences(svg, "<title>published: ") == 1);
  CHECK_THAT(svg, Contains("Dao 2023 (FlashAttention-2)") && Contains(">published</text>"));
  CHECK(occurrences(good(with(paper, {"--quantity", "hbm-traffic"})).out, "class=\"ring\"") == 0);
}

TEST_CASE("a sweep refuses columns and quantities that do not fit its format") {
  check_refused(with(lengths, {"--columns", "hbm"}), {"unknown column \"hbm\": did you mean \"hbm-traffic\"?"});
  check_refused(with(lengths, {"--quantity", "time"}), {"quantity: belongs to --format svg"});
  check_refused(with(lengths, {"--format", "svg", "--columns", "time"}), {"a chart has one quantity, see --quantity"});
  check_refused(with(lengths, {"--format", "svg", "--quantity", "time,read"}), {"a chart has one quantity"});
  check_refused(with(lengths, {"--format", "svg", "--quantity", "tme"}), {"unknown quantity \"tme\"", "time"});
  const program::Result many = program::run(with(lengths, {"--format", "svg", "--over", "batch=1:30:1"}));
  CHECK(many.exit_code == 2);
  CHECK_THAT(many.err, Contains("a chart of 30 lines cannot be read, at most 24"));
}

TEST_CASE("the option --cite prints each work that the numbers are based on once") {
  const std::string flash2 =
      good({"simulate", "--cite", "--model", "gpt2-medium", "--batch", "16", "--gpu", "a100-sxm-80gb"}).out;
  CHECK_THAT(flash2, Catch::StartsWith("@software{flashscope,"));
  CHECK(occurrences(flash2, "@inproceedings{dao2024flashattention2,") == 1);
  CHECK_THAT(flash2, !Contains("dao2022flashattention") && Contains("Model of the NVIDIA A100"));
  const std::string three =
      good({"compare", "--cite", "--algorithms", "standard,flash1,rabe-staats", "--seqlen", "64"}).out;
  CHECK(occurrences(three, "dao2022flashattention") == 1);
  CHECK_THAT(three, Contains("rabe2021selfattention") && !Contains("dao2024flashattention2"));
  const std::string sweep = good(with(lengths, {"--over", "gpu=t4,h100-sxm", "--cite"})).out;
  CHECK_THAT(sweep, Contains("NVIDIA T4") && Contains("NVIDIA H100"));
  CHECK_THAT(good({"validate", "--cite"}).out, Contains("shah2024flashattention3") && Contains("dao2023flashdecoding"));
  CHECK_THAT(good({"validate", "--cite", "--group", "fa2-paper-a100"}).out, !Contains("shah2024flashattention3"));
}

TEST_CASE("every program's source and every published time has a bibliography entry") {
  const std::string all = good({"validate", "--cite"}).out;
  const std::regex key("\n@[a-z]+\\{([^,]+),");
  std::set<std::string> keys;
  for (std::sregex_iterator found(all.begin(), all.end(), key), end; found != end; ++found)
    CHECK(keys.insert((*found)[1]).second);
  CHECK(keys.size() >= 7);
  const std::string algorithms = "standard,memory-efficient,rabe-staats,fmha,flash1,flash2,flash-decoding,block-sparse";
  CHECK_THAT(good({"compare", "--cite", "--algorithms", algorithms, "--seqlen", "128"}).out,
             !Contains("Algorithm ") && Contains("nvidiaapex") && Contains("dao2023flashdecoding"));
}

TEST_CASE("BibTeX accepts the output of --cite") {
  if (!program::possible("command -v bibtex", "bibtex")) return;
  const Folder folder;
  program::write_file(folder / "works.bib", good({"validate", "--cite"}).out);
  program::write_file(folder / "paper.aux", "\\relax\n\\citation{*}\n\\bibstyle{plain}\n\\bibdata{works}\n");
  const program::Result read = program::shell(folder, "HOME=$PWD bibtex paper");
  CHECK_THAT(read.out, !Contains("error") && !Contains("Repeated entry"));
  CHECK_THAT(program::read_file(folder / "paper.bbl"), Contains("{F}lash-{D}ecoding"));
}
