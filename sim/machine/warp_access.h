// Accesses of a warp to shared memory: the positions of a tile's chunks, and the passes (wavefronts) through the 32
// banks. The kernels' tiles and the emulated device call these functions; so do reports and pictures. Inaccuracies: the
// number of lanes per pass is not documented by NVIDIA and has not been compared with a profiler. Lanes that access the
// same word never conflict, atomics included.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sim {

inline constexpr int smem_banks = 32, bank_bytes = 4, chunk_bytes = 16, warp_lanes = 32;

/// Layout of a tile of 16-bit elements, in chunks of 16 bytes. Swizzled: chunk c of row r is stored at the position of
/// chunk c ^ swizzle_phase(r). Padded: 16 bytes follow each row.
enum class SmemLayout { swizzled, plain, padded };

/// Number of chunks within which a row of `columns` elements is permuted: 128 bytes, or 64 if rows are not a multiple
/// of that.
constexpr int swizzle_group(int columns) { return columns % 64 == 0 ? 8 : 4; }
/// XOR mask of a row's chunk indices; repeats every 8 rows.
constexpr int swizzle_phase(SmemLayout layout, int columns, int row) {
  if (layout != SmemLayout::swizzled) return 0;
  return swizzle_group(columns) == 8 ? row % 8 : row / 2 % 4;
}
constexpr int smem_row_bytes(SmemLayout layout, int columns) {
  return 2 * columns + (layout == SmemLayout::padded ? chunk_bytes : 0);
}
/// Offset in bytes from the start of a tile (rows, columns) to a chunk of 8 elements.
constexpr int chunk_offset(SmemLayout layout, int columns, int row, int chunk) {
  return row * smem_row_bytes(layout, columns) + (chunk ^ swizzle_phase(layout, columns, row)) * chunk_bytes;
}

/// Order in which ldmatrix reads the quarters of a 16 x 16 block: (0, 0), (8, 0), (0, 8), (8, 8) of (row, column), or
/// (0, 0), (0, 8), (8, 0), (8, 8).
enum class Quarters { rows_first, columns_first };

/// Row and chunk, within a 16 x 16 block, of the address that a lane passes to ldmatrix.
constexpr int block_row(Quarters order, int lane) {
  return order == Quarters::rows_first ? lane % 16 : lane % 8 + lane / 16 * 8;
}
constexpr int block_chunk(Quarters order, int lane) { return order == Quarters::rows_first ? lane / 16 : lane / 8 % 2; }

/// True if tensor-core kernels have tiles with elements of this size and this number of columns.
constexpr bool has_bank_tiles(std::int64_t element_bytes, std::int64_t columns) {
  return element_bytes == 2 && columns % 32 == 0;
}

/// One lane's part of an access.
struct LaneAddress {
  std::uintptr_t address = 0;
  std::uint8_t bytes = 0;  ///< 16 at most
  std::uint8_t lane = 0;
};
using WarpAccess = std::array<LaneAddress, warp_lanes>;

/// The accesses that tensor-core kernels make to a tile (rows, columns): ldmatrix of its first 16 x 16 block, 16 bytes
/// a lane; a warp's cp.async of its first rows, 16 bytes a lane; a warp's store of the first 8 x 8 sums, 4 bytes a
/// lane.
WarpAccess matrix_load(SmemLayout layout, int columns, Quarters order);
WarpAccess row_copy(SmemLayout layout, int columns);
WarpAccess sum_store(SmemLayout layout, int columns);

/// Passes of a load or store through the 32 banks of 4 bytes. All lanes share a pass with at most 4 bytes each, 16
/// lanes with 8 bytes, 8 lanes with 16; a pass is repeated for each further word of a bank.
struct Wavefronts {
  std::int64_t taken = 0, ideal = 0;  ///< ideal: without bank conflicts
};

/// Distinct words that one pass accesses in each bank.
class BankPass {
 public:
  /// Returns the number of other words of the bank that precede a word.
  std::int64_t add(std::uintptr_t word) {
    const std::size_t bank = word % smem_banks;
    auto& words = words_[bank];
    std::size_t& count = counts_[bank];
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    const auto found = std::find(words.begin(), end, word);
    if (found != end) return found - words.begin();
    words[count++] = word;
    most_ = std::max(most_, static_cast<std::int64_t>(count));
    return static_cast<std::int64_t>(count) - 1;
  }
  std::int64_t most() const { return most_; }

 private:
  std::array<std::array<std::uintptr_t, std::size_t{2} * warp_lanes>, smem_banks> words_;
  std::array<std::size_t, smem_banks> counts_{};
  std::int64_t most_ = 0;
};

/// Splits an access into its passes: calls f(lane's part, word, wavefront) for each word of each lane. `accesses` are
/// in lane order; each has an address, bytes and a lane.
template <class Access, class F>
Wavefronts each_word(std::span<const Access> accesses, F f) {
  Wavefronts result;
  const int bytes = accesses[0].bytes, lanes_a_pass = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  for (std::size_t n = 0; n < accesses.size();) {
    BankPass pass;
    const int number = accesses[n].lane / lanes_a_pass;
    for (; n < accesses.size() && accesses[n].lane / lanes_a_pass == number; ++n) {
      const std::uintptr_t last = (accesses[n].address + accesses[n].bytes - 1) / bank_bytes;
      for (std::uintptr_t word = accesses[n].address / bank_bytes; word <= last; ++word)
        f(accesses[n], word, result.taken + pass.add(word));
    }
    result.taken += pass.most();
    ++result.ideal;
  }
  return result;
}

template <class Access>
Wavefronts wavefronts(std::span<const Access> accesses) {
  return each_word(accesses, [](const Access&, std::uintptr_t, std::int64_t) {});
}
inline Wavefronts wavefronts(const WarpAccess& access) { return wavefronts(std::span<const LaneAddress>(access)); }

}  // namespace sim
