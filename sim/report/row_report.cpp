#include "sim/report/row_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text_inputs.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"

namespace report {
namespace {

using Json = nlohmann::ordered_json;
using sim::SoftmaxRow;
using sim::SoftmaxTile;

constexpr std::size_t printed_components = 4, printed_shares = 8;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// Returns the shortest decimal that reads back as the float.
Json number(float value) { return std::isfinite(value) ? Json::parse(fmt::format("{}", value)) : Json(nullptr); }

template <class Values>
Json numbers(const Values& values, std::size_t most) {
  Json list = Json::array();
  for (std::size_t n = 0; n < std::min(most, values.size()); ++n) list.push_back(number(values[n]));
  return list;
}

Json tile_json(const SoftmaxRow& row, const SoftmaxTile& tile) {
  Json json = {{"kernel", row.plan().launches[tile.kernel].name}, {"part", tile.part}, {"pass", tile.pass}};
  json["of_parts"] = tile.of_parts;
  json["first_key"] = tile.keys.begin;
  json["keys"] = tile.keys.size();
  json["score_max"] = number(tile.score_max);
  json["m_before"] = number(tile.m_before);
  json["m"] = number(tile.m);
  json["alpha"] = number(tile.alpha);
  json["sum"] = number(tile.sum);
  json["l_before"] = number(tile.l_before);
  json["l"] = number(tile.l);
  json["O_before"] = numbers(tile.O_before, reported_components);
  json["O_rescaled"] = numbers(tile.O_scaled, reported_components);
  json["O"] = numbers(tile.O, reported_components);
  json["scores"] = numbers(tile.scores, tile.scores.size());
  json["weights"] = numbers(tile.weights, tile.weights.size());
  return json;
}

Json answer_json(const SoftmaxRow& row) {
  const auto& tiles = row.tiles();
  const sim::RowAnswer kept = answer_of(tiles, tiles.size(), sim::Rescaling::kept);
  const sim::RowAnswer skipped = answer_of(tiles, tiles.size(), sim::Rescaling::skipped);
  Json shares = Json::array();
  for (const sim::KeyShare& key : largest_shares(tiles, tiles.size(), printed_shares))
    shares.push_back({{"key", key.key}, {"with_alpha", number(key.kept)}, {"without_alpha", number(key.skipped)}});
  return {{"l", number(skipped.l)},
          {"O", numbers(skipped.O, skipped.O.size())},
          {"relative_error", number(sim::relative_error(skipped.O, kept.O))},
          {"largest_shares", shares}};
}

std::string decimal(float value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : value < 0 ? "-inf" : "inf";
}

std::string components(const std::vector<float>& values) {
  std::string text;
  for (std::size_t n = 0; n < std::min(printed_components, values.size()); ++n)
    text += fmt::format("{}{:.4f}", n == 0 ? "" : "  ", values[n]);
  return text.empty() ? "-" : text;
}

/// Returns the text that the inputs are made of; null if there is none.
const sim::TextInput* text_of(const SoftmaxRow& row) {
  const sim::Scenario& scenario = row.plan().scenario;
  return scenario.inputs == sim::InputRule::text ? &sim::text_called(scenario.text) : nullptr;
}

std::string key_name(const SoftmaxRow& row, std::int64_t key) {
  const sim::TextInput* const text = text_of(row);
  return text == nullptr ? thousands(key) : fmt::format("{} {}", key, text->words[static_cast<std::size_t>(key)]);
}

/// Returns a note that the scores of a text are synthetic, with its head and words; "" without a text.
std::string text_note(const SoftmaxRow& row) {
  const sim::TextInput* const text = text_of(row);
  if (text == nullptr) return "";
  std::string sentence;
  for (const std::string_view word : text->words) sentence += fmt::format("{}{}", sentence.empty() ? "" : " ", word);
  return fmt::format("synthetic scores, {}: {}\n", sim::text_heads[static_cast<std::size_t>(row.head())], sentence);
}

std::string tile_name(const SoftmaxTile& tile, std::size_t index) {
  if (tile.of_parts) return fmt::format("part {}", tile.part);
  return tile.pass == 0 ? fmt::format("{}", index) : fmt::format("{}, pass {}", index, tile.pass + 1);
}

std::string keys_text(const SoftmaxTile& tile) {
  return tile.of_parts ? "-" : fmt::format("{}..{}", thousands(tile.keys.begin), thousands(tile.keys.end - 1));
}

/// Returns alpha of a tile; a dash if the program has none.
std::string alpha_text(const SoftmaxTile& tile) { return tile.rescales ? decimal(tile.alpha) : "-"; }

std::string tiles_text(const SoftmaxRow& row) {
  Table numbers({"kernel", "tile", "keys", "max s", "m before", "m", "alpha", "sum of p", "l before", "l"});
  Table outputs({"tile", "O before", "O rescaled by alpha", "O after"});
  for (std::size_t t = 0; t < row.tiles().size(); ++t) {
    const SoftmaxTile& tile = row.tiles()[t];
    const std::string name = tile_name(tile, t);
    numbers.row({row.plan().launches[tile.kernel].name, name, keys_text(tile), decimal(tile.score_max),
                 decimal(tile.m_before), decimal(tile.m), alpha_text(tile), decimal(tile.sum), decimal(tile.l_before),
                 decimal(tile.l)});
    if (!tile.O.empty()) outputs.row({name, components(tile.O_before), components(tile.O_scaled), components(tile.O)});
  }
  std::string text = numbers.text();
  if (outputs.rows().size() > 2) text += "\nfirst components of O, before it is divided by l\n" + outputs.text();
  return text;
}

std::string answer_text(const SoftmaxRow& row) {
  const auto& tiles = row.tiles();
  if (!rescales(row))
    return "\nwithout alpha: the same, since the keys are one tile, or their maximum is known before the sum\n";
  Table table({"key", "share with alpha", "without alpha"});
  for (const sim::KeyShare& key : largest_shares(tiles, tiles.size(), printed_shares))
    table.row(
        {key_name(row, key.key), fmt::format("{:.2f} %", 100 * key.kept), fmt::format("{:.2f} %", 100 * key.skipped)});
  const sim::RowAnswer kept = answer_of(tiles, tiles.size(), sim::Rescaling::kept);
  const sim::RowAnswer skipped = answer_of(tiles, tiles.size(), sim::Rescaling::skipped);
  return "\nwithout alpha\n" + table.text() +
         fmt::format("O is off by {:.2f} % of its length\n", 100 * sim::relative_error(skipped.O, kept.O));
}

}  // namespace

bool rescales(const SoftmaxRow& row) {
  return std::any_of(row.tiles().begin(), row.tiles().end(), [](const SoftmaxTile& tile) { return tile.rescales; });
}

Json to_json(const SoftmaxRow& row, bool without_alpha) {
  Json tiles = Json::array();
  for (const SoftmaxTile& tile : row.tiles()) tiles.push_back(tile_json(row, tile));
  Json json = {{"schema", 1}, {"scenario", scenario_json(row.asked())}, {"head", row.head()}, {"row", row.query()}};
  if (const sim::TextInput* const text = text_of(row); text != nullptr)
    json["text"] = {{"words", text->words},
                    {"pattern", sim::text_heads[static_cast<std::size_t>(row.head())]},
                    {"scores", "synthetic"}};
  json["tiles"] = tiles;
  json["O"] = numbers(row.O(), row.O().size());
  if (without_alpha) json["without_alpha"] = answer_json(row);
  return json;
}

std::string to_table(const SoftmaxRow& row, bool without_alpha) {
  const std::string of =
      fmt::format("softmax of query {} in head {}, {}: s = scale q k^T, p = exp(s - m)\n{}\n", thousands(row.query()),
                  thousands(row.head()), row.plan().code->name, text_note(row));
  if (row.tiles().empty()) return of + "no key is visible to this query: O = 0\n";
  return of + tiles_text(row) + "\nO as stored, first components: " + components(row.O()) + "\n" +
         (without_alpha ? answer_text(row) : "");
}

}  // namespace report
