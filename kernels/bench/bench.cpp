#include "kernels/bench/bench.h"

namespace bench {
namespace {

constexpr std::int64_t l2_sizes = 2;  // size of all sets together: a write-back cache may keep one longer than LRU

/// Counts the first set in every pass of the hardware; the last set runs before each, uncounted.
counters::Reading count(Buffers& buffers, counters::Counters& counters) {
  const auto launches = static_cast<std::int64_t>(buffers.plan().launches.size());
  return counters.read(launches, [&](const counters::AroundLaunch& around) {
    if (buffers.sets() > 1) buffers.run(buffers.sets() - 1);
    buffers.run(0, around);
  });
}

}  // namespace

Measured measure(dev::Device& device, const sim::Plan& plan, const std::string& kernel, DrawnInputs& inputs,
                 const Wanted& wanted, Sensors& sensors) {
  Measured measured;
  Buffers buffers(device, plan, kernel, inputs);
  if (wanted.warm) measured.warm = time_of(buffers, 1, wanted.effort, sensors);
  if (!wanted.warm) buffers.run(0);
  device.synchronize();
  measured.samples = sample(buffers, 0, inputs);
  if (wanted.look) wanted.look(plan, buffers.set(0));
  if (wanted.cold || wanted.counters) {
    const bool enough = buffers.grow(l2_sizes * device.card().l2_bytes);
    if (!enough)
      measured.note = "no memory for buffers that together are larger than the L2: nothing cold was measured";
    if (wanted.cold && enough) measured.cold = time_of(buffers, buffers.sets(), wanted.effort, sensors);
  }
  if (wanted.counters) measured.counters = count(buffers, *wanted.counters);
  return measured;
}

}  // namespace bench
