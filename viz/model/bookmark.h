// Places in a run to come back to, and how a link writes them.
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
};

/// The order of the run: kernels one after the other, CTAs as they are issued, time. And whether two are the same.
bool before(const Bookmark& a, const Bookmark& b);
bool same(const Bookmark& a, const Bookmark& b);

/// A stretch of the time of the CTA in view, from its begin on; from < to.
struct TimeSpan {
  sim::Cycles from, to;
};
/// "2048,4096.5" in cycles; nothing when it is malformed or does not end after it begins.
std::optional<TimeSpan> read_span(std::string_view text);
std::string span_text(const TimeSpan& span);

inline constexpr std::size_t most_bookmarks = 64;

/// "0:0,0,6,0:30000/1:0,0,0,0:12.5": kernel, CTA and cycles of each.
std::string bookmarks_text(const std::vector<Bookmark>& bookmarks);
/// Reads them, in any order; nothing when one is malformed or there are more than most_bookmarks.
std::optional<std::vector<Bookmark>> read_bookmarks(std::string_view text);

/// "0,0,6,0" as batch, head, row block and column block; nothing when it is malformed or negative.
std::optional<sim::CtaPlace> read_place(std::string_view text);
std::string place_text(const sim::CtaPlace& place);

/// A time in cycles: the shortest text that reads back as the same, and back; nothing when malformed or out of range.
std::string cycles_text(sim::Cycles time);
std::optional<sim::Cycles> read_cycles(const std::string& text);

}  // namespace explorer
