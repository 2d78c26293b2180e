#include "viz/model/pages.h"

#include <algorithm>
#include <bit>

#include "sim/programs/key_sections.h"
#include "sim/programs/run.h"
#include "sim/programs/steps.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

using sim::PageDemand;
using sim::PagedSequence;

constexpr std::int64_t usual_longest = 2048;  // of an allocator without --context

PageDemand after_steps(PageDemand of, std::int64_t steps) {
  of.own = steps;
  return of;
}

template <class Value>
std::int64_t sum_of(const std::vector<PageDemand>& demands, Value value) {
  std::int64_t sum = 0;
  for (const PageDemand& of : demands) sum += value(of);
  return sum;
}

std::int64_t tokens_at_end(const PageDemand& of) { return of.prompt + of.own; }

/// Physical pages that suffice for a prompt at any moment, beside those of the shared prefix: its own, and of each
/// sample those behind it and one that it copies.
std::int64_t pages_of_prompt(const PageDemand& of) {
  const std::int64_t full = of.prompt / of.rows, last = sim::ceil_div(tokens_at_end(of), of.rows);
  return full + 1 - of.shared_by_all() + of.samples * (last - full + 1);
}

/// Share of the slots that hold a token, on average over the steps. Between two steps that take pages it is linear.
double mean_filled_of(const PageDemand& of) {
  double sum = 0;
  for (std::int64_t done = 0; done < of.own;) {
    const std::int64_t next = std::min(of.own, done + of.rows - (of.prompt + done) % of.rows);
    const PageDemand first = after_steps(of, done + 1), last = after_steps(of, next);
    const auto filled = static_cast<double>(first.filled() + last.filled());
    sum += filled / 2 * static_cast<double>(next - done) / static_cast<double>(first.blocks() * of.rows);
    done = next;
  }
  return sum / static_cast<double>(std::max<std::int64_t>(1, of.own));
}

/// The prompts that are laid out: the first one if it is not too long, then as many as there is space for.
std::vector<const PageDemand*> first_prompts(const std::vector<PageDemand>& demands) {
  std::vector<const PageDemand*> prompts;
  std::int64_t entries = 0;
  for (const PageDemand& of : demands) {
    const std::int64_t each = of.samples * sim::ceil_div(tokens_at_end(of), of.rows);
    for (std::int64_t p = 0; p < of.prompts; ++p) {
      entries += each;
      if (entries > (prompts.empty() ? PageMoment::most_of_prompt : PageMoment::most_entries)) return prompts;
      prompts.push_back(&of);
    }
  }
  return prompts;
}

void add_bytes(const sim::Totals& totals, std::int64_t ctas, PageBytes& bytes) {
  bytes.ctas += ctas;
  for (const auto& [tensor, moved] : totals.by_tensor) {
    const bool is_kv = tensor == sim::Tensor::K || tensor == sim::Tensor::V,
               is_table = tensor == sim::Tensor::block_table;
    (is_kv ? bytes.keys_and_values : is_table ? bytes.table : bytes.others) += moved.total().count();
  }
}

}  // namespace

PageMoment::PageMoment(const std::shared_ptr<const Run>& run, std::int64_t steps, int token) : steps_(steps) {
  const sim::Plan& plan = run->simulation.plan;
  sim::Scenario scenario = plan.scenario;
  scenario.steps = steps;  // the run is the last one alone
  demands_ = sim::page_demands(scenario);
  token_ = std::clamp<std::int64_t>(token, 0, steps_);
  context_ = plan.scenario.context.value_or(0);
  mean_filled_ = mean_filled_of(demands_.front());
  lay_out(plan.scenario.seed);
  if (steps_ > 0) count_bytes(plan);
  for (std::size_t k = 0; steps_ == 0 && k < plan.launches.size(); ++k) {
    const sim::KernelMeters& kernel = run->simulation.kernels[k];
    if (plan.launches[k].reads(sim::Tensor::K)) add_bytes(kernel.totals, kernel.ctas, bytes_);
  }
}

void PageMoment::count_bytes(const sim::Plan& plan) {
  const std::int64_t step = std::max<std::int64_t>(1, token_);
  const sim::Plan now = sim::with_keys(plan, prompt() + step);
  for (const sim::Launch& launch : now.launches) {
    if (!launch.reads(sim::Tensor::K)) continue;
    sim::Totals totals;
    sim::add_to(totals, sim::count(now, launch));
    add_bytes(totals, sim::make_grid(now.problem.shape, launch.grid).ctas(), bytes_);
  }
}

void PageMoment::lay_out(std::uint64_t seed) {
  const std::vector<const PageDemand*> prompts = first_prompts(demands_);
  if (prompts.empty()) return;
  std::int64_t pages = demands_.front().shared_by_all();
  for (const PageDemand* of : prompts) pages += pages_of_prompt(*of);
  pool_.emplace(rows(), sim::drawn_pages(pages, seed));
  PagedSequence prefix;
  pool_->extend(prefix, demands_.front().shared_by_all() * rows());
  for (const PageDemand* of : prompts) {
    PagedSequence& first = sequences_.emplace_back(pool_->fork(prefix));
    pool_->extend(first, of->prompt);
    for (std::int64_t sample = 1; sample < of->samples; ++sample)
      sequences_.push_back(pool_->fork(sequences_[sequences_.size() - static_cast<std::size_t>(sample)]));
  }
  pool_->end(prefix);
  append_tokens();
  index_pages();
}

/// Appends page by page: within a page a sequence takes no other one. All sequences have one length.
void PageMoment::append_tokens() {
  for (std::int64_t done = 0; done < token_;) {
    const std::int64_t tokens = prompt() + done, next = std::min(token_, done + rows() - tokens % rows());
    for (std::size_t s = 0; s < sequences_.size(); ++s) {
      std::optional<sim::PageWrite> write = pool_->append(sequences_[s]);
      if (write) write->sequence = static_cast<std::int32_t>(s);
      if (write && done + 1 == token_) writes_.push_back(*write);
      pool_->extend(sequences_[s], prompt() + next);
    }
    done = next;
  }
}

void PageMoment::index_pages() {
  homes_.resize(static_cast<std::size_t>(pool_->pages()));
  for (std::size_t s = sequences_.size(); s-- > 0;) {
    const std::vector<std::int32_t>& pages = sequences_[s].pages;
    for (std::size_t block = 0; block < pages.size(); ++block)
      homes_[static_cast<std::size_t>(pages[block])] = {static_cast<std::int32_t>(s), static_cast<std::int32_t>(block)};
  }
  used_before_.push_back(0);
  for (const PageHome& home : homes_) used_before_.push_back(used_before_.back() + (home.block >= 0 ? 1 : 0));
}

std::int64_t PageMoment::prompts() const {
  return sum_of(demands_, [](const PageDemand& of) { return of.prompts; });
}

std::int64_t PageMoment::most_pages() const {
  std::int64_t most = 1;
  for (const PageDemand& of : demands_) most = std::max(most, sim::ceil_div(tokens_at_end(of), of.rows));
  return most;
}

std::int64_t PageMoment::used(std::int64_t after) const {
  return sum_of(demands_, [&](const PageDemand& of) { return after_steps(of, after).blocks(); });
}

std::int64_t PageMoment::blocks_unshared() const {
  return sum_of(demands_, [](const PageDemand& of) { return of.blocks_unshared(); });
}

std::int64_t PageMoment::shared_of(const PagedSequence& sequence) const {
  const auto shared = [&](std::int32_t page) { return pool_->holders(page) > 1; };
  return std::partition_point(sequence.pages.begin(), sequence.pages.end(), shared) - sequence.pages.begin();
}

std::int32_t PageMoment::copied_to(std::int64_t page) const {
  const auto found =
      std::find_if(writes_.begin(), writes_.end(), [&](const auto& write) { return write.page == page; });
  return found == writes_.end() ? sim::no_page : found->copied_from;
}

std::vector<PageSlots> PageMoment::slots() const {
  const std::int64_t tokens = sum_of(demands_, [](const PageDemand& of) { return of.tokens(); });
  std::int64_t most = 0;
  for (const PageDemand& of : demands_) most = std::max(most, tokens_at_end(of));
  const std::int64_t longest = context_ > 0 ? context_ : std::max<std::int64_t>(usual_longest, most);
  const std::int64_t powers = sum_of(demands_, [](const PageDemand& of) {
    return of.sequences() * static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(tokens_at_end(of))));
  });
  const std::int64_t apart = blocks_unshared() * rows(), shared = blocks() * rows();
  std::vector<PageSlots> ways = {{/*say*/ "preallocated, max {}", longest, all_sequences() * longest, tokens, 0},
                                 {/*say*/ "next power of two", 0, powers, tokens, 0},
                                 {/*say*/ "exact, known in advance", 0, tokens, tokens, 0},
                                 {/*say*/ "pages of {}, not shared", rows(), apart, tokens, apart - tokens}};
  const std::int64_t filled = sum_of(demands_, [](const PageDemand& of) { return of.filled(); });
  if (shared < apart) ways.push_back({/*say*/ "pages of {}, shared", rows(), shared, filled, shared - filled});
  return ways;
}

const PageMoment& page_moment(const State& state, const World& world, std::size_t subject) {
  const Subject& of = world.subject(subject);
  const bool decodes = of.options.contains("steps");
  const std::int64_t steps = decodes ? sim::scenario_from(of.options, world.gpu()).steps : 0;
  return world.tasks.get<PageMoment>(subject, of.run, steps, state.look.token);
}

PageChoice chosen_page(const Look& look, const PageMoment& moment) {
  PageChoice chosen;
  if (!moment.pool()) return chosen;
  const auto last = static_cast<std::int64_t>(moment.sequences().size()) - 1;
  chosen.sequence = std::clamp<std::int64_t>(look.sequence, 0, last);
  const std::vector<std::int32_t>& pages = moment.sequences()[static_cast<std::size_t>(chosen.sequence)].pages;
  if (pages.empty()) return chosen;
  const auto end = static_cast<std::int64_t>(pages.size()) - 1;
  chosen.block = look.page < 0 ? end : std::min<std::int64_t>(look.page, end);
  chosen.page = pages[static_cast<std::size_t>(chosen.block)];
  return chosen;
}

std::string sequence_name(Language language, const PageMoment& moment, std::int64_t sequence) {
  if (moment.samples() == 1) return words::say_with(language, /*say*/ "sequence {}", sequence);
  if (moment.prompts() == 1) return words::say_with(language, /*say*/ "sample {}", sequence);
  return words::say_with(language, /*say*/ "prompt {}, sample {}", sequence / moment.samples(),
                         sequence % moment.samples());
}

std::string pages_headline(Language language, const PageMoment& m) {
  const auto number = [](std::int64_t n) { return report::thousands(n); };
  const std::string pages = number(m.blocks()), apart = number(m.blocks_unshared()), all = number(m.all_sequences());
  const bool shared = m.blocks() < m.blocks_unshared();
  if (m.ragged()) return words::say_with(language, /*say*/ "{} sequences: {} pages of {} tokens", all, pages, m.rows());
  if (shared && m.steps() > 0 && m.prompts() == 1)
    return words::say_with(language, /*say*/ "{} prompt and {} generated tokens, {} samples: {} pages instead of {}",
                           number(m.prompt()), number(m.steps()), all, pages, apart);
  const std::string tokens = number(m.prompt() + m.steps());
  if (m.all_sequences() == 1)
    return words::say_with(language, /*say*/ "{} tokens in {} pages of {}", tokens, pages, m.rows());
  if (shared)
    return words::say_with(language, /*say*/ "{} sequences of {} tokens: {} pages instead of {}", all, tokens, pages,
                           apart);
  return words::say_with(language, /*say*/ "{} sequences of {} tokens: {} pages of {}", all, tokens, pages, m.rows());
}

namespace {

/// The sentence on the step that copies the page that the samples of a prompt share.
std::string copies_sentence(Language language, const PageMoment& m) {
  const std::int64_t all = m.all_sequences(), copies = all - m.prompts();
  if (m.prompts() > 1 || m.writes().empty())
    return words::say_with(language,
                           /*say*/
                           "All samples of a prompt but the last copy the page that they share, the last one writes in "
                           "place: {} copies, not {}.",
                           report::thousands(copies), report::thousands(all));
  const std::int32_t page = m.writes().front().copied_from;
  if (all == 2)
    return words::say_with(
        language,
        /*say*/
        "Sample 0 finds page {} held by sample 1 too and copies it. Sample 1 is then alone and writes in place: "
        "1 copy, not 2.",
        page);
  return words::say_with(
      language,
      /*say*/
      "Samples 0 to {} find page {} held by others and copy it. Sample {} finds itself alone and writes in place: "
      "{} copies, not {}.",
      all - 2, page, all - 1, copies, all);
}

}  // namespace

std::string pages_sentence(Language language, const PageMoment& m) {
  if (m.steps() == 0)
    return std::string(words::say(language, /*say*/ "This run appends no token: its pages are those of all its keys."));
  if (m.token() == 0)
    return words::say_with(language,
                           /*say*/ "{} tokens are in the cache, in {} pages. A step appends one to each sequence.",
                           report::thousands(m.prompt()), report::thousands(m.used(0)));
  const std::int64_t taken = m.used(m.token()) - m.used(m.token() - 1), filled = m.prompt() + m.token();
  if (m.token() == 1 && m.samples() > 1 && m.prompt() % m.rows() != 0) return copies_sentence(language, m);
  if (taken > 0)
    return words::say_with(language, /*say*/ "The last page of each sequence is full: new pages {}, {} in use.",
                           report::thousands(taken), report::thousands(m.used(m.token())));
  return words::say_with(
      language, /*say*/ "The token goes into the last page of its sequence, now filled to {} of {}: no page is taken.",
      (filled - 1) % m.rows() + 1, m.rows());
}

std::pair<std::string, std::string> pages_lesson(Language language, const PageMoment& m) {
  const std::vector<PageSlots> ways = m.slots();
  const auto share = [](const PageSlots& way) {
    return report::percent(static_cast<double>(way.filled) / static_cast<double>(way.slots));
  };
  if (m.blocks() == m.blocks_unshared())
    return {std::string(words::say(language, /*say*/ "Paging saves what is reserved")),
            words::say_with(language,
                            /*say*/
                            "A sequence leaves at most {} slots of its last page empty: {} of all slots are filled. "
                            "Sequences that begin alike could share pages.",
                            m.rows() - 1, share(ways.back()))};
  const double saved = 1 - static_cast<double>(m.blocks()) / static_cast<double>(m.blocks_unshared());
  const double logical = static_cast<double>(ways[2].slots) / static_cast<double>(ways.back().slots);
  std::string words = words::say_with(
      language, /*say*/
      "{} → {} pages: what sequences have in common is held once. “Filled” has several meanings: at the "
      "end {}, tokens of all sequences by slots {:.2f}.",
      report::thousands(m.blocks_unshared()), report::thousands(m.blocks()), share(ways.back()), logical);
  if (m.steps() > 0)
    words += " " + words::say_with(language, /*say*/ "Mean over the steps: {}.", report::percent(m.mean_filled()));
  return {words::say_with(language, /*say*/ "Sharing saves {} of the pages", report::percent(saved)), words};
}

bool in_pages(const Model& model) {
  const Look& look = model.state.look;
  return look.center == Center::pages && fills_window(look, false) && model.world.has_run() &&
         has_pages(model.world.subject(0));
}

Edits to_token(const Model& model, std::int64_t token) {
  const std::int64_t last = page_moment(model.state, model.world).steps();
  return {PlayOn{false}, SetLook{"token", sim::text(std::clamp<std::int64_t>(token, 0, last))}};
}

Edits step_pages(const Model& model, std::int64_t direction) {
  return to_token(model, page_moment(model.state, model.world).token() + direction);
}

Edits next_sequence(const Model& model, int direction) {
  const PageMoment& moment = page_moment(model.state, model.world);
  const std::int64_t last = static_cast<std::int64_t>(moment.sequences().size()) - 1,
                     next = chosen_page(model.state.look, moment).sequence + direction;
  return {SetLook{"sequence", sim::text(std::clamp<std::int64_t>(next, 0, std::max<std::int64_t>(0, last)))}};
}

Edits next_page(const Model& model, int direction) {
  const std::int64_t block = chosen_page(model.state.look, page_moment(model.state, model.world)).block + direction;
  return {SetLook{"page", sim::text(std::max<std::int64_t>(0, block))}};
}

}  // namespace explorer
