// flash-decoding on tensor cores with K and V in pages: values, bytes, page sizes, masks, any schedule, what is
// refused.
#include "kernels/verify/choice.h"
#include "tests/support/ragged_kernels.h"

namespace {

constexpr const char* name = "flash-decoding_mma";

sim::Scenario in_pages(const sim::Shape& shape, std::int64_t page, std::int64_t splits = 0) {
  sim::Scenario s;
  s.algorithm = "flash-decoding";
  s.shape = shape;
  s.page_size = page;
  s.seed = 5;
  if (splits > 0) s.own["splits"] = splits;
  return s;
}

std::string wrong(const sim::Scenario& s, std::uint64_t schedules = 0) {
  return ragged_kernels::wrong(name, s, schedules);
}

std::string refusal(const sim::Scenario& s, const std::optional<std::string>& kernel = {}) {
  try {
    kernels::choose_kernel(sim::make_plan(s), kernel, dev::Flavour::traced);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("flash-decoding in pages agrees with its program on values and on every byte") {
  for (const std::int64_t page : {16, 32, 128, 256, 512}) {
    INFO("pages of " << page);
    CHECK(wrong(in_pages({2, 4, 2, 1, 700, 64, {}}, page, 2)) == "");
    CHECK(wrong(in_pages({1, 2, 1, 1, 300, 128, {}}, page)) == "");
  }
  CHECK(wrong(in_pages({1, 1, 1, 1, 300, 128, {}}, 384)) == "");  // three tiles of a page
}

TEST_CASE("flash-decoding in pages takes row blocks, masks and both types") {
  CHECK(wrong(in_pages({1, 2, 2, 70, 541, 128, {.causal = true}}, 16, 3)) == "");
  CHECK(wrong(in_pages({1, 1, 1, 20, 600, 64, {true, 3, 33}}, 16, 2)) == "");
  CHECK(wrong(in_pages({1, 1, 1, 3, 600, 64, {false, 90, {}}}, 64, 2)) == "");
  sim::Scenario s = in_pages({1, 2, 1, 40, 300, 64, {}}, 128);
  s.dtype = sim::Dtype::bf16;
  CHECK(wrong(s) == "");
}

TEST_CASE("flash-decoding in pages computes and moves the same in 20 orders of threads", "[repeats]") {
  CHECK(wrong(in_pages({1, 4, 2, 1, 600, 64, {}}, 16, 2), 20) == "");
  CHECK(wrong(in_pages({1, 1, 1, 1, 300, 128, {}}, 128), 20) == "");
}

TEST_CASE("O in pages has the same bits as in one piece") {
  sim::Scenario s = in_pages({2, 4, 2, 1, 700, 64, {}}, 16, 2);
  const sim::AttentionInputs inputs = sim::inputs_of(s);
  const std::vector<float> paged = ragged_kernels::run(name, s, inputs).outputs.o;
  s.page_size = std::nullopt;
  CHECK(paged == ragged_kernels::run(name, s, inputs).outputs.o);
}

TEST_CASE("flash-decoding refuses pages, and options with pages, that it was not compiled for") {
  const sim::Shape shape{1, 2, 1, 1, 300, 64, {}};
  CHECK(refusal(in_pages(shape, 16)) == "");
  CHECK(refusal(in_pages(shape, 8)) == "page-size: flash-decoding_mma has no pages of 8 tokens: use 16 or more");
  CHECK(refusal(in_pages({1, 2, 1, 1, 300, 96, {}}, 16)) ==
        "page-size: flash-decoding_mma has no pages for head dim 96: it has 64, 128");
  sim::Scenario s = in_pages(shape, 16);
  s.score_steps = {{"softcap", "2"}};
  CHECK(refusal(s) == "page-size: flash-decoding_mma has no softcap with pages");
  CHECK(
      refusal(in_pages(shape, 16), "flash-decoding") ==
      "page-size: the kernels flash-decoding read K and V in one piece; those that take pages are flash-decoding_mma, "
      "paged-attention");
}
