// flashscope algorithms: the list of algorithms; with --algorithm the listing itself.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"
#include "sim/catalogue/options.h"
#include "sim/model/approximate.h"
#include "sim/model/flat_gemm.h"
#include "sim/model/sparse_weights.h"
#include "sim/programs/program.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

void add_rows(const sim::Program& program, report::Table& table, std::string& sentences) {
  const std::string name(program.name);
  table.row({name, "forward", std::string(program.title), std::string(program.forward.source)});
  if (program.has_backward()) table.row({"", "backward", "", std::string(program.backward.source)});
  sentences += "  " + name + ": " + std::string(program.summary) + "\n";
}

std::string algorithm_table() {
  report::Table table({"algorithm", "passes", "name", "source"});
  std::string sentences;
  for (const sim::Program& program : sim::built_in_programs()) add_rows(program, table, sentences);
  for (const sim::Program& program : sim::variants()) add_rows(program, table, sentences);
  std::string also;
  for (const sim::Program& p : sim::variants())
    also += sim::text("--algorithm ", p.variant_of, " --tiling ", sim::name_of(p.rule), " is ", p.name, ".\n");
  return table.text() + "\n" + sentences + "\n" + also +
         "flashscope algorithms --algorithm NAME [--pass backward] prints the program: it is the listing.\n";
}

/// Formulas of attention that is not exact: the only rows here that nothing counts.
std::string approximate_table() {
  report::Table table({"family", "matrix FLOPs", "bytes", "a query meets", "source"});
  for (const sim::ApproximateFamily& f : sim::approximate_families())
    table.row(
        {std::string(f.name), std::string(f.flops), std::string(f.bytes), std::string(f.keys), std::string(f.source)});
  return table.text() + "\n" +
         "Formulas over N, not counts: one forward pass without a mask, each kernel reads its inputs and writes its "
         "outputs once;\nc = min(N/8, 256) as in the comparison of Dao et al. 2022, appendix E.6.\n" +
         sim::text("Published crossover of their runtimes with FlashAttention: ", sim::published_crossover[0], " to ",
                   sim::published_crossover[1], " tokens (Dao et al. 2022, section 4.3, A100).\n") +
         "flashscope sweep --over seqlen=128:65536:x2 --formula linformer:bytes sets one against the bytes of "
         "flash2.\n";
}

Json approximate_json() {
  Json list = Json::array();
  for (const sim::ApproximateFamily& f : sim::approximate_families())
    list.push_back(
        {{"name", f.name}, {"matmul_flops", f.flops}, {"bytes", f.bytes}, {"keys", f.keys}, {"source", f.source}});
  return {{"schema", 1}, {"formulas", list}, {"published_crossover", sim::published_crossover}};
}

/// Weights of a flat product as typed, "12288,4096": their columns and their rows.
sim::FlatGemm weights_of(const std::string& typed) {
  const std::vector<std::string_view> sizes = sim::split(typed, ",");
  constexpr std::int64_t most = 1 << 20;
  const auto size = [&](std::size_t n) { return sim::parse_whole_number("flat-gemm", sizes[n], 1, most); };
  sim::require(sizes.size() == 2, "flat-gemm: ", sim::quoted(typed),
               " is not N,K: columns and rows of the weights, such as 12288,4096");
  return {1, size(0), size(1)};
}

constexpr std::int64_t most_flat_rows = 1024;

/// Three implementations of products with few rows: the share of rows that they use, and what the roofline allows.
std::string flat_gemm_table(sim::FlatGemm gemm, const sim::DeviceSpec& gpu) {
  const sim::FlatRates rates = sim::flat_rates(gpu);
  report::Table table({"M", "CUDA cores", "padded to 8", "rows used", "padded to 64", "rows used"});
  for (gemm.m = 1; gemm.m <= most_flat_rows; gemm.m *= 2) {
    std::vector<std::string> row = {std::to_string(gemm.m)};
    for (const sim::FlatRows rows : sim::all_flat_rows) {
      row.push_back(report::microseconds(sim::least_microseconds(gemm, rows, rates)));
      if (rows != sim::FlatRows::cuda_cores) row.push_back(report::percent(sim::share_of_rows(gemm.m, rows)));
    }
    table.row(row);
  }
  gemm.m = 8;
  report::Table widths({"columns of a CTA", "CTAs", "FLOPs per element, M = 8"});
  for (const std::int64_t b_n : {8, 32, 128, 512})
    widths.row({std::to_string(b_n), report::thousands(sim::ctas_of_columns(gemm, b_n)),
                fmt::format("{:.3f}", sim::flops_per_element(gemm, b_n))});
  const auto first = [&](sim::FlatRows rows, sim::FlatRows than) {
    const auto m = sim::first_slower(gemm, rows, than, rates, most_flat_rows);
    return m ? sim::text("from M = ", *m) : sim::text("at no M up to ", most_flat_rows);
  };
  return sim::text(
      "(M x ", gemm.k, ") (", gemm.k, " x ", gemm.n, ") in fp16 on ", gpu.name,
      ": the least time that the roofline allows\n\n", table.text(), "\n", widths.text(),
      "\nM1, CUDA cores slower than tensor cores: ", first(sim::FlatRows::cuda_cores, sim::FlatRows::padded_to_8),
      ". Padding to 64 slower than to 8: ", first(sim::FlatRows::padded_to_64, sim::FlatRows::padded_to_8), ".\n",
      "M2, from which a library's kernel with rows padded to 64 is the faster one, is measured, not derived: "
      "a roofline has no latency and\nno idle SMs, which decide it. 12.5 % of the rows used is not 8 x "
      "slower: below some 200 rows the bytes of the weights decide.\n",
      "Source: Hong et al. 2024, FlashDecoding++, sections 4 and 5.\n");
}

/// Block-sparse weights as typed: "32,0.1" are blocks of 32 x 32, a tenth of them there.
sim::SparseWeights sparse_of(const std::string& typed) {
  const std::vector<std::string_view> words = sim::split(typed, ",");
  sim::require(words.size() == 2, "sparse: ", sim::quoted(typed),
               " is not BLOCK,SHARE: the rows of a block and the share of the blocks that are there, such as 32,0.1");
  return {sim::parse_whole_number("sparse", words[0], 1, 1024), sim::parse_number("sparse", std::string(words[1]))};
}

/// What block-sparse weights save: the products, and what the L2 takes back.
std::string sparse_table(sim::FlatGemm gemm, const sim::SparseWeights& weights, const sim::DeviceSpec& gpu) {
  report::Table table({"M", "FLOPs", "HBM", "X through the L2", "W through the L2", "gain without L2", "gain"});
  for (const std::int64_t m : {16, 128, 512, 1024, 4096}) {
    gemm.m = m;
    const sim::SparseWork work = sim::sparse_work(gemm, weights);
    const sim::SparseGain gain = sim::sparse_gain(gemm, weights, gpu);
    table.row({std::to_string(m), report::thousands(work.flops), report::bytes(work.hbm_bytes),
               report::bytes(work.x_tile_bytes), report::bytes(work.w_tile_bytes),
               fmt::format("{:.2f} x", gain.without_l2), fmt::format("{:.2f} x", gain.with_l2)});
  }
  return sim::text("(M x ", gemm.k, ") (", gemm.k, " x ", gemm.n, ") in fp16 on ", gpu.name, ", ",
                   report::percent(weights.density), " of the blocks of ", weights.block, " x ", weights.block,
                   ": the least time beside that of all weights\n\n", table.text(),
                   "\nA CTA has 128 rows and reads its rows of X again for each block: with small blocks the L2 is the "
                   "limit.\n");
}

/// The program, or its published code.
std::shared_ptr<const sim::Program> code_of(std::string_view name, bool released) {
  std::shared_ptr<const sim::Program> program = sim::find_program(name);
  if (!released) return program;
  for (const sim::Program& variant : sim::variants()) {
    if (variant.variant_of == program->name && variant.rule == sim::TilingRule::released)
      return sim::find_program(variant.name);
  }
  throw sim::Error("tiling: ", program->name, " has no released code: leave out --tiling released");
}

/// `title`: the requested algorithm's.
std::string listing(std::string_view title, const sim::Program& program, const std::string& pass_name) {
  const bool backward = pass_name == "backward";
  sim::require(!backward || program.has_backward(), "pass: ", program.name, " has no backward pass: forward");
  const sim::ProgramPass& pass = backward ? program.backward : program.forward;
  std::string out = sim::text(title, ", ", pass_name, ", ", pass.source, "\n\n");
  for (int number = 1; const char c : sim::listing_text(pass.listing)) {
    if (out.back() == '\n') {
      const std::string digits = std::to_string(number++);
      out += std::string(4 - std::min<std::size_t>(digits.size(), 4), ' ') + digits + "  ";
    }
    out += c;
  }
  return out;
}

}  // namespace

CommandSyntax algorithms_syntax() {
  return {
      "algorithms",
      "Attention algorithms that can be replayed, and their listings",
      false,
      {{"algorithm", "NAME", "print its listing with line numbers", {}},
       {"pass", "forward|backward", "the pass to list [forward]", {"forward", "backward"}},
       {"tiling",
        "kernel|released",
        "of the paper's algorithm or of the released code [kernel]",
        {"kernel", "released"}},
       {"approximate", "", "formulas of dense and of approximate attention: Linformer, Performer, Reformer ...", {}},
       {"flat-gemm", "N,K", "times of three implementations of a product of few rows with weights of K x N", {}},
       {"sparse", "BLOCK,SHARE", "of --flat-gemm: what weights gain of which that share of the blocks is there", {}},
       {"gpu", "NAME", "of --flat-gemm: the device [a100-sxm-40gb]", {}},
       {"format", "table|json", "what to print [table]", {"table", "json"}}},
      "flashscope algorithms --algorithm flash2"};
}

int run_algorithms(const Arguments& arguments) {
  const auto one = arguments.find("algorithm");
  sim::require(one || !arguments.find("pass"), "algorithms: --pass needs --algorithm NAME");
  sim::require(one || !arguments.find("tiling"), "algorithms: --tiling needs --algorithm NAME");
  const bool json = arguments.value("format", "table") == "json",
             approximate = arguments.find("approximate").has_value();
  sim::require(!one || !approximate,
               "algorithms: --approximate is a separate list: cannot be combined with --algorithm");
  const auto flat = arguments.find("flat-gemm");
  sim::require(!flat || (!one && !approximate && !json),
               "algorithms: --flat-gemm is a table of its own: cannot be combined with --algorithm, --approximate or "
               "--format json");
  for (const std::string option : {"gpu", "sparse"})
    sim::require(flat || !arguments.find(option), "algorithms: --", option, " needs --flat-gemm N,K");
  if (flat) {
    const sim::DeviceSpec& gpu = sim::device(arguments.value("gpu", "a100-sxm-40gb"));
    const auto sparse = arguments.find("sparse");
    print(sparse ? sparse_table(weights_of(*flat), sparse_of(*sparse), gpu) : flat_gemm_table(weights_of(*flat), gpu));
  } else if (approximate) {
    print(json ? report::to_text(approximate_json()) : as_typed(approximate_table()));
  } else if (one) {
    const bool released = arguments.value("tiling", "kernel") == "released";
    const auto code = code_of(*one, released);
    print(listing(sim::find_program(*one)->title, *code, arguments.value("pass", "forward")));
  } else {
    print(json ? report::to_text(report::algorithms_json()) : as_typed(algorithm_table()));
  }
  return exit_done;
}

}  // namespace terminal
