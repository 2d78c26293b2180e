// The allocator of pages: parallel sampling, beams and their closed form. Golden numbers: a walk in Python, page by
// page.
#include "sim/programs/page_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "sim/base/units.h"
#include "tests/support/page_tables.h"

namespace sim {
namespace {

PageDemand demand_of(const Continuations& of) {
  return {.samples = of.count, .prompt = of.prompt, .own = of.steps, .rows = of.rows};
}

/// Mean over the steps of the share of slots that hold a token.
double mean_filled(const PageHistory& history) {
  double sum = 0;
  for (std::size_t t = 1; t < history.steps.size(); ++t)
    sum += double(history.steps[t].filled) / double(history.steps[t].used * history.pool.rows());
  return sum / double(history.steps.size() - 1);
}

void check_closed_form(const Continuations& of) {
  INFO("prompt " << of.prompt << ", steps " << of.steps << ", samples " << of.count << ", rows " << of.rows);
  const PageHistory history = history_of(of);
  const PageDemand demand = demand_of(of);
  CHECK(demand.blocks() == history.pool.used());
  CHECK(demand.copies() == history.pool.copies());
  CHECK(demand.filled() == history.pool.filled());
  std::int64_t tokens = 0, pages = 0;
  for (const PagedSequence& sequence : history.sequences) {
    tokens += sequence.tokens;
    pages += std::ssize(sequence.pages);
  }
  CHECK(demand.tokens() == tokens);
  CHECK(demand.blocks_unshared() == pages);
}

/// A golden row of parallel sampling; shares in hundredths of a percent, logical tokens a slot in thousandths.
struct Sampling {
  std::int64_t prompt, steps, samples, rows, unshared, blocks, copies, filled, slots, percent, mean, logical;
};

TEST_CASE("samples of one prompt share its full pages: blocks, copies and filled slots of the reference") {
  const Sampling rows[] = {
      {500, 128, 4, 16, 160, 67, 3, 1024, 1072, 9552, 9617, 2343},
      {512, 128, 4, 16, 160, 64, 0, 1024, 1024, 10000, 9612, 2500},
      {500, 128, 4, 128, 20, 11, 3, 1360, 1408, 9659, 8188, 1784},
      {500, 128, 4, 1, 2512, 1012, 0, 1012, 1012, 10000, 10000, 2482},
      {7, 3, 2, 4, 6, 5, 1, 16, 20, 8000, 8333, 1000},
  };
  for (const Sampling& row : rows) {
    const Continuations of{row.prompt, row.steps, row.samples, row.rows};
    const PageHistory history = history_of(of);
    const PageDemand demand = demand_of(of);
    check_closed_form(of);
    CHECK(demand.blocks_unshared() == row.unshared);
    CHECK(history.pool.used() == row.blocks);
    CHECK(history.pool.copies() == row.copies);
    CHECK(history.pool.filled() == row.filled);
    CHECK(demand.blocks() * row.rows == row.slots);
    CHECK(std::llround(1e4 * double(row.filled) / double(row.slots)) == row.percent);
    CHECK(std::llround(1e4 * mean_filled(history)) == row.mean);
    CHECK(std::llround(1e3 * double(demand.tokens()) / double(row.slots)) == row.logical);
  }
}

TEST_CASE("the closed form of parallel sampling is the allocator's count") {
  std::mt19937 random(1);
  const auto upto = [&](unsigned most) { return std::int64_t(random() % (most + 1)); };
  for (int n = 0; n < 2000; ++n) {
    const std::int64_t rows = std::int64_t{1} << upto(8);
    check_closed_form({upto(n % 100 == 0 ? 131072 : 700), upto(150), 1 + upto(8), n % 3 == 0 ? 1 + upto(300) : rows});
  }
}

struct Beams {
  std::function<std::int64_t(std::int64_t, std::int64_t)> parent;
  std::int64_t blocks, peak, copies;
};

TEST_CASE("beams copy the last page when several continue one parent: counts of the reference") {
  const Beams rows[] = {
      {[](std::int64_t, std::int64_t) { return 0; }, 12, 12, 114},
      {[](std::int64_t, std::int64_t b) { return b; }, 18, 18, 3},
      {[](std::int64_t, std::int64_t b) { return b / 2; }, 12, 13, 77},
      {[](std::int64_t t, std::int64_t b) { return (b + t) % 3; }, 16, 16, 40},
  };
  for (const Beams& row : rows) {
    PageHistory history = history_of({100, 40, 4, 16, 0, 0, row.parent});
    CHECK(history.pool.used() == row.blocks);
    CHECK(history.pool.peak() == row.peak);
    CHECK(history.pool.copies() == row.copies);
    for (PagedSequence& sequence : history.sequences) history.pool.end(sequence);
    CHECK(history.pool.used() == 0);
  }
}

TEST_CASE("beams that continue themselves hold the pages of samples") {
  const Continuations samples{500, 60, 4, 16, 7};
  Continuations beams = samples;
  beams.parent = [](std::int64_t, std::int64_t b) { return b; };
  const PageHistory a = history_of(samples), b = history_of(beams);
  for (std::size_t n = 0; n < 4; ++n) CHECK(a.sequences[n].pages == b.sequences[n].pages);
}

TEST_CASE("after append, fork and end of all sequences no page is held and no slot is filled") {
  std::mt19937 random(2);
  PagePool pool(16, drawn_pages(4096, 3));
  std::vector<PagedSequence> sequences(1);
  for (int n = 0; n < 5000; ++n) {
    const std::size_t one = random() % sequences.size();
    if (random() % 50 == 0 && sequences.size() < 8) {
      sequences.push_back(pool.fork(sequences[one]));
    } else if (random() % 400 == 0) {
      pool.end(sequences[one]);
    } else {
      pool.append(sequences[one]);
    }
    std::int64_t held = 0, holders = 0;
    for (const PagedSequence& sequence : sequences) held += std::ssize(sequence.pages);
    for (std::int32_t page = 0; page < pool.pages(); ++page) holders += pool.holders(page);
    REQUIRE(held == holders);
  }
  for (PagedSequence& sequence : sequences) pool.end(sequence);
  CHECK(pool.used() == 0);
  CHECK(pool.filled() == 0);
  for (std::int32_t page = 0; page < pool.pages(); ++page) CHECK(pool.holders(page) == 0);
}

TEST_CASE("the last sample finds itself alone and writes in place: a history has each copy, its source and its page") {
  const PageHistory history = history_of({500, 128, 4, 16});
  REQUIRE(history.steps.size() == 129);
  CHECK(history.steps[0].used == 32);
  const std::vector<PageWrite>& first = history.steps[1].writes;
  REQUIRE(first.size() == 3);
  const std::int32_t shared = history.sequences[3].pages[31];  // sample 3 keeps it
  for (std::int32_t n = 0; n < 3; ++n) {
    CHECK(first[std::size_t(n)] == PageWrite{n, history.sequences[std::size_t(n)].pages[31], shared});
    CHECK(history.pool.holders(first[std::size_t(n)].page) == 1);
  }
  CHECK(history.steps[1].used == 35);
  CHECK(history.pool.holders(history.sequences[0].pages[30]) == 4);
  for (std::size_t t = 2; t < history.steps.size(); ++t) {
    CHECK(history.steps[t].writes.size() == (t % 16 == 13 ? 4 : 0));  // token 512 is the first of a page
    CHECK(history.steps[t].used == history.steps[t - 1].used + std::ssize(history.steps[t].writes));
  }
  CHECK(history.steps.back().used == 67);
}

TEST_CASE("a freed page is the next that is taken, and an empty pool is an error") {
  PagePool pool(2, {5, 3, 0, 1, 2, 4});
  PagedSequence a, b;
  for (int n = 0; n < 4; ++n) pool.append(a);
  CHECK(a.pages == std::vector<std::int32_t>{5, 3});
  pool.append(b);
  CHECK(b.pages == std::vector<std::int32_t>{0});
  pool.end(a);
  for (int n = 0; n < 5; ++n) pool.append(a);
  CHECK(a.pages == std::vector<std::int32_t>{3, 5, 1});
  PagePool small(2, {0});
  PagedSequence full;
  small.append(full);
  small.append(full);
  CHECK_THROWS_WITH(small.append(full), "pages: all 1 of the pool are in use");
}

TEST_CASE("physical pages are a permutation, another one for another seed") {
  const std::vector<std::int32_t> order = drawn_pages(1000, 0);
  const std::set<std::int32_t> all(order.begin(), order.end());
  CHECK(all.size() == 1000);
  CHECK(*all.rbegin() == 999);
  CHECK(order == drawn_pages(1000, 0));
  CHECK(order != drawn_pages(1000, 1));
  CHECK(order != drawn_pages(1000, std::uint64_t{1} << 40U));
  CHECK(drawn_pages(0, 0).empty());
}

TEST_CASE("pages of batch entries that begin with the same prefix are held once, only full ones") {
  std::mt19937 random(3);
  const auto upto = [&](unsigned most) { return std::int64_t(random() % (most + 1)); };
  for (int n = 0; n < 200; ++n) {
    const PageDemand demand{1 + upto(4), 1 + upto(3), 1 + upto(300), upto(40), upto(400), 1 + upto(40)};
    PagePool pool(demand.rows, drawn_pages(4000, 1));
    sequences_of(demand, pool);
    CHECK(pool.used() == demand.blocks());
    CHECK(pool.copies() == demand.copies());
    CHECK(pool.filled() == demand.filled());
  }
}

TEST_CASE("the last page wastes (P - 1) / 2 slots on average over lengths") {
  std::int64_t waste = 0;
  for (std::int64_t length = 1; length <= 1600; ++length) waste += ceil_div(length, 16) * 16 - length;
  CHECK(2 * waste == 1600 * 15);
  const auto hundredths = [](double length) { return std::llround(1e4 * 7.5 / (length + 7.5)); };
  CHECK(hundredths(32) == 1899);
  CHECK(hundredths(64) == 1049);
  CHECK(hundredths(128) == 554);
  CHECK(hundredths(180) == 400);
  CHECK(hundredths(512) == 144);
}

}  // namespace
}  // namespace sim
