// Faults of a picture of the window: widgets or texts that overlap or leave the window, and characters that no font
// has.
#pragma once
#include <algorithm>

#include "viz/explorer/headless.h"

namespace layout {

inline std::string shown(ui::Rect r) { return sim::text('(', r.x, ' ', r.y, ' ', r.width, " x ", r.height, ')'); }

inline bool inside(ui::Rect part, ui::Rect whole) {
  const float rounding = 1;
  return part.x >= whole.x - rounding && part.y >= whole.y - rounding && part.right() <= whole.right() + rounding &&
         part.bottom() <= whole.bottom() + rounding;
}

/// True if two rectangles overlap by more than the pixel due to rounding.
inline bool overlap(ui::Rect a, ui::Rect b) {
  const ui::Rect both = common(a, b);
  return both.width > 1 && both.height > 1;
}

/// True if one name is nested in the other: "step/3" in "step".
inline bool nested(const std::string& a, const std::string& b) {
  return b.starts_with(a + "/") || a.starts_with(b + "/");
}

/// True for widgets in front of the panels: overlays, and the cards of errors, explanations and the tour.
inline bool in_front(const std::string& name, bool tour) {
  constexpr std::string_view fronts[] = {"help/",       "palette/", "error/",   "why/",
                                         "complaints/", "option/",  "options/", "first/result/"};
  if (tour && name.starts_with("lesson/")) return true;
  return std::any_of(std::begin(fronts), std::end(fronts), [&](auto front) { return name.starts_with(front); });
}

inline std::vector<std::string> probe_faults(const explorer::Headless& window, ui::Rect screen) {
  std::vector<std::string> faults;
  const bool tour = window.explorer.model.state.look.overlay == explorer::Overlay::tour;
  const auto& probes = window.driver.screen.state.probes;
  for (auto a = probes.begin(); a != probes.end(); ++a) {
    if (!inside(a->second, screen)) faults.push_back("widget " + a->first + " leaves the window " + shown(a->second));
    for (auto b = std::next(a); b != probes.end(); ++b) {
      if (!overlap(a->second, b->second) || nested(a->first, b->first)) continue;
      if (in_front(a->first, tour) != in_front(b->first, tour)) continue;
      faults.push_back("widgets " + a->first + " and " + b->first + " overlap " + shown(a->second) + shown(b->second));
    }
  }
  return faults;
}

/// Returns the part of a line's box that has letters, without the space above the capitals and below the baseline.
inline ui::Rect ink_of(const ui::DrawnText& text) {
  const ui::Rect line{text.box.x, text.box.y + 0.25f * text.box.height, text.box.width, 0.5f * text.box.height};
  return common(line, text.clip);
}

/// True for one text that is drawn twice at the same position, with different clips.
inline bool same_text(const ui::DrawnText& a, const ui::DrawnText& b) {
  return a.text == b.text && a.box.x == b.box.x && a.box.y == b.box.y;
}

inline std::vector<std::string> text_faults(const explorer::Headless& window, ui::Rect screen) {
  std::vector<std::string> faults;
  std::vector<ui::DrawnText> texts = *window.driver.screen.texts;
  std::erase_if(texts, [](const ui::DrawnText& text) {
    return text.text.find_first_not_of(" ~") == std::string::npos || ink_of(text).empty();  // "~" is an accent
  });
  std::sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.box.y < b.box.y; });
  for (auto a = texts.begin(); a != texts.end(); ++a) {
    if (inside(screen, a->clip) && !inside(a->box, screen))
      faults.push_back("text \"" + a->text + "\" leaves the window " + shown(a->box));
    for (auto b = std::next(a); b != texts.end() && b->box.y < a->box.bottom(); ++b) {
      if (a->list == b->list && overlap(ink_of(*a), ink_of(*b)) && !same_text(*a, *b))
        faults.push_back("texts \"" + a->text + "\" and \"" + b->text + "\" overlap " + shown(a->box) + shown(b->box));
    }
  }
  return faults;
}

inline std::vector<std::string> glyph_faults(const explorer::Headless& window) {
  static const ui::Fonts fonts = ui::make_fonts(1);
  std::vector<std::string> faults;
  for (const ui::DrawnText& text : *window.driver.screen.texts) {
    if (!missing(fonts, ui::Style::body, text.text).empty())
      faults.push_back("no font shows all of \"" + text.text + "\"");
  }
  return faults;
}

/// Returns all faults of the last frame of a window that records its texts.
inline std::vector<std::string> faults_of(const explorer::Headless& window) {
  const ImVec2 size = window.driver.screen.drawn().DisplaySize;
  const ui::Rect screen{0, 0, size.x, size.y};
  std::vector<std::string> faults = probe_faults(window, screen);
  for (std::string& fault : text_faults(window, screen)) faults.push_back(std::move(fault));
  for (std::string& fault : glyph_faults(window)) faults.push_back(std::move(fault));
  return faults;
}

/// Returns all faults as one text, a line each; empty if there are none.
inline std::string text_of_faults(const explorer::Headless& window) {
  std::string text;
  for (const std::string& fault : faults_of(window)) text += "\n  " + fault;
  return text;
}

}  // namespace layout
