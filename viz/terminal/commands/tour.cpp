// flashscope tour: lesson 00, without questions, all at once or one step.
#include "lessons/catalogue.h"
#include "lessons/scene.h"
#include "sim/catalogue/options.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/colours.h"
#include "viz/terminal/lesson/text.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Language;

std::string step_text(const lessons::WrittenLesson& tour, std::size_t n, Language language) {
  const lessons::Step& step = tour.lesson.steps[n];
  const lessons::Scene scene(tour.lesson, step, find_gpu);
  const lessons::Page page = lessons::filled(tour.words(language).page(step.name), scene.facts());
  const std::string text =
      sim::text(n + 1, "/", tour.lesson.steps.size(), "  ", page.title, "\n") + blocks_text(page.blocks);
  return text + as_typed(sim::text("\nflashscope explore --link \"", lessons::link_of(scene.options(), step),
                                   "&overlay=tour&tour-step=", n + 1, "\"\n"));
}

std::string list(const lessons::Words& words) {
  std::string text;
  for (std::size_t n = 0; n < words.pages.size(); ++n)
    text += sim::text(n < 9 ? " " : "", n + 1, "  ", words.pages[n].title, "\n");
  return text;
}

}  // namespace

CommandSyntax tour_syntax() {
  return {"tour",
          sim::text(lessons::built_in("00-tour").lesson.steps.size(),
                    " steps from the N x N matrix to FlashAttention-2, as in the explorer"),
          false,
          {{"step", "N", "one step instead of all", {}},
           {"lang", "en|zh", "language [en]", {"en", "zh"}},
           {"list", "", "the titles only", {}}},
          "flashscope tour --step 6"};
}

int run_tour(const Arguments& arguments) {
  const lessons::WrittenLesson& tour = lessons::built_in("00-tour");
  const Language language = arguments.value("lang", "en") == "zh" ? Language::zh : Language::en;
  if (arguments.find("list")) {
    print(list(tour.words(language)));
    return exit_done;
  }
  const auto one = arguments.find("step");
  const auto steps = static_cast<std::int64_t>(tour.lesson.steps.size());
  const std::int64_t first = one ? sim::parse_whole_number("step", *one, 1, steps) : 1;
  for (std::int64_t n = first; n <= (one ? first : steps); ++n)
    print((n > first ? "\n\n" : "") + step_text(tour, static_cast<std::size_t>(n - 1), language), in_colours);
  return exit_done;
}

}  // namespace terminal
