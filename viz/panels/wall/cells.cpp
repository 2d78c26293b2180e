// Cells of the wall: each is the memory of one device. Bytes fill the cells in order, each from below.
#include <algorithm>
#include <cmath>

#include "sim/trace/tensors.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/wall/wall.h"

namespace explorer {
namespace {

using ui::Rect;

std::int64_t largest_capacity(const WallPair& pair) {
  std::int64_t largest = 1;
  for (const WallHalf& half : pair.halves) largest = std::max(largest, half.wall.capacity);
  return largest;
}

/// Cells of one half; their area is `share` of that of the largest memory's cells.
WallCells cells_of(const WallHalf& half, const Rect& place, float width, float height, double share) {
  const auto side = static_cast<float>(std::sqrt(share));
  WallCells cells{place, width * side, height * side, 1, half.wall.devices()};
  cells.columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(place.width / cells.width + 0.01f));
  return cells;
}

bool has_room(const WallCells& cells) {
  const auto rows = static_cast<float>(sim::ceil_div(cells.count, cells.columns));
  return rows * cells.height <= cells.place.height + 0.5f;
}

/// Cells of all halves, if `count` cells of the largest memory are to fit.
std::vector<WallCells> halves_of(const WallPair& pair, const std::vector<Rect>& places, std::int64_t count) {
  const WallCells largest = wall_cells_in(places.front(), count);
  const auto capacity = static_cast<double>(largest_capacity(pair));
  std::vector<WallCells> all;
  for (std::size_t n = 0; n < pair.halves.size(); ++n) {
    const double share = static_cast<double>(pair.halves[n].wall.capacity) / capacity;
    all.push_back(cells_of(pair.halves[n], places[n], largest.width, largest.height, share));
    all.back().tiny = largest.tiny;
  }
  return all;
}

/// Calls draw(rect) for each rectangle of a run of cells in row-major order: at most the rest of a row, whole rows, and
/// the start of one.
template <class Draw>
void for_rows(const WallCells& cells, std::int64_t begin, std::int64_t end, Draw draw) {
  while (begin < end) {
    const std::int64_t row = begin / cells.columns, column = begin % cells.columns;
    const bool whole = column == 0 && end - begin >= cells.columns;
    const std::int64_t rows = whole ? (end - begin) / cells.columns : 1;
    const std::int64_t here = whole ? cells.columns : std::min(end - begin, cells.columns - column);
    const Rect first = cells.cell(begin);
    draw(Rect{first.x, first.y, static_cast<float>(here) * cells.width, static_cast<float>(rows) * cells.height});
    begin = whole ? (row + rows) * cells.columns : begin + here;
  }
}

/// Fills cells between two positions, counted in cells; each is filled from below.
void fill_cells(View& view, const WallCells& cells, double from, double to, ui::Color near, ui::Color far) {
  ui::Canvas& canvas = view.canvas();
  const auto part = [&](std::int64_t n, double low, double high) {
    const Rect cell = cells.cell(n);
    const float top = cell.bottom() - static_cast<float>(high) * cell.height;
    const float bottom = cell.bottom() - static_cast<float>(low) * cell.height;
    if (bottom > top) canvas.fill({cell.x, top, cell.width, bottom - top}, n == 0 ? near : far);
  };
  const auto first = static_cast<std::int64_t>(from), last = static_cast<std::int64_t>(to);
  if (first == last) return part(first, from - static_cast<double>(first), to - static_cast<double>(first));
  part(first, from - static_cast<double>(first), 1);
  for_rows(cells, first + 1, last, [&](const Rect& rect) { canvas.fill(rect, far); });
  if (to > static_cast<double>(last)) part(last, 0, to - static_cast<double>(last));
}

void dash(ui::Canvas& canvas, Rect line, float step, float length, ui::Color color) {
  for (float x = line.x; line.width > line.height && x < line.right(); x += step)
    canvas.fill({x, line.y, std::min(length, line.right() - x), line.height}, color);
  for (float y = line.y; line.height >= line.width && y < line.bottom(); y += step)
    canvas.fill({line.x, y, line.width, std::min(length, line.bottom() - y)}, color);
}

/// Draws dashed lines between and around the cells from `begin` to `end`, each line once.
void frame_cells(View& view, const WallCells& cells, std::int64_t begin, std::int64_t end, float length,
                 ui::Color color) {
  if (end <= begin) return;
  ui::Canvas& canvas = view.canvas();
  const float thick = std::max(1.f, view.px(1)), step = std::max(2 * length, view.px(6));
  const auto has = [&](std::int64_t n) { return n >= begin && n < end; };
  for (std::int64_t n = begin; n < end; ++n) {
    const Rect cell = cells.cell(n);
    const bool last_column = (n + 1) % cells.columns == 0 || !has(n + 1), last_row = !has(n + cells.columns);
    dash(canvas, {cell.x, cell.y, cell.width, thick}, step, length, color);
    dash(canvas, {cell.x, cell.y, thick, cell.height}, step, length, color);
    if (last_column) dash(canvas, {cell.right() - thick, cell.y, thick, cell.height}, step, length, color);
    if (last_row) dash(canvas, {cell.x, cell.bottom() - thick, cell.width, thick}, step, length, color);
  }
}

/// Draws dashed lines above and below runs of cells: lines between them would hide small cells.
void frame_rows(View& view, const WallCells& cells, std::int64_t begin, std::int64_t end, ui::Color color) {
  for_rows(cells, begin, end, [&](const Rect& rect) {
    dash(view.canvas(), {rect.x, rect.y, rect.width, 1}, view.px(6), view.px(3), color);
    dash(view.canvas(), {rect.x, rect.bottom() - 1, rect.width, 1}, view.px(6), view.px(3), color);
  });
}

double square_side(const WallTensor& tensor, const WallRun& wall, const WallCells& cells) {
  const double area = static_cast<double>(cells.width) * static_cast<double>(cells.height);
  return std::sqrt(area * static_cast<double>(tensor.bytes) / static_cast<double>(wall.capacity));
}

/// Gap between squares, in device pixels.
double gap_of_squares(const WallCells& cells) { return cells.width < 48 ? 1 : 2; }

void draw_squares(const WallHalf& half, const WallCells& cells, const std::vector<WallTensor>& squares) {
  View view = half.view;
  const Rect first = cells.cell(0);
  const double square_gap = gap_of_squares(cells);
  double x = static_cast<double>(first.x) + square_gap;
  for (const WallTensor& tensor : squares) {
    const auto side = static_cast<float>(square_side(tensor, half.wall, cells));
    const Rect square{static_cast<float>(x), first.bottom() - static_cast<float>(square_gap) - side, side, side};
    view.canvas().fill(square, tensor_color(view, tensor.tensor));
    ui::mark_place(view.ui, sim::text("tensor:", sim::name_of(tensor.tensor)), square);
    x += static_cast<double>(side) + square_gap;
  }
}

/// Draws the tensors that are not squares, in the order of the memory table; the squares' bytes are added to the first
/// one.
void draw_levels_of_bytes(const WallHalf& half, const WallCells& cells, const std::vector<WallTensor>& squares) {
  View view = half.view;
  double before = 0, capacity = static_cast<double>(half.wall.capacity);
  for (const WallTensor& tensor : squares) before += static_cast<double>(tensor.bytes);
  double from = 0;
  for (const WallTensor& tensor : half.wall.tensors) {
    const auto same = [&](const WallTensor& square) { return square.tensor == tensor.tensor; };
    if (std::any_of(squares.begin(), squares.end(), same)) continue;
    const double bytes = static_cast<double>(tensor.bytes) + before;
    before = 0;
    const double to = from + bytes / capacity;
    fill_cells(view, cells, from, to, tensor_color(view, tensor.tensor),
               tensor_color(view, tensor.tensor, ui::Phase::future));
    from = to;
  }
}

/// First cell of this half that only the other half needs.
std::int64_t first_ghost(const WallHalf& half) { return half.wall.devices(); }

/// Number of this half's cells that would hold the largest peak of all halves.
std::int64_t cells_of_other(const WallPair& pair, std::size_t half) {
  std::int64_t most = 0;
  for (const WallHalf& other : pair.halves)
    most = std::max(most, sim::ceil_div(other.wall.peak, pair.halves[half].wall.capacity));
  return most;
}

bool holds(const std::vector<WallTensor>& tensors, sim::Tensor tensor) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const WallTensor& one) { return one.tensor == tensor; });
}

/// Height in the first cell up to which the first non-square tensor rises, including the squares' bytes.
double height_of_first(const WallRun& wall, const std::vector<WallTensor>& squares, const WallCells& cells) {
  double bytes = 0;
  for (const WallTensor& tensor : squares) bytes += static_cast<double>(tensor.bytes);
  for (const WallTensor& tensor : wall.tensors) {
    if (holds(squares, tensor.tensor)) continue;
    bytes += static_cast<double>(tensor.bytes);
    break;
  }
  return static_cast<double>(cells.height) * bytes / static_cast<double>(wall.capacity);
}

}  // namespace

ui::Rect WallCells::cell(std::int64_t n) const {
  const std::int64_t row = n / columns;
  return {place.x + static_cast<float>(n % columns) * width, place.y + static_cast<float>(row) * height, width, height};
}

WallCells wall_cells_in(ui::Rect place, std::int64_t count) {
  const double aspect = static_cast<double>(place.width / place.height), all = static_cast<double>(count);
  const double columns = std::min(all, std::ceil(std::sqrt(aspect * all)));
  WallCells cells{place, place.width / static_cast<float>(columns),
                  place.height / static_cast<float>(std::ceil(all / columns)), static_cast<std::int64_t>(columns),
                  count};
  cells.tiny = count > most_framed_cells;
  if (!cells.tiny) return cells;
  const double free = static_cast<double>(place.width) * static_cast<double>(place.height);
  float side = static_cast<float>(std::sqrt(free / all));
  do {
    cells.width = cells.height = side < 3 ? side : std::floor(side);  // whole pixels, if the rounding is small
    cells.columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(place.width / cells.width));
    side *= 0.98f;
  } while (!has_room(cells));
  return cells;
}

std::vector<WallCells> wall_cells(const WallPair& pair, const std::vector<ui::Rect>& places) {
  std::int64_t count = 1;
  for (const WallHalf& half : pair.halves) {
    const double share = static_cast<double>(half.wall.capacity) / static_cast<double>(largest_capacity(pair));
    const double cells = std::ceil(share * static_cast<double>(half.wall.devices()));
    count = std::max(count, static_cast<std::int64_t>(cells));
  }
  std::vector<WallCells> all = halves_of(pair, places, count);
  while (!std::all_of(all.begin(), all.end(), has_room)) {
    count += std::max<std::int64_t>(1, count / 64);
    all = halves_of(pair, places, count);
  }
  return all;
}

std::vector<WallTensor> wall_squares(const WallRun& wall, const WallCells& cells) {
  std::vector<WallTensor> squares;
  if (cells.tiny) return squares;
  const double square_gap = gap_of_squares(cells);
  double width = square_gap, highest = 0;
  const auto add = [&](const WallTensor& tensor) {
    const double side = square_side(tensor, wall, cells);
    width += side + square_gap;
    highest = std::max(highest, side);
    squares.push_back(tensor);
  };
  for (const WallTensor& tensor : wall.tensors) add(tensor);
  const auto fits = [&] {
    return width <= static_cast<double>(cells.width) && highest + 2 * square_gap <= static_cast<double>(cells.height);
  };
  if (fits()) return squares;
  squares.clear();
  width = square_gap, highest = 0;
  for (const WallTensor& tensor : wall.tensors) {
    if (square_side(tensor, wall, cells) <= 0.3 * static_cast<double>(cells.height)) add(tensor);
  }
  if (!fits() || highest + 2 * square_gap > height_of_first(wall, squares, cells)) squares.clear();
  return squares;
}

void draw_wall_cells(const WallPair& pair, std::size_t n, const std::vector<WallCells>& all) {
  const WallHalf& half = pair.halves[n];
  const WallCells& cells = all[n];
  View view = half.view;
  ui::Canvas& canvas = view.canvas();
  canvas.fill(cells.cell(0), view.theme().inset);
  const std::vector<WallTensor> squares = wall_squares(half.wall, cells);
  draw_levels_of_bytes(half, cells, squares);
  if (!cells.tiny) draw_squares(half, cells, squares);
  const std::int64_t ghosts = std::min(cells_of_other(pair, n), std::int64_t{100'000'000});
  const ui::Color ghost = view.theme().border, amber = ui::with_alpha(view.theme().warning, 0.75f);
  if (cells.tiny) {
    frame_rows(view, cells, 0, half.wall.devices(), amber);
    if (ghosts > first_ghost(half)) frame_rows(view, cells, first_ghost(half), ghosts, ghost);
  } else {
    frame_cells(view, cells, 1, half.wall.devices(), view.px(4), amber);
    frame_cells(view, cells, first_ghost(half), ghosts, view.px(2), ghost);
  }
  const Rect first = cells.cell(0);
  const float frame = cells.tiny ? 1 : view.px(2);
  canvas.stroke(first.inset(cells.tiny ? -1 : 0), view.theme().strong, frame);
  ui::mark_place(view.ui, "level:HBM", first);
}

}  // namespace explorer
