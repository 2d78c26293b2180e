#include "sim/base/pattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "sim/base/check.h"
#include "sim/base/dropout.h"
#include "sim/base/painted.h"
#include "sim/base/text.h"

namespace sim {
namespace {

struct KindRow {
  PatternKind kind;
  std::string_view name;
  int numbers;  ///< number of parameters after the name
};
constexpr KindRow kinds[] = {{PatternKind::causal, "causal", 0},
                             {PatternKind::window, "window", 1},
                             {PatternKind::local_global, "local-global", 2},
                             {PatternKind::strided, "strided", 1},
                             {PatternKind::butterfly, "butterfly", 0},
                             {PatternKind::random, "random", 1}};

constexpr std::int64_t most_blocks_away = std::int64_t{1} << 40;

std::int64_t read_count(std::string_view typed, const std::string& whole, std::int64_t least) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  require(error == std::errc{} && end == typed.data() + typed.size() && number >= least && number <= most_blocks_away,
          "pattern: \"", whole.substr(0, 100), "\": \"", typed.substr(0, 50),
          "\" is not a whole number of blocks from ", least, " to ", most_blocks_away);
  return number;
}

double read_share(std::string_view typed, const std::string& whole) {
  const std::string number(typed);
  char* end = nullptr;
  const double share = std::strtod(number.c_str(), &end);
  require(!number.empty() && *end == '\0' && share >= 0 && share <= 1, "pattern: \"", whole.substr(0, 100), "\": \"",
          typed.substr(0, 50), "\" is not a probability from 0 to 1");
  return share;
}

Pattern read_picture(const std::string& path) {
  Pattern pattern;
  pattern.kind = PatternKind::picture;
  pattern.file = path;
  try {
    pattern.picture = std::make_shared<const Picture>(read_pbm_file(path));
  } catch (const Error& error) {
    throw Error("pattern: ", error);
  }
  return pattern;
}

Pattern read_painting(const std::string& typed) {
  Pattern pattern;
  pattern.kind = PatternKind::picture;
  pattern.picture = std::make_shared<const Picture>(read_painted(typed));
  pattern.file = painted_text(*pattern.picture);
  return pattern;
}

/// Name of a picture in messages.
std::string_view name_of_picture(const Pattern& pattern) {
  return names_picture(pattern.file) ? std::string_view(pattern.file) : painted_name;
}

/// Random blocks, drawn as dropout draws its mask, for a head index that no problem uses.
std::vector<Interval> drawn(double share, std::uint64_t seed, std::int64_t i, std::int64_t cols) {
  constexpr std::int64_t no_head = (std::int64_t{1} << 32) - 1;
  std::vector<Interval> blocks;
  if (1 - share == 1) return blocks;  // 0, or too small to matter in 32 bits
  std::vector<float> keep(static_cast<std::size_t>(cols));
  keep_row({1 - share, seed}, no_head, i, {0, cols}, keep);
  for (std::int64_t j = 0; j < cols; ++j) {
    if (keep[static_cast<std::size_t>(j)] != 0) blocks.push_back({j, j + 1});
  }
  return blocks;
}

std::vector<Interval> black_pixels(const Picture& picture, std::int64_t i) {
  std::vector<Interval> blocks;
  for (std::int64_t j = 0; j < picture.width; ++j) {
    if (picture.is_black(i, j)) blocks.push_back({j, j + 1});
  }
  return blocks;
}

/// Blocks `at` + any multiple of the stride.
std::vector<Interval> every(std::int64_t stride, std::int64_t at, std::int64_t cols) {
  if (stride == 1) return {{0, cols}};
  std::vector<Interval> blocks;
  for (std::int64_t j = (at % stride + stride) % stride; j < cols; j += stride) blocks.push_back({j, j + 1});
  return blocks;
}

/// The block itself, and the blocks whose index differs from it in one bit.
std::vector<Interval> butterfly(std::int64_t at, std::int64_t cols) {
  std::vector<Interval> blocks;
  if (at < 0) return blocks;
  blocks.push_back({at, at + 1});
  for (std::int64_t bit = 1; bit <= at || bit < cols; bit *= 2) blocks.push_back({at ^ bit, (at ^ bit) + 1});
  return blocks;
}

/// Sorts intervals, clips them to the matrix and merges those that touch.
std::vector<Interval> in_order(std::vector<Interval> blocks, std::int64_t cols) {
  for (Interval& run : blocks) run = overlap(run, {0, cols});
  std::erase_if(blocks, [](Interval run) { return run.empty(); });
  const auto earlier = [](Interval a, Interval b) { return a.begin < b.begin; };
  if (!std::is_sorted(blocks.begin(), blocks.end(), earlier)) std::sort(blocks.begin(), blocks.end(), earlier);
  std::vector<Interval> merged;
  merged.reserve(blocks.size());
  for (const Interval run : blocks) {
    if (merged.empty() || merged.back().end < run.begin) {
      merged.push_back(run);
    } else {
      merged.back().end = std::max(merged.back().end, run.end);
    }
  }
  return merged;
}

}  // namespace

std::int64_t BlockedMatrix::diagonal(std::int64_t i) const {
  const std::int64_t key = i * br + keys - queries;
  return key >= 0 ? key / bc : -((-key + bc - 1) / bc);
}

std::vector<Interval> Pattern::row(const BlockedMatrix& matrix, std::uint64_t seed, std::int64_t i) const {
  const std::int64_t at = matrix.diagonal(i), cols = matrix.cols();
  const Interval all{0, cols}, around{at - reach, at + reach + 1};
  switch (kind) {
    case PatternKind::none:
      return {all};
    case PatternKind::causal: {
      const std::int64_t last_query = std::min((i + 1) * matrix.br, matrix.queries) - 1;
      const std::int64_t last_key = last_query + matrix.keys - matrix.queries;
      return in_order({{0, last_key < 0 ? 0 : last_key / matrix.bc + 1}}, cols);
    }
    case PatternKind::window:
      return in_order({around}, cols);
    case PatternKind::local_global:
      return in_order({i < globals ? all : Interval{0, globals}, around}, cols);
    case PatternKind::strided:
      return in_order(every(reach, at, cols), cols);
    case PatternKind::butterfly:
      return in_order(butterfly(at, cols), cols);
    case PatternKind::random:
      return in_order(drawn(share, seed, i, cols), cols);
    case PatternKind::picture:
      break;
  }
  require(picture->width == cols && picture->height == matrix.rows(), "pattern: ", name_of_picture(*this), " has ",
          picture->width, " x ", picture->height, " pixels, but there are ", cols, " x ", matrix.rows(), " blocks (of ",
          matrix.bc, " keys x ", matrix.br, " queries): change the picture, or --bc and --br");
  return in_order(black_pixels(*picture, i), cols);
}

bool names_picture(std::string_view typed) { return typed.size() > 4 && in_lower_case(typed).ends_with(".pbm"); }

Pattern read_pattern(const std::string& typed) {
  if (names_picture(typed)) return read_picture(typed);
  const std::size_t colon = typed.find(':');
  const std::string_view name = std::string_view(typed).substr(0, colon);
  if (name == painted_name) return read_painting(typed);
  const auto row = std::find_if(std::begin(kinds), std::end(kinds), [&](const KindRow& k) { return k.name == name; });
  require(row != std::end(kinds), "pattern: \"", typed.substr(0, 100), "\" is none of ", pattern_words);
  std::vector<std::string_view> numbers;
  if (colon != std::string::npos) numbers = split(std::string_view(typed).substr(colon + 1), ",");
  require(static_cast<int>(numbers.size()) == row->numbers, "pattern: \"", typed.substr(0, 100), "\" has ",
          numbers.size(), " numbers, ", name, " takes ", row->numbers, ": ", pattern_words);
  Pattern pattern;
  pattern.kind = row->kind;
  if (pattern.kind == PatternKind::random) {
    pattern.share = read_share(numbers[0], typed);
  } else if (!numbers.empty()) {
    if (numbers.size() > 1) pattern.globals = read_count(numbers[0], typed, 0);
    pattern.reach = read_count(numbers.back(), typed, pattern.kind == PatternKind::strided ? 1 : 0);
  }
  return pattern;
}

std::string text_of(const Pattern& pattern) {
  if (pattern.kind == PatternKind::none || pattern.kind == PatternKind::picture) return pattern.file;
  const auto row =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const KindRow& kind) { return kind.kind == pattern.kind; });
  if (row->numbers == 0) return std::string(row->name);
  if (pattern.kind == PatternKind::random) return text(row->name, ":", pattern.share);
  return row->numbers == 1 ? text(row->name, ":", pattern.reach)
                           : text(row->name, ":", pattern.globals, ",", pattern.reach);
}

}  // namespace sim
