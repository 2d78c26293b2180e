// What is said of answers that are not understood, or wrong, in Chinese.
#include <catch2/catch.hpp>

#include "tests/lessons/example.h"
#include "viz/words/words.h"

using Catch::Contains;
using example::Ready;

namespace {

std::string in_chinese(const sim::Sentence& sentence) { return words::translate(words::Language::zh, sentence); }

bool is_chinese(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '\xE4' && c <= '\xE9'; });
}

}  // namespace

TEST_CASE("an answer that is not understood is explained in Chinese, whatever the question") {
  const std::tuple<const char*, const char*, std::vector<std::string>> asked[] = {
      {"count", "written", {"", "many", "300-310", "0.3072", "5 us", "1/0", "3*(1024", "1e400", "1e200^2", "5\x01"}},
      {"count", "fewer", {"0", "wid"}},
      {"lines", "next", {"3", "4, 0"}},
      {"lines", "order", {"1 2", "a"}},
      {"make", "formula", {"K_j", "(N", "N/0", "N 2 3", "log(0-N)"}},
      {"make", "golf", {"132", "96 16", "bc", "&", "seqlen=16", "bcc=32", "bc=32&bc=16", "bc=0"}}};
  for (const auto& [step, question, answers] : asked) {
    const Ready ready(step);
    for (const std::string& answer : answers) {
      const lessons::Verdict verdict = ready.mark(question, answer);
      const std::string chinese = in_chinese(verdict.error);
      INFO(question << ": " << answer << ": " << verdict.error << ": " << chinese);
      CHECK_FALSE(verdict.understood);
      CHECK(is_chinese(chinese));
      CHECK(chinese.find("{}") == std::string::npos);
    }
  }
}

TEST_CASE("the values of an explanation are in it, in both languages") {
  const Ready count("count"), make("make"), lines("lines");
  CHECK(in_chinese(count.mark("written", "300-310").error) ==
        "“300-310” 会被当成算式，算出 -10 B：请只写一个数，不要写区间");
  CHECK_THAT(in_chinese(make.mark("golf", "96 16").error), Contains("“96 16”") && Contains("br=96 bc=16"));
  CHECK_THAT(in_chinese(make.mark("formula", "4*N*d*e*h*b").reason), Contains("换成 seqlen=96"));
  CHECK_THAT(in_chinese(lines.mark("order", "5 4 3 2 1").reason), Contains("排得太早"));
}
