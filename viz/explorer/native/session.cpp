#include "viz/explorer/native/session.h"

#include <algorithm>
#include <limits>

#include "viz/explorer/export.h"
#include "viz/explorer/native/save.h"
#include "viz/model/painting.h"
#include "viz/model/verification.h"
#include "viz/platform/png.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

/// One frame for the pointer to arrive, one for its effect, one for consequences of that.
constexpr int frames_after_input = 3;
/// Seconds per frame for long computations; the rest is for drawing.
constexpr double work_of_frame = 0.008;

}  // namespace

WindowSession::WindowSession(Explorer& shown, int width, int height)
    : explorer_(shown),
      screen_(width, height, ui::ui_scale(static_cast<float>(width), static_cast<float>(height), 1)),
      window_(width, height, screen_.input),
      painter_(screen_) {
  last_ = seconds_now();
}

void WindowSession::run() {
  while (!window_.closed()) round(std::numeric_limits<double>::infinity());
}

void WindowSession::run(std::int64_t rounds) {
  for (; rounds > 0 && !window_.closed(); --rounds) round(0.02);
}

void WindowSession::round(double longest_sleep) {
  const double now = seconds_now();
  bool moves = explorer_.update(now - last_);
  last_ = now;
  while (moves && seconds_now() - now < work_of_frame && explorer_.model.tasks.advance()) {
  }
  if (window_.stirred() || moves || !screen_.input.empty()) due_ = frames_after_input;
  const bool draws = due_ > 0 && !window_.hidden();
  if (draws) {
    draw();
    --due_;
  }
  window_.take_events(draws ? 0 : longest_sleep);
}

void WindowSession::draw() {
  const ui::WindowSize size =
      ui::size_to_lay_out({static_cast<float>(window_.width()), static_cast<float>(window_.height()), window_.scale()});
  screen_.resize(window_.width(), window_.height(), explorer_.scale(size.width, size.height, size.dpr));
  painter_.prepare();
  screen_.frame(explorer_.theme(), [&](ui::Ui& ui) { explorer_.draw(ui, size.width, size.height, size.dpr); });
  painter_.paint();
  window_.show_frame();
  ++drawn_;
  for (const Request request : std::exchange(explorer_.model.requests, {})) fulfil(request);
  const std::string title = window_title(explorer_.model);
  if (title != title_) window_.set_title(title_ = title);
}

void WindowSession::fulfil(Request request) {
  ViewModel& model = explorer_.model;
  const auto say = [&](std::string_view english) { return words::say(model.look.language, english); };
  due_ = frames_after_input;
  try {
    if (request == Request::close) return window_.close();
    if (request == Request::copy_link) {
      window_.copy("#" + model.link());
      model.notice = is_too_long_for_link(model)
                         ? say("Painted; too large for a link: save it")
                         : say("The link is in the clipboard: flashscope explore --link LINK opens it");
      return;
    }
    if (request == Request::copy_verify_command) {
      window_.copy(verify_command(model.options()));
      model.notice = say("The command is in the clipboard");
      return;
    }
    Export file;
    if (request == Request::save_png)
      file = {export_name(model, ".png"), "", platform::png_bytes(screen_.picture(), {"Link", "#" + model.link()})};
    else
      file = make_export(request, model);
    model.notice = words::say_with(model.look.language, say("Saved as {}"), save_new(file.name, file.bytes));
  } catch (const sim::Error& error) {
    model.notice = error.what();
  }
}

std::pair<platform::Picture, platform::Picture> WindowSession::both_pictures() {
  draw();
  painter_.paint();  // the buffers were swapped, and the contents of the other one are unknown
  return {painter_.read_back(), screen_.picture()};
}

}  // namespace explorer
