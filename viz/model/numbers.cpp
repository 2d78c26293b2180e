#include "viz/model/numbers.h"

#include <algorithm>

#include "sim/base/text.h"
#include "viz/model/lesson/lesson.h"

namespace explorer {

bool is_locked(const Model& model, std::string_view option) {
  const std::vector<std::string> free = unlocked_options(model);
  return !free.empty() && std::find(free.begin(), free.end(), option) == free.end();
}

void change_number(Model& model, std::string_view option_name, const std::string& text, bool drags) {
  const sim::ScenarioOption& option = sim::option_called(option_name);
  const std::string name(option_name);
  if (text.empty()) return model.set_option(name, {});
  const auto is_asked = [&](std::string_view covered) { return model.state.options.contains(covered); };
  if (std::any_of(option.covers.begin(), option.covers.end(), is_asked)) {  // replaces the covered options
    sim::OptionValues changes = {{name, text}};
    for (const std::string_view covered : option.covers) changes[std::string(covered)] = "";
    return model.change_options(changes);
  }
  drags ? model.drag_option(name, text) : model.set_option(name, text);
}

Edits scaled_keys(const Model& model, bool more) {
  constexpr std::int64_t least = 16, most = std::int64_t{1} << 20;
  if (is_locked(model, plotted_first)) return {};
  const std::int64_t keys = model.world.subject(0).problem().shape.seqlen_k;
  const std::int64_t next = std::clamp(more ? 2 * keys : keys / 2, least, most);
  if (more ? next <= keys : next >= keys) return {};
  return {SetNumber{std::string(plotted_first), sim::text(next), true}};
}

Edits stepped_sram(const Model& model, bool more) {
  constexpr std::int64_t step = 8192;
  if (is_locked(model, "sram")) return {};
  const Subject& s = model.world.subject(0);
  const std::int64_t most = s.scenario().gpu->smem_bytes_per_cta, now = s.simulation().plan.capacity.smem.count();
  const std::int64_t next = (now + (more ? step : -1)) / step * step;
  if ((more && now >= most) || next < least_sram) return {};
  return {SetNumber{"sram", next >= most ? "" : sim::text(next), true}};
}

}  // namespace explorer
