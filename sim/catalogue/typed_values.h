// Values of scenario options as users type them: "A100", "llama3-8b", "float16", "8k". Links, JSON and all code after
// the command line use the exact ones: a100-sxm-40gb, llama-3-8b, fp16, 8192.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace sim {

/// Returns the exact value that is meant, or `typed` itself if there is none. A name matches by its letters and digits
/// in any case, with or without - _ and spaces, or by an unambiguous short name from a table; a whole number by its
/// digits, optionally in groups of three separated by _, followed by k or Ki = 1,024, M or Mi = 1,048,576, G or Gi =
/// 2^30 (the first in either case). Throws nothing: the reader of the value reports errors.
std::string exact_value(std::string_view option, const std::string& typed);

/// Returns a note on a name that was replaced, "gpu: "A100" taken as a100-sxm-40gb"; "" for others.
std::string taken_as(std::string_view option, const std::string& typed, const std::string& exact);

/// Makes every value exact; returns the notes on replaced names.
std::vector<std::string> make_exact(OptionValues& values);

}  // namespace sim
