// Compared runs: the options that each changes in the first run's scenario, and the resulting differences.
#pragma once
#include <optional>

#include "viz/model/chain.h"
#include "viz/model/subject.h"

namespace explorer {

inline constexpr std::size_t most_subjects = 4;

/// Reads "flash1,standard" or "algorithm:flash2+br:64,gpu:a100-sxm-40gb": a comma between runs, a plus between the
/// options of one; a name without a colon is an algorithm. Empty if malformed, or if there are more than three.
std::optional<std::vector<sim::OptionValues>> read_comparison(std::string_view text);
std::string to_text(const std::vector<sim::OptionValues>& changes);

/// Options of a compared run: its changes applied to the first run's options. Another algorithm takes its own tiles and
/// kernel unless the change names them; a number of entries of one length replaces those of a ragged batch.
sim::OptionValues changed(const sim::OptionValues& first, const sim::OptionValues& change);

/// Scenarios of the first run and the compared ones; empty if the options of one cannot be read. All share what a
/// pattern hides, as in `flashscope compare`; a run whose change names its tiles keeps them.
std::vector<std::optional<sim::Scenario>> scenarios_of(const sim::OptionValues& first,
                                                       const std::vector<sim::OptionValues>& changes,
                                                       const sim::GpuLookup& gpu);

/// Names of the options that differ between two scenarios once every default is filled in.
std::vector<std::string> differences(const Subject& a, const Subject& b);

/// True if both attend over the same numbers: false if one of the differences is an option that the values depend on,
/// such as shape, mask, dtype or seed.
bool same_inputs(const std::vector<std::string>& differences);

/// The position in a run's grid that begins at the same query and key as `place` in another run's.
sim::CtaPlace same_place(const Subject& from, const sim::CtaPlace& place, const sim::Simulation& to);

}  // namespace explorer
