#include "viz/terminal/lesson/phrases.h"

#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/text.h"

namespace terminal {
namespace {

using lessons::Diagnosis;
using lessons::Language;
using lessons::QuestionKind;

struct Phrase {
  std::string_view en, zh;
};

/// Phrases that the lesson panel also uses must have equal translations (viz/words/zh); ctest -R words checks this.
constexpr Phrase phrases[] = {
    {"step {} of {}", "第 {} 步，共 {} 步"},
    {"{} steps, {} questions, {} min", "{} 步，{} 题，{} 分钟"},
    {"right {} of {}", "{} / {} 题答对"},
    {"Predict", "先猜，再看"},
    {"Recall", "回忆一下"},
    {"Your turn", "轮到你了"},
    {"Not yet.", "还不对。"},
    {"One more try.", "还可以再答一次。"},
    {"{} more tries.", "还可以再答 {} 次。"},
    {"Too large.", "太大了。"},
    {"Too small.", "太小了。"},
    {"Right.", "正确。"},
    {"Shown.", "已给出答案。"},
    {"read as", "读作"},
    {"the run counted", "实际计数"},
    {"there are no more hints", "没有更多提示了"},
    {"score", "得分"},
    {"par", "标准分"},
    {"The goal is not reached yet.", "目标还没有达到。"},
    {"tile traffic", "分块流量"},
    {"HBM traffic", "HBM 流量"},
    {"all tensors", "全部"},
    {"covered until it is answered", "答题之后显示"},
    {"row", "行"},
    {"more rows", "行省略"},
    {"tiles of S: # done  @ current  . to do", "S 的分块：# 已完成  @ 当前  . 未开始"},
    {"a character is {} tiles of a row", "一个符号代表一行里的 {} 个分块"},
    {"The lesson is done.", "本课结束。"},
    {"Next:", "下一课："},
    {"resumes where you stopped: step {}", "从上次停下的第 {} 步继续"},
    {"n next", "n 下一步"},
    {"later skip it", "later 以后再答"},
    {"b back", "b 上一步"},
    {"h hint", "h 提示"},
    {"s show me", "s 看答案"},
    {"g 5 to step 5", "g 5 到第 5 步"},
    {"l steps", "l 步骤列表"},
    {"q quit", "q 退出"},
    {"? keys", "? 按键"},
    {"no question is open here", "这里没有待答的题"},
    {"unknown key", "这里没有这个按键"},
    {"there are steps 1 to {}", "步号是 1 到 {}"},
    {"left for later", "留到以后再答"},
    {"left for later: steps", "留到以后再答的步骤："},
    {"you said", "你的答案"},
    {"In the window:", "在窗口里看："},
    {"What you will be able to do:", "学完能做到："},
    {"done", "已学完"},
    {"{} of {}", "{} / {}"},
    {"begin here", "从这里开始"},
    {"continue here", "从这里继续"},
    {"a number, with or without a unit:", "一个数，单位可写可不写："},
    {"a number with its unit:", "一个数，带上单位："},
    {"a number:", "一个数："},
    {"the number of one of these", "填序号"},
    {"a tile: its row block and its column block, from 0: 0, 1", "一个分块：行块号和列块号，从 0 开始：0, 1"},
    {"the order of the lines: 3 1 2", "各行的先后：3 1 2"},
    {"type what you change, now:", "输入要改的选项，现在是："},
    {"all else is locked", "其余锁定"},
    {"a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e", "用 N d Br Bc Tr Tc M e h b 写的公式：2*N*d*e"},
    {"Twice as much: are reads and writes counted twice, or elements for bytes?",
     "恰好是两倍：读和写是不是重复计了，或者把元素当成了字节？"},
    {"Half of it: are the writes there, as well as the reads?", "恰好是一半：除了读，写也算进去了吗？"},
    {"These are elements; an element takes several bytes.", "这是元素个数；每个元素占好几个字节。"},
    {"Off by the number of heads.", "差的倍数正好是头数。"},
    {"Off by the number of batch entries.", "差的倍数正好是批大小。"},
    {"This is one head of one batch entry; the run has more.", "这只是一个批次的一个头；整个运行不止这些。"},
    {"1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024.",
     "混用了 1024 和 1000：1 kB 是 1000 字节，1 KiB 是 1024 字节。"},
    {"This is missing:", "漏掉了："},
    {"times too large", "倍，太大"},
    {"times too small", "倍，太小"},
};

}  // namespace

std::string phrase(Language language, std::string_view english) {
  for (const Phrase& phrase : phrases) {
    if (phrase.en == english) return std::string(language == Language::zh ? phrase.zh : phrase.en);
  }
  throw sim::Error(sim::text("lesson: the phrase \"", english, "\" is not in phrases.cpp"));
}

std::string phrase(Language language, std::string_view english, const std::vector<std::size_t>& numbers) {
  std::string text = phrase(language, english);
  for (const std::size_t number : numbers) text.replace(text.find("{}"), 2, std::to_string(number));
  return text;
}

std::string diagnosis_text(Language language, const lessons::Verdict& verdict) {
  const std::string_view known = lessons::sentence_of(verdict.diagnosis);
  if (!known.empty()) return phrase(language, known);
  if (verdict.diagnosis == Diagnosis::term) return phrase(language, "This is missing:") + gap(language) + verdict.term;
  if (verdict.ratio <= 0) return "";
  const bool large = verdict.ratio > 1;
  const std::string times = lessons::written(large ? verdict.ratio : 1 / verdict.ratio, "number");
  return times + gap(language) + phrase(language, large ? "times too large" : "times too small");
}

std::string gap(Language language) { return language == Language::zh ? "" : " "; }

namespace {

/// The input format of a question: "a number, with or without a unit: 2.5 MB, 3*1024".
std::string how_to_type(Language language, std::string_view unit) {
  struct Example {
    std::string_view unit, how, example;
  };
  constexpr std::string_view with = "a number with its unit:", either = "a number, with or without a unit:";
  constexpr Example examples[] = {{"bytes", either, "2.5 MB, 3*1024"},      {"exact_bytes", either, "2.5 MB, 3*1024"},
                                  {"kibibytes", with, "2.5 kB, 64 KiB"},    {"microseconds", with, "2.5 ms, 340 µs"},
                                  {"percent", either, "12.5 %, 12.5"},      {"flops", with, "2.5 GFLOP"},
                                  {"intensity", either, "2.5 FLOP/B, 5/2"}, {"flop_rate", with, "120 TFLOP/s"},
                                  {"byte_rate", with, "2.5 TB/s, 800 GB/s"}};
  for (const Example& known : examples) {
    if (known.unit == unit) return phrase(language, known.how) + gap(language) + std::string(known.example);
  }
  return phrase(language, "a number:") + gap(language) + "2.5, 3*1024";
}

/// Instructions for a goal: "type what you change, now: br=16 bc=16 (all else is locked)".
std::string how_to_change(Language language, const lessons::Question& goal, const lessons::Scene& scene) {
  const nlohmann::ordered_json& now = scene.facts().run("")->at("scenario");
  std::string text = phrase(language, "type what you change, now:") + gap(language);
  for (const std::string& name : goal.change) {
    const nlohmann::ordered_json value = now.value(name, nlohmann::ordered_json());
    text += (&name == &goal.change.front() ? "" : " ") + name + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text + " (" + phrase(language, "all else is locked") + ")";
}

}  // namespace

std::string how_to_answer(Language language, const lessons::Question& question, const lessons::Scene& scene) {
  switch (question.kind) {
    case QuestionKind::number:
      return how_to_type(language, scene.facts().quantity(question.answer).unit);
    case QuestionKind::choice:
      return phrase(language, "the number of one of these");
    case QuestionKind::tile:
      return phrase(language, "a tile: its row block and its column block, from 0: 0, 1");
    case QuestionKind::order:
      return phrase(language, "the order of the lines: 3 1 2");
    case QuestionKind::formula:
      return phrase(language, "a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e");
    case QuestionKind::until:
      break;
  }
  return how_to_change(language, question, scene);
}

}  // namespace terminal
