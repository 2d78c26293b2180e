#include "sim/report/label_places.h"

#include <algorithm>
#include <cmath>

namespace report {
namespace {

constexpr double ascent = 11, descent = 4, beside = 10;

/// A unit vector.
struct Direction {
  double x, y;
};
constexpr double diagonal = 0.70710678118654752;
constexpr Direction directions[] = {{1, 0},  // right, left, below, above, between
                                    {-1, 0},
                                    {0, 1},
                                    {0, -1},
                                    {diagonal, diagonal},
                                    {diagonal, -diagonal},
                                    {-diagonal, diagonal},
                                    {-diagonal, -diagonal}};

/// Box of a label at `distance` from the point, in a direction.
Box box_at(double x, double y, double width, double distance, Direction to) {
  const double middle_x = x + to.x * (distance + width / 2), middle_y = y + to.y * (distance + ascent / 2);
  return {middle_x - width / 2, middle_y - (ascent + descent) / 2, middle_x + width / 2,
          middle_y + (ascent + descent) / 2};
}

/// The box, moved sideways into the plot.
Box shifted_into(const Box& plot, Box box) {
  const double shift = std::max(0.0, plot.left - box.left) - std::max(0.0, box.right - plot.right);
  box.left += shift;
  box.right += shift;
  return box;
}

/// Returns squares that cover a line.
std::vector<Box> boxes_along(const Segment& s, double half) {
  const double across = s.x2 - s.x1, down = s.y2 - s.y1;
  const int pieces = 1 + static_cast<int>(std::sqrt(across * across + down * down) / 5);
  std::vector<Box> boxes;
  for (int n = 0; n <= pieces; ++n) {
    const double x = s.x1 + across * n / pieces, y = s.y1 + down * n / pieces;
    boxes.push_back({x - half, y - half, x + half, y + half});
  }
  return boxes;
}

}  // namespace

void LabelPlaces::avoid(const Segment& line, double half) {
  for (const Box& box : boxes_along(line, half)) avoid(box);
}

bool LabelPlaces::is_free(const Segment& line, double half) const {
  const std::vector<Box> boxes = boxes_along(line, half);
  return std::all_of(boxes.begin(), boxes.end(), [this](const Box& box) { return is_free(box); });
}

bool LabelPlaces::is_free(const Box& box) const {
  return plot_.holds(box) && std::none_of(taken_.begin(), taken_.end(), [&](const Box& b) { return b.meets(box); });
}

LabelPlace LabelPlaces::take(double x, double y, double width) {
  Box box = box_at(x, y, width, beside, directions[0]);
  bool far = false;
  for (double distance = beside; distance < 260 && !is_free(box); distance += 12) {
    for (const Direction direction : directions) {
      const Box candidate = shifted_into(plot_, box_at(x, y, width, distance, direction));
      if (!is_free(candidate)) continue;
      box = candidate;
      far = distance > beside;
      break;
    }
  }
  const bool free = is_free(box);
  avoid(box);
  const double near_x = std::clamp(x, box.left, box.right), near_y = std::clamp(y, box.top, box.bottom);
  if (far) avoid(Segment{x, y, near_x, near_y}, 1);
  return {box.left, box.bottom - descent, far, near_x, near_y, free};
}

}  // namespace report
