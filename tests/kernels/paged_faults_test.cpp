// K and V in pages: faults of the block table and of the source are found, each in the rows that it affects. The order
// of full pages alone is no fault: a query without a mask sees their keys in any order.
#include "kernels/verify/pages.h"
#include "sim/programs/paged_attention/tensors.h"
#include "tests/kernels/test_kernels.h"
#include "tests/support/ragged_kernels.h"

namespace {

using Rows = std::vector<std::string>;
using Table = std::vector<std::int32_t>;

/// Two sequences of six pages each, or of the given lengths, the last page not full; in fp16, as tensor cores need it.
sim::Scenario in_pages(const char* algorithm, sim::SequenceClasses lengths = {{2, 1, 93}}) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.shape = {.batch = 2, .heads = 2, .kv_heads = 1, .seqlen_q = 1, .seqlen_k = 93, .head_dim = 64};
  s.page_size = 16;
  s.seed = 3;
  if (lengths.size() > 1) s.sequences = std::make_shared<const sim::SequenceClasses>(std::move(lengths));
  return s;
}

/// How a run went: the failing rows of the verdict without sectors, the heads whose O is wrong, the error of the
/// device, and O.
struct Outcome {
  Rows rows;
  std::vector<std::size_t> heads;
  std::string error;
  std::vector<float> o;
};

std::vector<std::size_t> different_heads(const std::vector<float>& got, const std::vector<float>& right,
                                         std::size_t d) {
  std::vector<std::size_t> heads;
  for (std::size_t n = 0; n < right.size(); n += d) {
    if (!std::equal(right.begin() + static_cast<std::ptrdiff_t>(n), right.begin() + static_cast<std::ptrdiff_t>(n + d),
                    got.begin() + static_cast<std::ptrdiff_t>(n)))
      heads.push_back(n / d);
  }
  return heads;
}

/// Runs the only launch of a scenario with a table of its own, and with the fault in its source unless it is empty.
Outcome outcome(std::string_view kernel, const sim::Scenario& s, const Table& table, std::string_view fault = "") {
  const sim::Simulation program = sim::simulate(s);
  const sim::Plan& plan = program.plan;
  const sim::Launch& launch = plan.launches.at(0);
  const sim::AttentionInputs inputs = sim::inputs_of(s);
  const std::vector<float> right = ragged_kernels::run(kernel, s, inputs).outputs.o;
  emulator::EmulatedDevice device({.traced = true});
  kernels::Tensors tensors(device, plan);
  using enum sim::Tensor;
  for (const auto* list : {&launch.inputs, &launch.outputs}) {
    for (const sim::Tensor tensor : *list) tensors.allocate(tensor);
  }
  tensors.upload(Q, inputs.q);
  tensors.upload(K, inputs.k);
  tensors.upload(V, inputs.v);
  tensors.upload_numbers(block_table, table);
  if (tensors.has(sim::seq_lens)) tensors.upload_lengths();
  kernels::Measurement measured;
  try {
    if (fault.empty()) {
      kernels::run_launch(device, plan, launch, kernel, tensors);
    } else {
      kernels::Arguments a = kernels::arguments_of(plan, launch);
      tensors.point(a);
      test_kernels::faulty_kernel(fault).run_paged(device.stream(), a, kernels::paged_batch(plan, tensors));
    }
    device.synchronize();
  } catch (const dev::DeviceError& error) {
    return {{"run"}, {}, error.what(), {}};
  }
  const std::vector<float> got = tensors.download(O);
  const sim::ValueCheck check = sim::check_values(got, {right.begin(), right.end()}, true);
  measured.errors = {{"O", 0, 0, check.max_abs_error, check.nonfinite > 0 ? "NaN" : ""}};
  measured.reports = device.take_reports();
  measured.traced = true;
  measured.most_passes = 32;
  measured.peak_bytes = program.memory.peak_hbm.count();
  Outcome found{{}, different_heads(got, right, static_cast<std::size_t>(s.shape.head_dim)), "", got};
  for (const kernels::VerdictRow& row : kernels::compare(program, measured).rows) {
    if (!row.ok && !row.quantity.starts_with("sectors"))
      found.rows.push_back(row.quantity + (row.cause == "NaN" ? ": NaN" : ""));
  }
  return found;
}

Table right_table(const sim::Scenario& s) { return kernels::block_table(sim::make_plan(s)); }

const std::pair<const char*, const char*> kernels_in_pages[] = {{"paged-attention", "paged-attention"},
                                                                {"flash-decoding", "flash-decoding_mma"}};

}  // namespace

TEST_CASE("kernels in pages without a fault are verified") {
  for (const auto& [algorithm, kernel] : kernels_in_pages) {
    INFO(kernel);
    const sim::Scenario s = in_pages(algorithm);
    const Outcome found = outcome(kernel, s, right_table(s));
    CHECK(found.rows == Rows{});
    CHECK(found.heads.empty());
  }
}

TEST_CASE("two sequences may share pages") {
  for (const auto& [algorithm, kernel] : kernels_in_pages) {
    INFO(kernel);
    const sim::Scenario s = in_pages(algorithm);
    Table shared = right_table(s);
    std::copy_n(shared.begin(), 6, shared.begin() + 6);
    sim::AttentionInputs inputs = sim::inputs_of(s);
    for (std::vector<float>* keys : {&inputs.k, &inputs.v})
      std::copy_n(keys->begin(), keys->size() / 2, keys->begin() + static_cast<std::ptrdiff_t>(keys->size() / 2));
    CHECK(outcome(kernel, s, shared).o == ragged_kernels::run(kernel, s, inputs).outputs.o);
    CHECK(outcome(kernel, s, shared).heads == std::vector<std::size_t>{2, 3});  // they had keys of their own
  }
}

TEST_CASE("a stale table, of before the pages moved, has the right bytes and is found in the values") {
  for (const auto& [algorithm, kernel] : kernels_in_pages) {
    INFO(kernel);
    const sim::Scenario s = in_pages(algorithm);
    Table stale = right_table(s);
    std::rotate(stale.begin(), stale.begin() + 1, stale.begin() + 6);  // with the last page, which has unused slots
    CHECK(outcome(kernel, s, stale).rows == Rows{"error.O: NaN"});
    CHECK(outcome(kernel, s, stale).heads == std::vector<std::size_t>{0, 1});
  }
}

TEST_CASE("a page that was freed too early holds another sequence's keys, and only its former owner is wrong") {
  for (const auto& [algorithm, kernel] : kernels_in_pages) {
    INFO(kernel);
    const sim::Scenario s = in_pages(algorithm);
    Table reused = right_table(s);
    reused[8] = reused[2];  // a page of the first sequence in the table of the second
    CHECK(outcome(kernel, s, reused).rows == Rows{"error.O"});
    CHECK(outcome(kernel, s, reused).heads == std::vector<std::size_t>{2, 3});
  }
}

TEST_CASE("an entry of the table that is out of range is an access outside K") {
  for (const auto& [algorithm, kernel] : kernels_in_pages) {
    INFO(kernel);
    const sim::Scenario s = in_pages(algorithm);
    for (const std::int32_t page : {12, -1}) {
      Table wrong = right_table(s);
      wrong[3] = page;
      const Outcome found = outcome(kernel, s, wrong);
      CHECK(found.rows == Rows{"run"});
      CHECK_THAT(found.error, Catch::Contains("OUT OF BOUNDS read") && Catch::Contains(" of K"));
    }
  }
}

TEST_CASE("a wrong page has the right bytes and is found in the values") {
  const sim::Scenario s = in_pages("paged-attention");
  CHECK(outcome("paged-attention", s, right_table(s), "wrong page").rows == Rows{"error.O: NaN"});
}

TEST_CASE("reading whole pages brings the NaN of unused slots into O, and is found in values and bytes") {
  const sim::Scenario s = in_pages("paged-attention");
  CHECK(outcome("paged-attention", s, right_table(s), "whole pages").rows ==
        Rows{"error.O: NaN", "tile_traffic.by_tensor.K.read_bytes", "tile_traffic.by_tensor.V.read_bytes",
             "tile_traffic.total.read_bytes"});
}

TEST_CASE("the length of a neighbour is found in values and bytes") {
  const sim::Scenario s = in_pages("paged-attention", {{1, 1, 40}, {1, 1, 93}});
  const Outcome found = outcome("paged-attention", s, right_table(s), "length of a neighbour");
  CHECK(found.rows == Rows{"error.O", "tile_traffic.by_tensor.K.read_bytes", "tile_traffic.by_tensor.V.read_bytes",
                           "tile_traffic.by_tensor.block_table.read_bytes", "tile_traffic.total.read_bytes"});
  CHECK(found.heads == std::vector<std::size_t>{2, 3});
}
