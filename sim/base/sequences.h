// Ragged batches: how many batch entries there are of which lengths.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// Batch entries that are alike.
struct SequenceClass {
  std::int64_t count = 1, seqlen_q = 1, seqlen_k = 1;
  friend bool operator==(const SequenceClass&, const SequenceClass&) = default;
};
using SequenceClasses = std::vector<SequenceClass>;

inline constexpr std::int64_t most_sequence_classes = 4096, most_sequences = std::int64_t{1} << 20;
inline constexpr std::int64_t longest_sequence = std::int64_t{1} << 40;

/// In which order the CTAs of a ragged batch are issued: entry after entry, or those with the most work first.
enum class IssueOrder : std::uint8_t { file, longest };
std::string_view name_of(IssueOrder order);

/// True where lengths are typed as the name of a file, not as numbers with blanks or commas between them.
bool names_sequence_file(std::string_view typed);

/// Reads lines `count Nq Nk`, with commas or line ends between them and comments from # to the end of a line, from the
/// text itself or from the file that it names. Throws Error with `seqlens`, the line and what is allowed.
SequenceClasses read_sequences(const std::string& typed);

/// "1 1024 1024, 2 128 128", which read_sequences() reads again.
std::string text_of(const SequenceClasses& classes);

/// Batch entries, and the most queries and keys that one of them has.
struct SequenceSizes {
  std::int64_t entries = 0, most_queries = 0, most_keys = 0;
};
SequenceSizes sizes_of(const SequenceClasses& classes);

}  // namespace sim
