// Lessons in the browser, as functions that web/lessons.js calls: exchanges the notebook, takes the learner's own
// lessons, and returns the panel as text for the form next to the canvas; main_web_packs.cpp loads their packs.
// Conventions as in main_web.cpp.
#include <emscripten/emscripten.h>

#include "sim/base/check.h"
#include "sim/report/run_json.h"
#include "viz/app/web_page.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/mirror.h"
#include "viz/words/words.h"

using web::answered;
using web::page;

namespace {

std::map<std::string, std::string> own_files;  // files of the learner's own lessons, by name

/// Shows a notice in the language of the page; `value` replaces {}.
void notice(std::string_view english, const std::string& value = {}) {
  explorer::Model& model = page->explorer.model;
  model.notice = words::say_with(model.state.look.language, english, value);
  page->stir();
}

/// Error in a notebook; empty if there is none.
std::string fault_of(const std::string& notebook) {
  try {
    lessons::read_notebook(notebook, "the notebook");
    return "";
  } catch (const sim::Error& error) {
    return error.what();
  }
}

}  // namespace

extern "C" {

/// Called before viz_start(): the error in the notebook in the buffer, which the browser kept; empty if there is none.
EMSCRIPTEN_KEEPALIVE const char* viz_notebook_fault() { return answered(fault_of(web::room)); }

/// Reports that the notebook was kept under another name.
EMSCRIPTEN_KEEPALIVE void viz_notebook_aside(const char* name) {
  notice(/*say*/ "Your notebook cannot be read. It is kept as {}, and a new one begins.", name);
}

/// True if viz_notebook() has something to keep.
EMSCRIPTEN_KEEPALIVE bool viz_notebook_due() { return page->notebook.has_value(); }

/// Returns the notebook to keep, once, merged with the one in the buffer, which another window kept meanwhile.
EMSCRIPTEN_KEEPALIVE const char* viz_notebook() {
  page->notebook.reset();
  const std::string mine = lessons::to_text(page->explorer.model.classroom.notebook);
  if (!fault_of(web::room).empty()) return answered(mine);
  return answered(lessons::to_text(
      lessons::merged(lessons::read_notebook(web::room, "notebook"), lessons::read_notebook(mine, "notebook"))));
}

EMSCRIPTEN_KEEPALIVE void viz_not_kept() {
  notice(/*say*/ "Your answers are not kept: this browser stores nothing for the page. Save them from the list.");
}

/// Adds the notebook in the buffer, from another source.
EMSCRIPTEN_KEEPALIVE void viz_add_notebook(const char* name) {
  try {
    explorer::add_notebook(page->explorer.model, lessons::read_notebook(web::room, name));
    notice(/*say*/ "The answers of {} are in your notebook.", name);
  } catch (const sim::Error& error) {
    notice("{}", words::translate(page->explorer.model.state.look.language, error.sentence()));
  }
}

/// Opens the recorded program in the buffer.
EMSCRIPTEN_KEEPALIVE void viz_open_program(const char* name) {
  try {
    page->explorer.model.open_program(web::room, name);
    notice(/*say*/ "This is the program of {}.", name);
  } catch (const sim::Error& error) {
    notice("{}", words::translate(page->explorer.model.state.look.language, error.sentence()));
  }
}

/// Adds a file of the learner's own lessons, "21-mine/en.md", in the buffer.
EMSCRIPTEN_KEEPALIVE void viz_own_file(const char* name) { own_files[name] = web::room; }

/// Loads the added files. Returns their error; empty if there is none. May precede viz_start().
EMSCRIPTEN_KEEPALIVE const char* viz_own_lessons() {
  try {
    explorer::take_own_lessons(std::exchange(own_files, {}));
  } catch (const sim::Error& error) {
    return answered(error.what());
  }
  if (page) {
    explorer::show_own_lessons(page->explorer.model);
    page->stir();
  }
  return answered("");
}

/// Reports why the learner's own lessons are unavailable.
EMSCRIPTEN_KEEPALIVE void viz_no_own_lessons(const char* why) { notice(/*say*/ "Your lessons are not here: {}", why); }

/// Panel as text, see viz/panels/lesson/mirror.h.
EMSCRIPTEN_KEEPALIVE const char* viz_lesson() {
  return answered(report::to_line(explorer::lesson_mirror(page->explorer.model)));
}
EMSCRIPTEN_KEEPALIVE void viz_lesson_act(const char* action, const char* key, const char* text) {
  explorer::Model& model = page->explorer.model;
  for (const explorer::Edit& edit : explorer::act_in_lesson(model, action, key, text)) model.apply(edit);
  page->stir();
}

}  // extern "C"
