#include "viz/panels/parts.h"

#include <array>

#include "sim/base/text.h"
#include "sim/machine/device_fields.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/paragraph.h"

namespace explorer {

void choose(View& view, std::string_view id, ui::Rect place, std::string_view field,
            std::span<const std::string_view> labels) {
  const std::vector<std::string_view> words = link_words(field);
  const auto now = std::find(words.begin(), words.end(), look_field(field).text(view.state.look)) - words.begin();
  const int next = ui::segmented(view.ui, view.id(id), place, words, labels, static_cast<int>(now));
  if (next != now) view.edit(SetLook{std::string(field), std::string(words[static_cast<std::size_t>(next)])});
}

void toggle(View& view, std::string_view id, ui::Rect place, std::string_view label, std::string_view field) {
  const std::vector<std::string_view> words = link_words(field);
  const bool now = look_field(field).text(view.state.look) != words.front();
  const bool next = ui::toggle(view.ui, view.id(id), place, label, now);
  if (next != now) view.edit(SetLook{std::string(field), std::string(words[next ? 1 : 0])});
}

const ShareWords& words_of(const sim::Launch& launch) {
  static const ShareWords persistent = {
      /*say*/ "persistent CTAs",
      /*say*/ "Each row of tiles is a row block of a resident CTA; shown as if they ran one after the other."};
  static const std::array<ShareWords, 5> words = {
      {{/*say*/ "one CTA per head", /*say*/ "One CTA goes over all tiles of the head, column by column."},
       {/*say*/ "one CTA per row block",
        /*say*/ "Each row of tiles is a separate CTA; shown as if CTAs ran one after the other."},
       {/*say*/ "one CTA per row block and part of the keys",
        /*say*/ "Each CTA has a part of a row of tiles; shown as if CTAs ran one after the other."},
       {/*say*/ "one CTA per tile",
        /*say*/ "Each tile is a separate CTA; shown as if CTAs ran one after the other."},
       {/*say*/ "one CTA per column block",
        /*say*/ "Each column of tiles is a separate CTA; shown as if CTAs ran one after the other."}}};
  return launch.persistent ? persistent : words[static_cast<std::size_t>(launch.grid.share())];
}

void draw_scope(View& view, ui::Space& line, std::string_view words) {
  const float wide = view.canvas().text_width(ui::Style::caption, words) + view.px(14);
  if (wide > line.width()) return;
  const ui::Rect box = line.left(wide, view.px(8));
  view.canvas().card(box, view.theme().card, view.theme().border, view.px(4));
  view.canvas().text(box, ui::Style::caption, view.theme().text, words, ui::Align::center);
}

std::int64_t parts_of_keys(const View& view) {
  const sim::GridShape& grid = view.subject().launch().grid;
  return grid.is_split() ? grid.cta_columns(view.subject().problem().shape).count() : 1;
}

ui::Color part_color(const ui::Theme& theme, std::int64_t part, std::int64_t parts) {
  const float share = parts > 1 ? static_cast<float>(part) / static_cast<float>(parts - 1) : 1;
  return theme.in_order(share);
}

std::string no_time_words(const View& view) {
  const sim::DeviceSpec& gpu = *view.subject().scenario().gpu;
  const std::string caches = sim::unmodelled_caches(gpu);
  if (!caches.empty()) return view.say("No time is predicted: the model does not know the caches of {}.", gpu.name);
  const std::vector<std::string> missing = sim::missing_fields(gpu);
  return view.say("No time is predicted: {} has no {}. Give what is missing, as in --gpu {}:{}=...", gpu.name,
                  sim::joined(missing), gpu.name, missing.front());
}

bool draw_no_time(View& view, ui::Rect place) {
  if (view.subject().has_time()) return false;
  const std::string words = no_time_words(view);
  view.ui.state.shown.emplace(view.id("no time"), words);
  ui::paragraph(view.canvas(), place, ui::Style::body, {.color = view.theme().muted}, ui::escaped(words));
  return true;
}

const GridTimeline& grid_timeline_of(View& view) {
  const Subject& subject = view.subject();
  return view.world.tasks.get<GridTimeline>(view.index, subject.run, subject.replay->kernel);
}

void look_at_cta(View& view, std::int64_t cta) {
  const std::size_t kernel = view.subject().replay->kernel;
  view.edit(LookAt{kernel, place_of_cta(view.subject().simulation(), kernel, cta)});
  view.edit(Seek{});
}

std::string where_words(const View& view, const CtaSpan& span) {
  return view.say("SM {}, slot {} of {}; a click selects it", span.sm, span.slot + 1,
                  view.subject().kernel().ctas_per_sm);
}

std::string when_words(const View& view, const CtaSpan& span) {
  const Subject& s = view.subject();
  return view.say("{} to {}, {} long", time_text(s.microseconds(span.begin)), time_text(s.microseconds(span.end)),
                  time_text(s.microseconds(span.end - span.begin)));
}

}  // namespace explorer
