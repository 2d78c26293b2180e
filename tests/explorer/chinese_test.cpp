// Chinese mode: drawn text has no English words except names, code and units.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>

#include "lessons/catalogue.h"
#include "sim/base/text.h"
#include "sim/base/text_inputs.h"
#include "sim/machine/device_spec.h"
#include "sim/programs/models.h"
#include "sim/programs/program.h"
#include "tests/explorer/finish.h"
#include "viz/model/center_view.h"
#include "viz/model/explained.h"
#include "viz/panels/ideas.h"

namespace {

using explorer::Headless;

/// Words that are not translated: tensors, algorithms, machines, units, functions, and the terms of CUDA.
const std::set<std::string, std::less<>>& kept_words() {
  static const std::set<std::string, std::less<>> words = [] {
    std::set<std::string, std::less<>> all;
    std::ifstream in(std::string(FLASHSCOPE_SOURCE) + "/tests/explorer/chinese_words.txt");
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#') continue;
      for (const std::string_view word : sim::split(line, " ")) all.emplace(word);
    }
    for (const std::string& name : sim::device_names()) all.insert(name);
    return all;
  }();
  return words;
}

/// Lines of listings: code is equal in every language.
const std::set<std::string, std::less<>>& code_lines() {
  static const std::set<std::string, std::less<>> lines = [] {
    std::set<std::string, std::less<>> all;
    for (const sim::Program& program : sim::built_in_programs()) {
      for (const sim::ProgramPass* pass : {&program.forward, &program.backward}) {
        if (pass->launches == nullptr) continue;
        for (int line = 1; line <= 120; ++line) {
          const std::string code = sim::listing_code(pass->listing, line);
          if (!code.empty()) all.insert(code);
        }
      }
    }
    return all;
  }();
  return lines;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_part(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/'; }

/// Returns the words of ASCII letters in a text, with the digits and symbols written with them: "fp16", "br=64".
std::vector<std::string> latin_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    while (!word.empty() && !is_letter(word.back()) && !(word.back() >= '0' && word.back() <= '9')) word.pop_back();
    if (std::count_if(word.begin(), word.end(), is_letter) > 1) words.push_back(word);
    word.clear();
  };
  for (const char c : text) is_part(c) ? word.push_back(c) : end();
  end();
  return words;
}

/// True for an option of the command line, a path of the JSON, a kernel or a file: "--tiling", "tile_traffic.total",
/// "qk_gemm".
bool is_identifier(const std::string& word) {
  return word.starts_with("--") || word.find('_') != std::string::npos || word.find('.') != std::string::npos;
}

/// True for a sequence of tensor letters: "QKT", "dOV", "qK".
bool is_product(const std::string& word) { return word.find_first_not_of("dQKVOSPTDLqkvoij") == std::string::npos; }

bool is_kept(const std::string& word) {
  if (word[0] >= '0' && word[0] <= '9') return true;  // "40GB"
  if (is_product(word) || is_identifier(word) || kept_words().contains(word)) return true;
  for (const char mark : {'-', '/'}) {  // "FLOP/s", "MiB/s", "Flash-1"
    if (word.find(mark) == std::string::npos) continue;
    bool all = true;
    for (const std::string_view part : sim::split(word, std::string(1, mark)))
      all = all && (part.size() < 2 || is_identifier(std::string(part)) || kept_words().contains(part));
    if (all) return true;
  }
  return false;
}

class Found {
 public:
  /// Searches the texts of a window for English words; `where` names the window in the findings.
  void look(Headless& window, const std::string& where) {
    window.driver.screen.texts.emplace();
    window.driver.frame();
    const std::vector<ui::DrawnText> texts = *window.driver.screen.texts;
    for (std::size_t n = 0; n < texts.size(); ++n) {
      const ui::DrawnText& text = texts[n];
      const bool cut = n + 1 < texts.size() && texts[n + 1].text == "…";
      if (text.style == ui::Style::code || text.style == ui::Style::code_script) continue;
      const auto code = code_lines().lower_bound(text.text);
      if (code != code_lines().end() && code->starts_with(text.text)) continue;
      if (text.text.starts_with("flashscope ")) continue;  // a command
      if (text.text.starts_with("if ")) continue;          // a condition of the listing
      // C++ follows after "line 18: ".
      std::vector<std::string> words = latin_words(text.text.substr(0, text.text.find("行：")));
      if (cut && !words.empty() && text.text.ends_with(words.back())) words.pop_back();  // may be a fragment of a word
      for (const std::string& word : words) {
        if (!is_kept(word) && !kept_.contains(word)) found_.emplace(word + " | " + text.text, where);
      }
    }
    ++looks_;
  }
  void check() const {
    std::string message;
    for (const auto& [text, where] : found_) message += "\n  " + text + "  <- " + where;
    INFO(looks_ << " pictures" << message);
    CHECK(found_.empty());
  }

  /// Adds words that are not translated.
  void keep(const std::vector<std::string>& words) { kept_.insert(words.begin(), words.end()); }

 private:
  std::set<std::string, std::less<>> kept_;
  std::map<std::string, std::string> found_;
  int looks_ = 0;
};

void look_at(Found& found, const std::string& link, explorer::Size size = {}) {
  Headless window(link + "&lang=zh", size);
  finish(window);
  found.look(window, link);
}

}  // namespace

TEST_CASE("the views are Chinese in every tab, of every algorithm and pass", "[chinese][repeats]") {
  Found found;
  for (const sim::Program& program : sim::built_in_programs()) {
    for (const std::string pass : {"forward", "backward", "forward%2Bbackward"}) {
      if (pass != "forward" && program.backward.launches == nullptr) continue;
      const std::string link = sim::text("algorithm=", program.name, "&pass=", pass, "&seqlen=512&causal=1&time=4000");
      look_at(found, link);
      look_at(found, link + "&center=roofline&timeline=grid", {1440, 900, 1});
      look_at(found, link + "&tab=memory", {780, 1688, 2});
      look_at(found, link + "&tab=counters", {780, 1688, 2});
    }
  }
  for (const explorer::CenterView& view : explorer::center_views) {
    const std::string center(view.name);
    look_at(found, "seqlen=1024&causal=1&dropout=0.1&time=9000&center=" + center);
    look_at(found, "seqlen=1024&algorithm=standard&time=9000&center=" + center, {1440, 900, 1});
  }
  for (const std::string schedule : {"serial", "warp-specialised", "ping-pong", "overlapped"}) {
    for (const std::string time : {"2000", "4000", "6000"})
      look_at(found, "algorithm=flash3&seqlen=1024&center=roles&schedule=" + schedule + "&time=" + time);
  }
  found.check();
}

TEST_CASE("odd scenarios, errors, comparisons and races are Chinese", "[chinese][repeats]") {
  Found found;
  for (const std::string link :
       {"seqlen=1", "seqlen=131072&heads=32&batch=8&time=50000&algorithm=standard",
        "gpu=toy&seqlen=64&head-dim=16&dtype=fp32", "seqlen=1000&br=64&bc=128&window=300&padding=37",
        "heads=32&kv-heads=4&seqlen=4096&pass=backward", "seqlen-q=1&seqlen-k=8192&algorithm=flash-decoding",
        "algorithm=flash1&tiling=paper&seqlen=2048", "algorithm=block-sparse&pattern=strided:3&seqlen=1024",
        "seqlen=4&head-dim=2&inputs=worked&dtype=fp32&matrix-zoom=1", "seqlen=512&l2=0", "seqlen=512&dropout=0.2"}) {
    look_at(found, link);
    look_at(found, link + std::string("&timeline=grid"), {1440, 900, 1});
    look_at(found, link + std::string("&tab=memory"), {780, 1688, 2});
  }
  for (const explorer::Size size : {explorer::Size{1440, 900, 1}, {960, 600, 1}, {780, 1688, 2}, {1600, 1000, 1}}) {
    for (const std::string play : {"cta", "run"}) {
      const std::string runs = "batch=4&heads=32&seqlen=1024&play=" + play + "&time=3000&run-time=100";
      look_at(found, runs + "&algorithm=standard&compare=flash1,flash2", size);
      look_at(found, runs + "&compare=flash2+br:64,memory-efficient,flash2+causal:1+gpu:t4", size);
    }
  }
  found.check();
}

namespace {

/// Allows words that a user has typed or may type.
void keep_values(Found& found) {
  for (const std::string_view word :
       sim::split("compare kernel speed tab theme time auto drawn worked text:mouse text:fox text:river text:mao text "
                  "mouse fox river mao "
                  "causal window local-global strided butterfly random "
                  "painted RO WS ROWS paper released abc flash7 foo maybe none nowhere red",
                  " "))
    found.keep({std::string(word)});
}

}  // namespace

TEST_CASE("errors of impossible scenarios are Chinese", "[chinese][repeats]") {
  Found found;
  keep_values(found);
  for (const std::string start :
       {"heads=4", "algorithm=flash-decoding&heads=4", "algorithm=flash-decoding-plus&heads=4",
        "algorithm=fmha&seqlen=128", "algorithm=standard", "gpu=toy&seqlen=64&head-dim=16&br=16&bc=16",
        "algorithm=flash1&tiling=released", "algorithm=rabe-staats", "algorithm=block-sparse&pattern=strided:3",
        "algorithm=flash1&pass=backward&tiling=released-1&gpu=t4"}) {
    for (const std::string_view change :
         sim::split("br=512 bc=4096 bc=0 kv-heads=3 padding=5000 head-dim=200000 head-dim=256 seqlen-q=4096 seqlen=1T "
                    "seqlen=100000000 batch=1000000000 splits=100000 splits=x sram=100 sram=1 window=-1 inputs=worked "
                    "dropout=1 scale=x scale=1e99 tiling=released tiling=paper pass=backward dtype=fp32 "
                    "pattern=strided:0 pattern=window pattern=foo phi=x range=3,-3 range=3 fallback=2",
                    " ")) {
      const std::size_t sign = change.find('=');
      Headless window(start + "&lang=zh", {1440, 900, 1});
      window.explorer.model.set_option(std::string(change.substr(0, sign)), std::string(change.substr(sign + 1)));
      if (window.explorer.model.world.error().empty()) continue;
      window.driver.frame();
      found.look(window, sim::text(start, " ", change, ": ", window.explorer.model.world.error()));
    }
  }
  found.check();
}

TEST_CASE("errors of a link are Chinese", "[chinese]") {
  Found found;
  keep_values(found);
  found.keep(sim::option_names());
  found.keep(sim::all_program_names());
  for (const std::string_view wrong :
       sim::split("seqlen=x seqlen=0 gpu=h1000 algorithm=flash7 dtype=fp64 causal=maybe %zz=1 seqlen=2&seqlen=4 "
                  "time=abc kernel=99 theme=red speed=x compare=foo:1 scale=x splits=x tab=nowhere pattern=random:7 "
                  "pattern=foo pattern=painted:0:ff pattern=painted:4:zz pattern=painted:4:ff inputs=none",
                  " ")) {
    Headless window(sim::text(wrong, "&lang=zh"), {1440, 900, 1});
    REQUIRE_FALSE(window.explorer.model.link_errors.empty());
    window.driver.frame();
    found.look(window, sim::text(wrong, ": ", window.explorer.model.link_errors.front()));
  }
  found.check();
}

TEST_CASE("overlays and every step of tour and lessons are Chinese", "[chinese][repeats]") {
  Found found;
  for (const std::string_view word : sim::text_called("mouse").words) found.keep({std::string(word)});  // in lesson 04
  for (const std::string overlay : {"help", "palette", "pattern"}) {
    look_at(found, "seqlen=1024&algorithm=block-sparse&pattern=strided:3&overlay=" + overlay);
    look_at(found, "seqlen=1024&overlay=" + overlay, {780, 1688, 2});
  }
  look_at(found, "lesson=list");
  for (const std::string& id : lessons::built_in_ids()) {
    const std::size_t steps = lessons::built_in(id).lesson.steps.size();
    for (std::size_t step = 1; step <= steps; ++step) {
      const std::string number = sim::text(step);
      if (id.starts_with("00")) look_at(found, "overlay=tour&tour-step=" + number);
      look_at(found, "lesson=" + id + "&lesson-step=" + number, {1440, 900, 1});
    }
  }
  found.check();
}

TEST_CASE("the first view and the answers of all ideas are Chinese", "[chinese][repeats]") {
  Found found;
  for (const sim::ModelHeads& model : sim::model_heads()) found.keep({model.name});
  found.keep({"FlashScope", "in", "keys", "screenshot", "svg"});  // code and commands
  for (const char* moment : {"0", "500", "700", "1500", "2000", "1e9"})
    look_at(found, sim::text("first=1&run-time=", moment));
  Headless window("first=1&still=1&lang=zh", {});
  for (const explorer::Idea& idea : explorer::ideas()) {
    window.explorer.model.state.palette.typed = words::say(explorer::Language::zh, idea.label);
    finish(window);
    found.look(window, std::string(idea.label));
  }
  found.check();
}

TEST_CASE("every number is explained in Chinese", "[chinese][repeats]") {
  Found found;
  for (const std::string link :
       {"algorithm=flash2&pass=forward%2Bbackward&seqlen=300&dropout=0.1", "algorithm=standard&seqlen=512&causal=1",
        "algorithm=flash1&seqlen=512&heads=2", "seqlen-q=1&seqlen-k=8192&algorithm=flash-decoding&heads=4"}) {
    Headless window(link + std::string("&lang=zh"), {1600, 2400, 1});
    finish(window);
    for (const std::string& path : explorer::explained_paths(window.explorer.model.world.run())) {
      if (path.starts_with(explorer::of_standard) || path.ends_with(".line")) continue;  // the latter shows code
      window.explorer.model.state.look.selection = path;
      window.driver.frame();
      found.look(window, path + " of " + link);
    }
  }
  found.check();
}

TEST_CASE("tooltips are Chinese", "[chinese][repeats]") {
  Found found;
  for (const std::string link :
       {"seqlen=1024&causal=1&time=9000", "seqlen=512&algorithm=standard&compare=flash2&play=run&run-time=30",
        "seqlen=1024&center=roofline&timeline=grid", "seqlen=1024&center=tiles", "seqlen=1024&center=plots"}) {
    Headless window(link + std::string("&lang=zh"), {});
    finish(window);
    std::vector<std::string> names;
    for (const auto& [name, rect] : window.driver.screen.state.probes) names.push_back(name);
    for (const std::string& name : names) {
      if (!window.driver.shows(name)) continue;
      for (const float at : {0.2f, 0.55f}) {
        window.driver.hover(name, at);
        found.look(window, name + " of " + link);
      }
    }
  }
  found.check();
}
