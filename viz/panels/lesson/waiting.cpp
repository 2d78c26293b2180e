// Lessons that are not compiled in: fetched as packs, with the panel's text until one arrives or if it cannot, or a
// user's own.
#include <utility>

#include "lessons/packs.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/list.h"
#include "viz/ui/fonts.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

std::string file_of(std::string_view pack) { return sim::text("lessons/", pack, ".pack"); }

/// Error and remedy for an unavailable pack.
std::string error(Language language, std::string_view pack, const Missed& missed) {
  const std::string file = file_of(pack);
  const auto say = [&](std::string_view english, const auto&... values) {
    return words::say_with(language, english, file, values...);
  };
  if (!missed.damage.empty())
    return say("{} is damaged, or of another version than this page: {}. Reload the page.", missed.damage);
  if (missed.status == 0) return say("{} cannot be fetched: no server answers. Try again when there is a connection.");
  return say("{} cannot be fetched: the server answers {}. The folder lessons must be next to the page.",
             missed.status);
}

void write_missed(Column& column, const std::string& pack, const Missed& missed) {
  View& view = column.view;
  write(column, ui::Style::title, view.say("The lesson is not here."));
  column.space(8);
  write(column, ui::Style::body, ui::escaped(error(view.state.look.language, pack, missed)));
  column.space(16);
  const std::string_view again = view.say("Try again");
  const ui::Rect row = column.take(view.control_height());
  if (!column.draws()) return;
  const ui::Rect place{row.x, row.y, ui::button_width(view.canvas(), again) + view.px(24), row.height};
  if (ui::button(view.ui, "lesson/fetch", place, again, ui::Weight::primary) || view.ui.state.reading.key == '\n')
    view.edit(FetchAgain{pack});
}

}  // namespace

std::string awaited_pack(const Look& look) {
  const bool waits = !look.lesson.empty() && look.lesson != "list" && !shows_step(look);
  return waits ? lessons::pack_name(look.lesson, language_of(look)) : std::string();
}

std::string wanted_pack(const Model& model) {
  const std::string pack = awaited_pack(model.state.look);
  return pack.empty() || model.classroom.missed.contains(pack) ? std::string() : pack;
}

bool take_pack(Model& model, const std::string& name, std::string_view bytes) {
  try {
    const lessons::Pack pack = lessons::read_pack(bytes, file_of(name));
    sim::require(lessons::pack_name(pack.id, pack.language) == name, file_of(name), ": is another lesson");
    if (!pack.font.empty()) ui::add_chinese(pack.font, pack.words);
    lessons::register_lesson(pack, file_of(name));
    return true;
  } catch (const sim::Error& error) {
    std::string damage = error.what();
    if (damage.starts_with(file_of(name) + ": ")) damage.erase(0, file_of(name).size() + 2);  // already in the text
    model.classroom.missed[name] = {0, damage};
    return false;
  }
}

std::string waiting_text(const Model& model) {
  const auto& missed = model.classroom.missed;
  const auto found = missed.find(awaited_pack(model.state.look));
  if (found != missed.end()) return error(model.state.look.language, found->first, found->second);
  return std::string(words::say(model.state.look.language, /*say*/ "The lesson is being fetched …"));
}

void miss_pack(Model& model, const std::string& name, int status) { model.classroom.missed[name] = {status, ""}; }

void take_own_lessons(const std::map<std::string, std::string>& files) {
  std::vector<std::string> ids;
  for (const auto& [path, text] : files) {
    const std::string folder = path.substr(0, path.find('/'));
    if (lessons::names_lesson(folder) && path == folder + "/lesson.toml") ids.push_back(folder);
  }
  sim::require(!ids.empty(), "there is no folder such as 21-mine with a lesson.toml");
  lessons::replace_built_in(ids, [&](const std::string& path) {
    const auto found = files.find(path);
    sim::require(found != files.end(), path, ": there is no such file");
    return found->second;
  });
}

void show_own_lessons(Model& model) {
  Classroom& room = model.classroom;
  room.varied.clear();
  room.missed.clear();
  ++room.read;  // answers are then marked again
  model.apply(OpenLesson{"list"});
}

bool gives_notebook(Model& model) { return std::exchange(model.classroom.handed_out, false); }

void add_notebook(Model& model, const lessons::Notebook& more) {
  Classroom& room = model.classroom;
  const bool fresh = room.notebook.lessons.empty();
  sim::require(fresh || more.student == room.notebook.student,
               "the notebook has the answers of another student, and this browser has some too");
  room.notebook = fresh ? more : lessons::merged(more, room.notebook);
  room.varied.clear();
  ++room.read;  // answers are then marked again
  room.store();
}

void draw_waiting(View& view, ui::Rect panel) {
  const std::string pack = awaited_pack(view.state.look);
  if (pack.empty()) return;  // in the frame of a change of language
  const auto [head, title, body] =
      ui::rows(panel.inset(view.px(20), view.px(10)), 0, {view.px(28), view.px(38), ui::rest()});
  draw_ways_out(view, head);
  const lessons::Summary& lesson = lessons::summary_of(view.state.look.lesson);
  view.canvas().text(title, ui::Style::title, view.theme().text, lesson.title(language_of(view.state.look)));
  const auto missed = view.model.classroom.missed.find(pack);
  draw_scrolled(view, body, [&](Column& column) {
    if (missed == view.model.classroom.missed.end()) return write_muted(column, waiting_text(view.model));
    write_missed(column, pack, Missed(missed->second));
  });
  if (view.ui.state.reading.key == 'l') view.edit(OpenLesson{"list"});
}

}  // namespace explorer
