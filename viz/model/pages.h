// The view "pages" of a run whose K and V lie in pages: its sequences, their block tables and the pool after
// some of its steps. All of it comes from the allocator and its closed forms (sim/programs/page_pool.h).
#pragma once
#include <optional>

#include "sim/programs/page_pool.h"
#include "viz/model/model.h"
#include "viz/words/language.h"

namespace explorer {

/// The first sequence that holds a page, and which of its pages it is there; of a free page -1. Sequences that share a
/// page hold it at the same place.
struct PageHome {
  std::int32_t sequence = -1, block = -1;
};

/// Bytes that the kernels of one step move which look pages up, across the SRAM boundary.
struct PageBytes {
  std::int64_t keys_and_values = 0, table = 0, others = 0, ctas = 0;
};

/// Slots for tokens that an allocator keeps for all sequences at the end.
struct PageSlots {
  std::string name;            ///< English, for words::say; {} is the longest sequence that there may be
  std::int64_t longest = 0;    ///< that length, where the name has it
  std::int64_t slots = 0;      ///< in all
  std::int64_t filled = 0;     ///< that hold a token
  std::int64_t last_page = 0;  ///< empty ones of last pages; the rest is reserved
  std::int64_t reserved() const { return slots - filled - last_page; }
};

/// The pages after `token` steps. If there are many sequences, those of the first prompts are laid out in a pool.
class PageMoment final : public Task {
 public:
  static constexpr std::int64_t most_entries = 1 << 20, most_of_prompt = 1 << 22;  ///< of block tables, laid out

  /// `steps`: of the decoding whose last step the run is.
  PageMoment(const std::shared_ptr<const Run>& run, std::int64_t steps, int token);
  bool advance() override { return false; }

  std::int64_t rows() const { return demands_.front().rows; }
  std::int64_t token() const { return token_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t samples() const { return demands_.front().samples; }
  std::int64_t prompt() const { return demands_.front().prompt; }  ///< tokens of the first one
  std::int64_t prompts() const;                                    ///< of all lengths
  std::int64_t all_sequences() const { return prompts() * samples(); }
  bool ragged() const { return demands_.size() > 1; }
  std::int64_t most_pages() const;              ///< of a sequence, at the end
  std::int64_t used(std::int64_t after) const;  ///< pages of all sequences after so many steps
  std::int64_t blocks() const { return used(steps_); }
  std::int64_t blocks_unshared() const;
  double mean_filled() const { return mean_filled_; }  ///< share of the slots, over the steps

  // Laid out; empty if even the first prompt has too many pages.
  const std::optional<sim::PagePool>& pool() const { return pool_; }
  const std::vector<sim::PagedSequence>& sequences() const { return sequences_; }
  const std::vector<sim::PageWrite>& writes() const { return writes_; }  ///< of this step, in order
  const PageHome& home(std::int64_t page) const { return homes_[static_cast<std::size_t>(page)]; }
  /// Pages among the first `page` physical ones that are in use.
  std::int64_t used_before(std::int64_t page) const { return used_before_[static_cast<std::size_t>(page)]; }
  /// Pages at the begin of a sequence that others hold too.
  std::int64_t shared_of(const sim::PagedSequence& sequence) const;
  /// The page that was copied in this step to a page; no_page if none was.
  std::int32_t copied_to(std::int64_t page) const;

  const PageBytes& bytes() const { return bytes_; }
  std::vector<PageSlots> slots() const;

 private:
  void lay_out(std::uint64_t seed);
  void append_tokens();
  void index_pages();
  void count_bytes(const sim::Plan& plan);

  std::vector<sim::PageDemand> demands_;  ///< at the end
  std::int64_t token_ = 0, steps_ = 0, context_ = 0;
  double mean_filled_ = 0;
  std::optional<sim::PagePool> pool_;
  std::vector<sim::PagedSequence> sequences_;
  std::vector<sim::PageWrite> writes_;
  std::vector<PageHome> homes_;
  std::vector<std::int32_t> used_before_;
  PageBytes bytes_;
};

/// True if K and V of a run lie in pages.
inline bool has_pages(const Subject& subject) { return subject.problem().paged(); }
/// The pages of a run at the look's step, computed once.
const PageMoment& page_moment(const State& state, const World& world, std::size_t subject = 0);

/// A page of a sequence, clamped to what the moment has.
struct PageChoice {
  std::int64_t sequence = 0, block = 0;
  std::int32_t page = sim::no_page;  ///< where it lies
};
PageChoice chosen_page(const Look& look, const PageMoment& moment);

/// "sample 2", "sequence 2", or "prompt 1, sample 2".
std::string sequence_name(Language language, const PageMoment& moment, std::int64_t sequence);
/// "500 prompt and 128 generated tokens, 4 samples: 67 pages instead of 160".
std::string pages_headline(Language language, const PageMoment& moment);
/// Returns what happened in the step: "3 samples find page 93 held by others and copy it, ..."
std::string pages_sentence(Language language, const PageMoment& moment);
/// Returns what saves most memory here, and the sentence on it.
std::pair<std::string, std::string> pages_lesson(Language language, const PageMoment& moment);

/// True if the view of pages fills the window: keys then act on its steps, its sequences and their pages.
bool in_pages(const Model& model);
/// Edits that move by some steps, sequences, or pages of the chosen sequence.
Edits step_pages(const Model& model, std::int64_t direction);
Edits to_token(const Model& model, std::int64_t token);
Edits next_sequence(const Model& model, int direction);
Edits next_page(const Model& model, int direction);

}  // namespace explorer
