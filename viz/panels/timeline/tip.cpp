// Tooltips of events, waits and CTAs in the timeline.
#include <algorithm>

#include "sim/report/numbers.h"
#include "viz/model/event_label.h"
#include "viz/model/listing/equation.h"
#include "viz/panels/description.h"
#include "viz/panels/parts.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

std::size_t place(std::int32_t n) { return static_cast<std::size_t>(n); }

std::string span_text(const View& view, sim::Cycles begin, sim::Cycles end) {
  const Subject& s = view.subject();
  return view.say("{} to {}, {} long", time_text(s.microseconds(begin)), time_text(s.microseconds(end)),
                  time_text(s.microseconds(end - begin)));
}

/// Names the heads that read the same K and V; empty if each has its own.
std::string sharing_words(const View& view, std::int64_t head) {
  const sim::Shape& shape = view.subject().problem().shape;
  const std::int64_t group = shape.heads / shape.kv_heads, kv_head = kv_head_of(view, head);
  if (group == 1) return {};
  return view.say("heads {} to {} share K and V, of KV head {}", kv_head * group, (kv_head + 1) * group - 1, kv_head);
}

}  // namespace

std::int64_t kv_head_of(const View& view, std::int64_t head) {
  const sim::Shape& shape = view.subject().problem().shape;
  return view.subject().launch().grid.by_kv_head() ? head : head * shape.kv_heads / shape.heads;
}

std::vector<std::string> about_cta(const View& view, const CtaSpan& span) {
  const Subject& s = view.subject();
  const sim::CtaPlace p = place_of_cta(s.simulation(), s.replay->kernel, span.cta);
  const std::string number = report::thousands(span.cta);
  const std::int64_t parts = parts_of_keys(view);
  std::vector<std::string> lines = {
      parts > 1
          ? view.say("CTA {}: batch {}, head {}, row block {}, part {} of {} of the keys", number, p.batch, p.head,
                     p.row, p.col, parts)
          : view.say("CTA {}: batch {}, head {}, row block {}, column block {}", number, p.batch, p.head, p.row, p.col),
      when_words(view, span), where_words(view, span)};
  if (std::string words = sharing_words(view, p.head); !words.empty()) lines.push_back(std::move(words));
  return lines;
}

std::vector<std::string> about_event(const View& view, std::int32_t n) {
  const sim::Trace& trace = view.subject().replay->trace;
  const sim::Event& event = trace.events[place(n)];
  const std::string equation = equation_markup(equation_of(trace.listing, event.line));
  const bool copies = event.direction != sim::Direction::none;
  std::vector<std::string> lines = {
      sim::text(verb_name(view.state.look.language, event.verb), ": ", ui::plain(copies ? label_of(event) : equation)),
      span_text(view, event.begin, event.released)};
  if (copies) lines.push_back(view.say("moves {}", report::kibibytes(event.bytes)));
  if (event.moves(sim::Direction::read))
    lines.emplace_back(view.subject().replay->memory.sources.read_from_hbm(n)
                           ? view.say("comes from HBM")
                           : view.say("comes from L2, where an earlier copy left it"));
  if (event.end > event.released) {
    const std::string arrival = time_text(view.subject().microseconds(event.end));
    lines.push_back(view.say("arrives at {}: the rest is latency", arrival));
  }
  if (event.matmul_flops > 0) lines.push_back(report::flops(event.matmul_flops));
  if (event.exps > 0) lines.push_back(view.say("{} exponentials", report::thousands(event.exps)));
  if (event.tanhs > 0) lines.push_back(view.say("{} tanh", report::thousands(event.tanhs)));
  lines.push_back(view.say("line {} of {}", event.line, trace.kernel));
  const auto delay =
      std::partition_point(trace.delays.begin(), trace.delays.end(), [&](const auto& d) { return d.event < n; });
  for (auto d = delay; d != trace.delays.end() && d->event == n; ++d)
    lines.push_back(view.say("neighbours on the SM take {} of it", time_text(view.subject().microseconds(d->time))));
  return lines;
}

std::vector<std::string> about_wait(const View& view, std::int32_t n) {
  const sim::Trace& trace = view.subject().replay->trace;
  const sim::WaitSpan& wait = trace.waits[place(n)];
  std::vector<std::string> lines = {view.say("Wait: {}", cause_name(view.state.look.language, wait.cause)),
                                    span_text(view, wait.begin, wait.end)};
  if (wait.awaited >= 0) lines.push_back(view.say("for {}", ui::plain(label_of(trace.events[place(wait.awaited)]))));
  if (wait.event >= 0)
    lines.push_back(view.say(
        "before {}", ui::plain(equation_markup(equation_of(trace.listing, trace.events[place(wait.event)].line)))));
  return lines;
}

}  // namespace explorer
