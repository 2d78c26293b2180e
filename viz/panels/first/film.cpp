// The film of the first view: the runs of a race, each with its clock, its SMs over time, its bytes, and why.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/deep_link.h"
#include "viz/model/run_progress.h"
#include "viz/panels/action_button.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/first/first.h"
#include "viz/panels/parts.h"
#include "viz/panels/race/race.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

bool is_done(const Model& model, std::size_t run) {
  return model.state.look.run_time >= model.world.subject(run).clock->end();
}

/// Runs with a predicted time, by the time at which they end.
std::vector<std::size_t> runs_by_end(const Model& model) {
  std::vector<std::size_t> runs;
  for (std::size_t n = 0; n < model.world.subjects(); ++n) {
    if (model.world.subject(n).has_time()) runs.push_back(n);
  }
  std::stable_sort(runs.begin(), runs.end(), [&](std::size_t a, std::size_t b) {
    return model.world.subject(a).clock->end() < model.world.subject(b).clock->end();
  });
  return runs;
}

/// "not a quarter through"
std::string_view progress_words(Language language, double share) {
  constexpr std::array<std::string_view, 4> words = {/*say*/ "not a quarter through", /*say*/ "not half through",
                                                     /*say*/ "not three quarters through", /*say*/ "nearly through"};
  return words::say(language, words[static_cast<std::size_t>(std::clamp(4 * share, 0., 3.))]);
}

std::string all_done_headline(const Model& model, std::size_t fastest, std::size_t slowest) {
  const Subject &quick = model.world.subject(fastest), &slow = model.world.subject(slowest);
  const std::string times = times_text(slow.clock->end() / quick.clock->end());
  const double bytes = total_of_run(slow, hbm_bytes_of) / total_of_run(quick, hbm_bytes_of);
  const std::string name = run_name(model, fastest), other = run_name(model, slowest, true);
  if (!(bytes > 1))
    return words::say_with(model.state.look.language, /*say*/ "{}: {} x faster than {}, for the same answer.", name,
                           times, other);
  return words::say_with(model.state.look.language,
                         /*say*/ "{}: {} x faster than {} with {} x fewer bytes, for the same answer.", name, times,
                         other, times_text(bytes));
}

/// Kernel under way of a run of several: "softmax, kernel 2 of 3"; empty for a single kernel.
std::string kernel_words(const Model& model, std::size_t run) {
  const RaceRun& clock = *model.world.subject(run).clock;
  const std::size_t kernels = clock.kernels().size(), k = clock.kernel_at(model.state.look.run_time);
  if (kernels < 2) return {};
  return words::say_with(model.state.look.language, /*say*/ "{}, kernel {} of {}",
                         model.world.subject(run).simulation().kernels[k].name, k + 1, kernels);
}

}  // namespace

std::string film_headline(const Model& model) {
  const Language language = model.state.look.language;
  const std::vector<std::size_t> runs = runs_by_end(model);
  if (runs.empty()) return {};
  const std::size_t slowest = runs.back(), alone = runs.size() > 1 ? runs[runs.size() - 2] : slowest;
  if (!is_done(model, runs.front()))
    return words::say_with(language, /*say*/ "{} runs of the same attention begin at once.", runs.size());
  if (is_done(model, slowest)) return all_done_headline(model, runs.front(), slowest);
  const double share = model.state.look.run_time / model.world.subject(slowest).clock->end();
  const std::string slow = run_name(model, slowest), kernel = kernel_words(model, slowest);
  std::string_view through = progress_words(language, share);
  if (!is_done(model, alone))
    return words::say_with(language, /*say*/ "{} is done; {} is {}.", run_name(model, runs.front()), slow, through);
  const RaceRun& clock = *model.world.subject(slowest).clock;
  const bool last =
      clock.kernels().size() > 1 && clock.kernel_at(model.state.look.run_time) + 1 == clock.kernels().size();
  if (last) return words::say_with(language, /*say*/ "All others are done; {} is in {}.", slow, kernel);
  return words::say_with(language, /*say*/ "{} is done as well; {} is {}.", run_name(model, alone), slow, through);
}

namespace {

/// The line below the headline: all runs compute the same numbers, and the slowest one's work now, if both fit.
std::string film_sentence(const View& view, Rect place) {
  const Model& model = view.model;
  const std::size_t slowest = runs_by_end(model).back();
  const std::string same = ui::escaped(view.say("All {} compute the same numbers, on one {}.", model.world.subjects(),
                                                device_label(model.world.subject(0).scenario().gpu->name)));
  const std::string kernel = is_done(model, slowest) ? std::string() : kernel_words(model, slowest);
  if (kernel.empty()) return same;
  const std::string both = same + " " +
                           ui::escaped(view.say("{} is in {}, and moves what it computes through HBM.",
                                                run_name(model, slowest, true), kernel));
  const bool fits = ui::paragraph_height(view.canvas(), Style::control, both, place.width) <= place.height;
  return fits ? both : same;
}

/// Draws boxed words one after the other, in as many rows as they need and the place has.
void draw_tags(View& view, Rect place, std::span<const std::string> tags) {
  ui::Space rest(place, view.px(4)), row(rest.top(view.px(22)), view.px(8));
  for (const std::string& tag : tags) {
    const float wide = view.canvas().text_width(Style::caption, tag) + view.px(16);
    if (wide > row.width()) row = ui::Space(rest.top(view.px(22)), view.px(8));
    const Rect box = row.left(wide);
    if (box.width < wide || box.height < view.px(22)) return;
    view.canvas().card(box, view.theme().card, view.theme().border, view.px(5));
    view.canvas().text(box, Style::caption, view.theme().text, tag, ui::Align::center);
  }
}

std::vector<std::string> film_tags(const View& view) {
  const sim::Scenario& scenario = view.world.subject(0).scenario();
  const sim::Shape& shape = view.world.subject(0).problem().shape;
  return {std::string(view.say("one clock, from the first launch")),
          view.say("whole GPU: {} SMs", scenario.gpu->sm_count),
          view.say("{} texts, {} heads, N {}, d {}, {}", shape.batch, shape.heads, report::thousands(shape.seqlen_k),
                   shape.head_dim, sim::name_of(scenario.dtype))};
}

/// "23 % done: kernel 1 of 3", or when it ended.
std::string done_words(const View& view) {
  const RaceRun& clock = *view.subject().clock;
  const double now = view.state.look.run_time;
  if (now > clock.end()) return view.say("finished {} ago", race_time_text(now - clock.end()));
  if (now == clock.end()) return std::string(view.say("finished"));
  const std::string percent = fmt::format("{:.0f} %", 100 * now / clock.end());
  if (clock.kernels().size() == 1) return view.say("{} done", percent);
  return view.say("{} done: kernel {} of {}", percent, clock.kernel_at(now) + 1, clock.kernels().size());
}

/// Opens a run in the explorer, at the CTA that runs on the first SM.
void open_run(View& view) {
  const Subject& run = view.subject();
  Link link{with_batch_and_heads(run.options), {}, {}};
  const double now = std::min(view.state.look.run_time, std::nextafter(run.clock->end(), 0.));
  if (const auto cta = run.clock->ready() ? racing_cta(*run.clock, now, 0) : std::nullopt) {
    link.view["kernel"] = sim::text(cta->kernel);
    link.view["cta"] = place_text(place_of_cta(run.simulation(), cta->kernel, cta->cta));
  }
  view.edit(Follow{to_link(link)});
}

/// Draws a text in the largest of two styles in which it fits a place.
void draw_headline(View& view, Rect place, const std::string& text) {
  const bool large = ui::paragraph_height(view.canvas(), Style::number, text, place.width) <= place.height;
  ui::paragraph(view.canvas(), place, large ? Style::number : Style::title, {view.theme().text}, text);
}

void draw_film_clock(View& view, Rect place) {
  const double end = view.subject().clock->end(), now = std::min(view.state.look.run_time, end);
  const std::string large = number_in_unit_of("time.microseconds", now, end), all = race_time_text(end);
  view.ui.state.shown.emplace(view.id("race/clock"), large);
  ui::Space row(place);
  left_text(view.canvas(), row, Style::number, view.theme().text, large, view.px(5));
  view.canvas().text(row.rest().moved(0, view.px(3)), Style::control, view.theme().muted,
                     all.substr(all.rfind(' ') + 1));
}

void draw_film_words(View& view, const ui::RaceCard& place) {
  const ui::Theme& theme = view.theme();
  ui::Space rest(place.words);
  if (!place.words_above) rest.top(place.names.height - view.px(4));
  const ui::Hit hit = ui::hit(view.ui, view.id("first/run"), place.words);
  if (hit.clicked) return open_run(view);
  ui::Space line(rest.top(view.px(22)), view.px(8));
  if (place.words_above) {
    const std::string clock = race_time_text(view.subject().clock->end());
    draw_film_clock(view, line.right(view.canvas().text_width(Style::number, clock)));
  }
  view.canvas().text(line.rest(), Style::title, theme.text, run_name_in(view, Style::title, line.width()));
  const std::size_t kernels = view.subject().clock->kernels().size();
  if (place.words_above) return void(view.canvas().text(rest.rest(), Style::caption, theme.muted, done_words(view)));
  if (rest.height() >= view.px(82)) {
    const Rect row = rest.top(view.px(18));
    const std::string_view takes = view.say(words_of(view.subject().simulation().plan.launches[0]).takes);
    std::string text = kernels > 1 ? view.say("{} kernels", kernels) : view.say("one kernel, {}", takes);
    if (view.canvas().text_width(Style::caption, text) > row.width) text = takes;
    view.canvas().text(row, Style::caption, theme.muted, text);
  }
  draw_film_clock(view, rest.top(view.px(32)));
  if (rest.height() < view.px(18)) return;
  view.canvas().text(rest.top(view.px(18), view.px(4)), Style::caption, theme.text, done_words(view));
  const double end = view.subject().clock->end();
  ui::progress_bar(view.canvas(), rest.top(view.px(3)),
                   static_cast<float>(std::min(1., view.state.look.run_time / end)), theme.strong);
}

/// "bound by HBM bandwidth: 81 % of its time waits for it", and what its tensors do between the levels of memory.
std::string why_words(const View& view, bool brief) {
  const sim::Simulation& run = view.subject().simulation();
  std::string words = view.say("bound by {}", resource_name(view, run.bound_by));
  if (brief) return words;
  const double waits = run.budget[sim::Cause::bandwidth] / run.budget.total();
  if (waits > 0.5) return words + view.say(": {} of its time waits for bandwidth", part_text(waits));
  const auto moved = [&](sim::Tensor tensor) { return run.hbm_by_tensor.contains(tensor); };
  const auto output = run.hbm_by_tensor.find(sim::Tensor::O);
  if (moved(sim::Tensor::S) || moved(sim::Tensor::P)) return words + std::string(view.say("; S and P go through HBM"));
  if (output != run.hbm_by_tensor.end() && output->second.read > sim::Bytes{})
    return words + std::string(view.say("; O goes out and back for each block of K"));
  return words + std::string(view.say("; S and P never leave the chip"));
}

void draw_film_bytes(View& view, Rect place) {
  const ui::Theme& theme = view.theme();
  ui::Space rest(place);
  const double all = total_of_run(view.subject(), hbm_bytes_of), most = largest_of_runs(view.model, hbm_bytes_of);
  const double now = whole_units(view.subject().clock->amount(view.state.look.run_time, hbm_bytes_of),
                                 element_bytes(view.subject().simulation()));
  const std::string path = "hbm_traffic.bytes", text = number_text(path, all);
  const bool over = is_done(view.model, view.index);
  const std::string large = number_in_unit_of(path, now, all) + text.substr(text.rfind(' '));
  view.canvas().text(rest.top(view.px(30)), Style::number, theme.text, large, ui::Align::right);
  view.ui.state.shown.emplace(view.id("race/hbm_traffic.bytes"), large);
  draw_number_text(view, rest.top(view.px(18), view.px(4)), Style::caption, theme.muted, path,
                   over ? std::string(view.say("all of it")) : view.say("of {}", text), ui::Align::right);
  const Rect track = rest.top(view.px(4), view.px(8));
  const auto share = [&](double part) { return track.share(most > 0 ? static_cast<float>(part / most) : 0); };
  view.canvas().fill(share(all), theme.track);
  view.canvas().fill(share(now), theme.strong);
  const float step = ui::line_step(view.canvas(), Style::caption);
  for (const bool brief : {false, true}) {
    const std::string why = why_words(view, brief);
    const float high = ui::paragraph_height(view.canvas(), Style::caption, why, rest.width());
    if (high > rest.height()) continue;
    ui::paragraph(view.canvas(), rest.top(high), Style::caption, {theme.text, true, theme.card}, why);
    break;
  }
  if (rest.height() < step) return;
  const auto error = view.subject().simulation().accuracy.error_percent;
  const std::string known = error ? view.say("time predicted, ± {}", number_text("time.error_percent", *error))
                                  : std::string(view.say("time predicted, not validated"));
  fitting_text(view.canvas(), rest.top(step), Style::caption, theme.muted, known);
}

/// "and 32.7 x fewer bytes, for the same answer"; empty if the run does not move fewer bytes than the first.
std::string fewer_bytes(const View& view) {
  const double all = total_of_run(view.subject(), hbm_bytes_of);
  const double times = total_of_run(view.world.subject(0), hbm_bytes_of) / all;
  return times > 1 ? view.say("and {} x fewer bytes, for the same answer", times_text(times)) : std::string();
}

void draw_film_run(View& view, const ui::RaceCard& place) {
  if (!view.subject().has_time()) return void(draw_no_time(view, place.card));
  draw_film_words(view, place);
  if (!view.subject().error.empty()) return;
  if (draw_race_lanes(view, place, fewer_bytes(view)).clicked) return open_run(view);
  if (!place.counters.empty()) draw_film_bytes(view, place.counters);
}

/// Draws the play and replay buttons, the slider of time, and how much slower than the GPU the film is.
void draw_film_transport(View& view, Rect place, Rect axis) {
  const float high = view.control_height();
  ui::Space row({place.x, std::round(place.bottom() - high), place.width, high}, view.px(6));
  const double end = view.world.run_end(), now = view.state.look.run_time;
  draw_action_button(view, row.left(view.px(52)), "play", view.model.playing() ? ui::Icon::pause : ui::Icon::play,
                     ui::Weight::primary);
  draw_action_button(view, row.left(view.px(36), view.px(12)), "to-start", ui::Icon::to_start);
  const std::string slower =
      view.say("{} of {} s, {} x slower", fmt::format("{:.1f}", race_seconds * now / end), race_seconds,
               report::thousands(std::llround(race_seconds * 1e6 / end / 100) * 100));
  if (row.width() > view.canvas().text_width(Style::caption, slower) + view.px(140))
    right_text(view.canvas(), row, Style::caption, view.theme().muted, slower, view.px(14));
  row.left(axis.x - row.rest().x, 0);
  const Rect slider = row.left(std::max(axis.right() - row.rest().x, view.px(60)));
  const float share = static_cast<float>(now / end), next = ui::slider(view.ui, "first/time", slider, share);
  if (next == share) return;
  view.edit(PlayOn{false});
  view.edit(SeekRun{static_cast<double>(next) * end});
}

/// Draws what lanes and bytes are, above the first run's.
void draw_captions(View& view, const ui::FirstLayout& layout) {
  const auto draw = [&](Rect below, std::string_view text, ui::Align align) {
    const Rect place{below.x, layout.captions.y, below.width, layout.captions.height};
    fitting_text(view.canvas(), place, Style::caption, view.theme().muted, text, align);
  };
  const std::int64_t sms = view.world.subject(0).scenario().gpu->sm_count;
  draw(layout.runs[0].lanes, view.say("each row is one of {} processors (SMs), its colour the head it works on", sms),
       ui::Align::left);
  draw(layout.runs[0].counters, view.say("bytes to and from HBM"), ui::Align::right);
}

}  // namespace

void draw_film(View& view, const ui::FirstLayout& layout) {
  const ui::Theme& theme = view.theme();
  ui::panel(view.canvas(), layout.film);
  if (!(view.world.run_end() > 0)) return void(draw_no_time(view, layout.film.inset(view.px(14))));
  draw_headline(view, layout.headline, ui::escaped(film_headline(view.model)));
  ui::paragraph(view.canvas(), layout.sentence, Style::control, {theme.muted, true, theme.card},
                film_sentence(view, layout.sentence));
  draw_tags(view, layout.tags, film_tags(view));
  if (!layout.captions.empty()) draw_captions(view, layout);
  for (std::size_t n = 0; n < view.world.subjects(); ++n) {
    View one{view.ui, view, n};
    draw_film_run(one, layout.runs[n]);
  }
  if (!layout.plot.empty()) {
    ui::Space words(layout.bytes);
    view.canvas().text(words.top(view.px(20)), Style::title, theme.text, view.say("Bytes so far"));
    view.canvas().text(words.top(view.px(18)), Style::caption, theme.muted, view.say("HBM, read and written"));
    view.canvas().text(words.top(view.px(18)), Style::caption, theme.muted, view.say("whole GPU, since launch"));
    draw_race_plot(view, layout.ticks, layout.plot);
  }
  draw_film_transport(view, layout.transport, layout.runs[0].lanes);
}

}  // namespace explorer
