// All CTAs of a kernel on the SMs, as its prediction schedules them: SM, slot, start and end of each.
#pragma once
#include "viz/model/run.h"
#include "viz/model/task.h"

namespace explorer {

/// One scheduled CTA.
struct CtaSpan {
  std::int32_t sm = 0, slot = 0;  ///< slot: 0 to CTAs per SM - 1
  std::int32_t run = 0;           ///< in issue order, over all classes of entries; the CTAs of a run do equal work
  std::int64_t cta = 0;           ///< number, as CtaNumbers counts
  sim::Cycles begin, end;         ///< since the first CTA began
};

/// Numbers the CTAs of a kernel in issue order, those of a ragged batch in the order of its file; a launch for some of
/// the row blocks (Launch::pieces) has a class for each piece. Heads are those of
/// grid_of(): KV heads if a CTA takes one.
class CtaNumbers {
 public:
  /// O(classes of batch entries).
  CtaNumbers(const sim::Simulation& simulation, std::size_t kernel);
  sim::CtaPlace place(std::int64_t cta) const;
  std::int64_t number(const sim::CtaPlace& place) const;
  /// The class of batch entries that a CTA belongs to.
  std::size_t class_of(std::int64_t cta) const;
  /// Number of the n-th CTA of a class among those whose blocks begin at block `first` of a head, `count` per head.
  std::int64_t number_in(std::size_t of_class, std::int64_t first, std::int64_t count, std::int64_t n) const;

 private:
  struct Part {
    std::int64_t first_cta = 0, first_head = 0;
    sim::CtaPlace size;
    std::int64_t blocks() const { return size.row * size.col; }
    std::int64_t heads() const { return size.batch * size.head; }
  };
  std::vector<Part> parts_;
  std::int64_t heads_of_entry_ = 1;
  bool blocks_outermost_;
};

/// The position of a CTA by its number, and its inverse.
sim::CtaPlace place_of_cta(const sim::Simulation& simulation, std::size_t kernel, std::int64_t cta);
std::int64_t cta_of_place(const sim::Simulation& simulation, std::size_t kernel, const sim::CtaPlace& place);

/// Most CTAs of a grid that is shown CTA by CTA.
inline constexpr std::int64_t most_shown_ctas = std::int64_t{1} << 15;

/// Schedule of a kernel's CTAs over time. Inaccuracies: those that the kernel's prediction names; equal CTAs that begin
/// within two ticks count as beginning together. For grids of more than most_shown_ctas, and those whose schedule skips
/// repeating heads, only the total is known: one_by_one() is then false.
class GridTimeline : public Task {
 public:
  GridTimeline(std::shared_ptr<const Run> run, std::size_t kernel) : run_(std::move(run)), kernel_(kernel) {}
  bool advance() override;

  bool ready() const { return stage_ == 3; }
  bool one_by_one() const { return one_by_one_; }
  const sim::GridInTime& grid() const { return grid_; }  ///< its waves no longer hold residencies
  sim::Cycles makespan() const { return grid_.waves.makespan; }
  /// The CTAs that run in one slot of an SM, in the order of time; empty unless one_by_one().
  const std::vector<CtaSpan>& row(std::int64_t sm, std::int64_t slot) const;
  /// The scheduled CTA with a number; null unless one_by_one().
  const CtaSpan* find(std::int64_t cta) const;

 private:
  struct Started {
    CtaSpan span;
    std::int64_t neighbours = 0;  // on its SM when it begins
  };
  void expand();
  void find_slots();
  struct RunOfHead {
    std::size_t of_class = 0;
    std::int64_t first = 0, count = 0;  // blocks of a head
  };
  void sort_by_begin();
  std::vector<RunOfHead> runs_of_heads() const;
  void number();

  std::shared_ptr<const Run> run_;
  std::size_t kernel_;
  int stage_ = 0;
  bool one_by_one_ = false;
  sim::GridInTime grid_;
  std::vector<Started> started_;
  std::vector<std::vector<CtaSpan>> rows_;
  std::vector<std::pair<std::int32_t, std::int32_t>> found_;  // by CTA number: its row, and its index in the row
};

}  // namespace explorer
