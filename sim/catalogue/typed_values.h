// Values of scenario options as people type them: "A100", "llama3-8b", "float16", "8k". Links, JSON and everything
// behind the command line have the exact ones: a100-sxm-40gb, llama-3-8b, fp16, 8192.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace sim {

/// The exact value that is meant, or `typed` itself where that is none. A name is meant by its letters and digits in
/// any case, with or without - _ and spaces, and by the short names of a table in which no two mean the same; a whole
/// number by digits, in groups of three between _ if one likes, and behind them k or Ki = 1,024, M or Mi = 1,048,576, G
/// or Gi = 2^30 (the first in either case). Throws nothing: who reads the value says what is wrong with it.
std::string exact_value(std::string_view option, const std::string& typed);

/// "gpu: "A100" taken as a100-sxm-40gb": what a person should know of a name that was taken for another; "" for others.
std::string taken_as(std::string_view option, const std::string& typed, const std::string& exact);

/// Makes every value exact. The notes of those names.
std::vector<std::string> make_exact(OptionValues& values);

}  // namespace sim
