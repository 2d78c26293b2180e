// Two tables of counters, those that a run reads and those read from a profile, measure the same quantities.
#include <catch2/catch.hpp>

#include "kernels/measurements/metrics.h"
#include "kernels/profile/metric.h"

TEST_CASE("the first metric searched in a profile is the one that a run on a GPU reads") {
  int compared = 0;
  for (const profile::Quantity& quantity : profile::quantities()) {
    const measurements::Metric* metric = measurements::metric_beside(quantity.path);
    if (metric == nullptr || metric->our_unit != quantity.unit) continue;
    INFO(quantity.path);
    const profile::Term& first = quantity.sources.front().front();
    CHECK(std::string(first.metric) == metric->name);
    if (quantity.path != profile::path::time) CHECK(first.factor == metric->factor);  // CUPTI has ns, a profile any
    ++compared;
  }
  CHECK(compared == 6);
}
