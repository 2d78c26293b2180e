#include "viz/model/description.h"

namespace explorer {
namespace {

bool is_load(const sim::Event& event) { return event.engine == sim::Engine::copy_in; }

/// The next event of the program on another line that is not a load; -1 if there is none.
std::int32_t next_line(const sim::Trace& trace, std::int32_t event) {
  const int line = trace.events[static_cast<std::size_t>(event)].line;
  for (auto n = static_cast<std::size_t>(event) + 1; n < trace.events.size(); ++n) {
    const sim::Event& next = trace.events[n];
    const bool same_role = next.role == trace.events[static_cast<std::size_t>(event)].role;
    if (same_role && !is_load(next) && next.line != line && next.released > next.begin)
      return static_cast<std::int32_t>(n);
  }
  return -1;
}

}  // namespace

Description describe(const Subject& subject) {
  const TraceIndex& index = subject.replay->index;
  Description now;
  now.moved = subject.replay->progress.at(subject.time);
  now.all = subject.replay->progress.all();
  now.visit = index.visit_at(subject.time);
  if (subject.time >= index.end()) return now;
  now.event = index.current(subject.time);
  now.wait = index.wait_at(subject.time);
  for (const Lane& lane : index.lanes()) {
    const std::int32_t event = index.at(lane, subject.time);
    const bool copies = lane.engine == sim::Engine::copy_in || lane.engine == sim::Engine::copy_out;
    if (event >= 0 && copies) now.copies.push_back(event);
    // A CTA that only stores has no other event to describe.
    if (event >= 0 && lane.engine == sim::Engine::copy_out && now.event >= 0 &&
        subject.replay->trace.events[static_cast<std::size_t>(now.event)].released <= subject.time)
      now.event = event;
  }
  if (now.event < 0 && !now.copies.empty()) now.event = now.copies.front();
  if (now.wait >= 0) now.event = subject.replay->trace.waits[static_cast<std::size_t>(now.wait)].event;
  if (now.event >= 0) now.next = next_line(subject.replay->trace, now.event);
  return now;
}

}  // namespace explorer
