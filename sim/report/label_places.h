// Finds free positions for the labels of a chart's points.
#pragma once
#include <vector>

namespace report {

/// A rectangle in pixels; y grows downwards.
struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool holds(const Box& other) const {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
};

struct Segment {
  double x1, y1, x2, y2;
};

/// Position of a label (left end of its baseline), and whether it needs a leader line to its point, which ends at
/// (near_x, near_y). If no position is free, the label is next to the point and overlaps others.
struct LabelPlace {
  double x, y;
  bool leader;
  double near_x, near_y;
  bool free;
};

class LabelPlaces {
 public:
  explicit LabelPlaces(const Box& plot) : plot_(plot) {}
  void avoid(const Box& box) { taken_.push_back(box); }
  /// Reserves a line of thickness 2 `half`.
  void avoid(const Segment& line, double half);
  bool is_free(const Segment& line, double half) const;
  /// Returns and reserves the nearest free position in the plot for a label of one 12-pixel line at a point; next to
  /// the point if none is free. Cost: O(positions tried x boxes reserved).
  LabelPlace take(double x, double y, double width);

 private:
  bool is_free(const Box& box) const;
  Box plot_;
  std::vector<Box> taken_;
};

}  // namespace report
