// Mutated runs with a wrong number, which the claims and questions of a lesson must detect.
#pragma once
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lessons/check.h"
#include "lessons/marking.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/model/formula_symbols.h"

namespace mutants {

using Json = nlohmann::ordered_json;
using lessons::Facts;

/// A fault in the counts: a quantity that is wrong in every run of an algorithm.
struct Fault {
  std::string algorithm, name;
  std::function<void(Facts&, const std::string& run)> apply;
};

/// A step with its scene, and the algorithm of each of its runs.
struct Made {
  const lessons::Step* step;
  lessons::Scene scene;
  std::map<std::string, std::string> algorithms;  ///< run -> algorithm
};

/// Returns the formulas in the claims and answers of a step.
inline std::vector<std::string> formulas(const lessons::Step& step) {
  std::vector<std::string> all = step.claims;
  for (const lessons::Question& question : step.questions) {
    if (question.kind == lessons::QuestionKind::number || question.kind == lessons::QuestionKind::tile) {
      all.push_back(question.answer.substr(0, question.answer.find('|')));
      for (const lessons::Wrong& wrong : question.wrong) all.push_back(wrong.when);
    }
    if (question.kind == lessons::QuestionKind::formula)
      all.push_back(question.answer.substr(0, question.answer.find('|')));
    for (const lessons::Choice& choice : question.choices) all.push_back(choice.when);
    if (!question.until.empty()) all.push_back(question.until);
  }
  return all;
}

/// Returns the quantities that a formula names: (run, path).
inline std::vector<std::pair<std::string, std::string>> quantities(const std::string& formula, const Made& made) {
  std::vector<std::pair<std::string, std::string>> found;
  std::string run, word;
  const auto take = [&] {
    if (made.algorithms.count(word) > 0 && !word.empty())
      run = word;
    else if (!word.empty() && !sim::is_digit(word[0]))
      found.emplace_back(std::exchange(run, std::string()), word);
    word.clear();
  };
  for (const char c : formula) {
    const bool part = sim::is_letter(c) || sim::is_digit(c) || c == '_' || c == '.' || c == '-';
    if (part && !(word.empty() && c == '-'))
      word += c;
    else
      take();
  }
  take();
  return found;
}

inline const Json* at(const Json& json, const std::string& path) {
  const Json* place = &json;
  for (const std::string_view part : sim::split(path, ".")) {
    const std::string key(part);
    if (place->is_array() && sim::is_digit(key[0]) && std::stoul(key) < place->size())
      place = &(*place)[std::stoul(key)];
    else if (place->is_object() && place->contains(key))
      place = &(*place)[key];
    else
      return nullptr;
  }
  return place;
}

/// Returns the numbers below a quantity: itself, or its read and written parts.
inline std::vector<std::string> leaves(const Json& json, const std::string& path) {
  const Json* place = at(json, path);
  if (place == nullptr) return {};
  if (place->is_number()) return {path};
  std::vector<std::string> found;
  for (const char* part : {"read_bytes", "write_bytes"}) {
    if (place->is_object() && place->contains(part)) found.push_back(path + "." + part);
  }
  return found;
}

inline void scale(Facts& facts, const std::string& run, const std::string& path, double factor) {
  const Json& json = *facts.run(run);
  for (const std::string& leaf : leaves(json, path)) facts.change(run, leaf, at(json, leaf)->get<double>() * factor);
}

/// Removes a part of the tile traffic from the numbers, and from all sums.
inline void drop(Facts& facts, const std::string& run, const std::string& part, const std::vector<std::string>& sums) {
  const Json& json = *facts.run(run);
  for (const char* way : {".read_bytes", ".write_bytes"}) {
    const Json* bytes = at(json, part + way);
    if (bytes == nullptr) continue;
    const auto missing = bytes->get<double>();
    for (const std::string& sum : sums) facts.change(run, sum + way, at(json, sum + way)->get<double>() - missing);
    facts.change(run, part + way, 0);
  }
}

/// True for counted quantities, as opposed to inputs (scenario, gpu) and predictions derived from the counts.
inline bool is_counted(const std::string& path) {
  for (const std::string_view part : {"tile_traffic", "hbm_traffic", "work.", "memory.", "kernels.", "here."}) {
    if (path.starts_with(part)) return path.find("capacity") == std::string::npos;
  }
  return false;
}

/// True if a step detects changed numbers, as `lesson --check` would.
inline bool notices(const lessons::WrittenLesson& written, const Made& made, const Facts& facts) {
  const lessons::Step& step = *made.step;
  try {
    for (const std::string& claim : step.claims) {
      if (!facts.holds(claim)) return true;
    }
    for (const lessons::Question& question : step.questions) {
      if (question.kind == lessons::QuestionKind::choice) {
        const std::string& right = lessons::right_choice(question, made.scene.facts()).name;
        const bool explained = written.en.page(step.name).reasons.count(right) > 0;
        if (lessons::right_choice(question, facts).name != right && !explained) return true;
      }
      if (question.kind == lessons::QuestionKind::until && facts.holds(question.until)) return true;
      if (question.kind == lessons::QuestionKind::formula &&
          facts.quantity(question.answer).value != sim::formula_value(question.solution, made.scene.run().plan))
        return true;
      if (question.kind != lessons::QuestionKind::number) continue;
      std::vector<double> answers = {facts.quantity(question.answer).value};
      for (const lessons::Wrong& wrong : question.wrong) answers.push_back(facts.quantity(wrong.when).value);
      for (std::size_t a = 0; a < answers.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          if (std::abs(answers[a] - answers[b]) <= std::max(question.tolerance, 1e-12) * std::abs(answers[b]))
            return true;
        }
      }
    }
    for (const lessons::Words* words : {&written.en, &written.zh}) lessons::filled(words->page(step.name), facts);
  } catch (const sim::Error&) {
    return true;
  }
  return false;
}

}  // namespace mutants
