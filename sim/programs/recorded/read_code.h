// Parses the code of a body: LINE [rN =] VERB ARG...
#pragma once
#include "sim/programs/recorded/verbs.h"

namespace sim::recorded {

inline constexpr std::size_t most_ops = 100'000;  ///< per file
inline constexpr int most_registers = 16'384;     ///< per body
inline constexpr int most_loops = 3;              ///< nested

/// Names that the code of a kernel may use, and the prefix of errors.
struct CodeRules {
  std::string where;  ///< prefix of errors: "mine.fscope: kernel forward, "
  int source_lines = 0;
  const Kernel* kernel = nullptr;
  std::size_t* ops_left = nullptr;  ///< operations left for the file
};

/// Parses a body. Throws Error: "mine.fscope: kernel forward, code line 7: unknown verb ...".
Body read_code(std::string_view code, const CodeRules& rules);

}  // namespace sim::recorded
