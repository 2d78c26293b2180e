// What the pointer is over in the attention matrix.
#include <imgui.h>

#include <cmath>
#include <vector>

#include "viz/panels/matrix.h"
#include "viz/panels/tooltip.h"
#include "viz/terminal/numbers.h"

namespace explorer {
namespace {

std::string value_words(float value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", static_cast<double>(value)) : std::string("−∞");
}

/// S and P where the pointer is, when the values of that tile are there.
void add_values(const View& view, const TileStep* step, std::int64_t query, std::int64_t key,
                std::vector<std::string>& lines) {
  if (step == nullptr || query < step->queries.begin || query >= step->queries.end) return;
  if (key < step->keys.begin || key >= step->keys.end) return;
  const auto at = static_cast<std::size_t>((query - step->queries.begin) * step->keys.size() + key - step->keys.begin);
  lines.push_back(
      view.say("query {}, key {}: S = {}, P = {}", query, key, value_words(step->S[at]), value_words(step->P[at])));
}

std::string state_words(const View& view, const TileMatrix& m, std::int64_t row, std::int64_t col) {
  if (!m.is_live(row, col)) return std::string(view.say("skipped: no pair is visible, nothing is loaded"));
  const TileState state = m.state(row, col);
  if (state == TileState::current) return std::string(view.say("worked on now"));
  if (state == TileState::done) return std::string(view.say("done · click to go there"));
  return std::string(view.say("to do · click to go there"));
}

std::vector<std::string> words(const View& view, const TileMatrix& m, std::int64_t query, std::int64_t key,
                               const TileStep* step) {
  const std::int64_t row = query / m.rows.size, col = key / m.cols.size;
  const sim::Interval queries = m.rows.elements(row), keys = m.cols.elements(col);
  const std::int64_t pairs = sim::product(queries.size(), keys.size());
  const std::int64_t bytes = sim::product(pairs, sim::size_of(view.subject().problem().dtype));
  std::vector<std::string> lines;
  lines.push_back(view.say("Tile ({}, {})", row, col));
  lines.push_back(
      view.say("queries {} to {}, keys {} to {}", queries.begin, queries.end - 1, keys.begin, keys.end - 1));
  lines.push_back(view.say("{} of {} pairs visible · {} of S", terminal::thousands(m.visible_pairs(row, col)),
                           terminal::thousands(pairs), terminal::bytes(bytes)));
  lines.push_back(state_words(view, m, row, col));
  add_values(view, step, query, key, lines);
  return lines;
}

}  // namespace

void draw_matrix_tip(const MatrixFrame& frame, const TileStep* step) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto query = static_cast<std::int64_t>(std::floor(frame.lens.query_at(io.MousePos.y)));
  const auto key = static_cast<std::int64_t>(std::floor(frame.lens.key_at(io.MousePos.x)));
  const TileMatrix& m = frame.matrix;
  if (!m.touched || query < 0 || key < 0 || query >= m.rows.extent || key >= m.cols.extent) return;
  draw_tooltip(frame.view, words(frame.view, m, query, key, step));
}

}  // namespace explorer
