// Text, tables and colours of lessons in a terminal.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/lessons/told.h"
#include "viz/terminal/lesson/pages.h"
#include "viz/terminal/lesson/sheet.h"
#include "viz/terminal/lesson/text.h"
#include "viz/terminal/lesson/views.h"

using Catch::Contains;
using terminal::in_colours;

namespace {

const std::vector<lessons::Block> table = {
    {lessons::BlockKind::table, "| card | predicted time |\n|---|---|\n| A100 | 5.80 ms |\n| H100 | 2.70 ms |"}};

/// Relative luminance and contrast, as WCAG 2.1 defines them.
double luminance(std::uint32_t rgb) {
  const auto linear = [&](int shift) {
    const double part = static_cast<double>(rgb >> shift & 0xFF) / 255;
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

}  // namespace

TEST_CASE("a table aligns words left and numbers right, and Chinese characters take two columns") {
  CHECK(terminal::blocks_text(table) ==
        "\ncard  predicted time\n--------------------\nA100         5.80 ms\nH100         2.70 ms\n");
  report::Table chinese({"内存", "HBM"});
  chinese.row({"容量", "42.9 GB"});
  chinese.rule();
  chinese.row({"HBM 流量", "7"});
  CHECK(terminal::fitted(chinese, 80) ==
        "内存          HBM\n-----------------\n容量      42.9 GB\n-----------------\nHBM 流量        7\n");
}

TEST_CASE("a table that is too wide becomes a list, with nothing truncated") {
  CHECK(terminal::blocks_text(table, 19) ==
        "\nA100\n  predicted time:\n  5.80 ms\nH100\n  predicted time:\n  2.70 ms\n");
}

TEST_CASE("equations and lines of code are broken only if they do not fit") {
  const lessons::Block equation{lessons::BlockKind::equations, "S = Q  K^T     O = diag(l)^-1 O + P V_j"};
  CHECK(terminal::block_text(equation, 40) == "    S = Q  K^T\n    O = diag(l)^-1 O + P V_j\n");
  CHECK(terminal::block_text(equation, 20) == "    S = Q  K^T\n    O = diag(l)^-1 O\n    + P V_j\n");
}

TEST_CASE("items of a list have no blank line between them, other blocks have") {
  const std::vector<lessons::Block> blocks = {{lessons::BlockKind::paragraph, "Two:"},
                                              {lessons::BlockKind::item, "one"},
                                              {lessons::BlockKind::item, "two"},
                                              {lessons::BlockKind::paragraph, "Done."}};
  CHECK(terminal::blocks_text(blocks) == "\nTwo:\n\n  - one\n  - two\n\nDone.\n");
}

TEST_CASE("keys are listed in as many rows as they need, none of them broken") {
  CHECK(terminal::in_row({"n next", "b back", "q quit"}, 14) == "n next  b back\nq quit\n");
  CHECK(terminal::in_row({"n 下一步", "q 退出"}, 15) == "n 下一步\nq 退出\n");
  CHECK(terminal::in_row({"n 下一步", "q 退出"}, 16) == "n 下一步  q 退出\n");
}

TEST_CASE("names of tensors are coloured, other words are not") {
  const std::string q = "\x1b[38;5;32mQ\x1b[39m", k = "\x1b[38;5;130mK\x1b[39m";
  CHECK(in_colours("S_ij = Q_i K_j^T") == "\x1b[38;5;100mS\x1b[39m_ij = " + q + "_i " + k + "_j^T");
  CHECK(in_colours("QK^T") == q + k + "^T");
  CHECK(in_colours("dV") == "\x1b[38;5;29mdV\x1b[39m");
  CHECK(in_colours("一个头的 Q 块") == "一个头的 " + q + " 块");
  for (const std::string plain : {"SMs", "HBM", "O(N d)", "FP32 4K 16P", "SK8", "", "m′ = max(m)", "dX", "é"})
    CHECK(in_colours(plain) == plain);
}

TEST_CASE("the colours of tensors are legible on black and on white") {
  for (const terminal::TensorColour& colour : terminal::tensor_colours) {
    INFO(colour.tensor);
    const int cube = colour.number - 16;  // 6 x 6 x 6 colours, of levels 0, 95, 135, ... 255
    const auto level = [](int n) { return static_cast<std::uint32_t>(n == 0 ? 0 : 55 + 40 * n); };
    CHECK(colour.rgb == (level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)));
    CHECK((luminance(colour.rgb) + 0.05) / 0.05 > 3.8);
    CHECK(1.05 / (luminance(colour.rgb) + 0.05) > 3.8);
  }
}

TEST_CASE("a step in the terminal does not show the answer of an open question") {
  std::size_t asked = 0;
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    for (std::size_t n = 0; n < written.lesson.steps.size(); ++n) {
      const terminal::StepPage page = terminal::make_step_page(written, n, lessons::Language::en);
      std::set<std::string> answered;
      for (const lessons::Question& question : page.step().questions) {
        if (question.kind != lessons::QuestionKind::number) continue;
        const std::string shown = step_text(page, {}, answered) + question_text(page, question, {});
        for (const std::string& number : told::spellings(page.scene, question)) {
          ++asked;
          INFO(id << " " << page.step().name << " " << question.text << ": " << number << "\n" << shown);
          CHECK_FALSE(told::holds(shown, number));
        }
        answered.insert(question.text);
      }
    }
  }
  CHECK(asked > 40);
}

TEST_CASE("values on the chip are covered by quantity: other values with the same digits are shown") {
  const auto views = [](const std::string& id, std::size_t step, const std::set<std::string>& answered = {}) {
    return terminal::views_text(terminal::make_step_page(lessons::built_in(id), step - 1, lessons::Language::en), {},
                                answered);
  };
  const std::string factor = views("04-online-softmax", 4);
  CHECK_THAT(factor, Contains("0    1  0  1  ?  1.37  1  1  0  1  2      0  1  ?  1  0\n"));
  CHECK_THAT(views("04-online-softmax", 4, {"first", "second"}), !Contains("?"));
}

TEST_CASE("the views of a step are short, fit into 80 columns, and have no empty label") {
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    for (std::size_t n = 0; n < written.lesson.steps.size(); ++n) {
      for (const lessons::Language language : {lessons::Language::en, lessons::Language::zh}) {
        const terminal::PageStyle style{language, 80};
        const terminal::StepPage page = terminal::make_step_page(written, n, language);
        const std::string views = terminal::views_text(page, style, {}), all = step_text(page, style, {});
        INFO(id << " " << page.step().name << "\n" << views);
        CHECK(sim::split(views, "\n").size() <= 40);
        for (const std::string_view line : sim::split(views, "\n")) CHECK_FALSE(line.ends_with(": "));
        for (const std::string_view line : sim::split(all, "\n")) {
          INFO(line);
          CHECK(terminal::columns_of(line) <= 80);
        }
      }
    }
  }
}

TEST_CASE("a sheet has the same parts as Markdown and as HTML: with answers, without them, or answers only") {
  const lessons::WrittenLesson& written = lessons::built_in("01-two-memories");
  const auto sheet = [&](terminal::Sheet kind, lessons::Language language) {
    const terminal::SheetParts parts = terminal::sheet_parts(written, {"", kind, language, "Ada & <b>"}, true);
    return std::pair(terminal::markdown_of(parts), terminal::html_of(parts, language));
  };
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  };
  const std::string answer = "8,388,608 B";
  for (const lessons::Language language : {lessons::Language::en, lessons::Language::zh}) {
    const auto [markdown, html] = sheet(terminal::Sheet::all, language);
    CHECK_THAT(html, Catch::StartsWith("<!DOCTYPE html>\n<html lang=\"") && Contains("<h1>01 ") &&
                         Contains("<p>Ada &amp; &lt;b&gt;</p>") && Catch::EndsWith("</body>\n</html>\n"));
    CHECK(count(html, "<h2>") == written.lesson.steps.size());
    CHECK(count(html, "<img ") == count(markdown, "\n!["));
    CHECK(count(html, "<pre>") == count(html, "</pre>"));
    CHECK(2 * count(html, "<pre>") == count(markdown, "```"));
    CHECK(count(html, "<li>") == count(markdown, "\n- "));
    CHECK(count(html, "<ul>") == count(html, "</ul>"));
    CHECK((count(html, answer) == count(markdown, answer) && count(html, answer) > 0));
    CHECK(count(sheet(terminal::Sheet::handout, language).second, answer) == 0);
    CHECK(count(sheet(terminal::Sheet::key, language).second, "<img ") == 0);
  }
  CHECK_THAT(sheet(terminal::Sheet::key, lessons::Language::en).second, Contains(answer));
  CHECK_THAT(sheet(terminal::Sheet::all, lessons::Language::en).second,
             Contains("<tr><th>memory</th><th>HBM</th>") && Contains("<tr><td>holds</td>"));
}
