// Allocator of the pages of a KV cache: a free list, reference counts and copy on write, as plain functions of the
// order of calls. A page has `rows` tokens of one layer, K and V of all KV heads. Source: vLLM, Kwon et al. 2023.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sim {

inline constexpr std::int32_t no_page = -1;

/// Write of a token that took a page: an empty one, or one for a copy of a page that other sequences hold too.
struct PageWrite {
  std::int32_t sequence = 0;  ///< index among the sequences of a step
  std::int32_t page = 0;
  std::int32_t copied_from = no_page;
  friend bool operator==(const PageWrite&, const PageWrite&) = default;
};

/// A sequence and its block table: logical page n lies in physical page pages[n].
struct PagedSequence {
  std::int64_t tokens = 0;
  std::vector<std::int32_t> pages;
};

/// Physical pages, and which sequences hold them. A page that nobody holds returns to the free list, last in, first
/// out.
class PagePool {
 public:
  /// `order`: the physical pages, in the order in which an untouched pool gives them. Throws Error for `rows` below 1.
  PagePool(std::int64_t rows, const std::vector<std::int32_t>& order);

  /// Appends a token: to an empty page if the last one is full, else to the last one, which is copied first if other
  /// sequences hold it. Returns the page if one was taken. Throws Error if no page is free.
  std::optional<PageWrite> append(PagedSequence& sequence);

  /// Appends tokens until the sequence has so many. Cost: that of its new pages.
  void extend(PagedSequence& sequence, std::int64_t tokens);

  PagedSequence fork(const PagedSequence& sequence);  ///< a sequence that holds the same pages
  void end(PagedSequence& sequence);                  ///< returns its pages; it has no tokens after that

  std::int64_t rows() const { return rows_; }
  std::int64_t pages() const { return static_cast<std::int64_t>(holders_.size()); }  ///< free ones too
  std::int64_t used() const { return pages() - static_cast<std::int64_t>(free_.size()); }
  std::int64_t peak() const { return peak_; }      ///< most pages in use so far
  std::int64_t copies() const { return copies_; }  ///< pages copied so far
  std::int64_t filled() const { return filled_; }  ///< slots of used pages that hold a token
  std::int64_t holders(std::int32_t page) const { return holders_.at(static_cast<std::size_t>(page)); }
  std::int64_t tokens_in(std::int32_t page) const { return tokens_.at(static_cast<std::size_t>(page)); }

 private:
  std::int32_t take();
  void drop(std::int32_t page);
  std::int64_t& holders_of(std::int32_t page) { return holders_[static_cast<std::size_t>(page)]; }
  std::int64_t& tokens_of(std::int32_t page) { return tokens_[static_cast<std::size_t>(page)]; }

  std::int64_t rows_, peak_ = 0, copies_ = 0, filled_ = 0;
  std::vector<std::int32_t> free_;  ///< the last one is the next
  std::vector<std::int64_t> holders_, tokens_;
};

/// Returns the numbers 0 to count - 1 in an order drawn from the seed.
std::vector<std::int32_t> drawn_pages(std::int64_t count, std::uint64_t seed);

/// Several continuations of one prompt, each of which appends a token in every step, in order.
struct Continuations {
  std::int64_t prompt = 0, steps = 0;
  std::int64_t count = 1;  ///< samples or beams
  std::int64_t rows = 16;  ///< of a page
  std::uint64_t seed = 0;  ///< of the order of physical pages
  std::int64_t pool = 0;   ///< physical pages; 0: as many as may be needed
  /// Beam search: the sequence of step t - 1 that sequence b of step t continues, from step 1 on. Empty: samples, which
  /// continue themselves.
  std::function<std::int64_t(std::int64_t t, std::int64_t b)> parent = {};
};

/// Records what one step did. `filled`: slots that hold a token.
struct PageStep {
  std::vector<PageWrite> writes;  ///< those that took a page, in order
  std::int64_t used = 0, filled = 0;
};

/// Pages of continuations after their last step, and how they came about; steps[0] is after the prompt.
struct PageHistory {
  PagePool pool;
  std::vector<PagedSequence> sequences;
  std::vector<PageStep> steps;
};

/// Runs the allocator. Beams fork their parents before those end. The state after fewer steps is that of continuations
/// with so many. Cost: O(prompt + steps x count), and with parents x pages of a sequence.
PageHistory history_of(const Continuations& of);

/// Pages of a batch of prompts at the end, in closed form. All prompts begin with `prefix` equal tokens; the n samples
/// of a prompt append `own` tokens each.
struct PageDemand {
  std::int64_t prompts = 1, samples = 1, prompt = 0, own = 0, prefix = 0, rows = 16;

  std::int64_t sequences() const;
  std::int64_t shared_by_all() const;      ///< pages of the prefix: only full ones
  std::int64_t shared_by_samples() const;  ///< further pages that the samples of one prompt share
  std::int64_t blocks_of_prompt() const;   ///< pages of one prompt and its samples beyond those of the prefix
  std::int64_t own_pages() const;          ///< further pages of one sample
  std::int64_t blocks() const;             ///< all pages
  std::int64_t blocks_unshared() const;    ///< pages if each sequence held its own
  std::int64_t copies() const;             ///< copies on write
  std::int64_t filled() const;             ///< slots that hold a token
  std::int64_t tokens() const;             ///< tokens of all sequences
};

}  // namespace sim
