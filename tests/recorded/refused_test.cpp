// Damaged files are rejected with kernel and line of code, before anything runs.
#include <catch2/catch.hpp>

#include "sim/model/simulation.h"
#include "tests/recorded/load.h"

namespace {

/// A small program, whose parts are replaced below.
const std::string whole = R"(fscope = 1
name = "mine"
tiles = [32, 32]
file = "mine.py"
source = """
a line
another"""
[[kernel]]
name = "forward"
grid = "per_row_block"
inputs = ["Q", "K", "V"]
outputs = ["O"]
[[kernel.body]]
code = """
1 r0 = load Q[row]
1 r1 = zeros :O row @O
1 r2 = vec :m row -inf
1 loop b0 key_blocks row
  turn 00 01 10 11
    2 r3 = load K[b0]
    2 r4 = gemm_nt r0 r3
    2 r5 = row_max r4 r2
    2 r6 = exp_sub r4 r5
    2 r7 = load V[b0]
    2 gemm_nn_add r1 r6 r7
    carry r2 r5
  end
end
2 store r1 O[row]
"""
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = whole;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_message(const std::string& text) {
  try {
    sim::parse_program(text, "mine.fscope");
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

struct Damage {
  std::string from, to, error_message;
};

const std::string code_line = "mine.fscope: kernel forward, code line ";

const Damage damages[] = {
    {"fscope = 1", "fscope = 2", "mine.fscope: fscope = 2 is another version of the format than 1"},
    {"fscope = 1", "", "mine.fscope: fscope is missing"},
    {"fscope = 1", "fscope = \"1\"", "mine.fscope: fscope must be a whole number"},
    {"name = \"mine\"", "name = \"Mine!\"", "mine.fscope: name: \"Mine!\" must be at most 40 of a-z, 0-9 and -"},
    {"name = \"mine\"", "naem = \"mine\"", "mine.fscope:2: unknown field \"naem\": did you mean \"name\"?"},
    {"tiles = [32, 32]", "tiles = [32]", "mine.fscope: tiles must be [Br, Bc]"},
    {"tiles = [32, 32]", "tiles = [32, 0]", "mine.fscope: tiles must be a whole number from 1 to 1048576"},
    {"tiles = [32, 32]", "like = \"flash7\"", "mine.fscope: like: unknown algorithm \"flash7\": did you mean"},
    {"tiles = [32, 32]", "parts = -1", "mine.fscope: parts must be a whole number from 0 to 1048576"},
    {"tiles = [32, 32]", "score = \"tanh(s\"", "mine.fscope: score: "},
    {"tiles = [32, 32]", "score = \"s+x\"", "mine.fscope: score: "},
    {"tiles = [32, 32]", "score = 2", "mine.fscope: score"},
    {"tiles = [32, 32]", "score = \"2*s\"", "mine.fscope: score: no body has the verb modify, which applies it"},
    {"2 r5 = row_max", "2 modify r4 b0 row\n2 r5 = row_max",
     code_line + "8: modify takes a block of queries, but b0 is one of keys"},
    {"2 r5 = row_max", "2 r8 = load_vec slopes[row]\n2 r5 = row_max",
     code_line + "8: slopes has one number a head: slopes.all"},
    {"inputs = [\"Q\"", "inputs = [\"slopes\", \"Q\"",
     "mine.fscope: kernel forward: inputs: slopes are there without a declaration: leave them out"},
    {"outputs = [\"O\"]", "outputs = [\"O\", \"slopes\"]", "slopes cannot be written by a forward pass"},
    {"tiles = [32, 32]", "parts = \"some\"", "mine.fscope: parts: \"some\" is none of none, key_blocks"},
    {"file = \"mine.py\"", "file = \"/etc/mine.py\"", "mine.fscope: file: \"/etc/mine.py\" must be a name without"},
    {"2 store r1 O[row]\n\"\"\"", "", "mine.fscope:14: the text that begins here does not end"},
    {"another\"\"\"", "\\q\"\"\"", "mine.fscope:7: \"\\q\" is not an escape of TOML"},
    {"another\"\"\"", "\"\"\" x", "mine.fscope:7: nothing may follow"},
    {"per_row_block", "per_cell", "mine.fscope: kernel forward: grid: \"per_cell\" is none of per_head, per_row_block"},
    {"inputs = [\"Q\"", "inputs = [\"q\"", "mine.fscope: kernel forward: inputs: unknown tensor \"q\""},
    {"inputs = [\"Q\"", "inputs = [\"S\", \"Q\"",
     "mine.fscope: kernel forward: inputs: S is written by no kernel before"},
    {"inputs = [\"Q\"", "inputs = [\"O\", \"dO\", \"Q\"",
     "mine.fscope: kernel forward: inputs: O is written by no kernel before. A recorded program is forward only: its"},
    {"inputs = [\"Q\"", "inputs = [\"K\"", "mine.fscope: kernel forward: inputs: K occurs twice"},
    {"outputs = [\"O\"]", "outputs = [\"O\", \"Q\"]", "mine.fscope: kernel forward: Q cannot be written by a forward"},
    {"outputs = [\"O\"]", "outputs = [\"O\", \"dQ\"]",
     "mine.fscope: kernel forward: dQ cannot be written by a forward pass. A recorded program is forward only"},
    {"outputs = [\"O\"]", "outputs = [\"L\"]", "O is written, but is not among the outputs and scratch of the kernel"},
    {"outputs = [\"O\"]", "outputs = [\"O\"]\nthreads = 100", "threads must be warps of 32: 100"},
    {"outputs = [\"O\"]", "outputs = [\"O\"]\nwhen = {\"live row\" = true}", "unknown question of when \"live row\""},
    {"[[kernel.body]]", "[[kernel.body]]\nwhen = {\"warm\" = true}", "unknown question of when \"warm\""},
    {"[[kernel.body]]", "[[kernel.body]]\nwhen = {\"dropout\" = 1}", "when: dropout must be true or false"},
    {"[[kernel.body]]", "[kernel.body]", "mine.fscope:12: a recorded program has no other tables than [[kernel]]"},
    {"2 store r1 O[row]\n\"\"\"", "\"\"\"\n[[kernel]]\nname = \"forward\"", "there are two of this name"},
    {"gemm_nt r0 r3", "gemm_tt r0 r3", code_line + "7: unknown verb \"gemm_tt\": did you mean \"gemm_nt\"?"},
    {"gemm_nt r0 r3", "gemm_nt r0 r2", code_line + "7: gemm_nt takes a tile in SMEM, a tile; or "},
    {"gemm_nt r0 r3", "gemm_nt r0", code_line + "7: gemm_nt takes a tile in SMEM, a tile; or "},
    {"gemm_nt r0 r3", "gemm_nt r0 r9", code_line + "7: r9 holds nothing here: it was not made, or has ended"},
    {"2 r4 = gemm_nt", "2 gemm_nt", code_line + "7: gemm_nt makes a tile in registers: write rN = gemm_nt"},
    {"2 gemm_nn_add", "2 r8 = gemm_nn_add", code_line + "11: gemm_nn_add makes nothing: leave out the register"},
    {"2 gemm_nn_add r1 r6", "2 gemm_nn_add r1 r4", code_line + "11: r4 holds nothing here: it was not made, or has"},
    {"2 r7 = load", "2 r6 = load", code_line + "10: r6 is still held: take another register"},
    {"2 r7 = load", "3 r7 = load", code_line + "10: \"3\" is not a line of the source, which has 2"},
    {"2 r7 = load V[b0]", "2 r7 = load V[b1]", code_line + "10: \"b1\" is not a block here: there are row, col, b0"},
    {"2 r7 = load V[b0]", "2 r7 = load V[b0", code_line + "10: \"V[b0\" has no ]"},
    {"2 r7 = load V[b0]", "2 r7 = load V.part[b0,b0]", code_line + "10: V has no parts"},
    {"2 r7 = load V[b0]", "2 r7 = load dO[row]", code_line + "10: dO is read, but is not among the inputs, outputs"},
    {"2 r7 = load V[b0]", "2 r7 = load 1e999", code_line + "10: \"1e999\" is not an operand"},
    {"2 r7 = load V[b0]", "2 key_blocks row", code_line + "10: key_blocks is a loop: LINE loop bN key_blocks"},
    {"2 r7 = load V[b0]", "2 r7 = load V[row]",
     code_line + "10: row is a block of queries, but V has keys in its rows"},
    {"2 r7 = load V[b0]", "2 r7 = load V[b0,b0]",
     code_line + "10: b0 is a block of keys, but V has columns of dv in its"},
    {"2 r7 = load V[b0]", "2 mask r1 b0 row", code_line + "10: mask takes a block of queries, but b0 is one of keys"},
    {"outputs = [\"O\"]", "outputs = [\"O\", \"O_part\"]",
     "mine.fscope: O_part is in parts: set parts = \"key_blocks\""},
    {"1 loop b0 key_blocks row", "1 loop b0 chunks $bc $bc",
     code_line + "4: chunks are of $keys, $head_dim or $head_dim_v"},
    {"1 r2 = vec :m row -inf", "1 r2 = vec :mm row -inf", code_line + "3: unknown tensor \"mm\""},
    {"1 r2 = vec :m row -inf", "1 r2 = vec :m row $scala", code_line + "3: unknown value \"scala\": did you mean"},
    {"1 r2 = vec", "1 r20000 = vec", code_line + "3: \"r20000\": a body has at most 16384 registers"},
    {"1 r2 = vec", "1 x = vec", code_line + "3: \"x\" is not a register: r0, r1, ..."},
    {"1 loop b0 key_blocks row", "1 loop b0 load Q[row]", code_line + "4: load makes a tile in SMEM"},
    {"1 loop b0 key_blocks row", "1 loop j key_blocks row", code_line + "4: \"j\" is not a block of a loop"},
    {"turn 00 01 10 11", "turn 00 01 10", code_line + "14: turn 11 of the loop is missing"},
    {"turn 00 01 10 11", "turn 00 01 10 10", code_line + "5: turn 10 occurs twice"},
    {"turn 00 01 10 11", "turn 00 12", code_line + "5: \"12\" is not a kind of turn: 00, 01, 10 or 11"},
    {"carry r2 r5", "carry r5 r2", code_line + "12: r5 was made in this turn: a carry goes to a vector of before"},
    {"carry r2 r5", "carry r1 r6", code_line + "12: only vectors go from turn to turn: a tile ends with its turn"},
    {"carry r2 r5", "free r1", code_line + "12: r1 was made before the loop: a turn cannot end it"},
    {"  end\nend\n2 store r1 O[row]\n", "", code_line + "12: the code ends inside a turn"},
    {"2 store r1 O[row]", "2 store r1 O[row]\nend", code_line + "16: end has no turn or loop to end"},
    {"2 store r1 O[row]", "2 store r1 O[row]\ncarry r2 r2", code_line + "16: a carry belongs to a turn of a loop"},
    {"2 store r1 O[row]", "2", code_line + "15: there is no verb after the line"},
    {"2 store r1 O[row]", "2 store r1 Q[row]", code_line + "15: Q is written, but is not among the outputs"},
    {"2 store r1 O[row]",
     "1 loop b1 query_heads\nturn 00 01 10 11\n1 loop b2 query_heads\nturn 00 01 10 11\n1 loop b3 query_heads\nturn 00 "
     "01 10 11\n1 loop b4 query_heads\nturn 00 01 10 11",
     code_line + "21: a body has at most 3 loops in each other"},
};

}  // namespace

TEST_CASE("a complete file is read, and its program runs") {
  sim::Scenario s;
  load_program(sim::parse_program(whole, "mine.fscope"));
  s.algorithm = "mine";
  CHECK(sim::simulate(s).totals.matmul_flops.count() == 4 * 1024 * 1024 * 64);
}

TEST_CASE("each error in a file is refused with its position and what is allowed") {
  for (const Damage& damage : damages) {
    INFO(damage.from << " -> " << damage.to);
    const std::string found = error_message(replaced(damage.from, damage.to));
    CHECK_THAT(found, Catch::Contains(damage.error_message));
    CHECK(found.find('\n') == std::string::npos);
  }
}

TEST_CASE("files that are too large, empty or not text are refused") {
  CHECK_THAT(error_message(""), Catch::Contains("mine.fscope: fscope is missing"));
  CHECK_THAT(error_message(std::string(2 << 20, 'x')), Catch::Contains("a recorded program at most 1048576"));
  CHECK_THAT(error_message(std::string("fscope = 1\0", 11)), Catch::Contains("mine.fscope:1"));
  std::string many;
  for (int n = 0; n < 20'000; ++n) many += "1 scale r1 1\n";
  CHECK(error_message(replaced("2 store", many + "2 store")).empty());
  for (int n = 0; n < 40'000; ++n) many += "1 scale r1 1\n";
  many += many;
  CHECK_THAT(error_message(replaced("2 store", many + "2 store")),
             Catch::Contains("bytes, a recorded program at most"));
}

TEST_CASE("sizes that do not match are refused with the line of the source where they meet") {
  const auto error_message_of = [](const std::string& from, const std::string& to) {
    load_program(sim::parse_program(replaced(from, to), "mine.fscope"));
    sim::Scenario s;
    s.algorithm = "mine";
    s.shape.seqlen_k = 500;
    try {
      sim::simulate(s);
    } catch (const sim::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_message_of("gemm_nn_add r1 r6 r7", "gemm_nn_add r1 r7 r6") ==
        "mine.py:2: gemm_nn_add: columns of the first factor and rows of the second: 64 and 32 differ");
  CHECK_THAT(error_message_of("load Q[row]", "load Q[row]\n1 r9 = load_vec Q[row]"),
             Catch::Contains("mine.py:1: load_vec: columns of a vector in HBM, and 1: 64 and 1 differ"));
  CHECK_THAT(error_message_of("gemm_nt r0 r3", "gemm_nt none r3"),
             Catch::Contains("columns of the factors: 0 and 64 differ"));
  CHECK_THAT(error_message_of("[[kernel.body]]", "[[kernel.body]]\nwhen = {\"dropout\" = true}"),
             Catch::Contains("mine: kernel forward was not recorded for dropout = false"));
  CHECK_THAT(error_message_of("outputs = [\"O\"]", "outputs = [\"O\"]\nwhen = {\"dropout\" = true}"),
             Catch::Contains("mine: none of its kernels runs for this problem"));
}
