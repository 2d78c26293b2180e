// Reading the code of a body: LINE [rN =] VERB ARG...
#pragma once
#include "sim/programs/recorded/verbs.h"

namespace sim::recorded {

inline constexpr std::size_t most_ops = 100'000;  ///< of a file
inline constexpr int most_registers = 16'384;     ///< of a body
inline constexpr int most_loops = 3;              ///< in each other

/// Names that the code of a kernel may use, and the place that errors give.
struct CodeRules {
  std::string where;  ///< of errors: "mine.fscope: kernel forward, "
  int source_lines = 0;
  const Kernel* kernel = nullptr;
  std::size_t* ops_left = nullptr;  ///< of the file
};

/// Throws Error: "mine.fscope: kernel forward, code line 7: unknown verb ...".
Body read_code(std::string_view code, const CodeRules& rules);

}  // namespace sim::recorded
