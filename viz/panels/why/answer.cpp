#include "viz/panels/why/answer.h"

#include <algorithm>
#include <cstdlib>

namespace explorer {

Question question_of(std::string_view selection) {
  const std::size_t at = selection.rfind('@');
  if (at == std::string_view::npos) return {std::string(selection), 0};
  const long run = std::strtol(std::string(selection.substr(at + 1)).c_str(), nullptr, 10);
  return {std::string(selection.substr(0, at)), run > 1 && run < 100 ? static_cast<std::size_t>(run - 1) : 0};
}

std::string selection_of(const Question& question) {
  return question.subject == 0 ? question.path : sim::text(question.path, "@", question.subject + 1);
}

WhyAnswer::WhyAnswer(const std::shared_ptr<const Run>& run, const std::string& path, Language language)
    : paths(explained_paths(*run)) {
  try {
    derivation = explain(*run, path);
  } catch (const sim::Error& failure) {  // a link may name anything
    error = words::translate(language, failure.sentence());
    return;
  }
  for (const sim::Sentence& line : derivation.formula) formula.push_back(read_formula(line, language));
  for (const sim::DerivationTerm& term : derivation.terms) largest_term = std::max(largest_term, term.total());
}

double WhyAnswer::value() const { return std::strtod(derivation.value.c_str(), nullptr); }

std::string WhyAnswer::neighbour(int step) const {
  const auto here = std::find(paths.begin(), paths.end(), derivation.path);
  if (here == paths.end()) return paths.front();
  const auto count = static_cast<std::ptrdiff_t>(paths.size());
  return paths[static_cast<std::size_t>((here - paths.begin() + step + count) % count)];
}

std::vector<std::string> WhyAnswer::matching(std::string_view search, std::size_t most) const {
  std::vector<std::string_view> words;
  while (!search.empty()) {
    const std::size_t end = std::min(search.find(' '), search.size());
    if (end > 0) words.push_back(search.substr(0, end));
    search.remove_prefix(std::min(end + 1, search.size()));
  }
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    const bool all = std::all_of(words.begin(), words.end(),
                                 [&](std::string_view word) { return path.find(word) != std::string::npos; });
    if (all && found.size() < most) found.push_back(path);
  }
  return found;
}

WhyAnswer& answer_of(View& view, const Question& question) {
  const std::size_t subject = std::min(question.subject, view.model.subjects() - 1);
  const Subject& asked = view.model.subject(subject);
  const Language language = view.model.look.language;
  std::string key = sim::text(question.path, " ", static_cast<int>(language));
  for (const auto& [name, value] : asked.options) key += "\n" + name + "=" + value;
  return view.model.tasks.get<WhyAnswer>("why", key, asked.run, question.path, language);
}

bool is_line(const sim::DerivationTerm& term) { return term.where.find(':') != std::string::npos; }

namespace {

/// First event of a line that begins after a time; null if there is none. O(events), for a click.
const sim::Event* first_after(const Replay& replay, int line, sim::Cycles time, bool or_at) {
  const sim::Event* first = nullptr;
  for (const sim::Event& event : replay.trace.events) {
    const bool later = or_at ? event.begin >= time : event.begin > time;
    if (event.line == line && later && (first == nullptr || event.begin < first->begin)) first = &event;
  }
  return first;
}

}  // namespace

void jump_to(ViewModel& model, const sim::DerivationTerm& term) {
  const std::size_t colon = term.where.find(':');
  const auto& launches = model.run().simulation.plan.launches;
  for (std::size_t k = 0; k < launches.size(); ++k) {
    if (launches[k].name != term.where.substr(0, colon)) continue;
    if (model.replay().kernel != k) model.look_at(k, model.replay().place);
    const int line = std::atoi(term.where.c_str() + colon + 1);
    if (const sim::Event* event = first_after(model.replay(), line, {}, true)) model.seek(event->begin);
    return;
  }
}

void jump_to_next(ViewModel& model) {
  const std::int32_t here = model.replay().index.current(model.time());
  if (here < 0) return;
  const int line = model.replay().trace.events[static_cast<std::size_t>(here)].line;
  if (const sim::Event* event = first_after(model.replay(), line, model.time(), false)) model.seek(event->begin);
}

}  // namespace explorer
