#include "lessons/cursor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/model/scheduled_replay.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/program.h"
#include "sim/trace/line_comment.h"
#include "sim/trace/tensors.h"

namespace lessons {
namespace {

using Json = nlohmann::ordered_json;
using sim::require;

constexpr std::int64_t most_scores = std::int64_t{1} << 16;
constexpr std::size_t most_elements = 4096;

sim::CtaPlace place_of(const std::string& text) {
  std::array<std::int64_t, 4> parts{};
  const std::vector<std::string_view> words = sim::split(text, ",");
  bool good = words.size() == parts.size();
  for (std::size_t n = 0; good && n < parts.size(); ++n) {
    const std::string_view word = sim::trimmed(words[n]);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parts[n]);
    good = error == std::errc{} && end == word.data() + word.size() && parts[n] >= 0;
  }
  require(good, "cta ", sim::quoted(text), " is not BATCH,HEAD,ROW BLOCK,COLUMN BLOCK");
  return {parts[0], parts[1], parts[2], parts[3]};
}

/// The blocks of queries and keys that the newest events work on.
struct Newest {
  std::int64_t i = -1, j = -1;
  void pass(const sim::Event& event) {
    const bool rows_are_keys = sim::facts_of(event.tensor).rows == sim::extents::Nk;
    if (event.rows.origin != sim::Origin::whole) (rows_are_keys ? j : i) = event.rows.index;
    if (sim::is_score_matrix(event.tensor) && event.cols.origin != sim::Origin::whole) j = event.cols.index;
  }
  bool are(const Address& at) const { return (!at.i || *at.i == i) && (!at.j || *at.j == j); }
};

/// Returns the lines of a trace that have this equation.
std::vector<std::int32_t> lines_of(const sim::Trace& trace, const std::string& equation) {
  std::vector<std::int32_t> lines, seen;
  std::vector<std::string> equations;
  for (const sim::Event& event : trace.events) {
    if (std::find(seen.begin(), seen.end(), event.line) != seen.end()) continue;
    seen.push_back(event.line);
    equations.push_back(equation_of(sim::listing_line(trace.listing, event.line)));
    if (equations.back() == equation) lines.push_back(event.line);
  }
  if (lines.empty()) throw sim::Error(sim::unlisted_name_message("line", equation, equations));
  return lines;
}

bool computes(const sim::Event& event) {
  return event.engine != sim::Engine::copy_in && event.engine != sim::Engine::copy_out &&
         event.engine != sim::Engine::barrier;
}

/// True if no event after the cursor computes in its tile.
bool finishes(const sim::Trace& trace, const Cursor& cursor) {
  Newest newest;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    newest.pass(trace.events[n]);
    const bool after = n > cursor.event || (cursor.begin && n == cursor.event);
    if (after && newest.i == cursor.i && newest.j == cursor.j && computes(trace.events[n])) return false;
  }
  return true;
}

}  // namespace

std::size_t kernel_called(const sim::Plan& plan, const std::string& name) {
  std::vector<std::string> names;
  for (const sim::Launch& launch : plan.launches) {
    if (launch.name == name) return names.size();
    names.push_back(launch.name);
  }
  throw sim::Error(sim::unknown_name_message("kernel", name, names));
}

std::string equation_of(std::string_view listing_line) { return sim::comment_of(listing_line).equation; }

Cursor find_cursor(const sim::Simulation& simulation, const Address& address) {
  const sim::Plan& plan = simulation.plan;
  Cursor cursor{.kernel = kernel_called(plan, address.kernel), .place = place_of(address.cta), .begin = address.begin};
  const sim::Trace trace = sim::scheduled_replay(plan, plan.launches[cursor.kernel], cursor.place);
  const std::vector<std::int32_t> lines = lines_of(trace, address.line);
  Newest newest;
  bool found = false;
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const sim::Event& event = trace.events[n];
    newest.pass(event);
    if (std::find(lines.begin(), lines.end(), event.line) == lines.end() || !newest.are(address)) continue;
    require(!found || (cursor.i == newest.i && cursor.j == newest.j), "line ", sim::quoted(address.line),
            " runs for several blocks: give i and j");
    if (found && address.begin) continue;  // in an inner loop, `begin` selects its first iteration, else its last
    found = true;
    cursor.event = n;
    cursor.i = newest.i;
    cursor.j = newest.j;
    cursor.time = address.begin ? event.begin : event.end;
  }
  require(found, "line ", sim::quoted(address.line), " never runs with i = ", address.i.value_or(0),
          ", j = ", address.j.value_or(0), " in CTA ", address.cta);
  cursor.finished = finishes(trace, cursor);
  return cursor;
}

Json values_at(const sim::Simulation& simulation, const Cursor& cursor) {
  const sim::Plan& plan = simulation.plan;
  const sim::Shape& shape = plan.problem.shape;
  require(shape.batch * shape.heads * shape.seqlen_q <= most_scores / std::max<std::int64_t>(shape.seqlen_k, 1),
          "values at a cursor are for runs of at most ", most_scores, " scores");
  const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
  const sim::Trace trace = sim::replay(plan, plan.launches[cursor.kernel], cursor.place, &inputs);
  Json values = Json::object();
  for (std::size_t n = 0; n < trace.events.size() && n < cursor.event + (cursor.begin ? 0 : 1); ++n) {
    const sim::Event& event = trace.events[n];
    if (event.value < 0) continue;
    const sim::TileValues& tile = trace.values[static_cast<std::size_t>(event.value)];
    if (tile.values.size() > most_elements) continue;
    Json& place = values[std::string(sim::name_of(event.tensor))] = Json::object();
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      for (std::int64_t col = 0; col < tile.cols; ++col) {
        const double value = tile.values[static_cast<std::size_t>(row * tile.cols + col)];
        if (tile.cols == 1)
          place[std::to_string(row)] = value;
        else
          place[std::to_string(row)][std::to_string(col)] = value;
      }
    }
  }
  return values;
}

}  // namespace lessons
