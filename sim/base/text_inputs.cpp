#include "sim/base/text_inputs.h"

#include <bit>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr double noise = 0.4;

/// Entry of the Hadamard matrix of order 64.
float hadamard(std::int64_t row, std::int64_t col) {
  return std::popcount(static_cast<std::uint64_t>(row & col)) % 2 == 0 ? 1.0f : -1.0f;
}

/// Makes the scores of a whole row.
std::vector<TextScore> row_of(std::int64_t query, const std::vector<double>& scores) {
  std::vector<TextScore> row;
  for (const double score : scores) row.push_back({query, std::ssize(row), score});
  return row;
}

bool says_again(const TextInput& text, std::int64_t i, std::int64_t j) {
  return j > 0 && j - 1 < i && text.words[static_cast<std::size_t>(j - 1)] == text.words[static_cast<std::size_t>(i)];
}

double pattern(const TextInput& text, std::size_t head, std::int64_t i, std::int64_t j) {
  const double before = j == i - 1 ? 1 : 0, first = j == 0 ? 1 : 0;
  if (head == 0) return 4 * before;
  if (head == 1) return 2 * first + (says_again(text, i, j) ? 4 : 0);
  return head == 2 ? 3 * first : 1.6 * before + 1.2 * first;
}

/// Drawn elements of one input of all heads, before they are rounded.
std::vector<float> drawn(std::int64_t count, std::uint64_t seed, DrawnTensor tensor) {
  return draw_elements({0, count}, Dtype::fp32, seed, tensor);
}

}  // namespace

const std::vector<TextInput>& text_inputs() {
  static const std::vector<TextInput> texts = {
      {"mouse",
       {"After", "the", "mouse", "had", "gone", "from", "the", "house", ",", "the", "old", "cat", "still", "sat",
        "licking", "its"},
       row_of(15,
              {0.31, -0.42, 2.10, -0.63, 0.48, -0.81, -0.22, 1.24, -0.47, 0.12, 0.96, 3.60, 0.72, 0.35, 0.64, -0.28})},
      {"fox",
       {"A", "red", "fox", "met", "a", "grey", "dog", ",", "and", "then", "the", "red", "fox", "followed", "the",
        "grey", "dog", "home"},
       {{13, 2, 2.2}, {13, 12, 3.4}, {17, 6, 1.8}, {17, 16, 3.2}, {17, 13, 2.1}}},
      {"river",
       {"It", "rained", "all", "night", ",", "so", "in", "the", "morning", "the", "river", "had", "taken", "the",
        "bridge", "with", "it"},
       {{12, 10, 3.3}, {14, 12, 2.4}, {16, 1, 1.1}, {16, 10, 3.5}, {16, 14, 1.9}}},
      {"mao",
       {"老鼠", "离开", "屋子", "以后", "，", "那", "只", "老", "猫", "还", "坐", "着", "舔", "它", "的", "爪子"},
       {{8, 7, 2.3}, {13, 0, 2.0}, {13, 2, 1.1}, {13, 8, 3.6}, {15, 8, 3.1}, {15, 13, 1.9}}},
  };
  return texts;
}

std::vector<std::string> text_names() {
  std::vector<std::string> names;
  for (const TextInput& text_input : text_inputs()) names.push_back(text("text:", text_input.name));
  return names;
}

const TextInput& text_called(std::string_view name) {
  for (const TextInput& text_input : text_inputs()) {
    if (text_input.name == name) return text_input;
  }
  throw Error(unknown_name_message(/*say*/ "inputs", text("text:", name), text_names()));
}

std::vector<float> text_scores(const TextInput& text, std::size_t head, std::uint64_t seed) {
  const std::int64_t n = std::ssize(text.words);
  const std::vector<float> all = drawn(std::ssize(text_heads) * n * n, seed, DrawnTensor::Q);
  std::vector<float> scores;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const auto index = static_cast<std::size_t>((static_cast<std::int64_t>(head) * n + i) * n + j);
      scores.push_back(static_cast<float>(noise * static_cast<double>(all[index]) + pattern(text, head, i, j)));
    }
  }
  if (head + 1 < text_heads.size()) return scores;
  for (const TextScore& set : text.mixed)
    scores[static_cast<std::size_t>(set.query * n + set.key)] = static_cast<float>(set.score);
  return scores;
}

AttentionInputs inputs_of_text(const TextInput& text, Dtype dtype, std::uint64_t seed) {
  const std::int64_t n = std::ssize(text.words), d = text_head_dim;
  require(n <= d, "inputs: ", n, " words are more than ", d, ", the most that can have their own scores");
  AttentionInputs inputs;
  for (std::size_t head = 0; head < text_heads.size(); ++head) {
    const std::vector<float> scores = text_scores(text, head, seed);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t c = 0; c < d; ++c) {
        double q = 0;
        for (std::int64_t j = 0; j < n; ++j)
          q += static_cast<double>(scores[static_cast<std::size_t>(i * n + j)] * hadamard(j, c)) / 8;
        inputs.q.push_back(static_cast<float>(q));
        inputs.k.push_back(hadamard(i, c));
      }
    }
  }
  inputs.v = drawn(std::ssize(text_heads) * n * d, seed, DrawnTensor::V);
  for (std::vector<float>* tensor : {&inputs.q, &inputs.k, &inputs.v}) round_all(dtype, *tensor);
  return inputs;
}

}  // namespace sim
