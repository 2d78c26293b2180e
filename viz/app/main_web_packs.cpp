// Packs in the browser, as functions that web/lessons.js calls: Chinese, and lessons, are fetched on demand. Until its
// texts are loaded the page is in English. Conventions as in main_web.cpp.
#include <emscripten/emscripten.h>

#include "lessons/packs.h"
#include "sim/base/check.h"
#include "viz/app/web_page.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/ui/fonts.h"
#include "viz/words/languages.h"

using explorer::Language;
using web::answered;
using web::page;

namespace {

constexpr std::string_view words_pack = "words/zh", folder_of_lessons = "lessons/";

/// Lesson of a pack: "07-flash1-by-hand.zh".
std::string lesson_of(std::string_view pack) { return std::string(pack.substr(folder_of_lessons.size())); }

/// Shows the reason in English, which stays the language.
void stay_english(std::string_view why) {
  explorer::Model& model = page->explorer.model;
  model.apply(explorer::SetLook{"lang", "en"});
  model.notice = sim::text("Chinese is not here: ", words_pack, ".pack ", why);
}

void take_words(const std::string& bytes) {
  try {
    const lessons::Pack pack = lessons::read_pack(bytes, std::string(words_pack));
    sim::require(pack.id == "words" && pack.language == lessons::Language::zh, "it is another pack");
    ui::add_chinese(pack.font, {});
    words::learn_chinese(std::string(pack.words));
    page->screen.renew_fonts();
  } catch (const sim::Error&) {
    stay_english("is damaged, or of another version than this page. Reload the page.");
  }
}

}  // namespace

extern "C" {

/// Path of the pack to fetch, without .pack: "lessons/07-flash1-by-hand.zh"; empty if none is needed. A lesson's
/// language is known only once the texts are loaded.
EMSCRIPTEN_KEEPALIVE const char* viz_wanted_pack() {
  explorer::Model& model = page->explorer.model;
  if (!words::speaks(model.state.look.language)) return answered(std::string(words_pack));
  const std::string lesson = explorer::wanted_pack(model);
  return answered(lesson.empty() ? lesson : sim::text(folder_of_lessons, lesson));
}

/// Loads the pack in the buffer.
EMSCRIPTEN_KEEPALIVE void viz_pack(const char* name) {
  if (name == words_pack)
    take_words(web::room);
  else if (explorer::take_pack(page->explorer.model, lesson_of(name), web::room))
    page->screen.renew_fonts();
  page->stir();
}

/// Reports that a pack could not be fetched: `status` is the server's answer, 0 if there was none.
EMSCRIPTEN_KEEPALIVE void viz_no_pack(const char* name, int status) {
  if (name != words_pack)
    explorer::miss_pack(page->explorer.model, lesson_of(name), status);
  else if (status == 0)
    stay_english("cannot be fetched, no server answers. Choose it again when there is a connection.");
  else
    stay_english(
        sim::text("cannot be fetched, the server answers ", status, ". The folder words must be next to the page."));
  page->stir();
}

}  // extern "C"
