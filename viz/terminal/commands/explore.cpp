// flashscope explore: the explorer in a desktop window.
#include <algorithm>

#include "lessons/catalogue.h"
#include "sim/catalogue/typed_values.h"
#include "viz/explorer/native/session.h"
#include "viz/explorer/native_verifier.h"
#include "viz/files/state_folder.h"
#include "viz/model/first_view.h"
#include "viz/terminal/command.h"
#include "viz/terminal/explorer_request.h"
#include "viz/terminal/lesson/notebook_file.h"

namespace terminal {
namespace {

/// Loads and saves the learner's answers in the file that `flashscope lesson` also uses.
void open_notebook(explorer::Model& model) {
  const std::filesystem::path path = notebook_path();
  model.classroom.notebook = load_notebook(path);
  model.classroom.keep = [path, before = model.classroom.notebook](const std::string& text) {
    add_to_notebook(lessons::read_notebook(text, "notebook"), before, path);
  };
}

}  // namespace

int run_explore(const Arguments& arguments) {
  ExplorerRequest request = make_explorer_request(arguments);
  auto lesson = arguments.find("lesson");
  if (!lesson && arguments.find("lessons") && request.link.find("lesson=") == std::string::npos) lesson = "list";
  if (lesson) {
    const std::string id = *lesson == "list" ? *lesson : lessons::id_called(*lesson, lessons::built_in_ids());
    request.link += (request.link.empty() ? "lesson=" : "&lesson=") + id;
  }
  const auto dpr = static_cast<float>(dpr_of(arguments).value_or(explorer::kept_scale(files::state_folder())));
  std::int64_t rounds = 0;
  if (const auto frames = arguments.find("frames")) rounds = sim::typed_whole_number("frames", *frames, 1, 1000000);
  explorer::Explorer explorer(request.gpu);
  explorer.model.world.verifier = explorer::make_native_verifier();
  open_notebook(explorer.model);
  explorer.model.follow(request.link);
  report_trouble(request, explorer.model);
  print_notes_now();
  explorer.model.play(arguments.find("play").has_value());
  try {
    explorer::WindowSession session(explorer, static_cast<int>(request.width), static_cast<int>(request.height), dpr);
    if (explorer::names_nothing(explorer::read_link(request.link, request.gpu)) && !arguments.find("play"))
      explorer::open_first(explorer.model, explorer::last_link(files::state_folder()));
    if (rounds == 0) {
      session.run();
    } else {
      session.run(rounds);
      print(sim::text(rounds, " rounds, ", session.drawn(), " drawn\n"));
    }
    explorer::keep_last_link(explorer.model, files::state_folder());
    explorer::keep_scale(session.asked_scale(), files::state_folder());
  } catch (const explorer::NoDisplay& error) {
    throw MissingCapability(sim::text("explore: ", error.what(), ": use flashscope screenshot OUT.png, ",
                                      "the explorer in the browser (see the README), or flashscope simulate"));
  }
  return exit_done;
}

}  // namespace terminal
