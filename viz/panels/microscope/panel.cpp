// The panel of the softmax: the small form of the microscope. Kernels of a backward pass have no softmax of their own:
// of them it shows the numbers of the row that they use.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/values/head_values.h"
#include "viz/panels/microscope/microscope.h"
#include "viz/panels/panels.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using sim::Launch;
using sim::Tensor;
using ui::Rect;
using ui::Style;

constexpr float head_line = 18, number_line = 22, words_line = 20, least_pictures = 70, tall_from = 230,
                statistic_name = 92;  // CSS pixels

bool uses_gradients(const Launch& launch) {
  const auto gradient = [](Tensor tensor) { return sim::facts_of(tensor).gradient; };
  return std::any_of(launch.inputs.begin(), launch.inputs.end(), gradient) ||
         std::any_of(launch.outputs.begin(), launch.outputs.end(), gradient);
}

/// A number of the row that a kernel of a backward pass uses: its tensor, and its values in the rows of the block.
struct Statistic {
  Tensor tensor;
  std::string_view name;
  char colour;
  const std::vector<float>& values;
};

/// True if an event that loads or makes the tensor has ended; events of HBM-wide tensors are among those of the CTA.
bool is_known(const Subject& subject, Tensor tensor) {
  const auto& events = subject.replay->trace.events;
  return std::any_of(events.begin(), events.end(), [&](const sim::Event& event) {
    return event.tensor == tensor && event.direction != sim::Direction::write && event.end <= subject.time;
  });
}

/// Says how the kernel uses the numbers.
std::string_view use_of_statistics(const View& view) {
  const Launch& launch = view.subject().launch();
  if (launch.unfused) {
    if (launch.writes(Tensor::dS)) return view.say("dS = P ∘ (dP − D), with D = rowsum(P ∘ dP).");
    if (launch.reads(Tensor::dS)) return view.say("dS was made with D = rowsum(P ∘ dP), in the kernel before.");
    return view.say("P is read as the softmax of the forward pass left it in HBM.");
  }
  if (!launch.reads(Tensor::Q)) return view.say("D = rowsum(dO ∘ O), for the kernels that follow.");
  if (launch.reads(Tensor::m)) return view.say("P = exp(S − m) / ℓ from the saved m and ℓ; dS uses D.");
  return view.say("P = exp(S − L) from the saved L; dS uses D.");
}

void draw_statistic(View& view, Rect line, const Statistic& statistic, std::int64_t row) {
  const auto [name, track] = ui::columns(line, 0, {{view.px(statistic_name)}, ui::rest()});
  view.canvas().text(name, Style::control, view.theme().text, statistic.name);
  const auto n = static_cast<std::size_t>(row);
  const bool known = n < statistic.values.size() && is_known(view.subject(), statistic.tensor);
  double most = 1e-9;
  for (const float value : statistic.values)
    if (std::isfinite(value)) most = std::max(most, std::abs(static_cast<double>(value)));
  draw_kept_number(view, track, known ? statistic.values[n] : 0, most, 0, statistic.colour, known, {});
}

/// Draws the saved numbers of a row, and their use.
void draw_statistics(View& view, Rect rect) {
  const TileMatrix matrix(view.subject());
  const std::shared_ptr<RowsTask> rows = numbers_seen(view.model, view.index, matrix);
  const RowNumbers numbers = rows == nullptr ? RowNumbers{} : rows->numbers();
  const sim::Interval queries = numbers.queries;
  const std::int64_t named = view.state.look.row;
  const std::int64_t query = queries.contains({named, named + 1}) ? named : queries.end - 1;
  const std::string note = queries.empty() ? std::string() : view.say("row {}", query);
  ui::Space rest(draw_card(view, rect, view.say("What the row keeps"), note), view.px(2));
  const bool computing = rows != nullptr && !rows->done();
  const std::string words = computing ? view.say("computing: {} of the rows' tiles", report::percent(rows->share()))
                                      : std::string(use_of_statistics(view));
  const float needs = ui::paragraph_height(view.canvas(), Style::caption, words, rest.width());
  ui::paragraph(view.canvas(), rest.bottom(needs), Style::caption, {view.theme().muted}, ui::escaped(words));
  const Statistic all[] = {{Tensor::L, view.say("saved L"), 'S', numbers.L},
                           {Tensor::m, view.say("maximum m"), 'S', numbers.m},
                           {Tensor::l, view.say("sum ℓ"), 'P', numbers.l},
                           {Tensor::D, "D", 'O', numbers.D}};
  for (const Statistic& statistic : all)
    if (!statistic.values.empty() && !computing)
      draw_statistic(view, rest.top(view.px(number_line)), statistic, query - queries.begin);
}

}  // namespace

void draw_softmax(View& view, Rect rect) {
  if (uses_gradients(view.subject().launch())) return draw_statistics(view, rect);
  const ShownRow row = shown_row(view.model);
  const std::string_view title = view.subject().launch().unfused ? view.say("Softmax") : view.say("Online softmax");
  const Rect place = draw_card(view, rect, title, view.say("row {} of head {}", row.query, row.head));
  const std::string reason = reason_of_no_row(view, row);
  if (!reason.empty()) {
    ui::paragraph(view.canvas(), place, Style::caption, {view.theme().muted}, ui::escaped(reason));
    return;
  }
  ui::mark_place(view.ui, "kept", rect);
  const bool tall = place.height >= view.px(tall_from);
  const auto [pictures, heads, m, l, O, words] = ui::rows(place, view.px(2),
                                                          {ui::share(0.7f, view.px(least_pictures)),
                                                           {view.px(head_line)},
                                                           {view.px(number_line)},
                                                           {view.px(number_line)},
                                                           tall ? ui::share(0.3f) : ui::Part{},
                                                           ui::optional(view.px(words_line))});
  draw_key_pictures(view, row, pictures);
  draw_kept_lines(view, row, {heads, m, l, O, {}});
  view.canvas().text(words, Style::caption, view.theme().muted, moment_sentence(view, row));
}

}  // namespace explorer
