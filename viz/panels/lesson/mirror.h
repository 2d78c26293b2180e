// The lesson panel as text and actions, for screen readers and keyboards: the page makes an HTML form of it.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/model/model.h"

namespace explorer {

/// State of the panel; null if neither a lesson nor the tour is shown: {"state": "list" | "waiting" | "step", "title",
/// ...}, for a step
///   {"place", "step", "steps", "heading", "blocks": [{"kind", "text"}], "told": more blocks, once no question is open,
///    "changed": the scenario differs from the step's,
///    "questions": [{"key", "kind", "text", "choices": [{"name", "label"}], "lines": [...], "hints": [...],
///                   "more_hints", "complaint", "over", "typed", "said": on a wrong try, while another is left,
///                   "answer": the final outcome, "expected": the run's answer, after a wrong one or none}]}
/// and for the list {"lessons": [{"id", "chapter": that it begins, "title", "facts": minutes, steps and requirements,
///    "progress": "done", "begin here", "answered", "questions"}]}; always the "labels" of the buttons. Only questions
/// up to the first open one.
nlohmann::ordered_json lesson_mirror(const Model& model);

/// Edits of an action: "next", "back", "list", "close", "restore", "retry"; "open" with the id of a lesson; "check"
/// with the key of a question and an answer as lessons::mark() reads it; "hint", "show", "again" with the key. Others
/// do nothing.
Edits act_in_lesson(const Model& model, const std::string& action, const std::string& key, const std::string& text);

}  // namespace explorer
