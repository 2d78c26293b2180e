// flashscope compare in the formats of documents.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

using Catch::Contains;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;

namespace {

std::string compared(Words words) {
  words.insert(words.begin(), "compare");
  const program::Result result = program::run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result.out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The cells of the row whose first cell is `title`.
std::vector<std::string> row_of(const std::string& markdown, const std::string& title) {
  for (const std::string& line : lines_of(markdown)) {
    if (!line.starts_with("| " + title + " |")) continue;
    std::vector<std::string> cells;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell.substr(1, cell.size() - 2));
    return cells;
  }
  FAIL("no row " << title);
  return {};
}

const Words scenario = {"--model", "gpt2-medium", "--batch", "64"};

}  // namespace

TEST_CASE("compare's Markdown holds the numbers of its terminal table") {
  const std::string markdown = compared(with(scenario, {"--format", "markdown"}));
  CHECK(row_of(markdown, "tile traffic") == Words{"tile traffic", "11.9 GB", "3.77 GB (0.32 x)", "2.42 GB (0.20 x)"});
  CHECK(row_of(markdown, "- read").at(1) == "7.52 GB");
  CHECK(row_of(markdown, "bound by") == Words{"bound by", "hbm", "hbm", "issue"});
  const std::string table = compared(scenario);
  for (const std::string& cell : row_of(markdown, "peak HBM memory")) {
    CHECK_THAT(table, Contains(cell.substr(0, cell.find(" ("))));
  }
}

TEST_CASE("every number of compare's rows equals its JSON, to the digits shown") {
  using Json = nlohmann::json;
  const Words words = with(scenario, {"--pass", "forward+backward", "--causal"});
  const Json results = Json::parse(compared(with(words, {"--format", "json"}))).at("results");
  const std::string markdown = compared(with(words, {"--format", "markdown"}));
  const std::pair<const char*, std::vector<const char*>> rows[] = {
      {"tile traffic", {"/tile_traffic/total/read_bytes", "/tile_traffic/total/write_bytes"}},
      {"- read", {"/tile_traffic/total/read_bytes"}},
      {"- written", {"/tile_traffic/total/write_bytes"}},
      {"HBM traffic after L2", {"/hbm_traffic/read_bytes", "/hbm_traffic/write_bytes"}},
      {"compulsory traffic", {"/hbm_traffic/compulsory_bytes"}},
      {"peak HBM memory", {"/memory/peak_hbm_bytes"}},
      {"- beyond Q, K, V, O", {"/memory/extra_hbm_bytes"}},
      {"matrix FLOPs", {"/work/matmul_flops"}},
      {"other FLOPs", {"/work/other_flops"}},
      {"exponentials", {"/work/exp_count"}}};
  const std::map<std::string, double> prefixes = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
  for (const auto& [title, pointers] : rows) {
    const Words cells = row_of(markdown, title);
    for (std::size_t run = 0; run < results.size(); ++run) {
      double exact = 0;
      for (const char* pointer : pointers) exact += results.at(run).at(Json::json_pointer(pointer)).get<double>();
      std::istringstream cell(cells.at(run + 1));
      double shown = 0;
      std::string unit;
      cell >> shown >> unit;
      INFO(title << ' ' << cells.at(run + 1));
      CHECK(shown * prefixes.at(unit.substr(0, 1)) == Approx(exact).epsilon(0.006));
    }
  }
}

TEST_CASE("every row of compare's Markdown and LaTeX has a cell per algorithm") {
  const Words four = {"--algorithms", "standard,memory-efficient,flash1,flash2", "--numerics", "on", "--seqlen", "64"};
  for (const std::string& line : lines_of(compared(with(four, {"--format", "markdown"})))) {
    if (line.starts_with("|")) CHECK(std::count(line.begin(), line.end(), '|') == 6);
  }
  for (const std::string& line : lines_of(compared(with(four, {"--format", "latex"})))) {
    if (line.ends_with("\\\\")) CHECK(std::count(line.begin(), line.end(), '&') == 4);
  }
}

TEST_CASE("compare's LaTeX is a tabular with its command as a comment and LaTeX characters escaped") {
  const std::string latex = compared({"--causal", "--format", "latex"});
  CHECK_THAT(latex, Contains("% made by: flashscope compare --format latex --causal\n"));
  CHECK_THAT(latex, Contains("\\begin{tabular}{@{}lrrr@{}}\n\\toprule\n"));
  CHECK_THAT(latex, Contains("\\bottomrule\n\\end{tabular}}\n"));
  CHECK_THAT(latex, Contains("predicted time (") && Contains("$\\times$"));
  for (const std::string& line : lines_of(latex)) {
    if (line[0] == '%') continue;
    for (std::size_t at = 0; at < line.size(); ++at) {
      const bool special = std::string("_#").find(line[at]) != std::string::npos;
      if (special) CHECK((at > 0 && line[at - 1] == '\\'));
    }
  }
}

TEST_CASE("compare's LaTeX fits into a column of a two-column article") {
  if (!program::possible("command -v pdflatex && kpsewhich booktabs.sty", "pdflatex with booktabs")) return;
  const Folder folder;
  std::string article = "\\documentclass[10pt,twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n";
  const std::vector<Words> each = {
      {"--batch", "4", "--heads", "32"},
      {"--model", "llama-3-70b", "--seqlen", "131072", "--batch", "16"},
      {"--model", "gpt2-medium", "--pass", "forward+backward", "--gpu", "t4", "--seqlen", "640"},
      {"--seqlen", "8", "--head-dim", "8"},
      {"--seqlen", "3000", "--causal", "--gpu", "b200", "--dtype", "bf16"}};
  for (const Words& words : each) {
    const std::string name = std::to_string(article.size()) + ".tex";
    program::write_file(folder / name, compared(with(words, {"--format", "latex"})));
    article += "\n\\input{" + name + "}\n";
  }
  program::write_file(folder / "article.tex", article + "\\end{document}\n");
  const program::Result made = program::shell(folder, "HOME=$PWD pdflatex -interaction=nonstopmode article.tex");
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.out, !Contains("Overfull"));
}

TEST_CASE("numbers of compare's LaTeX equal those of its JSON in the unit of their row") {
  using Json = nlohmann::json;
  const Words words = with(scenario, {"--causal"});
  const Json results = Json::parse(compared(with(words, {"--format", "json"}))).at("results");
  const std::string latex =
      compared(with(words, {"--format", "latex", "--columns", "peak-memory,matrix-flops,time,memory.peak_sram_bytes"}));
  const std::tuple<const char*, const char*, double> rows[] = {
      {"peak memory (GB)", "/memory/peak_hbm_bytes", 1e9},
      {"matrix FLOPs (GFLOP)", "/work/matmul_flops", 1e9},
      {"predicted time (ms)", "/time/microseconds", 1e3},
      {"memory.peak\\_sram\\_bytes (KiB)", "/memory/peak_sram_bytes", 1024}};
  for (const auto& [title, pointer, unit] : rows) {
    INFO(title << " in " << latex);
    const std::size_t at = latex.find(std::string(title) + " & ");
    REQUIRE(at != std::string::npos);
    std::istringstream cells(latex.substr(at, latex.find('\n', at) - at));
    std::string cell;
    std::getline(cells, cell, '&');
    for (const Json& run : results) {
      std::getline(cells, cell, '&');
      const double exact = run.at(Json::json_pointer(pointer)).get<double>() / unit;
      CHECK(std::stod(cell) == Approx(exact).epsilon(0.005));  // three digits
    }
  }
}

TEST_CASE("the option --columns chooses the rows of compare, in their order") {
  const Words chosen = {"--columns", "time,bound-by,read,hbm_traffic.by_tensor.S"};
  const std::string markdown = compared(with(with(scenario, {"--format", "markdown"}), chosen));
  const std::size_t time = markdown.find("| predicted time |"), bound = markdown.find("| bound by |");
  CHECK(time < bound);
  CHECK(bound < markdown.find("| - read |"));
  CHECK(row_of(markdown, "- read").at(1) == "7.52 GB");
  CHECK(row_of(markdown, "hbm\\_traffic.by\\_tensor.S").at(2) == "-");  // flash1 moves no S
  CHECK_THAT(markdown, !Contains("tile traffic |") && !Contains("attainable"));
  const std::string csv = compared({"--format", "csv", "--columns", "read,time.budget.issue"});
  CHECK_THAT(csv, Catch::StartsWith("algorithm,tile_traffic.total.read_bytes,time.budget.issue\nstandard,"));
}

TEST_CASE("the option --columns refuses unknown and repeated columns, and those that no run has") {
  program::check_refused({"compare", "--columns", "hbm"}, {"unknown column \"hbm\": did you mean \"hbm-traffic\"?",
                                                           "bound-by", "simulate --format json"});
  program::check_refused({"compare", "--columns", "time,time.microseconds"}, {"\"time.microseconds\" occurs twice"});
  program::check_refused({"compare", "--columns", ""}, {"unknown column"});
  program::check_refused({"compare", "--algorithms", "flash2", "--columns", "hbm_traffic.by_tensor.S"},
                         {"no run has hbm_traffic.by_tensor.S"});
  program::check_refused({"compare", "--format", "json", "--columns", "time"}, {"belongs to a table"});
  program::check_refused({"compare", "--format", "csv", "--columns", "bound-by"}, {"unknown column"});
}

TEST_CASE("a control character in an option does not end a comment of compare's LaTeX") {
  const std::string latex = compared({"--format", "latex", "--algorithms", "flash2", "--scale", "\n1"});
  CHECK_THAT(latex, Contains("% made by: flashscope compare --algorithms flash2 --format latex --scale  1\n"));
}

TEST_CASE("compare's charts show the totals of their quantity") {
  const Words both = with(scenario, {"--pass", "forward+backward", "--dropout", "0.1", "--format", "svg"});
  CHECK_THAT(compared(with(both, {"--chart", "hbm-traffic"})),
             Contains("HBM traffic by tensor") && Contains(">dQ</text>"));
  const std::string memory = compared(with(both, {"--chart", "memory"}));
  CHECK_THAT(memory, Contains(">8.32 GB</text>") && Contains("<title>P: 2,147,483,648 B</title>"));
  CHECK_THAT(compared(with(both, {"--chart", "time"})),
             Contains("<title>softmax_backward: ") && Contains(">qk_gemm, softmax, dropout, pv_gemm, dv_gemm, "));
  CHECK_THAT(compared(with(both, {})), Contains("Tile traffic by tensor"));
}

TEST_CASE("the option --output writes compare's result in the format of its suffix") {
  const Folder folder;
  for (const auto& [name, begin] : {std::pair{"a.md", "forward: "},
                                    {"a.tex", "% forward: "},
                                    {"a.svg", "<svg "},
                                    {"a.csv", "algorithm,"},
                                    {"a.json", "{\n"},
                                    {"a.txt", "forward: "}}) {
    const program::Result result = program::run(folder, {"compare", "--output", name});
    INFO(name << ' ' << result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out.empty());
    CHECK_THAT(program::read_file(folder / name), Catch::StartsWith(begin));
  }
  CHECK(program::run(folder, {"compare", "--output", "data", "--format", "csv"}).exit_code == 0);
}

TEST_CASE("compare refuses a suffix that names no format, a chart without svg, and a folder that does not exist") {
  const Folder folder;
  program::check_refused(folder, {"compare", "--output", "a.png"},
                         {"allowed are .json, .csv, .txt, .md, .tex and .svg"});
  program::check_refused(folder, {"compare", "--chart", "memory"}, {"chart: belongs to --format svg"});
  program::check_refused(folder, {"compare", "--chart", "joy", "--format", "svg"},
                         {"tile-traffic, hbm-traffic, memory, time, roofline"});
  program::check_refused(folder, {"compare", "--output", "none/a.md"}, {"none/a.md"});
  CHECK(folder.files() == 0);
}
