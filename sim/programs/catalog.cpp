#include "sim/base/embedded.h"
#include "sim/base/nearest.h"
#include "sim/programs/launches.h"

namespace sim {

namespace {

const ReleasedCode flash1_released = {
    {"programs/flash1_released.cpp", "flash-attention 0.2, 2022", nullptr, flash1_released_forward_launches},
    {"programs/flash1_released_backward.cpp", "flash-attention 0.2, 2022", nullptr, flash1_released_backward_launches}};

}  // namespace

const std::vector<Program>& catalog() {
  static const std::vector<Program> programs = {
      {"standard",
       "Standard attention",
       "a kernel per step; the N x N matrices S and P go through HBM",
       false,
       {"programs/standard.cpp", "Dao et al. 2022, Algorithm 0", standard_tiling, standard_forward_launches},
       {"programs/standard_backward.cpp", "Dao et al. 2022, Algorithm 3", standard_tiling, standard_backward_launches}},
      {"memory-efficient",
       "Memory-efficient attention",
       "one query row at a time: O(N) memory, quadratic traffic",
       true,
       {"programs/memory_efficient.cpp", "Dao et al. 2022, appendix B.1", memory_efficient_tiling,
        memory_efficient_forward_launches},
       {"programs/memory_efficient_backward.cpp", "Dao et al. 2022, appendix B.2", memory_efficient_tiling,
        memory_efficient_backward_launches}},
      {"flash1",
       "FlashAttention-1",
       "one fused kernel, K and V outside: O, l and m travel on every step",
       false,
       {"programs/flash1.cpp", "Dao et al. 2022, Algorithms 1 and 2", flash1_forward_tiling, flash1_forward_launches},
       {"programs/flash1_backward.cpp", "Dao et al. 2022, Algorithm 4", flash1_backward_tiling,
        flash1_backward_launches},
       &flash1_released},
      {"flash2",
       "FlashAttention-2",
       "one fused kernel, Q outside: O stays in registers, K and V stream past",
       false,
       {"programs/flash2.cpp", "Dao 2023, Algorithm 1", flash2_forward_tiling, flash2_forward_launches},
       {"programs/flash2_backward.cpp", "Dao 2023, Algorithm 2", flash2_backward_tiling, flash2_backward_launches}},
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

std::string_view name_of(Pass pass) {
  constexpr std::string_view names[] = {"forward", "backward", "forward+backward"};
  return names[static_cast<int>(pass)];
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
