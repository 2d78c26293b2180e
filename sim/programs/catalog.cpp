#include "sim/base/embedded.h"
#include "sim/base/nearest.h"
#include "sim/programs/forward.h"

namespace sim {

const std::vector<Program>& catalog() {
  static const std::vector<Program> programs = {
      {"standard", "Standard attention", "programs/standard.cpp", "Dao et al. 2022, Algorithm 0",
       "three kernels; the N x N matrices S and P go through HBM", standard_forward_tiling, false,
       standard_forward_launches},
      {"memory-efficient", "Memory-efficient attention", "programs/memory_efficient.cpp",
       "Dao et al. 2022, appendix B.1", "one query row at a time: O(N) memory, quadratic traffic",
       memory_efficient_tiling, true, memory_efficient_forward_launches},
      {"flash1", "FlashAttention-1", "programs/flash1.cpp", "Dao et al. 2022, Algorithms 1 and 2",
       "one fused kernel, K and V outside: O, l and m travel on every step", flash1_forward_tiling, false,
       flash1_forward_launches},
      {"flash2", "FlashAttention-2", "programs/flash2.cpp", "Dao 2023, Algorithm 1",
       "one fused kernel, Q outside: O stays in registers, K and V stream past", flash2_forward_tiling, false,
       flash2_forward_launches},
  };
  return programs;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const Program& program : catalog()) names.emplace_back(program.name);
  return names;
}

const Program& find_program(std::string_view name) {
  for (const Program& program : catalog()) {
    if (program.name == name) return program;
  }
  throw Error(unknown_name_message("algorithm", name, program_names()));
}

std::string listing_line(std::string_view listing, int number) {
  std::string_view text = embedded_text(listing);
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t start = text.find_first_not_of(' ');
  return start == std::string_view::npos ? "" : std::string(text.substr(start));
}

std::string listing_code(std::string_view listing, int number) {
  const std::string line = listing_line(listing, number);
  const std::size_t comment = line.find("  //");
  return comment == std::string::npos ? line : line.substr(0, line.find_last_not_of(' ', comment) + 1);
}

}  // namespace sim
