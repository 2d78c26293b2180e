// Kernels over ragged batches: faults of the table or the source are found, and unsupported options are rejected.
#include "kernels/verify/choice.h"
#include "kernels/verify/ragged.h"
#include "tests/kernels/test_kernels.h"
#include "tests/support/ragged_kernels.h"

namespace {

using namespace ragged_kernels;

/// The error of a result; NaN if rows were not written.
kernels::ValueErrors error_of(const char* name, const std::vector<float>& got, const std::vector<float>& right) {
  const sim::ValueCheck check = sim::check_values(got, {right.begin(), right.end()}, true);
  return {name, 0, 1e-6, check.max_abs_error, check.nonfinite > 0 ? "rows that were not written" : ""};
}

/// Launches the forward kernel by `start` and returns the failing rows of the verdict, without sectors.
template <class Start>
std::vector<std::string> failing(std::string_view kernel, const sim::Scenario& s,
                                 const std::vector<std::int32_t>& table, Start start) {
  const sim::Simulation program = sim::simulate(s);
  const sim::AttentionInputs inputs = sim::inputs_of(s);
  const sim::AttentionOutputs right = run(kernel, s, inputs).outputs;
  emulator::EmulatedDevice device({.traced = true});
  kernels::Tensors tensors(device, program.plan);
  using enum sim::Tensor;
  for (const sim::Tensor tensor : {Q, K, V, O, L, sequences}) tensors.allocate(tensor);
  tensors.upload(Q, inputs.q);
  tensors.upload(K, inputs.k);
  tensors.upload(V, inputs.v);
  tensors.upload_bytes(sequences, {reinterpret_cast<const unsigned char*>(table.data()), table.size() * 4});
  start(device, program.plan, tensors);
  device.synchronize();
  kernels::Measurement measured;
  measured.errors = {error_of("O", tensors.download(O), right.o),
                     error_of("L", tensors.download(L), right.log_sum_exp)};
  measured.reports = device.take_reports();
  measured.traced = true;
  measured.most_passes = 32;
  measured.peak_bytes = program.memory.peak_hbm.count();
  std::vector<std::string> rows;
  for (const kernels::VerdictRow& row : kernels::compare(program, measured).rows) {
    if (!row.ok && !row.quantity.starts_with("sectors")) rows.push_back(row.quantity);
  }
  return rows;
}

/// Launches the kernel with one number of the table changed.
std::vector<std::string> with_table(std::string_view kernel, const sim::Scenario& s, std::size_t place,
                                    std::int32_t change) {
  std::vector<std::int32_t> table = kernels::sequence_table(sim::make_plan(s));
  if (change != 0) table.at(place) += change;
  return failing(kernel, s, table, [&](auto& device, const auto& plan, const auto& tensors) {
    kernels::run_launch(device, plan, plan.launches.at(0), kernel, tensors);
  });
}

/// Launches the plain kernel with a fault in its source.
std::vector<std::string> with_fault(std::string_view fault, const sim::Scenario& s) {
  const std::vector<std::int32_t> table = kernels::sequence_table(sim::make_plan(s));
  return failing("flash2", s, table, [&](auto& device, const auto& plan, const auto& tensors) {
    const sim::Launch& launch = plan.launches.at(0);
    kernels::Arguments a = kernels::arguments_of(plan, launch);
    tensors.point(a);
    kernels::RaggedBatch batch = kernels::ragged_batch(plan, launch);
    batch.sequences = static_cast<const std::int32_t*>(tensors.at(sim::Tensor::sequences));
    test_kernels::faulty_kernel(fault).run_ragged(device.stream(), a, batch);
  });
}

using Rows = std::vector<std::string>;
const Rows values_alone = {"error.O", "error.L"};

}  // namespace

TEST_CASE("NaN in one entry does not reach another") {
  for (const char* kernel : {"flash2", "flash2_mma"}) {
    sim::Scenario s = std::string_view(kernel) == "flash2" ? plain({{1, 20, 33}, {1, 7, 50}, {1, 17, 18}})
                                                           : ragged({{1, 70, 90}, {1, 7, 50}, {1, 65, 66}});
    s.pass = sim::Pass::forward_backward;
    if (kernels::on_tensor_cores(kernel)) s.br = s.bc = std::nullopt;
    const sim::Plan plan = sim::make_plan(s);
    sim::AttentionInputs inputs = sim::inputs_of(s);
    const sim::AttentionOutputs clean = run(kernel, s, inputs).outputs;
    const std::int64_t d = s.shape.head_dim, heads = s.shape.heads;
    const sim::SequenceClass &first = (*s.sequences)[0], &second = (*s.sequences)[1];
    const auto poison = [](std::vector<float>& values, std::int64_t begin, std::int64_t count) {
      std::fill_n(values.begin() + begin, count, std::nanf(""));
    };
    poison(inputs.q, first.seqlen_q * heads * d, second.seqlen_q * heads * d);
    for (std::vector<float>* values : {&inputs.k, &inputs.v})
      poison(*values, first.seqlen_k * s.shape.kv_heads * d, second.seqlen_k * s.shape.kv_heads * d);
    const sim::AttentionOutputs poisoned = run(kernel, s, inputs).outputs;
    for (const std::size_t n : {0U, 2U}) {
      const sim::Plan& c = sim::classes_of(plan)[n];
      const sim::AttentionOutputs got = outputs_of_class(plan, poisoned, c), want = outputs_of_class(plan, clean, c);
      INFO(kernel << ", entry " << n);
      CHECK(got.o == want.o);
      CHECK(got.d_q == want.d_q);
      CHECK(got.d_k == want.d_k);
      CHECK(got.d_v == want.d_v);
    }
  }
}

TEST_CASE("a wrong first row and a wrong length are found in kernels of ragged batches") {
  const sim::Scenario s = plain({{1, 20, 30}, {1, 33, 50}});
  CHECK(with_fault("first row too early", s) == values_alone);
  CHECK(with_fault("length of the first", s) ==
        Rows{"error.O", "error.L", "tile_traffic.by_tensor.K.read_bytes", "tile_traffic.by_tensor.V.read_bytes",
             "tile_traffic.by_tensor.sequences.read_bytes", "tile_traffic.total.read_bytes"});
}

TEST_CASE("kernels of ragged batches read all four numbers of an entry from its table") {
  for (const char* kernel : {"flash2", "flash2_mma"}) {
    const bool tensor_cores = kernels::on_tensor_cores(kernel);
    const sim::Scenario s = tensor_cores ? ragged({{1, 20, 30}, {1, 33, 50}}) : plain({{1, 20, 30}, {1, 33, 50}});
    INFO(kernel);
    CHECK(with_table(kernel, s, 4, 0).empty());
    CHECK(with_table(kernel, s, 4, -1) == values_alone);  // first query of the second entry
    CHECK(with_table(kernel, s, 6, -1) == values_alone);  // first key of the second entry
    CHECK(with_table(kernel, s, 5, -1) != Rows{});        // Nq of the second entry
    CHECK(with_table(kernel, s, 7, -1) != Rows{});        // Nk of the second entry
  }
}

TEST_CASE("classes are issued in the order of the lines, or those with the longest loops first") {
  sim::Scenario s = plain({{2, 9, 10}, {1, 8, 30}, {3, 7, 30}});
  const auto first_entries = [&] {
    const sim::Plan plan = sim::make_plan(s);
    std::vector<std::int32_t> entries;
    for (const auto& c : kernels::ragged_batch(plan, plan.launches.at(0)).classes) entries.push_back(c.first_entry);
    return entries;
  };
  CHECK(first_entries() == std::vector<std::int32_t>{0, 2, 3});
  s.issue = sim::IssueOrder::longest;
  CHECK(first_entries() == std::vector<std::int32_t>{2, 3, 0});
}

TEST_CASE("kernels of ragged batches refuse unsupported options") {
  const auto choose = [](const sim::Scenario& s) {
    const sim::Plan plan = sim::make_plan(s);
    kernels::choose_kernel(plan, {}, dev::Flavour::traced);
    kernels::check_sizes(plan);
  };
  sim::Scenario s = ragged({{1, 20, 30}, {2, 33, 50}});
  CHECK_NOTHROW(choose(s));
  s.dropout = 0.1;
  CHECK_THROWS_WITH(choose(s),
                    "kernel: flash2_mma with --seqlens has no dropout: the plain kernel has; or --kernel flash2");
  s = ragged({{1, 20, 30}}, 64, 64, 32);
  CHECK_THROWS_WITH(choose(s), Catch::Contains("has no tile 64 x 32 for head dim 64: it has 128 x 128, 64 x 64"));
  s = ragged({{1, 20, 30}}, 64, 64, 64);
  s.pass = sim::Pass::backward;
  CHECK_THROWS_WITH(choose(s),
                    Catch::Contains("flash2_mma with --seqlens backward has no tile 64 x 64 for head dim 64"));
  s = plain({{1, 20, 30}});
  s.algorithm = "flash1";
  CHECK_THROWS_WITH(choose(s),
                    "seqlens: the kernels flash1 take batch entries of one length; those that take others "
                    "are flash2, flash2_mma, paged-attention");
  s = plain(Classes(257, {1, 8, 8}));
  CHECK_THROWS_WITH(choose(s), Catch::StartsWith("seqlens: 257 lines are more than the 256 that kernels take"));
}
