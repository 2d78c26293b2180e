#include "tests/support/teaching_cases.h"

TEST_CASE("standard computes attention and its gradients on every length") { teaching_cases::lengths("standard"); }

TEST_CASE("standard computes attention and its gradients in every dtype, with dropout") {
  teaching_cases::dtypes("standard");
}

TEST_CASE("standard takes head dimensions from 8 to 256") { teaching_cases::head_dimensions("standard"); }

TEST_CASE("standard takes every mask, grouped heads, cross lengths and dropout") { teaching_cases::masks("standard"); }

TEST_CASE("standard takes tiles of any size") { teaching_cases::tiles("standard"); }

TEST_CASE("standard takes rows of scores that are too long for shared memory in two passes") {
  sim::Scenario s = teaching_cases::scenario("standard", 9, 8);
  s.shape.mask.causal = true;
  s.br = s.bc = 16;
  s.sram = 3200;
  for (const std::int64_t keys : {500, 900}) {  // 500: one row fits, two do not; 900: none fits
    s.shape.seqlen_k = keys;
    kernel_check::values("standard", s);
  }
}
