#include "viz/model/look.h"

#include <algorithm>
#include <initializer_list>

namespace explorer {
namespace {

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
      {"center", "matrix|tiles|plots|roofline|verification", "what stands in the middle",
       [](const Look& look) { return look.center; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.center, value, {"matrix", "tiles", "plots", "roofline", "verification"});
       }},
      {"source", "0|1", "the listing as C++", [](const Look& look) { return std::string(look.source ? "1" : "0"); },
       [](Look& look, const std::string& value) { return set_choice(look.source, value, "0", "1"); }},
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
