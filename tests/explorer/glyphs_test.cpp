// Tests that the fonts have every character that the explorer may show. layout_test.cpp checks what is actually drawn.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lessons/catalogue.h"
#include "sim/base/embedded.h"
#include "sim/catalogue/options.h"
#include "sim/machine/device_spec.h"
#include "sim/programs/program.h"
#include "viz/ui/fonts.h"
#include "viz/ui/rich_text.h"

namespace {

namespace fs = std::filesystem;

const ui::Style all_styles[] = {ui::Style::caption, ui::Style::control,    ui::Style::body,  ui::Style::title,
                                ui::Style::number,  ui::Style::code,       ui::Style::table, ui::Style::small_script,
                                ui::Style::script,  ui::Style::code_script};

/// Checks a text in all styles. Prints code points as numbers, since the reader's terminal may lack the characters too.
void check_shown(std::string_view text, const std::string& where) {
  static const ui::Fonts fonts = ui::make_fonts(1);
  for (const ui::Style style : all_styles) {
    std::string lacking;
    for (const char32_t c : missing(fonts, style, text)) lacking += sim::text(" U+", static_cast<std::uint32_t>(c));
    INFO(where << " needs" << lacking << " (decimal) in style " << static_cast<int>(style));
    CHECK(lacking.empty());
  }
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the fonts have every character of the explorer's texts, in both languages") {
  int files = 0;
  for (const auto& file : fs::directory_iterator(fs::path(FLASHSCOPE_SOURCE) / "viz/words/zh")) {
    check_shown(read(file.path()), file.path().filename().string());
    ++files;
  }
  CHECK(files > 5);
}

TEST_CASE("the fonts have every character of the tour") {
  const lessons::WrittenLesson& tour = lessons::built_in("00-tour");
  for (const lessons::Words* words : {&tour.en, &tour.zh}) {
    for (const lessons::Page& page : words->pages) {
      check_shown(page.title, page.title);
      for (const lessons::Block& block : page.blocks) check_shown(ui::plain(block.text), page.title);
    }
  }
}

TEST_CASE("the fonts have every character of the listings") {
  for (const sim::Program& program : sim::built_in_programs()) {
    for (const sim::ProgramPass* pass : {&program.forward, &program.backward}) {
      if (pass->launches == nullptr) continue;
      check_shown(sim::embedded_text(pass->listing), std::string(pass->listing));
    }
    check_shown(std::string(program.title) + std::string(program.summary), std::string(program.name));
  }
}

TEST_CASE("the fonts have every character of options and devices") {
  for (const sim::ScenarioOption& option : sim::scenario_options())
    check_shown(sim::text(option.name, option.values, option.help), std::string(option.name));
  for (const std::string& name : sim::device_names()) {
    const sim::DeviceSpec& gpu = sim::device(name);
    check_shown(name + gpu.title + gpu.architecture, name);
    for (const sim::Provenance& p : gpu.provenance) check_shown(p.field + p.value + p.unit + p.source, name);
  }
}
