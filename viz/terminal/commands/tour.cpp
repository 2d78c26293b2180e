// flashscope tour: plays lesson 00.
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/play.h"

namespace terminal {
namespace {

const std::string tour_id = "00-tour";

std::string list(const lessons::Words& words) {
  std::string text;
  for (std::size_t n = 0; n < words.pages.size(); ++n)
    text += sim::text(n < 9 ? " " : "", n + 1, "  ", words.pages[n].title, "\n");
  return text;
}

}  // namespace

CommandSyntax tour_syntax() {
  CommandSyntax syntax;
  syntax.name = "tour";
  syntax.summary = sim::text(lessons::built_in(tour_id).lesson.steps.size(),
                             " steps from the N x N matrix to warpgroups with roles, as in the explorer");
  syntax.scenario = false;
  syntax.own = {{"step", "N", "begin with this step; into a pipe: only this step", {}},
                {"lang", "en|zh", "language [en]", {"en", "zh"}},
                {"list", "", "the titles only", {}}};
  syntax.example = "flashscope tour --step 6";
  syntax.note = "In a terminal it asks before it tells; into a pipe it prints all, answers included.";
  return syntax;
}

int run_tour(const Arguments& arguments) {
  if (!arguments.find("list")) return play_or_print(library_of(arguments), lessons::built_in(tour_id), arguments);
  print(list(lessons::built_in(tour_id).words(language_of(arguments))));
  return exit_done;
}

}  // namespace terminal
