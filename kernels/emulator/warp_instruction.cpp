#include "kernels/emulator/warp_instruction.h"

#include <algorithm>

namespace emulator {
namespace {

constexpr std::uintptr_t word_bytes = 4, banks = 32;

/// The distinct words that one pass asks of each bank.
class Banks {
 public:
  void add(std::uintptr_t word) {
    const std::size_t bank = word % banks;
    auto& words = words_[bank];
    std::size_t& count = counts_[bank];
    if (std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count), word) !=
        words.begin() + static_cast<std::ptrdiff_t>(count))
      return;
    words[count++] = word;
    most_ = std::max(most_, static_cast<std::int64_t>(count));
  }
  std::int64_t most() const { return most_; }

 private:
  std::array<std::array<std::uintptr_t, 2 * warp_size>, banks> words_;
  std::array<std::size_t, banks> counts_{};
  std::int64_t most_ = 0;
};

int lanes_a_pass(int bytes) { return bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8; }

}  // namespace

Wavefronts wavefronts(std::span<const LaneAccess> accesses) {
  Wavefronts result;
  const int lanes = lanes_a_pass(accesses[0].bytes);
  for (std::size_t n = 0; n < accesses.size();) {
    Banks pass;
    const int number = accesses[n].lane / lanes;
    for (; n < accesses.size() && accesses[n].lane / lanes == number; ++n) {
      const std::uintptr_t last = (accesses[n].address + accesses[n].bytes - 1) / word_bytes;
      for (std::uintptr_t word = accesses[n].address / word_bytes; word <= last; ++word) pass.add(word);
    }
    result.taken += pass.most();
    ++result.ideal;
  }
  return result;
}

}  // namespace emulator
