#include "viz/model/bookmark.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "sim/trace/decimal.h"

namespace explorer {
namespace {

auto order_of(const Bookmark& b) {
  const sim::CtaPlace& p = b.place;
  return std::tuple(b.kernel, p.batch, p.head, p.row, p.col, b.time.count());
}

std::optional<Bookmark> read_bookmark(std::string_view text) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  Bookmark bookmark;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + first, bookmark.kernel);
  const auto place = read_place(text.substr(first + 1, second - first - 1));
  const auto time = read_cycles(std::string(text.substr(second + 1)));
  if (error != std::errc{} || stop != text.data() + first || !place || !time) return std::nullopt;
  bookmark.place = *place;
  bookmark.time = *time;
  return bookmark;
}

}  // namespace

bool before(const Bookmark& a, const Bookmark& b) { return order_of(a) < order_of(b); }
bool same(const Bookmark& a, const Bookmark& b) { return order_of(a) == order_of(b); }

std::string bookmarks_text(const std::vector<Bookmark>& bookmarks) {
  std::string text;
  for (const Bookmark& b : bookmarks) {
    if (!text.empty()) text += '/';
    text += sim::text(b.kernel, ":", place_text(b.place), ":", cycles_text(b.time));
  }
  return text;
}

std::optional<std::vector<Bookmark>> read_bookmarks(std::string_view text) {
  std::vector<Bookmark> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/'), text.size());
    const auto read = read_bookmark(text.substr(0, end));
    if (!read || all.size() == most_bookmarks) return std::nullopt;
    all.push_back(*read);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(all.begin(), all.end(), before);
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

std::optional<sim::CtaPlace> read_place(std::string_view text) {
  sim::CtaPlace place;
  const char *at = text.data(), *end = at + text.size();
  for (std::int64_t* part : {&place.batch, &place.head, &place.row, &place.col}) {
    const auto [stop, error] = std::from_chars(at, end, *part);
    if (error != std::errc{} || *part < 0) return std::nullopt;
    at = stop;
    if (part == &place.col) break;
    if (at == end || *at != ',') return std::nullopt;
    ++at;
  }
  return at == end ? std::optional(place) : std::nullopt;
}

std::string place_text(const sim::CtaPlace& p) { return sim::text(p.batch, ",", p.head, ",", p.row, ",", p.col); }

std::string cycles_text(sim::Cycles time) {
  std::string text;
  sim::append_cycles(text, time);
  return text;
}

std::string span_text(const TimeSpan& span) { return cycles_text(span.from) + "," + cycles_text(span.to); }

std::optional<TimeSpan> read_span(std::string_view text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto from = read_cycles(std::string(text.substr(0, comma)));
  const auto to = read_cycles(std::string(text.substr(std::min(comma + 1, text.size()))));
  if (!from || !to || *from >= *to) return std::nullopt;
  return TimeSpan{*from, *to};
}

std::optional<sim::Cycles> read_cycles(const std::string& text) {
  char* end = nullptr;
  const double cycles = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(cycles >= 0 && cycles < 0x1p50)) return std::nullopt;
  return sim::nearest_tick(cycles);
}

}  // namespace explorer
