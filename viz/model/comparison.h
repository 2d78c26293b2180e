// Runs beside the first one: what of its scenario they change, and what that makes different.
#pragma once
#include <optional>

#include "viz/model/chain.h"
#include "viz/model/subject.h"

namespace explorer {

inline constexpr std::size_t most_subjects = 4;

/// "flash1,standard" or "algorithm:flash2+br:64,gpu:a100-sxm-40gb": a comma between runs, a plus between the options
/// of one; a word without a colon is an algorithm. Nothing when it makes no sense, or there are more than three.
std::optional<std::vector<sim::OptionValues>> read_comparison(std::string_view text);
std::string to_text(const std::vector<sim::OptionValues>& changes);

/// The options of a run beside the first: those that change, over the rest. Another algorithm takes its own tiles and
/// kernel unless the change names them.
sim::OptionValues changed(const sim::OptionValues& first, const sim::OptionValues& change);

/// What the first run and those beside it simulate, none where the options of one cannot be read. What a pattern hides
/// is the same for all, as in `flashscope compare`; a run whose change names its tiles keeps them.
std::vector<std::optional<sim::Scenario>> scenarios_of(const sim::OptionValues& first,
                                                       const std::vector<sim::OptionValues>& changes,
                                                       const sim::GpuLookup& gpu);

/// The names of the options that differ between two scenarios once every default is filled in.
std::vector<std::string> differences(const Subject& a, const Subject& b);

/// Do both attend over the same numbers? Not when one of the differences is of the shape, the mask, the dtype, the seed
/// or another thing that the values depend on.
bool same_inputs(const std::vector<std::string>& differences);

/// The place in a run's grid that begins at the same query and key as `place` in another's.
sim::CtaPlace same_place(const Subject& from, const sim::CtaPlace& place, const sim::Simulation& to);

}  // namespace explorer
