// The lesson panel as text and actions, for screen readers and keyboards: the page makes an HTML form of it.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/model/view_model.h"

namespace explorer {

/// null where neither a lesson nor the tour is shown. {"state": "list" | "waiting" | "step", "title", ...}, of a step
///   {"place", "step", "steps", "heading", "blocks": [{"kind", "text"}], "told": as those, once all questions are
///    over, "changed": the scenario is another than the step's,
///    "questions": [{"key", "kind", "text", "choices": [{"name", "label"}], "lines": [...], "hints": [...],
///                   "more_hints", "complaint", "over", "typed", "said": of a wrong try that leaves another,
///                   "answer": what came of it in the end, "expected": the run's own, after a wrong answer or none}]}
/// and of the list {"lessons": [{"id", "chapter": that it begins, "title", "facts": minutes, steps and what it needs,
///    "progress": "done", "begin here", "answered", "questions"}]}; "labels" of its buttons with all. Only
/// questions up to the first that is open.
nlohmann::ordered_json lesson_mirror(ViewModel& model);

/// Performs an action: "next", "back", "list", "close", "restore", "retry"; "open" with the id of a lesson; "check"
/// with the key of a question and an answer as lessons::mark() reads it; "hint", "show", "again" with the key. Others
/// do nothing.
void act_in_lesson(ViewModel& model, const std::string& action, const std::string& key, const std::string& text);

}  // namespace explorer
