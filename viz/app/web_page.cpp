#include "viz/app/web_page.h"

#include <emscripten/emscripten.h>

#include <algorithm>

#include "sim/machine/device_spec.h"
#include "viz/explorer/saved_picture.h"
#include "viz/model/first_view.h"
#include "viz/model/verification.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/words/words.h"

namespace web {
namespace {

constexpr int frames_after_input = 3;  // as in the native window
// Milliseconds for long computations in a frame: as long as the frame before took to paint. Where pictures are painted
// in software a frame takes 100 ms, and with 8 ms of work in each a second of work would take a quarter of a minute.
constexpr double least_work = 8, most_work = 100;

}  // namespace

std::unique_ptr<Page> page;
std::string room;

Page::Page(const char* link, const std::string& kept, int width, int height, float dpr, bool webgl)
    : explorer(sim::built_in_gpu),
      screen(width, height, ui::ui_scale(static_cast<float>(width), static_cast<float>(height), dpr)),
      width_(width),
      height_(height),
      dpr_(dpr),
      due_(frames_after_input) {
  if (webgl) painter_.emplace(screen);
  explorer::Model& model = explorer.model;
  model.classroom.open(kept);
  model.classroom.keep = [this](const std::string& text) { notebook = text; };
  model.classroom.hands_out = true;
  model.follow(link);
  if (explorer::names_nothing(explorer::read_link(link, model.world.gpu()))) explorer::open_first(model, "");
}

void Page::resize(int width, int height, float dpr) {
  width_ = width;
  height_ = height;
  dpr_ = dpr;
  stir();
}

void Page::stir() { due_ = frames_after_input; }

bool Page::frame(double seconds) {
  const double start = emscripten_get_now();
  const double budget = std::clamp(1000 * seconds - worked_, least_work, most_work);
  const bool moves = explorer.update(seconds);
  while (moves && emscripten_get_now() - start < budget && explorer.model.world.tasks.advance()) {
  }
  worked_ = emscripten_get_now() - start;
  if (moves || !screen.input.empty()) stir();
  if (due_ > 0) draw();
  return due_ > 0;
}

void Page::draw() {
  --due_;
  ++drawn;
  const ui::WindowSize size = ui::size_to_lay_out({static_cast<float>(width_), static_cast<float>(height_), dpr_});
  screen.resize(width_, height_, explorer.scale(size.width, size.height, size.dpr));
  if (painter_) painter_->prepare();
  screen.frame(explorer.theme(), [&](ui::Ui& ui) { explorer.draw(ui, size.width, size.height, size.dpr); });
  paint();
  for (const explorer::Request request : std::exchange(explorer.model.requests, {})) fulfil(request);
  if (explorer::gives_notebook(explorer.model))
    files.push_back(
        {{"flashscope-notebook.json", "application/json", lessons::to_text(explorer.model.classroom.notebook)}});
}

void Page::paint() {
  if (painter_) return painter_->paint();
  picture = screen.picture();
  pictured = true;
}

Page::File Page::picture_file() {
  const platform::Picture drawn_anew = explorer::saved_picture(explorer, {width_, height_, dpr_}, screen.state);
  screen.make_current();
  return {{explorer::export_name(explorer.model, ".png"), "image/png",
           std::string(drawn_anew.rgba.begin(), drawn_anew.rgba.end())},
          drawn_anew.width,
          drawn_anew.height};
}

void Page::fulfil(explorer::Request request) {
  explorer::Model& model = explorer.model;
  if (request == explorer::Request::close) return;  // a page cannot close itself
  if (request == explorer::Request::copy_link) {
    copy = {{"link", model.link()}};
    return;
  }
  if (request == explorer::Request::copy_verify_command) {
    copy = {{"text", explorer::verify_command(model.state.options)}};
    return;
  }
  if (request == explorer::Request::show_licences) {
    copy = {{"show", "about/licences.txt"}};
    return;
  }
  File saved;
  try {
    saved = request == explorer::Request::save_png ? picture_file() : File{explorer::make_export(request, model)};
  } catch (const sim::Error& error) {  // a trace of a device without timing data
    model.notice = words::translate(model.state.look.language, error.sentence());
    return stir();
  }
  model.notice =
      words::say_with(model.state.look.language, words::say(model.state.look.language, "Saved as {}"), saved.file.name);
  files.push_back(std::move(saved));
  stir();
}

const char* answered(std::string text) {
  static std::string answer;
  answer = std::move(text);
  return answer.c_str();
}

}  // namespace web
