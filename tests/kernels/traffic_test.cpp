// Bytes of the teaching kernels, per launch and tensor, equal those of their programs; and their threads never race in
// shared memory.
#include "tests/support/teaching_cases.h"

namespace {

const std::vector<std::string> families = {"standard", "flash1", "flash2", "flash-decoding", "flash2-block-sparse"};

sim::Scenario scenario(const std::string& family, const sim::Shape& shape, double dropout) {
  sim::Scenario s = teaching_cases::scenario(family, 1, 1);
  s.shape = shape;
  s.dropout = dropout;
  s.br = s.bc = 16;
  return s;
}

}  // namespace

TEST_CASE("teaching kernels move the bytes of their programs") {
  for (const std::string& family : families) {
    kernel_check::traffic(family, scenario(family, {1, 1, 1, 40, 40, 16, {}}, 0));  // short last blocks of both
    kernel_check::traffic(family, scenario(family, {2, 4, 2, 17, 33, 8, {}}, 0.3));
  }
}

TEST_CASE("teaching kernels move the bytes of their programs under masks") {
  for (const std::string& family : families) {
    kernel_check::traffic(family, scenario(family, {1, 2, 1, 49, 30, 8, {.causal = true}}, 0.2));  // rows see nothing
    kernel_check::traffic(family, scenario(family, {1, 2, 2, 30, 70, 8, {true, 3, 11}}, 0));
    kernel_check::traffic(family, scenario(family, {1, 1, 1, 60, 50, 8, {false, 20, 9}}, 0.1));  // invisible keys
    kernel_check::traffic(family, scenario(family, {1, 1, 1, 20, 20, 8, {false, 20, {}}}, 0));   // all keys hidden
  }
}

TEST_CASE("teaching kernels move the bytes of their programs in 16 bits and with tiles of odd sizes") {
  for (const std::string& family : families) {
    sim::Scenario s = scenario(family, {1, 1, 1, 40, 37, 40, {.causal = true}}, 0.1);
    s.dtype = sim::Dtype::bf16;
    s.br = 12;
    s.bc = 20;
    kernel_check::traffic(family, s);
    s.dtype = sim::Dtype::fp16;
    s.br = 40;
    s.bc = 8;
    kernel_check::traffic(family, s);
  }
}

TEST_CASE("a backward pass alone moves the bytes of its program") {
  for (const std::string& family : families) {
    sim::Scenario s = scenario(family, {1, 2, 1, 30, 30, 8, {.causal = true}}, 0.2);
    if (!sim::has_backward(s)) continue;
    s.pass = sim::Pass::backward;
    kernel_check::traffic(family, s);
  }
}

TEST_CASE("standard reads rows twice that are too long for shared memory") {
  sim::Scenario s = scenario("standard", {1, 1, 1, 5, 500, 8, {.causal = true}}, 0);
  s.sram = 3200;
  kernel_check::traffic("standard", s);
  s.shape.seqlen_k = 900;
  kernel_check::traffic("standard", s);
}

TEST_CASE("teaching kernels compute and move the same in any order of threads") {
  for (const std::string& family : families) {
    const sim::Scenario s = scenario(family, {1, 1, 1, 20, 20, 8, {.causal = true}}, 0.2);
    kernel_check::traffic(family, s, {.order = {.random = true, .seed = 3}});
  }
}
