#include "viz/model/look.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
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

bool set_zoom(int& zoom, const std::string& value) {
  int read = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, read);
  if (error != std::errc{} || stop != end || std::abs(read) > most_zoom) return false;
  zoom = read;
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
      {"unit", "event|line|tile|row-block|cta|kernel", "what one step of playback crosses",
       [](const Look& look) { return look.unit; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.unit, value, {"event", "line", "tile", "row-block", "cta", "kernel"});
       }},
      {"loop", "0|1", "play the same step again and again",
       [](const Look& look) { return std::string(look.loop ? "1" : "0"); },
       [](Look& look, const std::string& value) { return set_choice(look.loop, value, "0", "1"); }},
      {"still", "0|1", "no animation: playback jumps from step to step",
       [](const Look& look) { return std::string(look.still ? "1" : "0"); },
       [](Look& look, const std::string& value) { return set_choice(look.still, value, "0", "1"); }},
      {"bookmarks", "KERNEL:BATCH,HEAD,ROW,COL:CYCLES/...", "places to come back to",
       [](const Look& look) { return bookmarks_text(look.bookmarks); },
       [](Look& look, const std::string& value) {
         const auto read = read_bookmarks(value);
         if (read) look.bookmarks = *read;
         return read.has_value();
       }},
      {"timeline", "cta|grid", "the timeline of one CTA, or of all", [](const Look& look) { return look.timeline; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.timeline, value, {"cta", "grid"});
       }},
      {"zoom", "N", "of the timeline, in quarters of a power of two",
       [](const Look& look) { return std::to_string(look.zoom); },
       [](Look& look, const std::string& value) { return set_zoom(look.zoom, value); }},
      {"overlay", "help|palette|tour", "what lies over the window", [](const Look& look) { return look.overlay; },
       [](Look& look, const std::string& value) {
         return set_one_of(look.overlay, value, {"", "help", "palette", "tour"});
       }},
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
      {"tour_step", "N", "the step of the tour, from 1", [](const Look& look) { return sim::text(look.tour_step); },
       [](Look& look, const std::string& value) {
         for (int n = 0; n <= tour_steps; ++n) {
           if (sim::text(n) == value) return look.tour_step = n, true;
         }
         return false;
       }},
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
