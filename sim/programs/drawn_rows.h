// Inputs of a scenario: all of them, or those of one head, drawn as they are read.
#pragma once
#include <deque>
#include <map>

#include "sim/base/attention.h"
#include "sim/programs/plan.h"

namespace sim {

/// Returns the shape with the sizes of the scenario's inputs.
Shape shape_of_inputs(const Scenario& scenario);

/// Throws Error unless the sizes are those of the inputs: the worked example and each text have fixed ones.
void check_inputs(const Scenario& scenario);

/// Draws a range of elements of an input of all heads.
std::vector<float> input_elements(const Scenario& scenario, Interval elements, DrawnTensor tensor);

/// Elements of a row of an input.
std::int64_t cols_of(DrawnTensor tensor, const Shape& shape);

/// Returns all inputs, with dO if the pass reads it.
AttentionInputs inputs_of(const Scenario& scenario);

/// One input of a head. Rows are produced in pages, of which the newest stay in memory.
class DrawnRows : public RowSource {
 public:
  static constexpr std::int64_t page_rows = 64;
  static constexpr std::int64_t most_bytes = std::int64_t{16} << 20;

  /// Rows of a query head, counted over all batch entries; for K and V, rows of its KV head. `given`: inputs of all
  /// heads, already rounded to the dtype, instead of those of the scenario.
  DrawnRows(const Plan& plan, std::int64_t head, DrawnTensor tensor,
            std::shared_ptr<const AttentionInputs> given = nullptr);
  const float* row(std::int64_t index) override;
  std::vector<float> row_of_all(std::int64_t row);  ///< a row of the tensor, counted over all heads
  std::int64_t cols() const { return cols_; }
  std::int64_t drawn() const { return drawn_; }  ///< number of elements drawn so far: the cost
  std::int64_t bytes() const;

 private:
  const float* page(std::int64_t index);
  std::vector<float> elements(Interval of) const;
  std::vector<float> rows_of(Interval rows) const;
  Scenario scenario_;
  std::shared_ptr<const AttentionInputs> given_;
  DrawnTensor tensor_;
  std::int64_t rows_, cols_, first_row_;                   ///< first_row_: among the rows of all heads
  std::vector<std::pair<Interval, std::int64_t>> shared_;  ///< rows that another entry holds, and rows from it to here
  std::int64_t drawn_ = 0, newest_ = -1;                   ///< newest_: index of the page that was read last
  const float* values_ = nullptr;                          ///< values of that page
  std::map<std::int64_t, std::vector<float>> pages_;
  std::deque<std::int64_t> order_;
};

struct Fp8Head;  // sim/programs/fp8.h

/// All inputs of a head.
struct DrawnInputs {
  DrawnInputs(const Plan& plan, std::int64_t head, const std::shared_ptr<const AttentionInputs>& given = nullptr);
  DrawnInputs(const DrawnInputs&) = delete;
  DrawnInputs& operator=(const DrawnInputs&) = delete;
  DrawnRows Q, K, V, dO;
  std::shared_ptr<Fp8Head> fp8 = {};           ///< what programs read in e4m3; null: Q, K and V themselves
  std::vector<float> value(std::int64_t key);  ///< the row of V that attention multiplies: in e4m3 times its scale
  float unit_of_output(std::int64_t key);      ///< of the running O after the tile of a key: 1, but for e4m3
  std::int64_t drawn() const { return Q.drawn() + K.drawn() + V.drawn() + dO.drawn(); }
  std::int64_t bytes() const { return Q.bytes() + K.bytes() + V.bytes() + dO.bytes(); }
};

}  // namespace sim
