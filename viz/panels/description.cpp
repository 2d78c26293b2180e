#include "viz/panels/description.h"

#include <array>

#include "sim/report/numbers.h"
#include "viz/model/event_label.h"
#include "viz/model/listing/equation.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using sim::Verb;

constexpr std::array<std::string_view, sim::engine_count> engine_names = {
    /*say*/ "Copy in",  /*say*/ "Copy out", /*say*/ "Tensor cores", /*say*/ "FP32 pipe",
    /*say*/ "Exp unit", /*say*/ "Barrier"};

constexpr std::array<std::string_view, 26> verb_names = {
    /*say*/ "Load",
    /*say*/ "Store",
    /*say*/ "Start value",
    /*say*/ "Matrix product",
    /*say*/ "Mask",
    /*say*/ "Scale",
    /*say*/ "Maximum",
    /*say*/ "Softmax",
    /*say*/ "Row sum",
    /*say*/ "Rescale",
    /*say*/ "Add",
    /*say*/ "Divide",
    /*say*/ "Log",
    /*say*/ "Wait",
    /*say*/ "Row product",
    /*say*/ "Gradient of the softmax",
    /*say*/ "Dropout",
    /*say*/ "Add in HBM",
    /*say*/ "Multiply",
    /*say*/ "Compare",
    /*say*/ "Whole rows",
    /*say*/ "Select",
    /*say*/ "Arrive",
    /*say*/ "Move",
    /*say*/ "Modify the scores",
    /*say*/ "Transpose"};

/// Describes one subject in one language.
class Speaker {
 public:
  Speaker(Language language, const Subject& subject, const Description& now)
      : language_(language), subject_(subject), now_(now), trace_(subject.replay->trace) {}

  std::string step(bool with_next) const;
  std::string everything(bool with_order) const;

 private:
  template <class... Values>
  std::string say(std::string_view english, const Values&... values) const {
    return words::say_with(language_, english, values...);
  }
  const sim::Event& event(std::int32_t n) const { return trace_.events[static_cast<std::size_t>(n)]; }
  std::string what(std::int32_t n) const;
  std::string wait() const;
  std::string stage_wait(const sim::Event& event) const;
  std::string place() const;
  std::string copies() const;

  Language language_;
  const Subject& subject_;
  const Description& now_;
  const sim::Trace& trace_;
};

/// Equation of an event's line; for a copy, the tile that it moves.
std::string Speaker::what(std::int32_t n) const {
  const std::string equation = equation_of(trace_.listing, event(n).line);
  if (event(n).direction != sim::Direction::none || equation.empty()) return label_of(event(n));
  return equation_markup(equation);
}

std::string Speaker::stage_wait(const sim::Event& event) const {
  const sim::TraceBarrier& barrier = trace_.barriers.at(static_cast<std::size_t>(event.sync.barrier));
  return barrier.kind == sim::BarrierKind::full ? say("Waits until {} is full", barrier.name)
                                                : say("Waits until {} is empty", barrier.name);
}

std::string Speaker::wait() const {
  const sim::WaitSpan& wait = trace_.waits[static_cast<std::size_t>(now_.wait)];
  const std::string awaited = wait.awaited >= 0 ? label_of(event(wait.awaited)) : std::string();
  switch (wait.cause) {
    case sim::Cause::data:
      return say("Waits for {}: it is on its way", awaited);
    case sim::Cause::bandwidth:
      return say("Waits for {}: its turn and its transfer", awaited);
    case sim::Cause::turn:
      return say("Waits for its turn on the tensor cores");
    case sim::Cause::stage:
      return stage_wait(event(wait.event));
    case sim::Cause::barrier:
      return say("The warps meet before {}", what(wait.event));
    default:
      return say("Waits ({}) before {}", cause_name(language_, wait.cause), what(wait.event));
  }
}

std::string Speaker::step(bool with_next) const {
  if (now_.event < 0) return say("The CTA is done");
  std::string text =
      now_.wait >= 0 ? wait() : say("{}: {}", verb_name(language_, event(now_.event).verb), what(now_.event));
  if (!trace_.roles.empty()) text = role_name(language_, trace_.roles.at(event(now_.event).role).name) + " · " + text;
  if (with_next && now_.next >= 0 && now_.wait < 0) text += say(", then {}", what(now_.next));
  return text;
}

std::string Speaker::place() const {
  const sim::CtaPlace& p = subject_.replay->place;
  const std::size_t kernels = subject_.simulation().plan.launches.size();
  const std::string_view english =
      subject_.launch().grid.by_kv_head()
          ? /*say*/ "{}: kernel {} ({} of {}), CTA of batch {}, KV head {}, row block {}, column block {}."
          : /*say*/ "{}: kernel {} ({} of {}), CTA of batch {}, head {}, row block {}, column block {}.";
  return say(english, words::say(language_, subject_.simulation().plan.program->title), subject_.launch().name,
             subject_.replay->kernel + 1, kernels, p.batch, p.head, p.row, p.col);
}

std::string Speaker::copies() const {
  std::string list;
  for (const std::int32_t n : now_.copies) {
    if (!list.empty()) list += ", ";
    list += ui::plain(label_of(event(n))) + " (" + report::bytes(event(n).bytes) + ")";
  }
  return list;
}

std::string Speaker::everything(bool with_order) const {
  const double end = subject_.microseconds(subject_.replay->index.end());
  std::string text = place();
  const auto add = [&](const std::string& sentence) { text += " " + sentence; };
  add(say("Time {} of this CTA.", time_of_text(subject_.microseconds(subject_.time), end)));
  if (with_order && now_.event >= 0)
    add(say("Line {} on {}.", event(now_.event).line, engine_name(language_, event(now_.event).engine)));
  if (with_order) add(ui::plain(step(true)) + std::string(words::say(language_, /*say*/ ".")));
  if (now_.visit >= 0) {
    const Visit& visit = subject_.replay->index.visits()[static_cast<std::size_t>(now_.visit)];
    add(say("Tile {} of {}: row block {}, column block {}.", now_.visit + 1, subject_.replay->index.visits().size(),
            visit.row, visit.col));
  }
  if (with_order && !now_.copies.empty()) add(say("Under way: {}.", copies()));
  add(say("This CTA has read {} of {} and written {} of {}.", report::bytes(now_.moved.read_bytes),
          report::bytes(now_.all.read_bytes), report::bytes(now_.moved.write_bytes),
          report::bytes(now_.all.write_bytes)));
  return text;
}

}  // namespace

std::string_view engine_name(Language language, sim::Engine engine) {
  return words::say(language, engine_names.at(static_cast<std::size_t>(engine)));
}

std::string role_name(Language language, const std::string& name) {
  constexpr std::string_view consumer = "consumer ";
  if (name == "producer") return std::string(words::say(language, /*say*/ "producer"));
  if (name == "dQ writer") return std::string(words::say(language, /*say*/ "dQ writer"));
  if (!name.starts_with(consumer)) return name;
  return words::say_with(language, /*say*/ "consumer {}", name.substr(consumer.size()));
}

std::string_view verb_name(Language language, Verb verb) {
  return words::say(language, verb_names.at(static_cast<std::size_t>(verb)));
}

std::string_view verb_word(Language language, Verb verb) {
  return language == Language::en ? sim::name_of(verb) : verb_name(language, verb);
}

std::string_view cause_name(Language language, sim::Cause cause) {
  switch (cause) {
    case sim::Cause::data:
      return words::say(language, /*say*/ "latency");
    case sim::Cause::bandwidth:
      return words::say(language, /*say*/ "bandwidth");
    case sim::Cause::barrier:
      return words::say(language, /*say*/ "barrier");
    case sim::Cause::turn:
      return words::say(language, /*say*/ "turn");
    case sim::Cause::stage:
      return words::say(language, /*say*/ "stage");
    case sim::Cause::launch:
      return words::say(language, /*say*/ "launch");
    default:
      return name_of(cause);  // work, which is not a wait
  }
}

std::string step_sentence(Language language, const Subject& subject, const Description& now, bool with_next) {
  return Speaker(language, subject, now).step(with_next);
}

std::string description_text(Language language, const Subject& subject, const Covered& covered) {
  const Description now = describe(subject);
  return covered.without_answer(Speaker(language, subject, now).everything(!covered.order));
}

}  // namespace explorer
