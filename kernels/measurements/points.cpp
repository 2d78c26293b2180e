#include "kernels/measurements/points.h"

#include <algorithm>
#include <cmath>

#include "kernels/measurements/recorded.h"
#include "sim/base/text.h"
#include "sim/programs/programs.h"

namespace measurements {
namespace {

bool is_timed_as(const sim::Program& program, const std::string& kernel) {
  const auto own = sim::split(program.timed_as, ", ");
  return std::find(own.begin(), own.end(), kernel) != own.end();
}

/// The program of which the figure's kernel is published code: standard-pytorch for a row of pytorch-math, whose
/// algorithm is standard. Null if there is none.
const sim::Program* variant_of(const Figure& figure) {
  const std::vector<sim::Program>& all = sim::variants();
  const auto found = std::find_if(all.begin(), all.end(), [&](const sim::Program& program) {
    return program.variant_of == figure.scenario->algorithm && is_timed_as(program, figure.kernel);
  });
  return found == all.end() ? nullptr : &*found;
}

bool is_scored(const Figure& figure) {
  const sim::Scenario& s = *figure.scenario;
  return s.dtype != sim::Dtype::fp32 &&
         (variant_of(figure) != nullptr || is_timed_as(*sim::named_program(s), figure.kernel));
}

bool is_cold_time(const Figure& figure) {
  return figure.scenario && figure.quantity == time_quantity && figure.caches == Caches::cold;
}

/// True if a row timed a kernel that has changed since: the tensor-core kernels of flash2 had twice the instructions
/// for dropout before this date.
bool is_of_older_kernel(const Recording& recording, const Figure& figure) {
  constexpr std::string_view fewer_instructions_since = "2026-11-27";
  return figure.kernel == sim::programs::flash2.half_kernel && figure.scenario->dropout > 0 &&
         recording.date < fewer_instructions_since;
}

bool has_tiles(const sim::Scenario& s) { return s.br || s.bc; }

/// Published points have no other scenarios; tiles set by hand count where their times are scored.
bool is_plain(const Figure& figure) {
  const sim::Scenario& s = *figure.scenario;
  return s.sequences == nullptr && s.shape.seqlen_q == s.shape.seqlen_k && !s.shape.mask.is_local() &&
         (!has_tiles(s) || is_scored(figure));
}

/// Under the names that published points have: with one length and without tiles, since it is plain.
sim::OptionValues published_options(sim::Scenario s) {
  s.br = s.bc = std::nullopt;
  sim::OptionValues options = sim::folded(options_of(s));
  options["gpu"] = s.gpu->name;
  return options;
}

/// The group of a figure's point: times of tiles set by hand have one of their own.
std::string group_of(const Recording& recording, const Figure& figure) {
  const std::string of_file = group_of(recording), suffix = "-tiles";
  return has_tiles(*figure.scenario) && !of_file.ends_with(suffix) ? of_file + suffix : of_file;
}

/// "recorded with cold caches", and why the time is not scored if it is not.
std::string note_of(const Figure& figure) {
  const std::string recorded = "recorded with cold caches";
  if (is_scored(figure)) return recorded;
  if (figure.scenario->dtype == sim::Dtype::fp32)
    return recorded + "; the plain kernels of fp32 sum up an element per thread, unlike the model's warps";
  const std::string_view timed_as = sim::named_program(*figure.scenario)->timed_as;
  const std::string modelled = timed_as.empty() ? "a kernel that reaches the rates of the GPU" : std::string(timed_as);
  return sim::text(recorded, "; the model predicts the time of ", modelled, ", not of the kernel ", figure.kernel);
}

sim::PublishedPoint point_of(const Recording& recording, const Figure& figure) {
  sim::PublishedPoint p{.group = group_of(recording, figure),
                        .source = label_of(recording),
                        .software = recording.software,
                        .variant = ""};
  p.kernel = figure.kernel;
  p.options = published_options(*figure.scenario);
  p.scenario = *figure.scenario;
  if (const sim::Program* variant = variant_of(figure)) {
    sim::name_algorithm(p.scenario, variant->name);
    p.options["algorithm"] = variant->name;
  }
  p.quantity = sim::Published::milliseconds;
  p.value = figure.value / 1e3;
  p.standing = is_scored(figure) ? sim::Standing::score : sim::Standing::ratio;
  p.note = note_of(figure);
  if (figure.sm_mhz && *figure.sm_mhz >= 1) p.clock_mhz = std::llround(*figure.sm_mhz);
  return p;
}

void check_name(const Recording& recording) {
  const std::vector<std::string>& published = sim::published_groups();
  sim::require(std::find(published.begin(), published.end(), group_of(recording)) == published.end(), recording.origin,
               ": ", group_of(recording), " is the name of a table of published numbers: give the file another one");
}

void add_points(RecordedPoints& all, const Recording& recording) {
  std::map<std::string, std::int64_t> scored;  // scored points by group
  for (const Figure& figure : recording.figures) {
    if (!is_cold_time(figure)) continue;
    if (!is_plain(figure) || is_of_older_kernel(recording, figure)) {
      ++all.left_out[group_of(recording)];
      continue;
    }
    sim::PublishedPoint point = point_of(recording, figure);
    point.for_fit = point.standing == sim::Standing::score && scored[point.group]++ % 2 == 0;
    all.points.push_back(std::move(point));
  }
}

}  // namespace

std::string group_of(const Recording& recording) {
  std::string name = recording.origin.substr(recording.origin.find_last_of('/') + 1);
  return name.ends_with(".csv") ? name.substr(0, name.size() - 4) : name;
}

RecordedPoints points_of(const std::vector<Recording>& recordings) {
  RecordedPoints all;
  for (auto recording = recordings.begin(); recording != recordings.end(); ++recording) {
    check_name(*recording);
    const auto same_group = [&](const Recording& later) { return group_of(later) == group_of(*recording); };
    if (std::none_of(recording + 1, recordings.end(), same_group)) add_points(all, *recording);
  }
  return all;
}

}  // namespace measurements
