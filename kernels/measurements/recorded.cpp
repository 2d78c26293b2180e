#include "kernels/measurements/recorded.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/programs/program.h"

namespace measurements {

std::string_view embedded_text(std::string_view path);

namespace {

std::vector<std::string> names_in_index() {
  std::vector<std::string> names;
  for (std::string_view rest = embedded_text(RECORDINGS_INDEX); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.empty() && line[0] != '#') names.emplace_back(line);
  }
  return names;
}

/// The program whose kernels run: under a pattern it differs from the named one.
std::shared_ptr<const sim::Program> run_by_kernels(const sim::Scenario& s) {
  return sim::is_released(s.tiling) ? sim::named_program(s) : sim::program_of(s);
}

bool same_lengths(const sim::Scenario& a, const sim::Scenario& b) {
  const bool ragged = a.sequences != nullptr;
  if (ragged != (b.sequences != nullptr)) return false;
  return !ragged || (*a.sequences == *b.sequences && a.issue == b.issue);
}

/// The shape, without the sizes that the plan of a ragged batch fills in.
sim::Shape own_shape(const sim::Scenario& s) {
  sim::Shape shape = s.shape;
  if (s.sequences != nullptr) shape.batch = shape.seqlen_q = shape.seqlen_k = 1;
  return shape;
}

bool is_of(const Figure& figure, const sim::Scenario& scenario, std::string_view kernel) {
  return figure.scenario && figure.kernel == kernel && same_work(*figure.scenario, scenario);
}

/// States of the caches in order of preference, first that of a GPU after other work.
constexpr Caches preferred[] = {Caches::cold, Caches::any, Caches::warm};

const Recorded* find(const std::vector<Recorded>& figures, std::string_view quantity) {
  for (const Caches caches : preferred) {
    for (const Recorded& each : figures) {
      if (each.figure->quantity == quantity && each.figure->caches == caches) return &each;
    }
  }
  return nullptr;
}

std::vector<float> sinks_of(const sim::Scenario& s) { return s.sinks == nullptr ? std::vector<float>() : *s.sinks; }

bool same_quantity(const Figure& a, const Figure& b) { return a.quantity == b.quantity && a.caches == b.caches; }

}  // namespace

const std::vector<Recording>& recordings() {
  static const std::vector<Recording> all = [] {
    std::vector<Recording> read;
    for (const std::string& name : names_in_index()) read.push_back(parse_recording(embedded_text(name), name));
    return read;
  }();
  return all;
}

bool same_work(const sim::Scenario& a, const sim::Scenario& b) {
  return (a.algorithm == b.algorithm || run_by_kernels(a)->name == run_by_kernels(b)->name) && a.pass == b.pass &&
         same_lengths(a, b) && own_shape(a) == own_shape(b) && a.dtype == b.dtype && a.dropout == b.dropout &&
         a.tiling == b.tiling && a.br == b.br && a.bc == b.bc && a.sram == b.sram && a.l2 == b.l2 && a.own == b.own &&
         a.page_size == b.page_size && a.score_steps == b.score_steps && sinks_of(a) == sinks_of(b) &&
         sim::text_of(a.pattern) == sim::text_of(b.pattern);
}

std::string default_kernel(const sim::Scenario& s) {
  const auto program = run_by_kernels(s);
  return std::string(s.dtype == sim::Dtype::fp32 || program->half_kernel.empty() ? program->name
                                                                                 : program->half_kernel);
}

bool is_plain(const sim::Scenario& s, std::string_view kernel) { return run_by_kernels(s)->name == kernel; }

std::vector<Recorded> recorded_of(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                  std::string_view kernel) {
  std::vector<Recorded> found;
  if (!scenario.gpu->built_in) return found;  // a user's file may have the same name
  for (const Recording& recording : from) {
    if (recording.gpu != scenario.gpu->name) continue;
    for (const Figure& figure : recording.figures) {
      if (!is_of(figure, scenario, kernel)) continue;
      const auto same = [&](const Recorded& r) { return same_quantity(*r.figure, figure); };
      found.erase(std::remove_if(found.begin(), found.end(), same), found.end());
      found.push_back({&recording, &figure});
    }
  }
  return found;
}

std::vector<std::string> gpus_with(const std::vector<Recording>& from, const sim::Scenario& scenario,
                                   std::string_view kernel) {
  std::vector<std::string> gpus;
  for (const Recording& recording : from) {
    const bool known = std::find(gpus.begin(), gpus.end(), recording.gpu) != gpus.end();
    const auto fits = [&](const Figure& figure) { return is_of(figure, scenario, kernel); };
    if (!known && std::any_of(recording.figures.begin(), recording.figures.end(), fits)) gpus.push_back(recording.gpu);
  }
  return gpus;
}

std::vector<Beside> beside_program(const std::vector<Recorded>& figures) {
  std::vector<Beside> beside;
  for (const measurements::Metric& metric : measurements::metrics()) {
    if (!*metric.quantity) continue;
    const Recorded* between_events = measurements::is_time(metric) ? find(figures, time_quantity) : nullptr;
    const Recorded* counted = find(figures, metric.name);
    if (between_events)
      beside.push_back({&metric, *between_events, between_events->figure->value});
    else if (counted)
      beside.push_back({&metric, *counted, counted->figure->value * metric.factor});
  }
  return beside;
}

std::string label_of(const Recording& recording) {
  return sim::text(recording.device, ", driver ", recording.driver, ", ", recording.date.substr(0, 10), " (",
                   recording.origin, ")");
}

std::string label_of(const Recorded& recorded) {
  const Caches caches = recorded.figure->caches;
  return label_of(*recorded.recording) + (caches == Caches::any ? "" : sim::text(", ", name_of(caches), " caches"));
}

}  // namespace measurements
