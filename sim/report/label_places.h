// Finds places for the labels of a chart's points where nothing is yet.
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

/// Where a label stands (its left end on the baseline), and whether it is far enough for a line to its point, which
/// ends at (near_x, near_y). Where nothing is free it stands beside the point, on others.
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
  /// A line with `half` a thickness.
  void avoid(const Segment& line, double half);
  bool is_free(const Segment& line, double half) const;
  /// The nearest free place in the plot around a point for a label of one 12-pixel line, and takes it. When there is
  /// none, beside the point. Cost: O(places tried x boxes taken).
  LabelPlace take(double x, double y, double width);

 private:
  bool is_free(const Box& box) const;
  Box plot_;
  std::vector<Box> taken_;
};

}  // namespace report
