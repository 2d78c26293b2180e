// Sentences on what happens at the playhead: for the transport, screen readers and `--describe`.
#pragma once
#include <string>

#include "viz/model/covered.h"
#include "viz/model/description.h"
#include "viz/model/look.h"
#include "viz/words/words.h"

namespace explorer {

/// The name of an engine: "Tensor cores".
std::string_view engine_name(Language language, sim::Engine engine);
/// Name of a role, given as its trace has it: "consumer 1".
std::string role_name(Language language, const std::string& name);
/// Action of a verb: "Matrix product".
std::string_view verb_name(Language language, sim::Verb verb);
/// A verb as written in code, "exp"; in languages other than English, what it does.
std::string_view verb_word(Language language, sim::Verb verb);

/// Reason that a CTA waits: "latency", "bandwidth", "barrier".
std::string_view cause_name(Language language, sim::Cause cause);

/// The current step in one line, as markup of viz/ui/rich_text.h: "Softmax: P = exp(S − m′)". `with_next` adds the next
/// step.
std::string step_sentence(Language language, const Subject& subject, const Description& now, bool with_next);

/// The moment in whole sentences, without markup: run, kernel and CTA, time, line, tile, copies, bytes moved so far,
/// the current wait and the next step. Covered values are left out.
std::string description_text(Language language, const Subject& subject, const Covered& covered = {});

}  // namespace explorer
