#include "tests/support/teaching_cases.h"

TEST_CASE("flash1 computes attention and its gradients on every length") { teaching_cases::lengths("flash1"); }

TEST_CASE("flash1 computes attention and its gradients in every dtype, with dropout") {
  teaching_cases::dtypes("flash1");
}

TEST_CASE("flash1 takes head dimensions from 8 to 256") { teaching_cases::head_dimensions("flash1"); }

TEST_CASE("flash1 takes every mask, grouped heads, cross lengths and dropout") { teaching_cases::masks("flash1"); }

TEST_CASE("flash1 takes tiles of any size") { teaching_cases::tiles("flash1"); }
