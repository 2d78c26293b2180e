// Tooltip of the attention matrix.
#include <imgui.h>

#include <cmath>
#include <vector>

#include "sim/report/numbers.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/panels/tooltip.h"

namespace explorer {
namespace {

std::string value_words(float value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", static_cast<double>(value)) : std::string("−∞");
}

/// Adds the newest value of each tensor under the pointer, if the values of that tile are computed.
void add_values(const View& view, const MatrixValues& values, std::int64_t query, std::int64_t key,
                std::vector<std::string>& lines) {
  if (values.layers == nullptr) return;
  const TileLayers& tile = *values.layers;
  if (query < tile.queries.begin || query >= tile.queries.end || key < tile.keys.begin || key >= tile.keys.end) return;
  const auto at = static_cast<std::size_t>((query - tile.queries.begin) * tile.keys.size() + key - tile.keys.begin);
  std::string list;
  for (const TileLayer& layer : tile.all) {
    const TileLayer* const newest = tile.newest(layer.tensor, values.events);
    const std::string name = sim::text(sim::name_of(layer.tensor), " = ");
    if (newest == nullptr || list.rfind(name, 0) == 0 || list.find(", " + name) != std::string::npos) continue;
    list += (list.empty() ? "" : ", ") + name + value_words(newest->values[at]);
  }
  if (!list.empty()) lines.push_back(view.say("query {}, key {}: {}", query, key, list));
}

std::string state_words(const View& view, const TileMatrix& m, std::int64_t row, std::int64_t col) {
  if (!m.is_live(row, col)) return std::string(view.say("skipped: no pair is visible, nothing is loaded"));
  const TileState state = m.state(row, col);
  if (state == TileState::current) return std::string(view.say("worked on now"));
  if (state == TileState::done) return std::string(view.say("done · click to go there"));
  return std::string(view.say("to do · click to go there"));
}

std::vector<std::string> words(const View& view, const TileMatrix& m, std::int64_t query, std::int64_t key,
                               const MatrixValues& values) {
  const std::int64_t row = query / m.rows.size, col = key / m.cols.size;
  const sim::Interval queries = m.rows.elements(row), keys = m.cols.elements(col);
  const std::int64_t pairs = sim::product(queries.size(), keys.size());
  const std::int64_t bytes = sim::product(pairs, sim::size_of(view.subject().problem().dtype));
  std::vector<std::string> lines;
  lines.push_back(view.say("Tile ({}, {})", row, col));
  lines.push_back(
      view.say("queries {} to {}, keys {} to {}", queries.begin, queries.end - 1, keys.begin, keys.end - 1));
  lines.push_back(view.say("{} of {} pairs visible · {} of S", report::thousands(m.visible_pairs(row, col)),
                           report::thousands(pairs), report::bytes(bytes)));
  lines.push_back(state_words(view, m, row, col));
  add_values(view, values, query, key, lines);
  return lines;
}

}  // namespace

void draw_matrix_tip(const MatrixFrame& frame, const MatrixValues& values) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto query = static_cast<std::int64_t>(std::floor(frame.lens.query_at(io.MousePos.y)));
  const auto key = static_cast<std::int64_t>(std::floor(frame.lens.key_at(io.MousePos.x)));
  const TileMatrix& m = frame.matrix;
  if (!m.touched || query < 0 || key < 0 || query >= m.rows.extent || key >= m.cols.extent) return;
  draw_tooltip(frame.view, words(frame.view, m, query, key, values));
}

}  // namespace explorer
