// Verification panel: simulated counts of a scenario next to those of its kernels on a device.
#include <algorithm>

#include "viz/model/deep_link.h"
#include "viz/panels/center_parts.h"
#include "viz/panels/panels.h"
#include "viz/panels/verification/recorded.h"
#include "viz/panels/verification/table.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

constexpr float status_height = 46, command_height = 50, footer_height = 40;  // CSS pixels

/// Text of an estimated duration, with no more digits than an estimate within a factor of 3 has.
std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.1f} s", std::max(0.1, seconds));
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.0f} h", seconds / 3600);
}

std::string shape_words(const View& view, const sim::Shape& shape) {
  std::string length = sim::text(shape.seqlen_q);
  if (shape.seqlen_k != shape.seqlen_q) length += sim::text(" × ", shape.seqlen_k);
  return view.say("Batch {}, heads {}, N {}.", shape.batch, shape.heads, length);
}

/// Name in a link of the scenario to verify: its options, with the algorithm, batch and heads.
std::string name_of(const Subject& subject) {
  sim::OptionValues options = with_batch_and_heads(subject.options);
  options.try_emplace("algorithm", subject.scenario().algorithm);
  return to_link({options, {}, {}});
}

/// True if the name is the scenario's, or that of older links, which left defaults out.
bool is_called(const std::string& name, const Subject& subject) {
  sim::OptionValues options = subject.options;
  options.try_emplace("algorithm", subject.scenario().algorithm);
  return name == name_of(subject) || name == to_link({options, {}, {}});
}

/// The verification requested, and its state.
struct Asked {
  const FeasibleSize& size;
  const Verification* run = nullptr;  ///< null until requested
};

Asked look_up(View& view) {
  const Subject& subject = view.subject();
  const std::shared_ptr<const Verifier>& verifier = view.world.verifier;
  const std::tuple key(verifier, name_of(subject));
  const auto& size =
      view.world.tasks.get_for<FeasibleSize>(view.index, key, verifier, subject.options, subject.scenario().gpu);
  if (verifier == nullptr || !size.done() || !size.refusal().empty() || !is_called(view.state.look.verify, subject))
    return {size};
  return {size, &view.world.tasks.get_for<Verification>(view.index, key, verifier, size.scenario())};
}

std::string what_is_missing(const View& view, const FeasibleSize& size) {
  if (view.world.verifier == nullptr)
    return std::string(
        view.say("No kernels here: they run in the native program. This command verifies the scenario:"));
  return view.translate(size.refusal());
}

std::string verdict(const View& view, const Verification& run) {
  if (!run.error().empty()) return view.translate(run.error());
  const auto compared = [](const ComparedRow& row) { return row.emulated || row.gpu; };
  const auto fails = [](const ComparedRow& row) { return !row.ok; };
  const auto all = std::count_if(run.rows().begin(), run.rows().end(), compared);
  const auto failed = std::find_if(run.rows().begin(), run.rows().end(), fails);
  if (failed == run.rows().end()) return view.say("Verified: {} rows agree.", all);
  return view.say("Not verified: {} of {} rows fail. {}: {}",
                  std::count_if(run.rows().begin(), run.rows().end(), fails), all, failed->quantity, failed->cause);
}

/// Text of a step; a kernel is shown by its name.
std::string step_words(const View& view, const std::string& step) {
  for (const std::string_view known : {/*say*/ "values of the program", /*say*/ "reference in double"}) {
    if (step == known) return std::string(view.say(known));
  }
  return step;
}

/// Describes what was or would be verified, and the outcome.
std::string status(const View& view, const Asked& asked) {
  const FeasibleSize& size = asked.size;
  std::string missing = what_is_missing(view, size);
  if (!missing.empty()) return missing;
  if (!size.done()) return "";
  const std::string_view space = view.state.look.language == Language::zh ? "" : " ";  // between sentences
  std::string text = shape_words(view, size.scenario().shape);
  const auto add = [&](const std::string& sentence) { text += sim::text(space, sentence); };
  if (size.smaller())
    add(view.say("Smaller, with the same tiles: all of it would take {}.", duration(size.seconds_of_all())));
  if (asked.run == nullptr) {
    add(view.say("About {} on the emulated device.", duration(size.seconds())));
  } else if (asked.run->done()) {
    add(verdict(view, *asked.run));
  } else {
    const VerifierRun* run = asked.run->run();
    add(view.say("Running: {}", run == nullptr ? std::string() : step_words(view, run->step())));
  }
  return text;
}

/// Draws the button. Kernels are deterministic: once they are done, only a note is left.
void draw_button(View& view, ui::Rect line, const Asked& asked) {
  if (!what_is_missing(view, asked.size).empty() || !asked.size.done()) return;
  if (asked.run != nullptr) {
    const std::string_view note = asked.run->done() ? view.say("done") : view.say("running …");
    view.canvas().text(line, ui::Style::caption, view.theme().muted, note, ui::Align::right);
    return;
  }
  const std::string_view label = view.say("Run verify");
  const float width = std::min(line.width, ui::button_width(view.canvas(), label));
  const ui::Rect place{line.right() - width, line.y, width, line.height};
  if (ui::button(view.ui, view.id("verify"), place, label, ui::Weight::primary))
    view.set([&](Look& look) { look.verify = name_of(view.subject()); });
}

/// Draws the command line, which a click copies.
void draw_command(View& view, ui::Rect rect) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::inset_panel(canvas, rect);
  const std::string_view label = view.say("Copy");
  const auto [words, button] =
      ui::columns(rect.inset(view.px(10), view.px(6)), view.px(10), {ui::rest(), ui::button_width(canvas, label)});
  const float high = std::min(rect.height, view.control_height(ui::Control::small));
  if (ui::button(view.ui, view.id("copy-command"), {button.x, button.center().y - high / 2, button.width, high}, label))
    view.edit(Ask{Request::copy_verify_command});
  const std::string markup = ui::escaped(verify_command(view.subject().options));
  const float needed = ui::paragraph_height(canvas, ui::Style::table, markup, words.width);
  const float above = std::max(0.f, (words.height - needed) / 2);
  ui::paragraph(canvas, words.inset(0, above), ui::Style::table, {theme.text}, markup);
}

/// Recordings of GPUs: the project's, unless a front end has others.
const std::vector<measurements::Recording>& recordings_of(const View& view) {
  return view.world.recordings == nullptr ? measurements::recordings() : *view.world.recordings;
}

/// Source of the recorded figures: where and when they were measured.
std::string recorded_words(const View& view, const sim::Scenario& scenario,
                           const std::vector<measurements::Beside>& recorded) {
  if (!recorded.empty()) return view.say("Recorded: {}.", measurements::label_of(recorded.front().recorded));
  const auto gpus = measurements::gpus_with(recordings_of(view), scenario, measurements::default_kernel(scenario));
  if (gpus.empty()) return std::string(view.say("No recording of this scenario."));
  return view.say("Recorded on {}: choose that GPU.", gpus.front());
}

std::string devices(const View& view, const Asked& asked, std::string text) {
  const bool finished = asked.run != nullptr && asked.run->done() && asked.run->error().empty();
  if (!finished) return text;
  const DeviceVerdict &emulated = asked.run->run()->emulated(), &gpu = asked.run->run()->gpu();
  if (!emulated.device.empty()) text = sim::text(emulated.device, ". ", text);
  return sim::text(text, " ", gpu.device.empty() ? view.say("This GPU: {}", gpu.missing) : gpu.device, ".");
}

}  // namespace

void draw_verification(View& view, ui::Rect line, ui::Rect body) {
  const Asked asked = look_up(view);
  draw_button(view, controls_place(view, line, body, 130), asked);
  const auto [lines, table, space, footer, command] = ui::rows(
      body, 0, {view.px(status_height), ui::rest(), view.px(6), view.px(footer_height), view.px(command_height)});
  ui::paragraph(view.canvas(), lines, ui::Style::body, {view.theme().text}, ui::escaped(status(view, asked)));
  draw_command(view, command);
  const sim::Simulation& shown = asked.run != nullptr ? asked.run->simulation() : view.subject().simulation();
  const auto recorded = recorded_beside(recordings_of(view), shown.plan.scenario);
  const std::string seen = devices(view, asked, recorded_words(view, shown.plan.scenario, recorded));
  ui::paragraph(view.canvas(), footer, ui::Style::caption, {view.theme().muted}, ui::escaped(seen));
  std::vector<ComparedRow> rows = asked.run != nullptr ? asked.run->rows() : simulated_rows(shown);
  add_recorded(rows, shown, recorded);
  draw_verification_table(view, rows, table);
}

}  // namespace explorer
