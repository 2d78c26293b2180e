#include "viz/model/look.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace explorer {
namespace {

constexpr std::array<std::string_view, 3> sync_names = {"time", "bytes", "step"};

bool set_one_of(std::string& field, const std::string& value, std::initializer_list<std::string_view> allowed) {
  const bool good = std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  if (good) field = value;
  return good;
}

template <class T>
bool set_choice(T& field, const std::string& value, std::string_view first, std::string_view second) {
  if (value != first && value != second) return false;
  field = static_cast<T>(value == second);
  return true;
}

/// Those of the views in the middle.
std::vector<LookField> center_fields() {
  return {
      {"tiles", "bytes|time", "what the tile picker ranks by",
       [](const Look& look) { return std::string(look.tiles_by_time ? "time" : "bytes"); },
       [](Look& look, const std::string& value) { return set_choice(look.tiles_by_time, value, "bytes", "time"); }},
      {"plot", "tile-traffic|hbm-traffic|time|peak-memory|intensity", "what the plot shows",
       [](const Look& look) { return look.plot; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.plot, value, {"tile-traffic", "hbm-traffic", "time", "peak-memory", "intensity"});
       }},
      {"over", "seqlen|head-dim|br|bc|sram", "the option that the plot shows it over",
       [](const Look& look) { return look.over; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.over, value, {"seqlen", "head-dim", "br", "bc", "sram"});
       }},
      {"axes", "log|linear", "of the plot",
       [](const Look& look) { return std::string(look.log_axes ? "log" : "linear"); },
       [](Look& look, const std::string& value) { return set_choice(look.log_axes, value, "linear", "log"); }},
      {"verify", "LINK", "the scenario whose kernels run on the emulated device",
       [](const Look& look) { return look.verify; },
       [](Look& look, const std::string& value) { return look.verify = value, true; }},
  };
}

std::vector<LookField> joined(std::vector<LookField> some, const std::vector<LookField>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

}  // namespace

const std::vector<LookField>& look_fields() {
  static const std::vector<LookField> fields = joined(
      center_fields(),
      {
          {"select", "PATH", "the number that is explained", [](const Look& look) { return look.selection; },
           [](Look& look, const std::string& value) { return look.selection = value, true; }},
          {"tab", "matrix|memory|code|softmax|counters", "the panel shown on narrow screens",
           [](const Look& look) { return look.tab; },
           [](Look& look, const std::string& value) {
             return set_one_of(look.tab, value, {"matrix", "memory", "code", "softmax", "counters"});
           }},
          {"center", "matrix|tiles|plots|verification", "what stands in the middle",
           [](const Look& look) { return look.center; },
           [](Look& look, const std::string& value) {
             return set_one_of(look.center, value, {"matrix", "tiles", "plots", "verification"});
           }},
          {"source", "0|1", "the listing as C++", [](const Look& look) { return std::string(look.source ? "1" : "0"); },
           [](Look& look, const std::string& value) { return set_choice(look.source, value, "0", "1"); }},
          {"sync", "time|bytes|step", "what the playheads of compared runs have in common",
           [](const Look& look) { return std::string(sync_names[static_cast<std::size_t>(look.sync)]); },
           [](Look& look, const std::string& value) {
             const auto found = std::find(sync_names.begin(), sync_names.end(), value);
             if (found == sync_names.end()) return false;
             look.sync = static_cast<Sync>(found - sync_names.begin());
             return true;
           }},
          {"theme", "dark|light", "colours",
           [](const Look& look) { return std::string(look.theme == Theme::light ? "light" : "dark"); },
           [](Look& look, const std::string& value) { return set_choice(look.theme, value, "dark", "light"); }},
          {"lang", "en|zh", "language",
           [](const Look& look) { return std::string(look.language == Language::zh ? "zh" : "en"); },
           [](Look& look, const std::string& value) { return set_choice(look.language, value, "en", "zh"); }},
      });
  return fields;
}

}  // namespace explorer
