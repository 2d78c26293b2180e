// flashscope algorithms: the list of algorithms; with --algorithm the listing itself.
#include <nlohmann/json.hpp>

#include "sim/model/approximate.h"
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
  if (approximate) {
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
