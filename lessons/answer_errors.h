// Reasons why an answer was not understood, in both languages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"

namespace lessons {

/// A sentence with placeholders {} for values.
struct AnswerError {
  std::string_view en, zh;
};

/// Thrown if an answer was not understood; what() is English.
class Unclear : public sim::Error {
 public:
  template <class... Value>
  explicit Unclear(const AnswerError& said, const Value&... values)
      : sim::Error(sim::Sentence(said.en, values...)), zh(sim::Sentence(said.zh, values...).text()) {}

  std::string zh;
};

/// Throws Unclear unless the condition holds.
template <class... Value>
void require_clear(bool condition, const AnswerError& said, const Value&... values) {
  if (!condition) throw Unclear(said, values...);
}

namespace answer_errors {

inline constexpr AnswerError nothing{"nothing was typed", "还没有输入"},
    long_answer{"an answer has at most {} bytes", "答案最长 {} 字节"},
    unseen{"the answer holds what cannot be seen", "答案里有看不见的内容"},
    no_number{"{} is not a number: type one, such as 2.5 or 3*1024, with or without a unit",
              "{} 不是数：请输入一个数，例如 2.5 或 3*1024，单位可写可不写"},
    range{"{} is read as a difference, {}: type one number, not a range",
          "{} 会被当成算式，算出 {}：请只写一个数，不要写区间"},
    unit_missing{"{} is read as {}: type its unit as well, one of {}", "{} 读作 {}：请把单位也写上，可以是 {}"},
    no_unit{"{} is not a unit of this number", "{} 不是这个数的单位"},
    other_unit{"{} is not a unit of this number: it has {}", "{} 不是这个数的单位：可以是 {}"},
    no_tile{"{} is not a tile: write its row block and its column block, such as 0, 1",
            "{} 不是分块：请写行块号和列块号，例如 0, 1"},
    outside{"there is no tile {}: row blocks are 0 to {}, column blocks 0 to {}",
            "没有分块 {}：行块号是 0 到 {}，列块号是 0 到 {}"},
    no_order{"{} is not an order: write each number from 1 to {} once, such as {} ... 1",
             "{} 不是完整的顺序：从 1 到 {} 每个序号写一次，例如 {} ... 1"},
    unchanged{"nothing was changed: change {}", "还没有改动：可以改 {}"},
    locked{"option {} is locked here: change {}", "选项 {} 已锁定：这里只能改 {}"},
    no_choice{"there is no choice {}: type a number from 1 to {}", "没有 {} 这一项：请写 1 到 {} 的序号"},
    refused{"{}", "这个答案不能用：{}"};  // a message of the simulator about a scenario or a formula

}  // namespace answer_errors
}  // namespace lessons
