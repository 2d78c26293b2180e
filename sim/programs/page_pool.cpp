#include "sim/programs/page_pool.h"

#include <Random123/philox.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/base/units.h"

namespace sim {

PagePool::PagePool(std::int64_t rows, const std::vector<std::int32_t>& order)
    : rows_(rows), free_(order.rbegin(), order.rend()), holders_(order.size()), tokens_(order.size()) {
  require(rows >= 1, "page-size: ", rows, " is not a number of tokens from 1");
}

std::int32_t PagePool::take() {
  require(!free_.empty(), "pages: all ", pages(), " of the pool are in use");
  const std::int32_t page = free_.back();
  free_.pop_back();
  holders_of(page) = 1;
  peak_ = std::max(peak_, used());
  return page;
}

void PagePool::drop(std::int32_t page) {
  if (--holders_of(page) > 0) return;
  filled_ -= std::exchange(tokens_of(page), 0);
  free_.push_back(page);
}

std::optional<PageWrite> PagePool::append(PagedSequence& sequence) {
  std::optional<PageWrite> taken;
  if (sequence.tokens % rows_ == 0) {
    sequence.pages.push_back(take());
    taken = PageWrite{0, sequence.pages.back(), no_page};
  } else if (const std::int32_t shared = sequence.pages.back(); holders_of(shared) > 1) {
    const std::int32_t copy = take();  // before the shared page is dropped: it may not be the same
    tokens_of(copy) = tokens_of(shared);
    filled_ += tokens_of(copy);
    drop(shared);
    sequence.pages.back() = copy;
    ++copies_;
    taken = PageWrite{0, copy, shared};
  }
  ++tokens_of(sequence.pages.back());
  ++filled_;
  ++sequence.tokens;
  return taken;
}

void PagePool::extend(PagedSequence& sequence, std::int64_t tokens) {
  while (sequence.tokens < tokens) {
    append(sequence);  // takes or copies a page; the rest of it is then its own
    const std::int64_t empty = (rows_ - sequence.tokens % rows_) % rows_,
                       more = std::min(empty, tokens - sequence.tokens);
    tokens_of(sequence.pages.back()) += more;
    filled_ += more;
    sequence.tokens += more;
  }
}

PagedSequence PagePool::fork(const PagedSequence& sequence) {
  for (const std::int32_t page : sequence.pages) ++holders_of(page);
  return sequence;
}

void PagePool::end(PagedSequence& sequence) {
  for (const std::int32_t page : sequence.pages) drop(page);
  sequence = {};
}

std::vector<std::int32_t> drawn_pages(std::int64_t count, std::uint64_t seed) {
  require(count >= 0 && count <= std::numeric_limits<std::int32_t>::max(), "pages: ", count, " are more than ",
          std::numeric_limits<std::int32_t>::max());
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)}};
  for (std::size_t left = order.size(); left > 1; --left) {
    const auto words =
        r123::Philox4x32()({{static_cast<std::uint32_t>(left), 0, 0, 3}}, key);  // 3: neither inputs nor masks
    std::swap(order[left - 1], order[words[0] % left]);
  }
  return order;
}

namespace {

/// Pages that suffice at any moment: those of the prompt, and of each sequence its own and one that it copies.
std::int64_t pages_that_suffice(const Continuations& of) {
  const std::int64_t last = ceil_div(checked_add(of.prompt, of.steps), of.rows), full = of.prompt / of.rows;
  return checked_add(checked_multiply(of.count, last - full + 1), full + 1);
}

/// Lets each beam continue its parent: children are made before their parents end.
void continue_parents(const Continuations& of, std::int64_t step, PageHistory& history) {
  std::vector<PagedSequence> children;
  for (std::int64_t b = 0; b < of.count; ++b) {
    const std::int64_t parent = of.parent(step, b);
    children.push_back(history.pool.fork(history.sequences.at(static_cast<std::size_t>(parent))));
  }
  for (PagedSequence& parent : history.sequences) history.pool.end(parent);
  history.sequences = std::move(children);
}

PageStep append_to_all(PageHistory& history) {
  PageStep step;
  for (std::size_t b = 0; b < history.sequences.size(); ++b) {
    std::optional<PageWrite> write = history.pool.append(history.sequences[b]);
    if (!write) continue;
    write->sequence = static_cast<std::int32_t>(b);
    step.writes.push_back(*write);
  }
  return step;
}

}  // namespace

PageHistory history_of(const Continuations& of) {
  require(of.count >= 1 && of.rows >= 1, "pages: ", of.count, " sequences in pages of ", of.rows, " are not from 1");
  const std::int64_t pages = of.pool > 0 ? of.pool : pages_that_suffice(of);
  PageHistory history{PagePool(of.rows, drawn_pages(pages, of.seed)), {{}}, {{}}};
  PagePool& pool = history.pool;
  for (std::int64_t token = 0; token < of.prompt; ++token) {
    const std::optional<PageWrite> write = pool.append(history.sequences[0]);
    if (write) history.steps[0].writes.push_back(*write);
  }
  while (std::ssize(history.sequences) < of.count) history.sequences.push_back(pool.fork(history.sequences[0]));
  history.steps[0].used = pool.used();
  history.steps[0].filled = pool.filled();
  for (std::int64_t step = 0; step < of.steps; ++step) {
    if (step > 0 && of.parent) continue_parents(of, step, history);
    history.steps.push_back(append_to_all(history));
    history.steps.back().used = pool.used();
    history.steps.back().filled = pool.filled();
  }
  return history;
}

std::int64_t PageDemand::sequences() const { return checked_multiply(prompts, samples); }

std::int64_t PageDemand::shared_by_all() const { return std::min(prefix, prompt) / rows; }

std::int64_t PageDemand::shared_by_samples() const {
  return (own > 0 ? prompt / rows : ceil_div(prompt, rows)) - shared_by_all();
}

std::int64_t PageDemand::own_pages() const {
  return own > 0 ? ceil_div(checked_add(prompt, own), rows) - prompt / rows : 0;
}

std::int64_t PageDemand::blocks_of_prompt() const {
  return checked_add(shared_by_samples(), checked_multiply(samples, own_pages()));
}

std::int64_t PageDemand::blocks() const {
  return checked_add(shared_by_all(), checked_multiply(prompts, blocks_of_prompt()));
}

std::int64_t PageDemand::blocks_unshared() const {
  return checked_multiply(sequences(), ceil_div(checked_add(prompt, own), rows));
}

std::int64_t PageDemand::copies() const {
  return own > 0 && prompt % rows != 0 ? checked_multiply(prompts, samples - 1) : 0;
}

std::int64_t PageDemand::filled() const {
  const std::int64_t kept = own > 0 ? prompt / rows * rows : prompt, shared = shared_by_all() * rows;
  const std::int64_t of_samples = own > 0 ? checked_multiply(samples, checked_add(prompt - kept, own)) : 0;
  return checked_add(shared, checked_multiply(prompts, checked_add(kept - shared, of_samples)));
}

std::int64_t PageDemand::tokens() const { return checked_multiply(sequences(), checked_add(prompt, own)); }

}  // namespace sim
