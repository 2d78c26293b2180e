#include "viz/panels/palette_entries.h"

#include <algorithm>
#include <cstdlib>

#include "lessons/catalogue.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/catalogue/derivation.h"
#include "sim/machine/device_spec.h"
#include "viz/model/action.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/ideas.h"
#include "viz/panels/overlay.h"
#include "viz/panels/scenario/number.h"

namespace explorer {
namespace {

/// Text in lower case, with spaces between the words of a path.
std::string lower(std::string_view text) {
  std::string out = sim::in_lower_case(text);
  for (char& c : out) c = c == '_' || c == '.' ? ' ' : c;
  return out;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  for (const char c : lower(text)) {
    if (words.empty() || c == ' ' || c == '=') words.emplace_back();
    if (c != ' ' && c != '=') words.back() += c;
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

/// Collects entries that contain all words. The score counts words that start a word of the entry; shorter entries win.
class Search {
 public:
  explicit Search(std::string_view text) : words_(words_in(text)) {}

  const std::vector<std::string>& words() const { return words_; }
  /// Adds an entry if it matches. `english`: further text that it is found by.
  void offer(PaletteEntry entry, std::string_view english, int bonus = 0) {
    const std::string text = " " + lower(entry.title) + " " + lower(english);
    int score = bonus;
    for (const std::string& word : words_) {
      if (text.find(word) == std::string::npos) return;
      if (text.find(" " + word) != std::string::npos) score += 100;
      if (text.find(" " + word + " ") != std::string::npos) score += 50;
    }
    found_.push_back({score - static_cast<int>(std::min<std::size_t>(text.size(), 90)) / 3, std::move(entry)});
  }
  std::vector<PaletteEntry> best(std::size_t most) {
    if (!words_.empty())
      std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<PaletteEntry> entries;
    for (std::size_t n = 0; n < std::min(most, found_.size()); ++n) entries.push_back(std::move(found_[n].second));
    return entries;
  }

 private:
  std::vector<std::string> words_;
  std::vector<std::pair<int, PaletteEntry>> found_;
};

PaletteEntry entry_of(const View& view, const Idea& idea) {
  PaletteEntry entry{std::string(view.say(idea.label)), "", {edit_of(idea)}};
  entry.idea = &idea;
  return entry;
}

/// Offers the ideas: first of all those of which the text is a name.
void offer_ideas(const View& view, Search& search, std::string_view text) {
  const std::string typed = " " + sim::joined(search.words(), " ") + " ";
  for (const Idea& idea : ideas()) {
    const std::string label = sim::in_lower_case(idea.label);
    const bool named = sim::text(" ", lower(idea.words), " ").find(typed) != std::string::npos;
    const int bonus = label == text ? 400 : named ? 120 : 0;
    search.offer(entry_of(view, idea), sim::text(lower(idea.label), " ", idea.words), bonus);
  }
}

/// The ideas whose names resemble a text most.
std::vector<PaletteEntry> nearest_ideas(const View& view, std::string_view text, std::size_t most) {
  std::vector<std::string> labels;
  for (const Idea& idea : ideas()) labels.emplace_back(idea.label);
  std::vector<std::string> near = sim::nearest_names(text, labels, most);
  for (std::size_t n = 0; near.size() < most; ++n) {
    if (std::find(near.begin(), near.end(), labels[n]) == near.end()) near.push_back(labels[n]);
  }
  std::vector<PaletteEntry> entries;
  for (const std::string& label : near) {
    entries.push_back(entry_of(view, idea(label)));
    entries.back().near = true;
  }
  return entries;
}

void offer_actions(const View& view, Search& search) {
  for (const Action& action : actions()) {
    if (action.name == "palette" || action.name == "close") continue;
    const std::string_view keys = action.keys.substr(0, action.keys.find(' '));
    search.offer({std::string(view.say(action.sentence)), key_label(keys), {Act{std::string(action.name)}}},
                 action.sentence);
  }
}

PaletteEntry setting(std::string title, const std::string& name, const std::string& value) {
  return {std::move(title), "", {SetOptions{{{name, value}}}}};
}

void offer_algorithms(const View& view, Search& search) {
  for (const auto& program : sim::programs_now()) {
    const std::string name(program->name);
    search.offer(setting(view.say("Algorithm: {}", program->title), "algorithm", name), "algorithm " + name);
    PaletteEntry compare{view.say("Compare with {}", program->title), "", {compare_with_algorithm(view.state, name)}};
    search.offer(std::move(compare), "compare with " + name);
  }
}

void offer_devices(const View& view, Search& search) {
  for (const std::string& name : sim::device_names())
    search.offer(setting(view.say("GPU: {}", sim::device(name).title), "gpu", name), "gpu device " + name);
}

/// Offers each named value of an option: "dtype = bf16", "model = llama-3-8b".
void offer_words(const View& view, Search& search, const sim::ScenarioOption& option) {
  const std::string name(option.name);
  for (const std::string& value : option.words())
    search.offer(setting(view.say("Option: {} = {}", name, value), name, value), "option " + name);
}

/// Offers an option: a name with a number sets it, "heads 16"; a name alone requests a value.
void offer_option(const View& view, Search& search, const sim::ScenarioOption& option, std::string_view text) {
  const std::string name(option.name);
  if (option.kind == sim::OptionKind::flag) {
    const bool on = view.state.options.count(name) != 0 && view.state.options.at(name) == "1";
    search.offer(setting(view.say("Option: {} = {}", name, on ? "0" : "1"), name, on ? "0" : "1"), "option " + name);
    return;
  }
  const std::size_t space = text.find_last_of(" =");
  const std::string value(space == std::string_view::npos ? "" : text.substr(space + 1));
  const bool names_it = !search.words().empty() && !value.empty() && value[0] >= '0' && value[0] <= '9' &&
                        name.substr(0, search.words().front().size()) == search.words().front();
  if (names_it)
    return search.offer(setting(view.say("Option: {} = {}", name, value), name, value), value + " option " + name);
  PaletteEntry asks{view.say("Option: {}", name), std::string(option.values), {}, true, name + " "};
  search.offer(std::move(asks), "option");
}

void offer_numbers(const View& view, Search& search) {
  if (search.words().empty()) return;
  for (const std::string& path : sim::derivation_paths(view.subject().simulation())) {
    if (view.world.covered.hides(path)) continue;
    PaletteEntry entry{view.say("Number: {}", path), path, {SetLook{"select", path}}};
    search.offer(std::move(entry), "number " + path);
  }
}

void offer_lessons(const View& view, Search& search) {
  search.offer({std::string(view.say("Lessons")), "", {OpenLesson{"list"}}}, "lessons learn");
  const lessons::Language language = lesson_language(view.state.look.language);
  for (const lessons::Summary& lesson : lessons::summaries()) {
    PaletteEntry entry{view.say("Lesson: {}", lesson.title(language)), "", {OpenLesson{std::string(lesson.id)}}};
    search.offer(std::move(entry), sim::text("lesson ", lesson.id, " ", lesson.en));
  }
}

/// Replaces paths in the notes of numbers by their values, and adds the answers of ideas; only for entries that are
/// shown, since a derivation takes 0.1 ms.
void fill_values(const View& view, std::vector<PaletteEntry>& entries) {
  for (PaletteEntry& entry : entries) {
    if (entry.idea != nullptr) entry.note = answer_of(view, *entry.idea);
    if (entry.note.empty() || entry.title.find(entry.note) == std::string::npos ||
        entry.note.find('.') == std::string::npos)
      continue;
    const sim::Derivation derived = sim::derive(view.subject().simulation(), entry.note);
    char* end = nullptr;
    const double value = std::strtod(derived.value.c_str(), &end);
    entry.note = end == derived.value.c_str() ? derived.value : number_text(entry.note, value);
  }
}

}  // namespace

std::vector<PaletteEntry> find_entries(const View& view, std::string_view text, std::size_t most) {
  Search search(text);
  offer_actions(view, search);
  if (!search.words().empty()) {
    offer_ideas(view, search, sim::in_lower_case(text));
    offer_algorithms(view, search);
    offer_devices(view, search);
    for (const sim::ScenarioOption& option : sim::scenario_options()) {
      if (option.name == "algorithm" || option.name == "gpu") continue;
      if (option.words != nullptr) offer_words(view, search, option);
      if (option.words == nullptr || option.name == "pattern") offer_option(view, search, option, text);
    }
    offer_numbers(view, search);
    offer_lessons(view, search);
  }
  constexpr std::size_t nearest = 3;
  std::vector<PaletteEntry> entries = search.best(most);
  if (entries.empty()) entries = nearest_ideas(view, text, std::min(most, nearest));
  fill_values(view, entries);
  return entries;
}

std::vector<PaletteEntry> example_entries(const View& view, std::size_t most) {
  std::vector<PaletteEntry> entries;
  for (const Idea& idea : ideas().first(most)) entries.push_back(entry_of(view, idea));
  fill_values(view, entries);
  return entries;
}

}  // namespace explorer
