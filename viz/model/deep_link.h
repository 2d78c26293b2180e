// The state of the explorer as a link: "algorithm=flash2&seqlen=1024&time=66.95&theme=dark". Scenario options have the
// names of the command line; a flag is "causal=1". What stands in a link is untrusted.
#pragma once
#include <string>
#include <vector>

#include "sim/catalogue/options.h"

namespace explorer {

/// The part of a link that is no scenario option: where one looks, and how.
struct ViewOption {
  std::string_view name, values, help;
};
const std::vector<ViewOption>& view_options();

inline constexpr std::size_t longest_link = std::size_t{8} * 1024;  ///< bytes that are read of one

struct Link {
  sim::OptionValues scenario, view;
  std::vector<std::string> complaints;  ///< one line for each key that was left out, and why
  std::vector<std::string> notes = {};  ///< which names were taken for which
};

/// Nobody asked for a scenario: no key of one, and compared runs that change the algorithm alone. Such a link opens on
/// sim::filled_card().
bool is_bare(const Link& link);

/// True if a link names neither a scenario nor a place nor a view, at most how everything is drawn: it then opens on
/// a picture with something under way, not on an empty one.
bool names_nothing(const Link& link);

/// The options as a link that is copied has them: with batch and heads also where they are the defaults of options,
/// since a link without them may open on others. Those of a model are written as well.
sim::OptionValues with_batch_and_heads(sim::OptionValues options);

/// Without "#". Values are percent-encoded where needed; keys in alphabetical order, the scenario first.
std::string to_link(const Link& link);

/// Reads a link with or without "#". A key that is unknown, malformed, repeated or has a value that is not allowed is
/// left out with a complaint; the rest counts. At most 8 KiB are read.
Link read_link(std::string_view text, const sim::GpuLookup& gpu);

}  // namespace explorer
