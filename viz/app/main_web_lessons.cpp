// Lessons in the browser, as functions that web/lessons.js calls: the notebook goes in and out, somebody's own lessons
// go in, and the panel as text for the form beside the canvas comes out; their packs are in main_web_packs.cpp. As in
// main_web.cpp.
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

std::map<std::string, std::string> own_files;  // of somebody's own lessons, by their names

/// Says it in the language of the page, with a value in its place {}.
void notice(std::string_view english, const std::string& value = {}) {
  explorer::ViewModel& model = page->explorer.model;
  model.notice = words::say_with(model.look.language, english, value);
  page->stir();
}

/// What is wrong with a notebook; empty for nothing.
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

/// Before viz_start(): what is wrong with the notebook in the room, which the browser kept; empty for nothing.
EMSCRIPTEN_KEEPALIVE const char* viz_notebook_fault() { return answered(fault_of(web::room)); }

/// The notebook was put aside under another name.
EMSCRIPTEN_KEEPALIVE void viz_notebook_aside(const char* name) {
  notice(/*say*/ "Your notebook cannot be read. It is kept as {}, and a new one begins.", name);
}

/// Whether viz_notebook() has something to be kept.
EMSCRIPTEN_KEEPALIVE bool viz_notebook_due() { return page->notebook.has_value(); }

/// What is to be kept, added to what another window kept meanwhile, which is in the room. Says it once.
EMSCRIPTEN_KEEPALIVE const char* viz_notebook() {
  const std::string mine = std::exchange(page->notebook, std::nullopt).value_or(page->explorer.model.lesson.notebook);
  if (!fault_of(web::room).empty()) return answered(mine);
  return answered(lessons::to_text(
      lessons::merged(lessons::read_notebook(web::room, "notebook"), lessons::read_notebook(mine, "notebook"))));
}

EMSCRIPTEN_KEEPALIVE void viz_not_kept() {
  notice(/*say*/ "Your answers are not kept: this browser stores nothing for the page. Save them from the list.");
}

/// A notebook from elsewhere, in the room.
EMSCRIPTEN_KEEPALIVE void viz_add_notebook(const char* name) {
  try {
    explorer::add_notebook(page->explorer.model, lessons::read_notebook(web::room, name));
    notice(/*say*/ "The answers of {} are in your notebook.", name);
  } catch (const sim::Error& error) {
    notice("{}", error.what());
  }
}

/// A recorded program, in the room.
EMSCRIPTEN_KEEPALIVE void viz_open_program(const char* name) {
  try {
    page->explorer.model.open_program(web::room, name);
    notice(/*say*/ "This is the program of {}.", name);
  } catch (const sim::Error& error) {
    notice("{}", error.what());
  }
}

/// A file of somebody's own lessons, "21-mine/en.md", in the room.
EMSCRIPTEN_KEEPALIVE void viz_own_file(const char* name) { own_files[name] = web::room; }

/// They are here. What is wrong with them; empty for nothing. Also before viz_start().
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

/// Why somebody's own lessons are not here.
EMSCRIPTEN_KEEPALIVE void viz_no_own_lessons(const char* why) { notice(/*say*/ "Your lessons are not here: {}", why); }

/// The panel as text, see viz/panels/lesson/mirror.h.
EMSCRIPTEN_KEEPALIVE const char* viz_lesson() {
  return answered(report::to_line(explorer::lesson_mirror(page->explorer.model)));
}
EMSCRIPTEN_KEEPALIVE void viz_lesson_act(const char* action, const char* key, const char* text) {
  explorer::act_in_lesson(page->explorer.model, action, key, text);
  page->stir();
}

}  // extern "C"
