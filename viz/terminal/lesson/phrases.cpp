#include "viz/terminal/lesson/phrases.h"

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/report/numbers.h"

namespace terminal {
namespace {

using lessons::Diagnosis;
using lessons::Language;
using lessons::QuestionKind;

struct Phrase {
  std::string_view en, zh;
};

constexpr Phrase phrases[] = {
    {"step {} of {}", "第 {} 步，共 {} 步"},
    {"{} steps, {} questions, {} min", "{} 步，{} 题，{} 分钟"},
    {"right {} of {}", "{} / {} 题答对"},
    {"Predict", "先猜，再看"},
    {"Recall", "回忆一下"},
    {"Your turn", "轮到你了"},
    {"Not yet.", "还不对。"},
    {"Right.", "正确。"},
    {"Shown.", "已给出答案。"},
    {"read as", "读作"},
    {"the run counted", "实际计数"},
    {"That is the right answer because", "原因"},
    {"Wrong answers that are often given", "常见的错误答案"},
    {"hint", "提示"},
    {"there are no more hints", "没有更多提示了"},
    {"locked: all but", "只能改"},
    {"score", "得分"},
    {"par", "标准分"},
    {"the goal is not reached yet", "目标还没有达到"},
    {"tile traffic", "分块流量"},
    {"HBM traffic", "HBM 流量"},
    {"predicted time", "预测时间"},
    {"all tensors", "全部"},
    {"covered until it is answered", "答题之后显示"},
    {"more rows", "行省略"},
    {"tiles of S", "S 的分块"},
    {"# done  @ current  . to do", "# 已完成  @ 当前  . 未开始"},
    {"The lesson is done.", "本课结束。"},
    {"Next:", "下一课："},
    {"goes on where you stopped: step {}", "从上次停下的第 {} 步继续"},
    {"n next  b back  h hint  s show me  g STEP  l steps  q quit",
     "n 下一步  b 上一步  h 提示  s 看答案  g 步号  l 步骤列表  q 退出"},
    {"What you will be able to do:", "学完能做到："},
    {"needs", "先学"},
    {"a number, with or without a unit: 2.5 MB, 3*1024", "一个数，单位可写可不写：2.5 MB、3*1024"},
    {"the number or the name of one of these", "填序号或名称"},
    {"a tile: its row block and its column block, from 0: 0, 1", "一个分块：行块号和列块号，从 0 开始：0, 1"},
    {"the order of the lines: 3 1 2", "各行的先后：3 1 2"},
    {"options to change: br=32 bc=16", "要改的选项：br=32 bc=16"},
    {"a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e", "用 N d Br Bc Tr Tc M e h b 写的公式：2*N*d*e"},
    {"twice as much: are reads and writes counted twice, or elements for bytes?",
     "恰好是两倍：读和写是不是重复计了，或者把元素当成了字节？"},
    {"half of it: are the writes there, as well as the reads?", "恰好是一半：读之外，写也算了吗？"},
    {"these are elements; an element takes several bytes", "这是元素个数；每个元素占好几个字节"},
    {"off by the number of heads", "差了头数这个倍数"},
    {"off by the number of batch entries", "差了 batch 这个倍数"},
    {"this is one head of one batch entry; the run has more", "这只是一个 batch 条目的一个头；整个运行不止这些"},
    {"1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024",
     "混用了 1024 和 1000：1 kB 是 1000 字节，1 KiB 是 1024 字节"},
    {"this is missing:", "漏掉了："},
    {"too large", "倍，太大"},
    {"too small", "倍，太小"},
};

}  // namespace

std::string phrase(Language language, std::string_view english) {
  for (const Phrase& phrase : phrases) {
    if (phrase.en == english) return std::string(language == Language::zh ? phrase.zh : phrase.en);
  }
  throw sim::Error(sim::text("lesson: the phrase \"", english, "\" stands in no row of phrases.cpp"));
}

std::string phrase(Language language, std::string_view english, const std::vector<std::size_t>& numbers) {
  std::string text = phrase(language, english);
  for (const std::size_t number : numbers) text.replace(text.find("{}"), 2, std::to_string(number));
  return text;
}

std::string diagnosis_text(Language language, const lessons::Verdict& verdict) {
  switch (verdict.diagnosis) {
    case Diagnosis::twice:
      return phrase(language, "twice as much: are reads and writes counted twice, or elements for bytes?");
    case Diagnosis::half:
      return phrase(language, "half of it: are the writes there, as well as the reads?");
    case Diagnosis::elements:
      return phrase(language, "these are elements; an element takes several bytes");
    case Diagnosis::heads:
      return phrase(language, "off by the number of heads");
    case Diagnosis::batch:
      return phrase(language, "off by the number of batch entries");
    case Diagnosis::one_head:
      return phrase(language, "this is one head of one batch entry; the run has more");
    case Diagnosis::binary:
      return phrase(language, "1,024 for 1,000, or the reverse: kB are 1,000 bytes, KiB 1,024");
    case Diagnosis::term:
      return phrase(language, "this is missing:") + " " + verdict.term;
    case Diagnosis::none:
      break;
  }
  if (verdict.ratio <= 0) return "";
  const bool large = verdict.ratio > 1;
  const std::string times = report::ratio(large ? verdict.ratio : 1 / verdict.ratio);
  return (language == Language::zh ? times.substr(0, times.size() - 1) : times + " ") +
         phrase(language, large ? "too large" : "too small");
}

std::string how_to_answer(Language language, const lessons::Question& question) {
  switch (question.kind) {
    case QuestionKind::number:
      return phrase(language, "a number, with or without a unit: 2.5 MB, 3*1024");
    case QuestionKind::choice:
      return phrase(language, "the number or the name of one of these");
    case QuestionKind::tile:
      return phrase(language, "a tile: its row block and its column block, from 0: 0, 1");
    case QuestionKind::order:
      return phrase(language, "the order of the lines: 3 1 2");
    case QuestionKind::formula:
      return phrase(language, "a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e");
    case QuestionKind::until:
      break;
  }
  return phrase(language, "options to change: br=32 bc=16") + "  (" + phrase(language, "locked: all but") + " " +
         sim::joined(question.change) + ")";
}

}  // namespace terminal
