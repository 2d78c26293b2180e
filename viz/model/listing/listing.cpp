#include "viz/model/listing/listing.h"

#include <algorithm>
#include <map>

#include "sim/base/embedded.h"

namespace explorer {
namespace {

using Kind = ListingLine::Kind;

LineWork work_of(const std::vector<sim::Event>& events, int line) {
  LineWork work;
  for (const sim::Event& event : events) {
    if (event.line != line) continue;
    if (work.times == 0) work.sample = event;
    work.times += event.times;
    work.matmul_flops += sim::checked_multiply(event.matmul_flops, event.times);
    work.other_flops += sim::checked_multiply(event.other_flops, event.times);
    work.exps += sim::checked_multiply(event.exps, event.times);
    work.tanhs += sim::checked_multiply(event.tanhs, event.times);
    work.traffic += sim::traffic_of(event);
  }
  return work;
}

std::optional<std::size_t> counted_line(const sim::Simulation& simulation, const std::string& kernel, int line) {
  for (std::size_t n = 0; n < simulation.lines.size(); ++n) {
    if (simulation.lines[n].kernel == kernel && simulation.lines[n].line == line) return n;
  }
  return std::nullopt;
}

bool holds_lines(const ListingLine& line) {
  return line.kind == Kind::loop || line.kind == Kind::condition || line.kind == Kind::call;
}

/// Marks the lines that run: a line that contains others if one of them does; a step, place or code line if its
/// enclosing line runs.
void mark_what_runs(std::vector<ListingLine>& lines) {
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (!holds_lines(lines[n])) continue;
    const std::vector<int> numbers = numbers_of(lines, lines[n]);
    for (const ListingLine& line : lines) {
      const bool stands_for = std::find(numbers.begin(), numbers.end(), line.number) != numbers.end();
      if (stands_for && line.work) lines[n].runs = true;
    }
    for (std::size_t inside = n + 1; inside < lines.size() && lines[inside].depth > lines[n].depth; ++inside) {
      if (lines[inside].work) lines[n].runs = true;
    }
  }
  std::vector<bool> runs_at(1, true);  // by depth: the line that encloses the next one runs
  for (ListingLine& line : lines) {
    const auto depth = static_cast<std::size_t>(line.depth);
    runs_at.resize(depth + 1, true);
    if (line.kind == Kind::step || line.kind == Kind::place || line.kind == Kind::code) line.runs = runs_at[depth];
    if (holds_lines(line)) runs_at.push_back(line.runs);
  }
}

}  // namespace

Listing make_listing(const sim::Simulation& simulation, std::size_t kernel) {
  const sim::Trace& trace = simulation.traces.at(kernel);
  std::vector<int> used;
  for (const sim::Event& event : trace.events) used.push_back(event.line);
  const std::string_view file = simulation.plan.launches[kernel].listing;
  const auto read = simulation.plan.code->recording == nullptr ? read_body : read_python_body;
  Listing listing{file, read(sim::listing_text(file), used)};
  for (ListingLine& line : listing.lines) {
    LineWork work = work_of(trace.events, line.number);
    if (work.times == 0) {
      if (line.kind == Kind::verb) line.runs = false;
      continue;
    }
    line.kind = Kind::verb;
    line.runs = true;
    work.counted = counted_line(simulation, trace.kernel, line.number);
    listing.most_bytes = std::max(listing.most_bytes, work.traffic.total().count());
    line.work = work;
  }
  mark_what_runs(listing.lines);
  return listing;
}

std::vector<int> numbers_of(const std::vector<ListingLine>& lines, const ListingLine& line) {
  std::vector<int> numbers = {line.number};
  std::vector<std::pair<int, int>> known, open = {{line.from, line.to}};
  while (!open.empty()) {
    const std::pair<int, int> range = open.back();
    open.pop_back();
    if (range.first == 0 || std::find(known.begin(), known.end(), range) != known.end()) continue;
    known.push_back(range);
    for (const ListingLine& inside : lines) {
      if (inside.number < range.first || inside.number > range.second) continue;
      numbers.push_back(inside.number);
      open.emplace_back(inside.from, inside.to);
    }
  }
  return numbers;
}

}  // namespace explorer
