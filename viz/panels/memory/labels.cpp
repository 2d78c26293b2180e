// Names and tooltips of tensors, blocks and tiles in the memory panel.
#include "sim/report/numbers.h"
#include "sim/trace/tensors.h"
#include "viz/model/event_label.h"
#include "viz/panels/description.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using sim::Event;
using sim::Tensor;

std::string script_of(const Event& event) {
  std::string script(stage_of(event.tensor));
  for (const sim::Axis& axis : {event.rows, event.cols}) {
    if (axis.origin != sim::Origin::whole) script += (script.empty() ? "" : ",") + sim::text(axis.index);
  }
  return script;
}

std::string letters_of(Tensor tensor) {
  if (tensor == Tensor::l) return "ℓ";
  if (tensor == Tensor::alpha) return "α";
  if (tensor == Tensor::beta) return "β";
  return std::string(stem_of(tensor));
}

std::string with_script(Tensor tensor, const std::string& script) {
  return letters_of(tensor) + (script.empty() ? "" : script.size() == 1 ? "_" + script : "_{" + script + "}");
}

std::string span_text(const View& view, sim::Cycles begin, sim::Cycles end) {
  const Subject& s = view.subject();
  if (!s.has_time()) return "-";
  return fmt::format("{:.2f} – {:.2f} µs", s.microseconds(begin), s.microseconds(end));
}

std::string range_text(const sim::Axis& axis) {
  return sim::text(report::thousands(axis.begin), " – ", report::thousands(axis.begin + axis.size - 1));
}

/// "tile_traffic.by_tensor.K.read_bytes"; empty for work inside the SM.
std::string path_of(const Event& event) {
  if (event.direction == sim::Direction::none) return {};
  const char* leaf = event.direction == sim::Direction::read ? ".read_bytes" : ".write_bytes";
  return sim::text("tile_traffic.by_tensor.", sim::name_of(event.tensor), leaf);
}

std::string journey(const View& view, std::int32_t n) {
  const Event& event = event_of(view, n);
  const CopySources& sources = view.subject().replay->memory.sources;
  const std::string bytes = report::kibibytes(event.bytes);  // as the tile takes on chip
  switch (event.direction) {
    case sim::Direction::read:
      return sources.read_from_hbm(n) ? view.say("{} from HBM, by the model's share of misses", bytes)
                                      : view.say("{} from L2, by the model's share of hits", bytes);
    case sim::Direction::write:
      return sources.written_to_hbm(n) ? view.say("{} to L2, and on to HBM", bytes)
                                       : view.say("{} to L2, and written over there", bytes);
    case sim::Direction::both:
      return view.say("{} added in L2: read and written", bytes);
    default:
      return {};
  }
}

}  // namespace

ui::Color tensor_color(const View& view, Tensor tensor) { return tensor_color(view, tensor, ui::Phase::active); }

ui::Color tensor_color(const View& view, Tensor tensor, ui::Phase phase) {
  const char letter = letter_of(tensor);
  if (letter != 0) return view.theme().tensor(letter, phase);
  const float share = phase == ui::Phase::active ? 0.15f : phase == ui::Phase::done ? 0.45f : 0.78f;
  return ui::mix(view.theme().muted, view.theme().inset, share);
}

std::string tensor_markup(Tensor tensor) { return with_script(tensor, std::string(stage_of(tensor))); }

std::string block_markup(const Event& event) { return with_script(event.tensor, script_of(event)); }

std::string block_name(const Event& event) {
  std::string name(sim::name_of(event.tensor));
  bool first = true;
  for (const sim::Axis& axis : {event.rows, event.cols}) {
    if (axis.origin == sim::Origin::whole) continue;
    name += (first ? "" : ",") + sim::text(axis.index);
    first = false;
  }
  return name;
}

const Event& event_of(const View& view, std::int32_t event) {
  return view.subject().replay->trace.events[static_cast<std::size_t>(event)];
}

float share_passed(const View& view, const Event& event) {
  const auto passed = static_cast<float>((view.subject().time - event.begin).count());
  const auto all = static_cast<float>((event.end - event.begin).count());
  return all <= 0 ? 1 : std::clamp(passed / all, 0.f, 1.f);
}

std::vector<std::string> describe(const View& view, std::int32_t n) {
  const Event& event = event_of(view, n);
  std::string head = ui::plain(block_markup(event));
  if (event.head > 0) head += view.say(", query head {} of the group", event.head);
  std::vector<std::string> lines = {head};
  lines.push_back(event.cols.origin == sim::Origin::whole
                      ? view.say("rows {}", range_text(event.rows))
                      : view.say("rows {}, columns {}", range_text(event.rows), range_text(event.cols)));
  if (event.direction != sim::Direction::none) lines.push_back(journey(view, n));
  lines.push_back(
      sim::text(verb_word(view.state.look.language, event.verb), "  ", span_text(view, event.begin, event.end)));
  const std::string code = sim::listing_code(view.subject().replay->trace.listing, event.line);
  if (!code.empty()) lines.push_back(view.say("line {}: {}", event.line, code));
  return lines;
}

std::vector<std::string> describe_tile(const View& view, std::int32_t n) {
  const TilesOnChip& tiles = view.subject().replay->memory.tiles;
  const ChipTile& tile = tiles.tiles()[static_cast<std::size_t>(n)];
  std::vector<std::string> lines = describe(view, tile.event);
  lines[0] = ui::plain(block_markup(event_of(view, tiles.writer(n, view.subject().time))));
  if (tile.is_vector) {
    lines.push_back(view.say("{} in registers, one number per row", report::kibibytes(tile.bytes)));
  } else if (tile.in_registers) {
    lines.push_back(view.say("{} in registers", report::kibibytes(tile.bytes)));
  } else {
    lines.push_back(view.say("{} at {} – {}", report::kibibytes(tile.bytes), report::thousands(tile.address),
                             report::thousands(tile.address + tile.bytes - 1)));
  }
  lines.push_back(view.say("lives {}", span_text(view, tile.begin, tile.end)));
  return lines;
}

void go_to(View& view, std::int32_t event) {
  const std::string path = path_of(event_of(view, event));
  if (!path.empty()) view.set([&](Look& look) { look.selection = path; });
  view.edit(Seek{event_of(view, event).begin, view.index});
}

}  // namespace explorer
