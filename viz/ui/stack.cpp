#include "viz/ui/stack.h"

#include <algorithm>
#include <cmath>

#include "viz/ui/widgets.h"

namespace ui {
namespace {

bool takes_space(const Part& part) { return part.size > 0 || part.weight > 0; }

std::vector<Part> without_optional(float length, float between, std::span<const Part> parts) {
  std::vector<Part> kept(parts.begin(), parts.end());
  for (auto part = kept.rbegin(); part != kept.rend() && length_of(between, kept) > length; ++part) {
    if (part->optional) *part = {};
  }
  return kept;
}

/// Gives what is left to the parts with a weight. Those that reach a bound keep it, and the others share again.
void share_out(float left, std::span<const Part> parts, std::vector<float>& sizes) {
  std::vector<std::size_t> open;
  float weights = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (parts[n].weight <= 0) continue;
    open.push_back(n);
    weights += parts[n].weight;
  }
  const auto share = [&](std::size_t n) { return left * parts[n].weight / weights; };
  const auto bounded = [&](std::size_t n) { return share(n) < parts[n].size || share(n) > parts[n].most; };
  for (auto n = open.begin(); (n = std::find_if(open.begin(), open.end(), bounded)) != open.end();) {
    sizes[*n] = std::clamp(share(*n), parts[*n].size, parts[*n].most);
    left = std::max(0.f, left - sizes[*n]);
    weights -= parts[*n].weight;
    open.erase(n);
  }
  for (std::size_t n = 0; n < open.size(); ++n) {
    const bool last = n + 1 == open.size();
    sizes[open[n]] = last ? left : std::floor(share(open[n]));
    left -= sizes[open[n]];
    weights -= parts[open[n]].weight;
  }
}

std::vector<Part> equal_parts(float length, float between, std::size_t count, float most) {
  const auto n = static_cast<float>(count);
  return std::vector<Part>(count, Part{std::min(most, std::floor((length - (n - 1) * between) / n))});
}

std::vector<Part> parts_of(std::span<const Slot> slots) {
  std::vector<Part> parts;
  for (const Slot& slot : slots) parts.push_back({slot.height});
  return parts;
}

std::vector<Rect> place_parts(float from, float length, float between, std::span<const Part> parts,
                              const std::function<Rect(float, float)>& rect) {
  std::vector<Rect> places;
  const std::vector<float> sizes = sizes_of(length, between, parts);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    places.push_back(rect(from, sizes[n]));
    if (sizes[n] > 0) from += sizes[n] + between;
  }
  return places;
}

}  // namespace

float length_of(float between, std::span<const Part> parts) {
  float all = 0;
  for (const Part& part : parts) {
    if (takes_space(part)) all += part.size + (all > 0 ? between : 0);
  }
  return all;
}

std::vector<float> sizes_of(float length, float between, std::span<const Part> parts) {
  const std::vector<Part> kept = without_optional(length, between, parts);
  std::vector<float> sizes(kept.size());
  float left = length + between;
  for (const Part& part : kept) left -= takes_space(part) ? between : 0;
  for (std::size_t n = 0; n < kept.size(); ++n) {
    if (kept[n].weight > 0) continue;
    sizes[n] = std::clamp(kept[n].size, 0.f, std::max(0.f, left));
    left -= sizes[n];
  }
  share_out(std::max(0.f, left), kept, sizes);
  float end = length;
  for (float& size : sizes) {
    size = std::clamp(size, 0.f, std::max(0.f, end));
    end -= size > 0 ? size + between : 0;
  }
  return sizes;
}

std::vector<Rect> columns(Rect place, float between, std::span<const Part> parts) {
  return place_parts(place.x, place.width, between, parts, [&](float x, float width) {
    return Rect{x, place.y, width, place.height};
  });
}

std::vector<Rect> rows(Rect place, float between, std::span<const Part> parts) {
  return place_parts(place.y, place.height, between, parts, [&](float y, float height) {
    return Rect{place.x, y, place.width, height};
  });
}

Rect Space::take(Rect (*cut)(Rect&, float), float size, float gap_after) {
  const Rect strip = cut(rest_, size);
  if (!strip.empty()) cut(rest_, gap_after);
  return strip;
}

void left_text(Canvas& canvas, Space& line, Style style, Color color, std::string_view text, float gap_after) {
  line.left(canvas.text(line.rest(), style, color, text), gap_after);
}

void right_text(Canvas& canvas, Space& line, Style style, Color color, std::string_view text, float gap_after) {
  canvas.text(line.right(canvas.text_width(style, text) + 1, gap_after), style, color, text, Align::right);
}

bool fitting_text(Canvas& canvas, Rect place, Style style, Color color, std::string_view text, Align align) {
  if (canvas.text_width(style, text) > place.width) return false;
  canvas.text(place, style, color, text, align);
  return true;
}

std::vector<Rect> equal_columns(Rect place, float between, std::size_t count, float most) {
  return columns(place, between, equal_parts(place.width, between, count, most));
}
std::vector<Rect> equal_rows(Rect place, float between, std::size_t count, float most) {
  return rows(place, between, equal_parts(place.height, between, count, most));
}

Rect middle(Rect place, float height) {
  return {place.x, std::round(place.center().y - height / 2), place.width, height};
}

Rect grid_cell(Rect place, std::size_t columns, float height, std::size_t n) {
  const float width = place.width / static_cast<float>(columns);
  return {place.x + static_cast<float>(n % columns) * width, place.y + static_cast<float>(n / columns) * height, width,
          height};
}

float height_of(float between, std::span<const Slot> slots) { return length_of(between, parts_of(slots)); }

void scrolling_column(Ui& ui, const std::string& id, Rect place, float between, float bar,
                      std::span<const Slot> slots) {
  const std::vector<Part> parts = parts_of(slots);
  const float all = length_of(between, parts);
  const bool scrolls = all > place.height;
  Rect content{place.x, place.y, place.width - bar, all};
  if (scrolls) {
    float& offset = ui.state.scrolled[id];
    offset = begin_scroll(ui, id, place, all, offset);
    content.y -= std::round(offset);
  }
  const std::vector<Rect> places = rows(content, between, parts);
  for (std::size_t n = 0; n < slots.size(); ++n) {
    if (!places[n].empty()) slots[n].draw(places[n]);
  }
  if (scrolls) end_scroll();
}

std::string_view first_that_fits(const Canvas& canvas, Style style, float width,
                                 std::initializer_list<std::string_view> texts) {
  const auto fits = [&](std::string_view text) { return canvas.text_width(style, text) <= width; };
  const auto found = std::find_if(texts.begin(), texts.end(), fits);
  return found == texts.end() ? *(texts.end() - 1) : *found;
}

}  // namespace ui
