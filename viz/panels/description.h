// What happens at the playhead, in sentences: beside the transport, for screen readers and for `--describe`.
#pragma once
#include <string>

#include "viz/model/covered.h"
#include "viz/model/description.h"
#include "viz/words/words.h"

namespace explorer {

/// The name of an engine: "Tensor cores".
std::string_view engine_name(Language language, sim::Engine engine);
/// What a verb does: "Matrix product".
std::string_view verb_name(Language language, sim::Verb verb);
/// A verb as the code has it, "exp"; in another language than English what it does.
std::string_view verb_word(Language language, sim::Verb verb);

/// Why a CTA stands still: "latency", "bandwidth", "barrier".
std::string_view cause_name(Language language, sim::Cause cause);

/// One line, as markup of viz/ui/rich_text.h: "Softmax: P = exp(S − m′)". `with_next`: and what follows.
std::string step_sentence(Language language, const Subject& subject, const Description& now, bool with_next);

/// Everything about the moment in whole sentences, without markup: which run, kernel and CTA, the time, the line, the
/// tile, what is copied, how many bytes have moved, what it waits for and what comes next. What is covered is left out.
std::string description_text(Language language, const Subject& subject, const Covered& covered = {});

}  // namespace explorer
