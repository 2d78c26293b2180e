// Ragged batches: the numbers of batch entries of each length.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Batch entries of equal lengths.
struct SequenceClass {
  std::int64_t count = 1, seqlen_q = 1, seqlen_k = 1;
  friend bool operator==(const SequenceClass&, const SequenceClass&) = default;
};
using SequenceClasses = std::vector<SequenceClass>;

inline constexpr std::int64_t most_sequence_classes = 4096, most_sequences = std::int64_t{1} << 20;
inline constexpr std::int64_t longest_sequence = std::int64_t{1} << 40;

/// Order in which the CTAs of a ragged batch are issued: by entry, or those with the most work first.
enum class IssueOrder : std::uint8_t { file, longest };
std::string_view name_of(IssueOrder order);

/// True if lengths are given as a file name, not as numbers separated by blanks or commas.
bool names_sequence_file(std::string_view typed);

/// Reads triples `count Nq Nk`, separated by commas or line ends, with comments from # to the end of a line, from the
/// text itself or from the file that it names. Throws Error with `seqlens`, the line and the allowed values.
SequenceClasses read_sequences(const std::string& typed);

/// Returns "1 1024 1024, 2 128 128", which read_sequences() reads back.
std::string text_of(const SequenceClasses& classes);

/// Number of batch entries, and the largest numbers of queries and keys of one entry.
struct SequenceSizes {
  std::int64_t entries = 0, most_queries = 0, most_keys = 0;
};
SequenceSizes sizes_of(const SequenceClasses& classes);

}  // namespace sim
