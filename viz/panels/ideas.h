// The index of ideas: words, an answer in one line, and a link to the view at a moment. The palette and the field of
// the first view search it.
#pragma once
#include <array>
#include <span>

#include "viz/model/first_view.h"
#include "viz/panels/view.h"

namespace explorer {

using IdeaValues = std::array<std::string, 3>;

struct Idea {
  std::string_view label;   ///< English, for words::say
  std::string_view words;   ///< further ones that it is found by
  std::string_view answer;  ///< English, for words::say; {} are the values. Markup of viz/ui/rich_text.h
  std::string_view link;    ///< or the name of an action
  IdeaValues (*values)(const View&, const FirstFacts&);  ///< null if the answer has none
  bool is_action() const { return link.find('=') == std::string_view::npos; }
};

/// All ideas; the first are the examples of an empty field.
std::span<const Idea> ideas();
/// The idea of a label, which must exist.
const Idea& idea(std::string_view label);
/// The answer in the window's language; "…" while its values are computed.
std::string answer_of(const View& view, const Idea& idea);
/// Opens the view of an idea.
Edit edit_of(const Idea& idea);

}  // namespace explorer
