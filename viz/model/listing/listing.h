// The listing of a kernel: the body of its program, line by line as in the embedded source, read as pseudo-code and
// joined with what each line does over the whole run.
#pragma once
#include <optional>

#include "sim/model/simulation.h"

namespace explorer {

/// Work of the whole grid on a line.
struct LineWork {
  sim::Event sample;  ///< the first of its events: verb, engine, tensor, and its tile's size and memory level
  std::int64_t times = 0, matmul_flops = 0, other_flops = 0, exps = 0, tanhs = 0;
  sim::Traffic traffic;                ///< across the SRAM boundary
  std::optional<std::size_t> counted;  ///< index in Simulation::lines
};

struct ListingLine {
  enum class Kind {
    verb,       ///< moves or computes
    step,       ///< an equation that costs nothing: m = m'
    place,      ///< names the blocks of this CTA
    loop,       ///< "for j in column blocks"
    condition,  ///< "if ..." and "else" around several lines
    call,       ///< call of another function of the file, whose lines follow
    code        ///< program text without meaning for a reader of equations
  };
  Kind kind = Kind::code;
  int number = 0;                ///< line number in the file
  int depth = 0;                 ///< loops and conditions around it
  int entry = 0;                 ///< index of its function among those that no other calls: a role has one
  bool called = false;           ///< true if its function is called from that entry
  int from = 0, to = 0;          ///< first and last line of the function that a call enters
  std::string code;              ///< without indentation and comment
  std::string equation;          ///< markup of ui/rich_text.h; the code if there is no comment
  bool typeset = false;          ///< the equation is markup, not the code
  std::string shape;             ///< "(Br, Bc)" of its comment
  std::string reference;         ///< "line 9" of the paper
  std::string condition;         ///< after `if` in a verb's line: "j.masked"
  bool runs = false;             ///< this run executes it
  std::optional<LineWork> work;  ///< set for verbs that run
};

struct Listing {
  std::string_view file;  ///< the embedded source
  std::vector<ListingLine> lines;
  std::int64_t most_bytes = 0;  ///< largest traffic of a line
};

/// The functions of a source whose lines are `used`, starting with the caller of the others; bodies are inlined at
/// their first calls. Every text has a listing: unrecognised lines are `code`. Cost: the length of the source.
std::vector<ListingLine> read_body(std::string_view source, const std::vector<int>& used);

/// Like read_body(), for a Python source: functions in the order of the file, equations after "#".
std::vector<ListingLine> read_python_body(std::string_view source, const std::vector<int>& used);

/// The listing of a kernel of a simulation. O(lines x events of its counted trace).
Listing make_listing(const sim::Simulation& simulation, std::size_t kernel);

/// Numbers of the lines that a line represents: its own, and of a call those of its function and what that calls.
std::vector<int> numbers_of(const std::vector<ListingLine>& lines, const ListingLine& line);

/// True if a line is shown among the equations: it runs and is not plain code.
inline bool in_equations(const ListingLine& line) { return line.runs && line.kind != ListingLine::Kind::code; }

}  // namespace explorer
