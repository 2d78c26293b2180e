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

}  // namespace

const std::vector<LookField>& look_fields() {
  static const std::vector<LookField> fields = {
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
      {"pane", "0..3", "which of the compared runs is in front on narrow screens",
       [](const Look& look) { return std::to_string(look.pane); },
       [](Look& look, const std::string& value) {
         if (value.size() != 1 || value[0] < '0' || value[0] > '3') return false;
         look.pane = value[0] - '0';
         return true;
       }},
      {"options", "0|1", "all options of the scenario are open",
       [](const Look& look) { return std::string(look.options ? "1" : "0"); },
       [](Look& look, const std::string& value) { return set_choice(look.options, value, "0", "1"); }},
      {"theme", "dark|light", "colours",
       [](const Look& look) { return std::string(look.theme == Theme::light ? "light" : "dark"); },
       [](Look& look, const std::string& value) { return set_choice(look.theme, value, "dark", "light"); }},
      {"lang", "en|zh", "language",
       [](const Look& look) { return std::string(look.language == Language::zh ? "zh" : "en"); },
       [](Look& look, const std::string& value) { return set_choice(look.language, value, "en", "zh"); }},
  };
  return fields;
}

}  // namespace explorer
