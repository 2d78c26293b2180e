#include "sim/model/numerics_rule.h"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/model/simulation.h"

namespace sim {

TEST_CASE("the numerics rule allows twice the plain error and what two roundings cost") {
  const std::vector<double> reference{1.0, -INFINITY};
  CHECK(numerics::bound(2, 0.25, reference, Dtype::fp32) == Approx(0.50001).epsilon(1e-6));
  // In bf16, 1 + 0.3 rounds to 166/128, and that minus 0.3 to 255/256.
  CHECK(numerics::rounding_error(std::vector<double>{1.0, 0.0}, Dtype::bf16) == 2.0 / 256);
  CHECK(check_values(std::vector<float>{1, NAN}, std::vector<double>{1.5, NAN}).max_abs_error == 0.5);
  CHECK(check_values(std::vector<float>{NAN}, std::vector<double>{1}).max_abs_error == INFINITY);
  CHECK_THROWS_AS(check_values(std::vector<float>{1}, std::vector<double>{}), Error);
}

}  // namespace sim
