// Memory chart: levels and how full they are, and between them arrows whose thickness is proportional to the bytes
// moved, on one scale for both runs.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/machine/occupancy.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/links.h"
#include "sim/report/numbers.h"
#include "viz/model/explained.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/wall/wall.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float least_across = 500, row_height = 34, link_height = 42, box_height = 132, thickest = 26;  // CSS pixels

/// A level of memory: its size and its use.
struct LevelWords {
  std::string_view name;
  std::string size, path, full;
  double share = 0;
  bool warns = false;
};

/// A link: bytes towards the SM and back, and the share of its peak rate.
struct LinkWords {
  std::string_view key, read_path, written_path;
  double read = 0, written = 0, percent = 0, peak = 0;
};

std::size_t longest(const sim::Simulation& s) {
  std::size_t k = 0;
  for (std::size_t n = 1; n < s.kernels.size(); ++n) {
    if (s.kernels[n].time.microseconds > s.kernels[k].time.microseconds) k = n;
  }
  return k;
}

LevelWords hbm_words(const WallHalf& half) {
  const double share = static_cast<double>(half.wall.peak) / static_cast<double>(half.wall.capacity);
  const std::string full =
      half.wall.fits() ? half.view.say("{} full", part_text(share)) : half.view.say("{} x full", times_text(share));
  return {"HBM", report::bytes(half.wall.capacity), "", full, share, !half.wall.fits()};
}

LevelWords l2_words(const WallHalf& half) {
  const sim::Simulation& s = *half.run;
  if (!sim::counts_hbm_traffic(*s.plan.scenario.gpu))
    return {"L2", std::string(half.view.say("not modelled")), "", "", 0};
  if (s.plan.l2 == 0) return {"L2", std::string(half.view.say("none")), "", "", 0};
  const double hits = sim::l2_hit_rate(s.totals.total, s.hbm);
  const std::string_view path = half.prefix.empty() ? "hbm_traffic.l2_hit_rate" : "";
  const std::int64_t size = s.plan.scenario.l2.value_or(s.plan.scenario.gpu->l2_bytes);
  return {"L2", report::capacity(size), std::string(path), half.view.say("{} hits", report::percent(hits)), hits};
}

LevelWords smem_words(const WallHalf& half) {
  const sim::MemoryMeter& memory = half.run->memory;
  const double share =
      static_cast<double>(memory.peak_sram.count()) / static_cast<double>(memory.sram_capacity.count());
  return {"SMEM", report::capacity(memory.sram_capacity.count()), "memory.peak_sram_bytes",
          half.view.say("{} a CTA", report::kibibytes(memory.peak_sram.count())), share};
}

/// Register use of the longest kernel: CTAs on an SM, of the number that fit into its registers.
LevelWords register_words(const WallHalf& half) {
  const std::size_t k = longest(*half.run);
  const sim::DeviceSpec& gpu = *half.run->plan.scenario.gpu;
  const sim::OccupancyLimit limit = sim::occupancy_limits(gpu, half.run->kernels[k].needs)[1];
  const std::string size = report::capacity(gpu.register_bytes_per_sm);
  if (limit.cta == 0) return {/*say*/ "Registers", size, "", std::string(half.view.say("no tiles")), 0};
  const std::int64_t held = half.run->kernels[k].ctas_per_sm, room = std::max(held, limit.ctas());
  return {/*say*/ "Registers", size, sim::text("kernels.", k, ".occupancy.registers"),
          half.view.say("{} of {} CTAs", held, report::thousands(room)),
          static_cast<double>(held) / static_cast<double>(room)};
}

std::array<LevelWords, 4> levels_of(const WallHalf& half) {
  return {hbm_words(half), l2_words(half), smem_words(half), register_words(half)};
}

std::vector<LinkWords> links_of_half(const WallHalf& half) {
  const sim::Simulation& s = *half.run;
  const sim::LinkUses uses = sim::links_of(s);
  const auto link = [](const sim::LinkUse& use, const sim::Traffic& traffic, std::string_view read,
                       std::string_view written) {
    return LinkWords{use.key,
                     read,
                     written,
                     static_cast<double>(traffic.read.count()),
                     static_cast<double>(traffic.written.count()),
                     use.percent_of_peak(),
                     use.bytes_per_second > 0 ? static_cast<double>(use.bytes_per_second) : std::nan("")};
  };
  std::vector<LinkWords> links = {
      link(uses[1], s.hbm, "hbm_traffic.read_bytes", "hbm_traffic.write_bytes"),
      link(uses[0], s.totals.total, "tile_traffic.total.read_bytes", "tile_traffic.total.write_bytes")};
  links[0].read = hbm_bytes_of(s).read;
  links[0].written = hbm_bytes_of(s).written;
  return links;
}

/// Draws an arrow in the middle of a rectangle; a dashed line if nothing is moved.
void draw_arrow(View& view, Rect place, double share, bool to_right) {
  ui::Canvas& canvas = view.canvas();
  const ui::Color color = view.theme().muted;
  const float middle = std::round(place.center().y);
  if (!(share > 0)) {
    for (float x = place.x; x + view.px(4) < place.right(); x += view.px(8))
      canvas.fill({x, middle, view.px(4), 1}, view.theme().faint);
    return;
  }
  const float most = std::min(view.px(thickest), place.height - view.px(4));
  const float thick = std::max(std::max(1.f, 1.5f * canvas.fonts().scale), most * static_cast<float>(share));
  const float head = std::min(view.px(8), place.width / 3), wing = thick / 2 + view.px(2.5f);
  const float left = to_right ? place.x : place.x + head, tip = to_right ? place.right() : place.x;
  canvas.fill({left, middle - thick / 2, place.width - head, thick}, color);
  const float base = to_right ? place.right() - head : place.x + head;
  if (to_right)
    canvas.triangle({base, middle - wing}, {tip, middle}, {base, middle + wing}, color);
  else
    canvas.triangle({base, middle + wing}, {tip, middle}, {base, middle - wing}, color);
}

void draw_words(const WallHalf& half, Rect line, const LevelWords& level, ui::Align align) {
  View view = half.view;
  const ui::Color color = level.warns ? view.theme().warning : view.theme().text;
  if (level.path.empty()) return void(view.canvas().text(line, Style::caption, color, level.full, align));
  draw_number_text(view, line, Style::caption, color, half.path(level.path), level.full, align);
}

void draw_bar(const WallHalf& half, Rect bar, const LevelWords& level) {
  ui::progress_bar(half.view.canvas(), bar, static_cast<float>(std::min(1., level.share)),
                   level.warns ? half.view.theme().warning : half.view.theme().strong);
}

void draw_level_box(const WallHalf& half, Rect box, const LevelWords& level) {
  View view = half.view;
  ui::inset_panel(view.canvas(), box);
  ui::mark_place(view.ui, sim::text("level:", level.name), box);
  const float line = view.px(18);
  const auto [name, size, space, bar, gap, words] =
      ui::rows(box.inset(view.px(2), view.px(10)), 0, {line, line, ui::rest(), view.px(5), view.px(4), line});
  view.canvas().text(name, Style::control, view.theme().text, view.say(level.name), ui::Align::center);
  view.canvas().text(size, Style::caption, view.theme().muted, level.size, ui::Align::center);
  draw_bar(half, bar.inset(view.px(6), 0), level);
  draw_words(half, words, level, ui::Align::center);
}

/// Draws one direction of a link: text above the arrow.
void draw_way(const WallHalf& half, Rect place, const LinkWords& link, bool reads, double most) {
  View view = half.view;
  const double bytes = reads ? link.read : link.written;
  const std::string_view path = reads ? link.read_path : link.written_path;
  const std::string number = number_text(path, bytes),
                    words = reads ? view.say("read {}", number) : view.say("written {}", number);
  const bool fits = view.canvas().text_width(Style::caption, words) < place.width;
  const auto [line, arrow] = ui::rows(place, 0, {view.px(16), ui::rest()});
  draw_number_text(view, line, Style::caption, view.theme().text, half.path(path), fits ? words : number,
                   ui::Align::center);
  draw_arrow(view, arrow.inset(view.px(5), 0), most > 0 ? bytes / most : 0, reads);
}

void draw_peak(const WallHalf& half, Rect line, const LinkWords& link, ui::Align align) {
  View view = half.view;
  const std::string path = half.path(sim::text("links.", link.key, ".percent_of_peak"));
  const std::string percent = number_text(path, link.percent);
  const std::string words = view.say("{} of {}", percent, report::byte_rate(link.peak));
  const bool fits = view.canvas().text_width(Style::caption, words) < line.width;
  draw_number_text(view, line, Style::caption, view.theme().muted, path, fits ? words : percent, align);
}

void draw_link_between(const WallHalf& half, Rect place, const LinkWords& link, double most) {
  View view = half.view;
  const auto [read, written, space, bar, words] =
      ui::rows(place, 0, {ui::share(1), ui::share(1), view.px(2), view.px(4), view.px(18)});
  draw_way(half, read, link, true, most);
  draw_way(half, written, link, false, most);
  const Rect track = bar.inset(0.15f * bar.width, 0);
  ui::progress_bar(view.canvas(), track, link.percent > 0 ? static_cast<float>(std::min(1., link.percent / 100)) : 0,
                   view.theme().strong);
  draw_peak(half, words, link, ui::Align::center);
}

/// Draws the levels side by side.
void draw_across(const WallHalf& half, Rect rect, double most) {
  View view = half.view;
  const std::array<LevelWords, 4> levels = levels_of(half);
  const std::vector<LinkWords> links = links_of_half(half);
  const float box = std::round(std::clamp(0.165f * rect.width, view.px(98), view.px(120)));
  const float between = std::floor((rect.width - 4 * box - view.px(8)) / static_cast<float>(links.size()));
  ui::Space rest(rect);
  for (std::size_t n = 0; n < levels.size(); ++n) {
    draw_level_box(half, rest.left(box), levels[n]);
    const Rect link = rest.left(n < links.size() ? between : view.px(8));
    if (n < links.size()) draw_link_between(half, link, links[n], most);
  }
}

/// Draws the levels one below the other.
void draw_down(const WallHalf& half, Rect place, double most) {
  View view = half.view;
  ui::Space rest(place);
  const std::array<LevelWords, 4> levels = levels_of(half);
  const std::vector<LinkWords> links = links_of_half(half);
  for (std::size_t n = 0; n < levels.size(); ++n) {
    const Rect row = rest.top(view.px(row_height));
    ui::mark_place(view.ui, sim::text("level:", levels[n].name), row);
    const auto [name, bar, space, words] =
        ui::columns(row, 0, {view.px(70), ui::rest(), view.px(10), std::min(0.42f * row.width, view.px(120))});
    view.canvas().text(name, Style::control, view.theme().text, view.say(levels[n].name));
    draw_words(half, words, levels[n], ui::Align::right);
    draw_bar(half, ui::middle(bar, view.px(5)), levels[n]);
    if (n >= links.size()) continue;
    const auto [read, written, peak] =
        ui::columns(rest.top(view.px(link_height)), 0, {ui::share(0.35f), ui::share(0.35f), ui::share(0.3f)});
    draw_peak(half, peak, links[n], ui::Align::right);
    draw_way(half, read, links[n], true, most);
    draw_way(half, written, links[n], false, most);
  }
}

}  // namespace

double most_bytes_of_links(const WallPair& pair) {
  double most = 0;
  for (const WallHalf& half : pair.halves) {
    for (const LinkWords& link : links_of_half(half)) most = std::max({most, link.read, link.written});
  }
  return most;
}

float height_of_memory_chart(const View& view, float width) {
  const bool across = width >= view.px(least_across);
  return view.px(across ? box_height : 4 * row_height + 2 * link_height);
}

void draw_memory_chart(const WallPair& pair, std::size_t half, ui::Rect rect) {
  const double most = most_bytes_of_links(pair);
  if (rect.width >= pair.halves[half].view.px(least_across))
    draw_across(pair.halves[half], rect, most);
  else
    draw_down(pair.halves[half], rect, most);
}

}  // namespace explorer
