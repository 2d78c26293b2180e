// flashscope algorithms: the catalog; with --algorithm the listing itself.
#include <nlohmann/json.hpp>

#include "sim/base/embedded.h"
#include "viz/terminal/command.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

std::string algorithm_table() {
  Table table({"algorithm", "passes", "name", "source"});
  std::string sentences;
  for (const sim::Program& program : sim::catalog()) {
    const std::string name(program.name);
    table.row({name, "forward", std::string(program.title), std::string(program.forward.source)});
    table.row({"", "backward", "", std::string(program.backward.source)});
    if (program.released != nullptr) {
      table.row({"", "forward", "  --tiling released", std::string(program.released->forward.source)});
      table.row({"", "backward", "  --tiling released", std::string(program.released->backward.source)});
    }
    sentences += "  " + name + ": " + std::string(program.summary) + "\n";
  }
  return table.text() + "\n" + sentences +
         "\nflashscope algorithms --algorithm NAME [--pass backward] [--tiling released] prints the program: it is the "
         "listing.\n";
}

const sim::ProgramPass& pass_of(const sim::Program& program, bool backward, bool released) {
  if (!released) return backward ? program.backward : program.forward;
  sim::require(program.released != nullptr, "tiling: released is the published code of flash1; ", program.name,
               " has none");
  return backward ? program.released->backward : program.released->forward;
}

std::string listing(const sim::Program& program, const std::string& pass_name, bool released) {
  const sim::ProgramPass& pass = pass_of(program, pass_name == "backward", released);
  std::string out = sim::text(program.title, ", ", pass_name, ", ", pass.source, "\n\n");
  for (int number = 1; const char c : sim::embedded_text(pass.listing)) {
    if (out.back() == '\n') {
      const std::string digits = std::to_string(number++);
      out += std::string(4 - std::min<std::size_t>(digits.size(), 4), ' ') + digits + "  ";
    }
    out += c;
  }
  return out;
}

std::string algorithms_json() {
  Json list = Json::array();
  for (const sim::Program& p : sim::catalog()) {
    Json released = nullptr;
    if (p.released != nullptr) {
      released = {{"source", p.released->forward.source},
                  {"listing", p.released->forward.listing},
                  {"backward_source", p.released->backward.source},
                  {"backward_listing", p.released->backward.listing}};
    }
    list.push_back({{"name", p.name},
                    {"title", p.title},
                    {"passes", {"forward", "backward", "forward+backward"}},
                    {"summary", p.summary},
                    {"source", p.forward.source},
                    {"listing", p.forward.listing},
                    {"backward_source", p.backward.source},
                    {"backward_listing", p.backward.listing},
                    {"released", released}});
  }
  return to_text({{"schema", 1}, {"algorithms", list}});
}

}  // namespace

CommandSyntax algorithms_syntax() {
  return {"algorithms",
          "Attention algorithms that can be replayed, and their listings",
          false,
          {{"algorithm", "NAME", "print its listing with line numbers", {}},
           {"pass", "forward|backward", "of which pass [forward]", {"forward", "backward"}},
           {"tiling",
            "kernel|released",
            "of the paper's algorithm or of the released code [kernel]",
            {"kernel", "released"}},
           {"format", "table|json", "what to print [table]", {"table", "json"}}},
          "flashscope algorithms --algorithm flash2"};
}

int run_algorithms(const Arguments& arguments) {
  const auto one = arguments.find("algorithm");
  sim::require(one || !arguments.find("pass"), "algorithms: --pass needs --algorithm NAME");
  sim::require(one || !arguments.find("tiling"), "algorithms: --tiling needs --algorithm NAME");
  if (one) {
    const bool released = arguments.value("tiling", "kernel") == "released";
    print(listing(sim::find_program(*one), arguments.value("pass", "forward"), released));
  } else {
    print(arguments.value("format", "table") == "json" ? algorithms_json() : as_typed(algorithm_table()));
  }
  return exit_done;
}

}  // namespace terminal
