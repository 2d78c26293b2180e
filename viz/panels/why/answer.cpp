#include "viz/panels/why/answer.h"

#include <algorithm>
#include <cstdlib>

#include "viz/panels/scenario/star.h"

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
  const bool standard = path.starts_with(of_standard) && run->standard != nullptr;
  if (derivation.unit == "microseconds") star = star_of((standard ? *run->standard : run->simulation).plan);
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
  const std::size_t subject = std::min(question.subject, view.world.subjects() - 1);
  const Subject& asked = view.world.subject(subject);
  return view.world.tasks.get<WhyAnswer>(0, asked.run, question.path, view.state.look.language);
}

bool is_line(const sim::DerivationTerm& term) { return term.where.find(':') != std::string::npos; }

}  // namespace explorer
