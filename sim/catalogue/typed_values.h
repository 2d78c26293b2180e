// Values of scenario options as users type them: "A100", "llama3-8b", "float16", "8k". Links, JSON and all code after
// the command line use the exact ones: a100-sxm-40gb, llama-3-8b, fp16, 8192.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/option_synonyms.h"
#include "sim/catalogue/options.h"

namespace sim {

/// Returns the exact value that is meant, or `typed` itself if there is none. A name matches by its letters and digits
/// in any case, with or without - _ and spaces, or by an unambiguous short name from a table; a whole number by what
/// sim/base/amount.h reads in the option's unit. Throws nothing: the reader of the value reports errors.
std::string exact_value(std::string_view option, const std::string& typed);

/// Returns a whole number of a command's own option, as typed: "128k", "1e6". Throws Error like parse_whole_number().
std::int64_t typed_whole_number(std::string_view option, std::string_view typed, std::int64_t least, std::int64_t most);

/// Returns a note on a name that was replaced, "gpu: "A100" taken as a100-sxm-40gb", or on a memory without a suffix
/// that is smaller than any GPU has, "l2: 50 is 50 bytes, ...: write 50M"; "" for others.
std::string taken_as(std::string_view option, const std::string& typed, const std::string& exact);

/// Makes every name and value exact; returns the notes on replaced names. Throws Error if one option has two names.
std::vector<std::string> make_exact(OptionValues& values);

/// Replaces cu-seqlens by seqlens; returns notes on how lengths were read. Opens the file that they name. Throws Error
/// for a list that cannot be read, or if both are given.
std::vector<std::string> make_lengths_exact(OptionValues& values);

}  // namespace sim
