// Values of the time of one CTA of each kernel by engine.
#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"
#include "sim/model/stalls.h"

namespace sim {
namespace {

/// Writes the times of one kernel's CTA, in microseconds, and their shares of its time.
class StallValues {
 public:
  StallValues(const Simulation& s, std::size_t k, RunValues& values)
      : values_(values),
        path_(text("stalls.kernels.", k, ".")),
        name_(s.kernels[k].name),
        cta_(typical_cta(s, k)),
        stalls_(stalls_of(cta_.trace)),
        clock_hz_(static_cast<double>(s.kernels[k].time.clock_hz)),
        timed_(has_time(*s.plan.scenario.gpu)) {}

  void add() {
    values_.text(path_ + "name", name_);
    values_.text(path_ + "cta", text(cta_.place.batch, ",", cta_.place.head, ",", cta_.place.row, ",", cta_.place.col));
    const auto events = static_cast<std::int64_t>(cta_.trace.events.size()),
               iterations = static_cast<std::int64_t>(cta_.iterations);
    values_.number(path_ + "events", events, [iterations] {
      if (iterations == 0) return Explanation{{/*say*/ "of the CTA with the most iterations among those of one head"}};
      return Explanation{{{/*say*/ "of the CTA with the most iterations among those of one head; {} iterations of each "
                                   "loop are replayed",
                           iterations}}};
    });
    if (!timed_) return values_.text(path_ + "microseconds", {});
    number("microseconds", stalls_.time, /*say*/ "of that CTA, from its first event to the end of its last");
    for (const EngineTime& engine : stalls_.engines) add(engine);
  }

 private:
  double microseconds(Cycles time) const {
    return static_cast<double>(time.count()) / static_cast<double>(ticks_per_cycle) / clock_hz_ * 1e6;
  }
  void number(const std::string& leaf, Cycles time, std::string_view formula) {
    values_.number(path_ + leaf, microseconds(time), [formula] { return Explanation{{formula}}; });
  }
  void part(const std::string& leaf, Cycles time, std::string_view formula) {
    number(leaf, time, formula);
    const double us = microseconds(time), all = microseconds(stalls_.time);
    values_.number(path_ + leaf + "_percent", all > 0 ? 100 * us / all : 0.0, [us, all] {
      return Explanation{{{/*say*/ "{} us of the CTA's {} us", us, all}}};
    });
  }
  void add(const EngineTime& engine) {
    const std::string leaf = std::string(name_of(engine.engine)) + ".";
    part(leaf + "work", engine.work,
         /*say*/ "spans of the engine's events, less what neighbours on the SM take of them");
    part(leaf + "waiting", engine.waiting(), /*say*/ "all waits of the engine's events");
    part(leaf + "idle", engine.idle, /*say*/ "the rest: no event of the engine is due");
    for (const Cause cause : all_causes) {
      if (engine.wait(cause) > Cycles{}) number(leaf + "waits." + key_of(cause), engine.wait(cause), meaning_of(cause));
    }
  }

  RunValues& values_;
  std::string path_, name_;
  TypicalCta cta_;
  Stalls stalls_;
  double clock_hz_;
  bool timed_;
};

}  // namespace

void add_stalls(const Simulation& s, RunValues& values) {
  for (std::size_t k = 0; k < s.kernels.size(); ++k) StallValues(s, k, values).add();
}

}  // namespace sim
