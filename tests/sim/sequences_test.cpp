// Lists of lengths as users type them: lengths, cumulative lengths, and lines `count Nq Nk`.
#include "sim/base/sequences.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/typed_values.h"

namespace sim {
namespace {

TEST_CASE("a list of numbers has lengths, one that begins with 0 cumulative lengths") {
  CHECK(read_sequences("64, 128, 128, 64") == SequenceClasses{{1, 64, 64}, {2, 128, 128}, {1, 64, 64}});
  CHECK(read_sequences("64\n1k\n") == SequenceClasses{{1, 64, 64}, {1, 1024, 1024}});
  CHECK(read_sequences("64,") == SequenceClasses{{1, 64, 64}});
  const SequenceClasses classes = {{1, 374, 374}, {1, 396, 396}, {2, 10, 10}};
  for (const char* typed :
       {"0, 374, 770, 780, 790", "0 374 770 780 790", "[0, 374, 770, 780, 790]", "0\n374\n770\n780\n790\n"}) {
    INFO(typed);
    CHECK(read_sequences(typed) == classes);
    CHECK(read_cumulative_lengths(typed).classes == classes);
    CHECK_THAT(read_sequence_list(typed).note,
               Catch::Matchers::Contains("seqlens: a list that begins with 0 and never falls"));
    CHECK(read_cumulative_lengths(typed).note.empty());
  }
}

TEST_CASE("entries without tokens between cumulative lengths are left out with a note") {
  const SequenceList list = read_cumulative_lengths("0, 5, 5, 5, 9");
  CHECK(list.classes == SequenceClasses{{1, 5, 5}, {1, 4, 4}});
  CHECK(list.note == "cu-seqlens: 2 of 4 entries have no tokens: left out");
}

TEST_CASE("one line of three numbers is noted with its meaning, several lines and explicit lists are not") {
  CHECK_THAT(read_sequence_list("128 256 512").note,
             Catch::Matchers::Contains(
                 "128 entries of 256 queries and 512 keys; three entries of these lengths are written 128, 256, 512"));
  CHECK(read_sequences("128 256 512") == SequenceClasses{{128, 256, 512}});
  for (const char* typed : {"128 256 512,", "1 1024 1024, 2 128 128", "64, 128"})
    CHECK(read_sequence_list(typed).note.empty());
}

TEST_CASE("cumulative lengths that fall or do not begin with 0 are refused") {
  CHECK_THROWS_WITH(read_sequences("0, 9, 5"), Catch::Matchers::Contains("falls from 9 to 5"));
  CHECK_THROWS_WITH(read_cumulative_lengths("5, 9"),
                    Catch::Matchers::StartsWith("cu-seqlens: line 1: \"5\" is the first"));
  CHECK_THROWS_WITH(read_cumulative_lengths("0, 0"), Catch::Matchers::Contains("holds no lengths"));
  const OptionValues both = {{"seqlens", "64,"}, {"cu-seqlens", "0 64"}};
  OptionValues given = both;
  CHECK_THROWS_WITH(make_lengths_exact(given), Catch::Matchers::Contains("also given as --seqlens"));
}

TEST_CASE("cu-seqlens is replaced by the lengths that it sets") {
  OptionValues values = {{"cu-seqlens", "0 64 192"}};
  CHECK(make_lengths_exact(values).empty());
  CHECK(values == OptionValues{{"seqlens", "1 64 64, 1 128 128"}});
  CHECK(*scenario_from({{"cu-seqlens", "0 64 192"}}, built_in_gpu).sequences ==
        SequenceClasses{{1, 64, 64}, {1, 128, 128}});
}

}  // namespace
}  // namespace sim
