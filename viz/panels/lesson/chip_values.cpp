#include "viz/panels/lesson/chip_values.h"

#include <algorithm>
#include <cmath>

#include "lessons/covered.h"
#include "lessons/options_text.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/run.h"
#include "sim/trace/tensors.h"
#include "viz/model/event_label.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using sim::Tensor;
using ui::Rect;
using ui::Style;

constexpr float card_height = 268, least_beside = 150, least_alone = 300, name_height = 18, cell_height = 22,
                cell_width = 48, block_gap = 16;
constexpr Tensor on_chip[] = {Tensor::Q,  Tensor::K, Tensor::S, Tensor::P,     Tensor::V,   Tensor::O,
                              Tensor::PV, Tensor::m, Tensor::l, Tensor::alpha, Tensor::beta};

/// Trace of the CTA with its values, computed once.
class ValueTrace : public Task {
 public:
  explicit ValueTrace(const Subject& subject) {
    const sim::Plan& plan = subject.simulation().plan;
    const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
    trace = sim::replay(plan, subject.launch(), subject.replay->place, &inputs);
  }
  bool advance() override { return false; }

  sim::Trace trace;
};

/// Newest tile of a tensor that is finished at the playhead: its event, or -1.
std::int32_t newest(const Subject& subject, const sim::Trace& values, Tensor tensor) {
  const auto& events = subject.replay->trace.events;
  std::int32_t found = -1;
  for (std::size_t n = 0; n < std::min(events.size(), values.events.size()); ++n) {
    const bool made = values.events[n].tensor == tensor && values.events[n].value >= 0;
    if (made && events[n].end <= subject.time) found = static_cast<std::int32_t>(n);
  }
  return found;
}

/// A tile as a small table under its name.
class Block {
 public:
  Block(View& view, const sim::Event& event, const sim::TileValues& tile) : view_(view), event_(event), tile_(tile) {}

  float width() const { return view_.px(cell_width) * static_cast<float>(tile_.cols); }
  float height() const { return view_.px(name_height) + view_.px(cell_height) * static_cast<float>(tile_.rows); }

  void draw(ui::Point at) const {
    const ui::Theme& theme = view_.theme();
    const Rect name{at.x, at.y, width(), view_.px(name_height)};
    ui::rich_text(view_.canvas(), name, Style::caption, {theme.text, true, theme.card}, block_markup(event_),
                  ui::Align::center);
    ui::mark_place(view_.ui, sim::text("tensor:", sim::name_of(event_.tensor)),
                   {at.x, at.y + view_.px(name_height), width(), height() - view_.px(name_height)});
    for (std::int64_t row = 0; row < tile_.rows; ++row) {
      for (std::int64_t col = 0; col < tile_.cols; ++col) draw_cell(at, row, col);
    }
  }

 private:
  /// "here.S.0.1"; of a vector "here.m.0".
  std::string path_of(std::int64_t row, std::int64_t col) const {
    const std::string path = sim::text("here.", sim::name_of(event_.tensor), ".", row);
    return tile_.cols == 1 ? path : sim::text(path, ".", col);
  }
  void draw_cell(ui::Point at, std::int64_t row, std::int64_t col) const {
    const float hole = std::max(1.f, view_.px(1));
    const Rect cell{at.x + view_.px(cell_width) * static_cast<float>(col),
                    at.y + view_.px(name_height) + view_.px(cell_height) * static_cast<float>(row),
                    view_.px(cell_width) - hole, view_.px(cell_height) - hole};
    const char letter = letter_of(event_.tensor);
    const ui::Color ground =
        letter == '\0' ? view_.theme().track : ui::mix(view_.theme().card, view_.theme().tensor(letter), 0.45f);
    view_.canvas().fill(cell, ground, view_.px(2));
    const float value = tile_.values[static_cast<std::size_t>(row * tile_.cols + col)];
    const bool hidden = view_.world.covered.hides(path_of(row, col));
    const std::string text = hidden ? "?" : std::isfinite(value) ? lessons::written(value, "number") : "−∞";
    view_.canvas().text(cell, Style::caption, ui::readable(view_.theme().text, ground, view_.theme().window), text,
                        ui::Align::center);
  }

  View& view_;
  const sim::Event& event_;
  const sim::TileValues& tile_;
};

}  // namespace

Rect take_values_place(const LessonPage& page, ui::Layout& stage) {
  if (!page.scene) return {};
  if (!lessons::has_few_values(page.scene->run().plan.problem)) return {};
  Rect* const panels[] = {&stage.code, &stage.softmax, &stage.memory, &stage.roofline, &stage.matrix};
  const auto* const beside =
      std::find_if(std::begin(panels), std::end(panels), [](Rect* panel) { return !panel->empty(); });
  const float least = (stage.tabbed ? least_alone : least_beside) * stage.scale;
  const float height = std::round(card_height * stage.scale), space = std::round(12 * stage.scale);
  if (beside == std::end(panels) || (*beside)->height < height + space + least) return {};
  const auto [above, place] = ui::rows(**beside, space, {ui::rest(), height});
  **beside = above;
  return place;
}

void draw_chip_values(View& view, Rect rect) {
  const Subject& subject = view.subject();
  Rect body = draw_card(view, rect, view.say("Numbers on the chip"));
  const std::tuple key(subject.run, subject.replay);
  const sim::Trace& trace = view.world.tasks.get_for<ValueTrace>(0, key, subject).trace;
  ui::Point at{body.x, body.y};
  float line = 0;
  for (const Tensor tensor : on_chip) {
    const std::int32_t event = newest(subject, trace, tensor);
    if (event < 0) continue;
    const sim::Event& made = trace.events[static_cast<std::size_t>(event)];
    const sim::TileValues& tile = trace.values[static_cast<std::size_t>(made.value)];
    const Block block(view, made, tile);
    if (at.x > body.x && at.x + block.width() > body.right()) {
      at = {body.x, at.y + line + view.px(8)};
      line = 0;
    }
    if (at.y + block.height() > body.bottom() + 1) return;
    block.draw(at);
    at.x += block.width() + view.px(block_gap);
    line = std::max(line, block.height());
  }
}

}  // namespace explorer
