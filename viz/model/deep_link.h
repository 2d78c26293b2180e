// The state of the explorer as a link: "algorithm=flash2&seqlen=1024&time=66.95&theme=dark". Scenario options have the
// names of the command line; a flag is "causal=1". The contents of a link are untrusted.
#pragma once
#include <string>
#include <vector>

#include "sim/catalogue/options.h"

namespace explorer {

/// An option of a link that is not a scenario option: the selected position and view.
struct ViewOption {
  std::string_view name, values, help;
};
const std::vector<ViewOption>& view_options();

inline constexpr std::size_t longest_link = std::size_t{8} * 1024;  ///< longest part of a link that is read, in bytes

struct Link {
  sim::OptionValues scenario, view;
  std::vector<sim::Sentence> link_errors;  ///< one line for each rejected key, with the reason
  std::vector<std::string> notes = {};     ///< substitutions of names that were made
};

/// True if a link requests no scenario: it has no key of one, and compared runs that only change the algorithm. Such a
/// link opens on sim::filled_card().
bool is_bare(const Link& link);

/// True if a link names no scenario, position or view, only drawing settings: it then opens on a moment with work under
/// way, not on an empty picture.
bool names_nothing(const Link& link);

/// Options as a copied link has them: with batch and heads even if they are the defaults of options, since a link
/// without them may open on others. Those of a model are written as well.
sim::OptionValues with_batch_and_heads(sim::OptionValues options);

/// Writes a link without "#". Values are percent-encoded where needed; keys in alphabetical order, the scenario first.
std::string to_link(const Link& link);

/// Reads a link with or without "#". A key that is unknown, malformed, repeated or has an invalid value is left out
/// with an error message; the rest counts. At most 8 KiB are read.
Link read_link(std::string_view text, const sim::GpuLookup& gpu);

}  // namespace explorer
