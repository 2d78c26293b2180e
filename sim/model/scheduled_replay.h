// A replayed CTA with the times of its SM: it shares the SM with its neighbours, as in the prediction of its kernel.
#pragma once
#include "sim/model/kernel_time.h"

namespace sim {

/// Gives replay_iterations() of a place the times that the first of an SM's CTAs has: Event::begin, released, end and
/// cause, Trace::waits and delays. Work and waits fill the time from 0 to the CTA's end; of each role, where it has
/// several, though a wait for asynchronous products is only the span of the event that waits. Cost: O(events x
/// residents), about 0.3 us an event.
void schedule(Trace& trace, const Plan& plan, const Launch& launch, const CtaPlace& place,
              const std::array<std::size_t, 3>& most_iterations, const SmLoad& load);

/// One CTA of a kernel without values, with times; with `most_iterations` of its loops only, as in replay_iterations.
/// Throws Error like replay.
Trace scheduled_replay(const Plan& plan, const Launch& launch, const CtaPlace& place,
                       const std::array<std::size_t, 3>& most_iterations = {});

}  // namespace sim
