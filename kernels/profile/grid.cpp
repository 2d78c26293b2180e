#include "kernels/profile/grid.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace profile {
namespace {

using Factors = std::vector<std::int64_t>;

constexpr std::int64_t most_ctas = std::int64_t{1} << 40;

/// The axes of "(32, 4, 32)" above 1; empty if it is not the text of three numbers from 1 on.
Factors axes_of(const std::string& grid) {
  Factors axes;
  std::size_t numbers = 0;
  for (std::size_t at = grid.find_first_of("0123456789"); at != std::string::npos;
       at = grid.find_first_of("0123456789", at)) {
    char* end = nullptr;
    const std::int64_t axis = std::strtoll(grid.c_str() + at, &end, 10);
    at = static_cast<std::size_t>(end - grid.c_str());
    ++numbers;
    if (axis < 1 || axis > std::int64_t{1} << 31) return {};
    if (axis > 1) axes.push_back(axis);
  }
  return numbers == 3 ? axes : Factors{};
}

std::int64_t product_of(const Factors& factors) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) product = product > most_ctas / factor ? most_ctas : product * factor;
  return product;
}

/// True if the axes are products of the factors, each of which is in one axis.
bool makes(const Factors& factors, Factors axes, std::size_t next = 0) {
  if (next == factors.size()) return std::all_of(axes.begin(), axes.end(), [](std::int64_t rest) { return rest == 1; });
  if (factors[next] == 1) return makes(factors, std::move(axes), next + 1);
  for (std::int64_t& axis : axes) {
    if (axis % factors[next] != 0) continue;
    axis /= factors[next];
    if (makes(factors, axes, next + 1)) return true;
    axis *= factors[next];
  }
  return false;
}

/// Factors of a launch's CTAs, each a number of something that the scenario sets.
struct Extents {
  std::int64_t batch = 1, heads = 1, rows = 1, parts = 1;
  bool row_by_row = false;  ///< a CTA takes one row: seldom, so it explains a grid but suggests no other scenario
  Factors factors() const { return {batch, heads, rows, parts}; }
};

/// One kernel of the program, and the grids that other kernels for the same scenario have.
class KernelGrids {
 public:
  KernelGrids(const sim::Plan& plan, const sim::Launch& launch)
      : plan_(plan), grid_(launch.grid), split_(launch.grid.is_split()) {
    const sim::Shape& asked = plan.scenario.shape;
    add_heads(asked.heads, asked.seqlen_q);
    if (asked.kv_heads != asked.heads) add_heads(asked.kv_heads, asked.seqlen_q);
    if (asked.kv_heads != asked.heads) add_heads(asked.kv_heads, asked.seqlen_q * (asked.heads / asked.kv_heads));
  }

  bool fits(const Factors& axes) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Extents& e) { return makes(e.factors(), axes); });
  }

  /// Options with which the grid fits, "--batch 4"; each changes one extent.
  std::vector<std::string> options(const Factors& axes) const {
    const sim::Shape& asked = plan_.scenario.shape;
    std::vector<std::string> found =
        changed(axes, &Extents::parts, split_ ? "--splits " : "--algorithm flash-decoding --splits ",
                [&](const Extents& e) { return split_ || (e.rows == 1 && few_queries()); });
    const auto any = [](const Extents&) { return true; };
    for (std::string& one : changed(axes, &Extents::batch, "--batch ", any)) found.push_back(std::move(one));
    const auto all_heads = [&](const Extents& e) { return e.heads == asked.heads; };
    for (std::string& one : changed(axes, &Extents::heads, "--heads ", all_heads)) found.push_back(std::move(one));
    const auto kv_heads = [&](const Extents& e) { return e.heads != asked.heads; };
    for (std::string& one : changed(axes, &Extents::heads, "--kv-heads ", kv_heads)) found.push_back(std::move(one));
    return found;
  }

  /// The number of row blocks with which the grid fits; empty if there is none, or several.
  std::optional<std::int64_t> other_rows(const Factors& axes) const {
    const std::vector<std::string> rows = changed(axes, &Extents::rows, "", [](const Extents&) { return true; });
    return rows.size() == 1 ? std::optional(std::strtoll(rows.front().c_str(), nullptr, 10)) : std::nullopt;
  }

  std::int64_t parts() const { return split_ ? std::max<std::int64_t>(1, plan_.problem.parts) : 1; }
  std::int64_t own_rows() const { return blocks(plan_.scenario.shape.seqlen_q, grid_.br); }
  bool cuts_rows() const { return grid_.cuts_rows() && !grid_.of_tiles(); }
  std::int64_t br() const { return grid_.br; }

 private:
  static std::int64_t blocks(std::int64_t length, std::int64_t size) { return (length + size - 1) / size; }
  bool few_queries() const { return plan_.scenario.shape.seqlen_q <= 16; }

  /// Adds the grids of kernels with row blocks of the program's size, and of usual ones.
  void add_heads(std::int64_t heads, std::int64_t queries) {
    const std::int64_t batch = plan_.scenario.shape.batch;
    if (grid_.of_columns()) {
      for (const std::int64_t size : {grid_.bc, std::int64_t{64}, std::int64_t{128}})
        all_.push_back({batch, heads, blocks(plan_.scenario.shape.seqlen_k, size), 1});
      return;
    }
    for (const std::int64_t size : {grid_.br, std::int64_t{64}, std::int64_t{128}})
      all_.push_back({batch, heads, grid_.cuts_rows() ? blocks(queries, size) : 1, parts()});
    if (few_queries()) all_.push_back({batch, heads, queries, parts(), queries > 1});
  }

  /// Texts of an option, with each value of one extent that makes the axes, for the extents that `applies` admits.
  std::vector<std::string> changed(const Factors& axes, std::int64_t Extents::*extent, const char* option,
                                   const std::function<bool(const Extents&)>& applies) const {
    std::vector<std::string> found;
    const std::int64_t ctas = product_of(axes);
    for (Extents e : all_) {
      if (e.row_by_row || !applies(e)) continue;
      const std::int64_t before = std::exchange(e.*extent, 1), others = product_of(e.factors());
      if (ctas % others != 0 || ctas / others == before) continue;
      e.*extent = ctas / others;
      if (!makes(e.factors(), axes)) continue;
      const std::string text = sim::text(option, e.*extent);
      if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(text);
    }
    return found;
  }

  const sim::Plan& plan_;
  const sim::GridShape& grid_;
  bool split_;
  std::vector<Extents> all_;
};

/// The scenario's values of the options in a sentence.
std::string own_values(const std::vector<std::string>& options, const KernelGrids& grids, const sim::Shape& shape) {
  std::vector<std::string> values;
  const auto add = [&](const char* option, const char* name, std::int64_t value) {
    const bool named = std::any_of(options.begin(), options.end(),
                                   [&](const std::string& one) { return one.find(option) != std::string::npos; });
    if (named) values.push_back(sim::text(name, " ", value));
  };
  add("--splits", "splits", grids.parts());
  add("--batch", "batch", shape.batch);
  add("--heads", "heads", shape.heads);
  add("--kv-heads", "kv-heads", shape.kv_heads);
  return sim::joined(values, " and ");
}

std::string sentence(const sim::Simulation& program, const sim::Launch& kernel, const Launch& launch) {
  const Factors axes = axes_of(launch.grid);
  const std::int64_t sms = program.plan.scenario.gpu->sm_count;
  if (axes.empty() || (axes.size() == 1 && axes.front() % sms == 0)) return "";  // a persistent kernel fills the SMs
  const KernelGrids grids(program.plan, kernel);
  if (grids.fits(axes)) return "";
  const sim::Shape& shape = program.plan.scenario.shape;
  const std::string grid = "the grid " + launch.grid;
  if (const std::vector<std::string> options = grids.options(axes); !options.empty())
    return sim::text(grid, " is that of ", sim::joined(options, " or "), "; the scenario has ",
                     own_values(options, grids, shape));
  const std::optional<std::int64_t> rows = grids.cuts_rows() ? grids.other_rows(axes) : std::nullopt;
  if (!rows) return "";
  return sim::text(grid, " has ", *rows, " row blocks, not ", grids.own_rows(), ": that of --seqlen-q ",
                   *rows * grids.br(), " with row blocks of ", grids.br(), " rows, or of other row blocks");
}

}  // namespace

std::string other_grid(const sim::Simulation& program, const std::vector<const Launch*>& pass) {
  const sim::Plan& plan = program.plan;
  if (plan.scenario.sequences != nullptr || pass.size() != plan.launches.size()) return "";
  for (std::size_t k = 0; k < pass.size(); ++k) {
    if (std::string found = sentence(program, plan.launches[k], *pass[k]); !found.empty()) return found;
  }
  return "";
}

}  // namespace profile
