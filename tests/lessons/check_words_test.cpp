// What is found in words without a run: bare numbers, lengths, formulas.
#include <catch2/catch.hpp>

#include "tests/lessons/example.h"

using lessons::bare_number;

TEST_CASE("a bare number is one that no formula makes") {
  CHECK(bare_number("moves 34 bytes") == "34");
  CHECK(bare_number("37.9 waves") == "37.9");
  CHECK(bare_number("about 4 GB") == "4");
  CHECK(bare_number("写了 16 遍") == "16");
  CHECK(bare_number("写了16遍") == "16");
  CHECK(bare_number("(64)") == "64");
  CHECK(bare_number("N = 64") == "64");
  CHECK(bare_number("{scenario.br} rows of 64") == "64");
  CHECK(bare_number("2 % of it") == "2");
  CHECK(bare_number("1,024 keys") != "");
  CHECK(bare_number("ends with 7") == "7");
}

TEST_CASE("years, names, scripts and blocks 0 and 1 are no bare numbers") {
  for (const std::string text : {"FlashAttention-2",
                                 "FlashAttention-2, T4 and H100",
                                 "K_0 and Q_12",
                                 "x^{2} and x^2",
                                 "e^{-2}",
                                 "S_{12}",
                                 "in 2022 and 1999",
                                 "block 0, then 1",
                                 "fp16, bf16 and L2",
                                 "GPT-2",
                                 "B200",
                                 "{64 * 2 | number} bytes",
                                 "{tile_traffic.by_tensor.O.write_bytes}",
                                 "sm_90",
                                 "no number",
                                 "",
                                 "2D",
                                 "FlashAttention-2 的 T4",
                                 "K_0、V_0",
                                 "1 / 2x"}) {
    INFO(text);
    CHECK(bare_number(text).empty());
  }
}

TEST_CASE("words are counted, a Chinese character as half of one and a formula as one") {
  CHECK(lessons::words_in("") == 0);
  CHECK(lessons::words_in("one two three") == 3);
  CHECK(lessons::words_in("row-wise softmax, done.") == 3);
  CHECK(lessons::words_in("把结果写回") == 3);  // five halves
  CHECK(lessons::words_in("moves {tile_traffic.total / 2 | bytes} twice") == 3);
  CHECK(lessons::words_in("K 经过两遍") == 3);
}

TEST_CASE("formulas are what stands in braces, scripts left out") {
  CHECK(lessons::formulas_in("a {b} c_{ij} {d | e} x^{-2}") == std::vector<std::string>{"b", "d | e"});
  CHECK(lessons::formulas_in("{open").empty());
  CHECK(lessons::formulas_in("").empty());
}
