// A small correct lesson with a question of each kind, and functions to change it.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "lessons/check.h"
#include "lessons/marking.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace example {

inline const std::string id = "50-example";

// 3 x 5 heads of 64 x 16 elements of four bytes: O and each of Q, K, V have 61,440 bytes.
inline const std::string toml = R"toml(id = "50-example"
version = 3
minutes = 5
needs = ["00-tour"]
introduces = ["row block"]
sources = ["a paper, section 4.3"]
scenario = "algorithm=flash1&batch=3&heads=5&seqlen=64&head-dim=16&br=16&bc=16&dtype=fp32&gpu=toy"
others = { wide = "bc=32" }

[[step]]
name = "count"
point = "counters"
claims = ["tile_traffic.by_tensor.O.write_bytes = 5 * tile_traffic.by_tensor.V"]
[[step.question]]
text = "written"
kind = "number"
retrieval = true
answer = "tile_traffic.by_tensor.O.write_bytes"
wrong = [
  { when = "tile_traffic.by_tensor.O.read_bytes", why = "reads" },
  { when = "tile_traffic.by_tensor.V", why = "once" },
]
[[step.question]]
text = "fewer"
kind = "choice"
tries = 1
choices = [
  { name = "wide", when = "wide tile_traffic.total < tile_traffic.total" },
  { name = "narrow", when = "wide tile_traffic.total > tile_traffic.total" },
]

[[step]]
name = "lines"
at = { kernel = "flash1_forward", line = "m' = max(m, m~)", i = 1, j = 0 }
myth = "a page, section 3.1.3"
claims = ["tile_traffic.by_tensor.K = tile_traffic.by_tensor.V"]
[[step.question]]
text = "next"
kind = "tile"
answer = "scenario.seqlen / scenario.br - 1, 0"
wrong = [{ when = "0, 1", why = "rows" }]
[[step.question]]
text = "order"
kind = "order"
kernel = "flash1_forward"
lines = ["S = Q_i K_j^T", "m~ = rowmax(S)", "P~ = exp(S - m~)", "l~ = rowsum(P~)", "m' = max(m, m~)"]
wrong = [{ when = "any", why = "operand" }]

[[step]]
name = "make"
claims = ["tile_traffic.by_tensor.Q = scenario.seqlen / scenario.bc * tile_traffic.by_tensor.K"]
[[step.question]]
text = "formula"
kind = "formula"
answer = "tile_traffic.by_tensor.Q"
over = ["seqlen=96", "bc=32"]
solution = "Tc * N * d * e * h * b"
wrong = [{ when = "N * d * e * h * b", why = "once" }]
[[step.goal]]
text = "golf"
change = ["br", "bc"]
until = "tile_traffic.total < 800000"
score = "tile_traffic.total"
solution = "bc=32"
)toml";

/// The lines of its order question, as in its lesson.toml.
inline const std::string lines =
    R"toml("S = Q_i K_j^T", "m~ = rowmax(S)", "P~ = exp(S - m~)", "l~ = rowsum(P~)", "m' = max(m, m~)")toml";

inline const std::string en = R"md(# An example

You can count what O costs.

## count: O is written often

Each [block](matrix) of {scenario.br} rows is written {tile_traffic.by_tensor.O.write_bytes / tile_traffic.by_tensor.V | number} times.

? written: How many bytes of O are written?
?? written: Count the passes.
?? written: And the first zeros.
! reads: Those {tile_traffic.by_tensor.O.read_bytes} are read.
! once: Once alone.
= written: Five passes.
? fewer: Which moves fewer bytes?
+ wide: wide blocks
+ narrow: narrow blocks
! narrow: More blocks, more passes.

## lines: The lines

> O is written once.

No: it travels.

? next: Which tile is the last of the first pass?
! rows: That is the next column block.
? order: Bring the lines in order.
! operand: A line needs what it works on.

## make: Yours

Now write it.

? formula: How many bytes of Q?
! once: Q passes again and again.
? golf: Move fewer bytes.
= golf: Wider is better.
)md";

inline const std::string zh = R"md(# 例子

会数 O 的代价。

## count: O 写了很多遍

{scenario.br} 行的[块](matrix)写了 {tile_traffic.by_tensor.O.write_bytes / tile_traffic.by_tensor.V | number} 遍。

? written: O 写了多少字节？
! reads: 那 {tile_traffic.by_tensor.O.read_bytes} 是读的。
! once: 只有一遍。
? fewer: 哪个更少？
+ wide: 宽块
+ narrow: 窄块
! narrow: 块越多，遍数越多。

## lines: 各行

> O 只写一遍。

不对。

? next: 第一遍最后是哪一块？
! rows: 那是下一列块。
? order: 排好各行。
! operand: 每行都要先有操作数。

## make: 轮到你

写出来。

? formula: Q 有多少字节？
! once: Q 要经过很多遍。
? golf: 少搬一些。
)md";

/// Returns a text with `from` replaced by `to`. `from` must occur in it.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  INFO("not in the example: " << from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Files {
  std::string toml = example::toml, en = example::en, zh = example::zh;
};

inline lessons::WrittenLesson written(const Files& files = {}) {
  return lessons::read_written(id, [&](const std::string& path) {
    return path == id + "/lesson.toml" ? files.toml : path == id + "/en.md" ? files.en : files.zh;
  });
}

/// Returns the findings of a check in both languages.
inline std::vector<std::string> findings(const Files& files, bool complete = false) {
  return lessons::check(written(files), sim::built_in_gpu, {lessons::Language::en, lessons::Language::zh}, {"00-tour"},
                        complete)
      .findings;
}

/// A step of a lesson with its scene, and its questions by name.
struct Ready {
  lessons::WrittenLesson lesson;
  const lessons::Step* step;
  lessons::Scene scene;

  Ready(const std::string& name, const Files& files = {})
      : lesson(written(files)),
        step(&step_called(lesson.lesson, name)),
        scene(lesson.lesson, *step, sim::built_in_gpu) {}
  Ready(const Ready&) = delete;
  Ready& operator=(const Ready&) = delete;

  const lessons::Question& question(const std::string& name) const {
    for (const lessons::Question& question : step->questions) {
      if (question.text == name) return question;
    }
    throw std::logic_error("no question " + name);
  }
  lessons::Verdict mark(const std::string& name, const std::string& answer) const {
    return lessons::mark(lesson.lesson, *step, question(name), scene, answer);
  }

  static const lessons::Step& step_called(const lessons::Lesson& lesson, const std::string& name) {
    for (const lessons::Step& step : lesson.steps) {
      if (step.name == name) return step;
    }
    throw std::logic_error("no step " + name);
  }
};

/// Returns the error that `run` throws, else "".
template <class Run>
std::string error_of(Run run) {
  try {
    run();
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace example
