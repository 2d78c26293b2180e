// Amounts as users type them: "128k", "50MiB", "1.5GHz", "3.35TB/s", "2.6 ms". One table lists the suffixes of each
// kind of quantity, for options, fields of a device and device files alike.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/sentence.h"

namespace sim {

/// Kind of quantity. k, M, G and T are powers of 1,024 in sizes of memories and in counts, such as lengths, and powers
/// of 1,000 in rates, clocks and cycles; Ki, Mi, Gi and Ti are powers of 1,024 everywhere. A unit may follow: B, Hz,
/// B/s. A time has the unit ns, us, ms or s; without one it is in nanoseconds.
enum class Measure : std::uint8_t { count, bytes, byte_rate, clock, rate, time };

/// Returns the measure of a unit of options and of device fields: "tokens", "bytes" and "B", "Hz", "B/s", "FLOP/clk".
Measure measure_of(std::string_view unit);

/// Returns the amount, in nanoseconds for a time; empty unless the text is a whole number of the base unit that fits
/// into 64 bits: "1.5k" is 1,536, "0.3k" is none. Digits may be in groups of three separated by _. Exact.
std::optional<std::int64_t> whole_amount(Measure measure, std::string_view typed);

/// As above, rounded to double and not necessarily whole; empty unless the text is a number with a known suffix.
std::optional<double> real_amount(Measure measure, std::string_view typed);

/// Reads "2.6ms" as microseconds; blanks may precede the unit, and µ may be U+00B5 or U+03BC. Throws Error for a time
/// without a unit, a time that is not above 0, and any other text.
double parse_time(std::string_view option, const std::string& typed);

/// Returns the shortest exact text: "50M" for 52,428,800 bytes, "1500M" for a clock; counts are digits.
std::string amount_text(Measure measure, std::int64_t amount);

/// Returns `"1500" is not a clock from 100M to 10G: write 1500M`, for an error after the name of an option: the range,
/// and a spelling that would be accepted.
Sentence not_an_amount(Measure measure, std::string_view typed, std::int64_t least, std::int64_t most);

/// Returns ": write 1500M" if such a spelling of what was typed is within the range, else an empty sentence.
Sentence better_spelling(Measure measure, std::string_view typed, std::int64_t least, std::int64_t most);

/// Returns the suffixes of a measure in a few words: "k, M, G and T are powers of 1,024: 50M, 50MB and 50MiB are ...".
std::string_view suffix_rule(Measure measure);

}  // namespace sim
