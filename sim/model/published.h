// Published speeds of attention kernels: the tables in published/*.csv, one row per published number.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace sim {

/// Use of a published number: `score` counts in the error of the model; constants were fitted to `fit`, which therefore
/// does not count; `shown` is only shown, and its note has the reason if it is unsure; `ratio` counts only as a ratio
/// to others of its source; `contradicted` is shown, and its note names the contradiction.
enum class Standing { score, fit, shown, ratio, contradicted };
std::string_view name_of(Standing standing);

/// Quantity that was published. `tflops`: TFLOP/s of attention_flops; `speedup`: time of standard attention / this
/// time; `share`: time of one GPU on a Pth of the tokens x P / this time of P GPUs.
enum class Published { tflops, milliseconds, speedup, share };
std::string_view name_of(Published quantity);
constexpr bool is_factor(Published quantity) { return quantity >= Published::speedup; }  ///< no time of its own

/// One published number, or one that was recorded on a GPU (kernels/measurements).
struct PublishedPoint {
  std::string group;   ///< the name of its file
  std::string source;  ///< paper with figure or table, or page; "place not found" if it is unknown
  std::string software;
  std::string variant;                    ///< "", or "released": the code of FlashAttention-1 of 2022, a tiling rule
  std::optional<std::int64_t> clock_mhz;  ///< if the source states it
  OptionValues options;                   ///< the scenario by option names, without tiles
  Scenario scenario;                      ///< `options` resolved, without variant and clock; with tiles set by hand
  Published quantity = Published::tflops;
  double value = 0;
  Standing standing = Standing::score;
  std::string note;
  std::string kernel;   ///< kernel of a recorded point; "" for a published one
  bool for_fit = true;  ///< true if a fit may use it: `fit` points if its table has some, else scored ones, every
                        ///< other recorded one
  bool recorded() const { return !kernel.empty(); }
};

/// Reads one table. Throws Error with file, line, column and what is allowed; the scenario's own errors, with the place
/// in front.
std::vector<PublishedPoint> parse_published(std::string_view csv, const std::string& origin);

/// The names of the embedded tables, and all their rows in this order, read once.
const std::vector<std::string>& published_groups();
const std::vector<PublishedPoint>& published_points();
std::string_view published_table(const std::string& name);  ///< its bytes; throws Error if there is none

/// Name of the program that the point's software is: its algorithm's, or that of its variant, "flash2-released".
std::string_view code_of(const PublishedPoint& point);

/// Scenario to simulate for a point: its scenario with its clock, variant and tiles. Throws Error when the variant is
/// unknown here.
Scenario scenario_of(const PublishedPoint& point);

/// The FLOPs by which attention is rated: forward 4 N^2 d H B, halved by a causal mask; backward 2.5 times that,
/// both passes 3.5 times. Source: Dao 2023, section 4.1. Standard attention is rated by the same numbers.
double attention_flops(const Scenario& scenario);

/// The published time in microseconds; nothing for a speed-up.
std::optional<double> published_microseconds(const PublishedPoint& point);

/// Minimum and maximum of the speeds published for a scenario with its specific options, in TFLOP/s. Nothing if there
/// are none.
std::optional<std::pair<double, double>> published_speeds(const Scenario& scenario);

/// "flash2 forward, batch 4, heads 16, N 4096, d 128, causal on a100-sxm-80gb"; "flash2 by pytorch-flash forward, ..."
/// for a recorded point.
std::string description_of(const PublishedPoint& point);

}  // namespace sim
