// The schedule of one SM around each threshold: blocked one tick before, ready on the tick. Times are derived by hand.
#include "sim/machine/sm_schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/says.h"

using namespace sim;

namespace {

constexpr double tick = 1.0 / ticks_per_cycle;
constexpr std::array<Pipe, pipe_count> pipes = {Pipe::tensor, Pipe::fp32, Pipe::exp, Pipe::smem, Pipe::issue};

Task work(std::initializer_list<std::pair<Pipe, double>> cycles, double latency = 0) {
  Task task;
  for (const auto& [pipe, n] : cycles) task.work[pipe] = n;
  task.latency = latency;
  return task;
}

/// A copy in, issued when task `after` ends; -1: at the start.
Task load(double bytes, std::int32_t after = -1) {
  Task task;
  task.kind = Task::Kind::copy_in;
  task.bytes = bytes;
  task.after = after;
  return task;
}

Task store(double bytes) {
  Task task = load(bytes);
  task.kind = Task::Kind::copy_out;
  return task;
}

Task reading(std::int32_t copy, Task task) {
  task.operands[0] = copy;
  return task;
}

/// One byte per cycle.
constexpr SmPort slow_port{1, 50, 30};

Cycles at(double cycles) { return nearest_tick(cycles); }

}  // namespace

TEST_CASE("a pipe is blocked one tick before the neighbour leaves it, and ready on the tick") {
  for (const Pipe pipe : pipes) {
    INFO(name_of(pipe));
    const Pipe other = pipe == Pipe::tensor ? Pipe::exp : Pipe::tensor;
    // Both slots request the pipe first: the neighbour has it from 100 to 200. Meanwhile this CTA uses another pipe.
    const auto back_after = [&](double elsewhere) {
      return run_sm({work({{pipe, 100}}), work({{other, elsewhere}}), work({{pipe, 10}})}, slow_port, 2).first;
    };
    const CtaRecord early = back_after(100 - tick), exact = back_after(100), late = back_after(100 + tick);
    REQUIRE(early.delays.size() == 1);
    CHECK(early.delays[0].event == 2);
    CHECK(early.delays[0].cause == busy(pipe));
    CHECK(early.delays[0].time == Cycles(1));
    CHECK(early.spans[2].begin == at(200 - tick));
    CHECK(early.spans[2].end == at(210));
    CHECK(exact.delays.empty());
    CHECK(exact.spans[2].begin == at(200));
    CHECK(exact.spans[2].end == at(210));
    CHECK(late.delays.empty());
    CHECK(late.spans[2].begin == at(200 + tick));
    CHECK(late.spans[2].end == at(210 + tick));
  }
}

TEST_CASE("a copy waits while the port is busy, and starts on the tick it is free") {
  // The first copy takes the port from 0 to 100; the second is issued when the work ends.
  const auto second_iteration = [](double issued) {
    return run_sm({load(100), work({{Pipe::fp32, issued}}), load(7, 1)}, slow_port, 1).first.spans[2];
  };
  for (const double issued : {100 - tick, 100.0, 100 + tick}) {
    const Span iteration = second_iteration(issued);
    CHECK(iteration.begin == at(std::max(100.0, issued)));
    CHECK(iteration.end == iteration.begin + at(7));
    CHECK(iteration.ready == iteration.end + at(50));
  }
}

TEST_CASE("work waits for a copy until it arrives: for bandwidth up to its transfer, then for its latency") {
  // Transferred at 100, arrived at 150; the work that reads it comes after other work.
  const auto waits_after = [](double other) {
    const std::vector<Task> tasks = {load(100), work({{Pipe::fp32, other}}), reading(0, work({{Pipe::exp, 10}}))};
    const CtaRecord record = run_sm(tasks, slow_port, 1).first;
    CHECK(record.spans[2].begin == at(std::max(150.0, other)));
    return record.waits;
  };
  using Waits = std::vector<WaitSpan>;
  CHECK(waits_after(100 - tick) == Waits{{at(100 - tick), at(100), Cause::bandwidth, 2, 0},  //
                                         {at(100), at(150), Cause::data, 2, 0}});
  CHECK(waits_after(100) == Waits{{at(100), at(150), Cause::data, 2, 0}});
  CHECK(waits_after(150 - tick) == Waits{{at(150 - tick), at(150), Cause::data, 2, 0}});
  CHECK(waits_after(150).empty());
  CHECK(waits_after(150 + tick).empty());
}

TEST_CASE("a phase starts its latency after the work before it, or after the copy it reads, to the tick") {
  for (const double latency : {25 - tick, 25.0, 25 + tick}) {
    for (const double before : {150 - tick, 150.0, 150 + tick}) {  // the copy arrives at 150
      const std::vector<Task> tasks = {load(100), work({{Pipe::fp32, before}}),
                                       reading(0, work({{Pipe::tensor, 10}}, latency))};
      const CtaRecord record = run_sm(tasks, slow_port, 1).first;
      const double begins = std::max(150.0, before) + latency;
      CHECK(record.spans[2].begin == at(begins));
      CHECK(record.waits.back() == WaitSpan{at(begins - latency), at(begins), Cause::barrier, 2, -1});
    }
  }
}

TEST_CASE("a CTA ends when its last store has left, which waits for nothing but the port") {
  const SmRun run = run_sm({work({{Pipe::fp32, 20}}), store(8)}, slow_port, 1);
  CHECK(run.first.spans[1].end == at(28));
  CHECK(run.first.waits == std::vector<WaitSpan>{{at(20), at(28), Cause::bandwidth, 1, 1}});
  CHECK(run.cycles_per_cta == 28);
}

TEST_CASE("a CTA follows another in its slot after the turnover") {
  for (const double turnover : {30 - tick, 30.0, 30 + tick}) {
    const std::vector<Task> tasks = {work({{Pipe::fp32, 100}})};
    const SmPort port{1, 50, turnover};
    const std::vector<SmTally> tallies = tally_sm(tasks, port, 1, std::vector<std::size_t>{1, 4});
    const Budget budget = budget_of_unit(tallies[0], tallies[1], work_of(tasks, port), 1, 1);
    CHECK(budget.total() == Approx(100 + turnover).epsilon(1e-14));
    CHECK(budget[Cause::fp32] == Approx(100).epsilon(1e-14));
    CHECK(budget[Cause::launch] == Approx(turnover).epsilon(1e-14));
  }
}

TEST_CASE("a tally counts the work of all slots up to a task's end, and copies as far as they are transferred") {
  // Both copies are booked at 0 and take the port up to 200; the work of the first slot ends at 150 + 10.
  const std::vector<Task> tasks = {load(100), reading(0, work({{Pipe::exp, 10}}))};
  const SmTally tally = tally_sm(tasks, slow_port, 2, std::vector<std::size_t>{2}).front();
  CHECK(tally.done.back() == 160);
  CHECK(tally.done[static_cast<std::size_t>(Pipe::exp)] == 10);
  CHECK(tally.budget.total() == 2 * 160);
  CHECK(tally.budget[Cause::bandwidth] == 100 + 160);
  CHECK(tally.budget[Cause::data] == 50);
}

TEST_CASE("a unit of work takes as long as its busiest resource, or the cycles it needs if no CTA waits") {
  SmTally from, to;
  to.budget[Cause::tensor] = 60;
  to.budget[Cause::exp_busy] = 140;  // two slots for 100 cycles
  to.done[0] = 80;
  ResourceCycles work{};
  work[0] = 20, work[1] = 5;
  const Budget two_of_work = budget_of_unit(from, to, work, 2, 2);  // 80 cycles at 20 per pair: four pairs of units
  CHECK(two_of_work.total() == Approx(200 / 8.0));
  CHECK(two_of_work[Cause::tensor] == Approx(60 / 8.0));
  ResourceCycles copies{};
  copies.back() = 30;
  const Budget unseen = budget_of_unit(from, to, copies, 3, 2);
  CHECK(unseen[Cause::bandwidth] == 20);
  CHECK(unseen.total() == 20);
}

TEST_CASE("of two CTAs that arrive together the first slot is served first, else the one that arrived first") {
  const SmRun together = run_sm({work({{Pipe::exp, 100}})}, slow_port, 2);
  CHECK(together.slots[0].total() == 100);
  CHECK(together.slots[1][Cause::exp_busy] == 100);
  CHECK(together.slots[1].total() == 200);
  // The neighbour has waited for the tensor cores since 0 and gets them at 100; the first slot requests them at 110.
  const std::vector<Task> tasks = {work({{Pipe::tensor, 100}}), work({{Pipe::exp, 10}}), work({{Pipe::tensor, 100}})};
  const SmRun by_age = run_sm(tasks, slow_port, 2);
  CHECK(by_age.first.spans[2].begin == at(110));
  CHECK(by_age.first.spans[2].end == at(300));
  CHECK(by_age.slots[0][Cause::tensor_busy] == 90);
}

TEST_CASE("the second CTA on a pipe gets what the first leaves: the example in sm_schedule.cpp") {
  // 0 to 100: the first slot has the tensor cores. 100 to 200: the neighbour has them and half the issue slots, the
  // first slot runs half of its second task with the other half. That task ends at 250, the neighbour's at 350.
  const std::vector<Task> tasks = {work({{Pipe::tensor, 100}, {Pipe::issue, 50}}),
                                   work({{Pipe::issue, 100}, {Pipe::exp, 80}})};
  const SmRun run = run_sm(tasks, slow_port, 2);
  CHECK(run.first.spans[1].begin == at(100));
  CHECK(run.first.spans[1].end == at(250));
  CHECK(run.slots[0][Cause::tensor] == 100);
  CHECK(run.slots[0][Cause::issue] == 100);
  CHECK(run.slots[0][Cause::issue_busy] == 50);
  CHECK(run.slots[0].total() == 250);
  CHECK(run.slots[1][Cause::tensor_busy] == 100);
  CHECK(run.slots[1][Cause::issue_busy] == 50);
  CHECK(run.slots[1].total() == 350);
  CHECK(run.cycles_per_cta == 300);
}

namespace {

/// Random tasks: work on several pipes, phases, loads that run ahead, and a store.
std::vector<Task> draw_tasks(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<double>(random() % n); };
  std::vector<Task> tasks = {load(below(500))};
  for (std::int32_t n = 1; n < 40; ++n) {
    if (random() % 4 == 0) {
      tasks.push_back(load(below(300), static_cast<std::int32_t>(below(static_cast<std::uint32_t>(n) + 1)) - 1));
      continue;
    }
    Task task = work({{pipes[random() % 5], 1 + below(200)}, {pipes[random() % 5], below(200)}}, below(3) * 20);
    for (std::int32_t operand = n - 1; operand >= 0 && random() % 3 != 0; --operand) task.operands[0] = operand;
    tasks.push_back(task);
  }
  tasks.push_back(store(below(500)));
  return tasks;
}

double makespan(const SmRun& run) {
  double last = 0;
  for (const Budget& slot : run.slots) last = std::max(last, slot.total());
  return last;
}

/// Cycles on the slowest pipe, or the port, of all tasks of a CTA.
double least(const std::vector<Task>& tasks, const SmPort& port) {
  std::array<double, pipe_count> pipe{};
  double copies = 0;
  for (const Task& task : tasks) {
    for (std::size_t p = 0; p < pipe.size(); ++p) pipe[p] += task.work.cycles[p];
    copies += task.bytes * port.cycles_per_byte;
  }
  return std::max(copies, *std::max_element(pipe.begin(), pipe.end()));
}

}  // namespace

TEST_CASE("CTAs that share an SM take at least the time of its slowest pipe, at most the sum of their times alone") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::vector<Task> tasks = draw_tasks(seed);
    const double alone = makespan(run_sm(tasks, slow_port, 1));
    for (int residents = 1; residents <= 8; ++residents) {
      INFO("seed " << seed << ", " << residents << " residents");
      const double together = makespan(run_sm(tasks, slow_port, residents)), rounding = 1e-9 * together;
      CHECK(together >= residents * least(tasks, slow_port) - rounding);
      CHECK(together >= alone - rounding);
      CHECK(together <= residents * alone + rounding);
    }
  }
}

TEST_CASE("the budget of a schedule adds up to its time") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const SmRun run = run_sm(draw_tasks(seed), slow_port, 1 + static_cast<int>(seed % 6));
    INFO("seed " << seed);
    CHECK(run.budget.total() == Approx(run.cycles_per_cta).epsilon(1e-9));
    for (const Cause cause : all_causes) CHECK(run.budget[cause] >= -1e-9);
  }
}

TEST_CASE("between any two tallies no resource does more than the time allows, and no CTA takes less than its work") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::vector<Task> tasks = draw_tasks(seed);
    const int residents = 1 + static_cast<int>(seed % 6);
    const std::vector<std::size_t> moments = {5, tasks.size(), tasks.size() + 7, 4 * tasks.size()};
    const std::vector<SmTally> tallies = tally_sm(tasks, slow_port, residents, moments);
    for (std::size_t n = 1; n < tallies.size(); ++n) {
      INFO("seed " << seed << ", moment " << moments[n]);
      const double time = (tallies[n].budget.total() - tallies[n - 1].budget.total()) / residents;
      for (std::size_t r = 0; r < resource_count; ++r) {
        CHECK(tallies[n].done[r] - tallies[n - 1].done[r] <= time + 1e-6);
        CHECK(tallies[n].done[r] >= tallies[n - 1].done[r]);
      }
      const ResourceCycles work = work_of(tasks, slow_port);
      const Budget of_cta = budget_of_unit(tallies[n - 1], tallies[n], work, 1, residents);
      CHECK(of_cta.total() >= residents * least(tasks, slow_port) * (1 - 1e-9));
      for (const Cause cause : all_causes) CHECK(of_cta[cause] >= 0);
    }
  }
}

TEST_CASE("the same tasks give the same schedule, bit for bit") {
  const SmRun a = run_sm(draw_tasks(7), slow_port, 5), b = run_sm(draw_tasks(7), slow_port, 5);
  CHECK(a.cycles_per_cta == b.cycles_per_cta);
  CHECK(a.budget.time == b.budget.time);
  CHECK(a.first.waits == b.first.waits);
}

TEST_CASE("a schedule without residents is refused, and without tasks takes no time") {
  CHECK_THROWS_MATCHES(run_sm({}, slow_port, 0), Error, Says("run_sm: {} residents", 0));
  CHECK_THROWS_MATCHES(tally_sm({}, slow_port, 1, {}), Error, Says("tally_sm: {} residents, {} tasks", 1, 0));
  CHECK(run_sm({}, slow_port, 2).cycles_per_cta == 0);
}

TEST_CASE("work of a tick takes a tick, and empty work none") {
  const CtaRecord record = run_sm({work({{Pipe::fp32, tick}}), work({}), work({{Pipe::fp32, 1}})}, slow_port, 1).first;
  REQUIRE(record.spans.size() == 3);
  CHECK(record.spans[0].begin == at(0));
  CHECK(record.spans[0].end == at(tick));
  CHECK(record.spans[1].begin == at(tick));
  CHECK(record.spans[1].end == at(tick));
  CHECK(record.spans[2].end == at(1 + tick));
}
