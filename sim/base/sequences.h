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

inline constexpr std::int64_t most_sequence_classes = 4096, most_sequences = std::int64_t{1} << 20,
                              most_documents = 65'536;
inline constexpr std::int64_t longest_sequence = std::int64_t{1} << 40;

/// Order in which the CTAs of a ragged batch are issued: by entry, or those with the most work first.
enum class IssueOrder : std::uint8_t { file, longest };
std::string_view name_of(IssueOrder order);

/// True if lengths are given as a file name, not as numbers separated by blanks or commas.
bool names_sequence_file(std::string_view typed);

/// Batch entries that were read, and a note on how, if the text could be meant in another way.
struct SequenceList {
  SequenceClasses classes;
  std::string note;
};

/// Reads the text of --seqlens, or the file that it names: entries separated by commas or line ends, with comments from
/// # to the end of a line. An entry is `count Nq Nk`, or one number, the length of queries and keys. A list of numbers
/// that begins with 0 is one of cumulative lengths, the cu_seqlens of flash-attn: it may not fall, and entries without
/// tokens are left out. Throws Error with `seqlens`, the line and the allowed values.
SequenceList read_sequence_list(const std::string& typed);

/// Reads cumulative lengths, separated by commas, blanks or line ends, from the text or from a file. Throws Error with
/// `cu-seqlens` unless they begin with 0 and never fall.
SequenceList read_cumulative_lengths(const std::string& typed);

/// The entries of read_sequence_list().
SequenceClasses read_sequences(const std::string& typed);

/// True if documents are given as a file name, not as numbers.
bool names_document_file(std::string_view typed);

/// Reads the text of --documents, or the file that it names: lengths separated by blanks, commas or line ends; numbers
/// that begin with 0 are cumulative lengths, which may not fall. Returns the bounds 0 = b_0 < ... < b_n; documents
/// without tokens are left out. Throws Error with `documents`, the line and the allowed values.
std::vector<std::int64_t> read_documents(const std::string& typed);

/// Returns the lengths of documents with these bounds, "300 724", which read_documents() reads back.
std::string text_of_documents(const std::vector<std::int64_t>& bounds);

/// Returns "1 1024 1024, 2 128 128", which read_sequences() reads back.
std::string text_of(const SequenceClasses& classes);

/// Number of batch entries, and the largest numbers of queries and keys of one entry.
struct SequenceSizes {
  std::int64_t entries = 0, most_queries = 0, most_keys = 0;
};
SequenceSizes sizes_of(const SequenceClasses& classes);

}  // namespace sim
