// Bookmarked positions of a run, and their text in a link.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/programs/run.h"

namespace explorer {

/// A time in one CTA of one kernel.
struct Bookmark {
  std::size_t kernel = 0;
  sim::CtaPlace place;
  sim::Cycles time;
  friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// Order of the run: by kernel, then by CTA in issue order, then by time. same() is true if both are the same position.
bool before(const Bookmark& a, const Bookmark& b);
bool same(const Bookmark& a, const Bookmark& b);

/// An interval of time of the CTA in view, in cycles since the CTA began; from < to.
struct TimeSpan {
  sim::Cycles from, to;
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};
/// Reads "2048,4096.5" (cycles); empty if malformed, or if it does not end after it begins.
std::optional<TimeSpan> read_span(std::string_view text);
std::string span_text(const TimeSpan& span);

inline constexpr std::size_t most_bookmarks = 64;

/// Writes "0:0,0,6,0:30000/1:0,0,0,0:12.5": kernel, CTA and cycles of each.
std::string bookmarks_text(const std::vector<Bookmark>& bookmarks);
/// Reads bookmarks in any order; empty if one is malformed or there are more than most_bookmarks.
std::optional<std::vector<Bookmark>> read_bookmarks(std::string_view text);

/// Reads "0,0,6,0" as batch, head, row block and column block; empty if malformed or negative.
std::optional<sim::CtaPlace> read_place(std::string_view text);
std::string place_text(const sim::CtaPlace& place);

/// A time in cycles as the shortest text that reads back exactly, and back; empty if malformed or out of range.
std::string cycles_text(sim::Cycles time);
std::optional<sim::Cycles> read_cycles(const std::string& text);

}  // namespace explorer
