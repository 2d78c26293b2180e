#include "viz/tour/page.h"

#include "viz/model/deep_link.h"

namespace tour {

std::string_view embedded_text(std::string_view path);

namespace {

using explorer::Language;
using std::string_view;

/// The next line of a text, cut off it.
string_view next_line(string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// A block goes on in the next line until an empty one: sentences, which need no space between them in Chinese, or
/// equations.
void add_line(Page& page, string_view line, bool begins, string_view between_sentences) {
  const bool equation = line.starts_with("    ");
  if (equation) line.remove_prefix(4);
  if (begins) {
    page.blocks.push_back({equation, std::string(line)});
  } else {
    page.blocks.back().text += sim::text(equation ? between_equations : between_sentences, line);
  }
}

}  // namespace

Page written_page(Language language, std::size_t n) {
  const bool chinese = language == Language::zh;
  string_view rest = embedded_text(chinese ? "tour/zh.md" : "tour/en.md");
  Page page;
  bool begins = true;
  for (std::size_t headings = 0; !rest.empty() && headings <= n + 1;) {
    const string_view line = next_line(rest);
    if (line.starts_with("# ")) {
      if (headings++ == n) page.title = line.substr(2);
    } else if (headings == n + 1) {
      if (!line.empty()) add_line(page, line, begins || page.blocks.empty(), chinese ? "" : " ");
      begins = line.empty();
    }
  }
  sim::require(!page.blocks.empty(), "tour: no step ", n, " is written in ", chinese ? "zh.md" : "en.md");
  return page;
}

Facts facts_of(const Step& step, const sim::GpuLookup& gpu) {
  const sim::OptionValues main = explorer::read_link(step.link, gpu).scenario;
  Facts facts;
  facts.add("", sim::simulate(sim::scenario_from(main, gpu)));
  for (const Other& other : step.others) {
    sim::OptionValues options = main;
    for (const auto& [name, value] : explorer::read_link(other.link, gpu).scenario) options[name] = value;
    facts.add(std::string(other.name), sim::simulate(sim::scenario_from(options, gpu)));
  }
  return facts;
}

Page filled_page(Language language, std::size_t n, const Facts& facts) {
  Page page = written_page(language, n);
  for (Block& block : page.blocks) block.text = facts.filled(block.text);
  return page;
}

}  // namespace tour
