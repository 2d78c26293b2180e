#include "lessons/covered.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string_view;

/// True if one path is the other, or a part of it.
bool contains_path(string_view whole, string_view part) {
  return part.starts_with(whole) && (part.size() == whole.size() || part[whole.size()] == '.');
}

/// Left side of a claim: "A" of "A < 0.8 * B", which is a claim about A.
string_view subject_of(string_view claim) {
  std::size_t end = claim.size();
  for (const string_view sign : {" < ", " > ", " = ", " within "}) end = std::min(end, claim.find(sign));
  return claim.substr(0, end);
}

/// Paths of the step's own run in formulas, and whether other runs are named as well.
struct NamedPaths {
  Quantities paths;
  bool others = false;
};

bool names_run(const Lesson& lesson, const Step& step, string_view word) {
  const auto is = [&](const Other& other) { return other.name == word; };
  return std::any_of(lesson.others.begin(), lesson.others.end(), is) ||
         std::any_of(step.others.begin(), step.others.end(), is);
}

void add_paths(NamedPaths& named, const Lesson& lesson, const Step& step, string_view formula) {
  bool of_other = false;
  for (const FormulaPart& part : formula_parts(formula)) {
    if (part.kind != FormulaPart::Kind::word) continue;
    if (names_run(lesson, step, part.text)) {
      named.others = of_other = true;
      continue;
    }
    const bool known = std::find(named.paths.begin(), named.paths.end(), part.text) != named.paths.end();
    if (!of_other && !known) named.paths.emplace_back(part.text);
    of_other = false;
  }
}

string_view formula_of(const Question& question) {
  return string_view(question.answer).substr(0, question.answer.find(" |"));
}

bool is_number(const Question& question) {
  return question.kind == QuestionKind::number || question.kind == QuestionKind::formula;
}

NamedPaths named_by(const Lesson& lesson, const Step& step, const Question& question) {
  NamedPaths named;
  if (is_number(question)) add_paths(named, lesson, step, formula_of(question));
  for (const Choice& choice : question.choices) add_paths(named, lesson, step, subject_of(choice.when));
  return named;
}

/// Quantities that the formulas of a question name, except operands of a number.
Quantities named_quantities(const NamedPaths& named, bool number) {
  constexpr string_view counts[] = {"tile_traffic", "hbm_traffic", "work", "time", "memory", "pages", "gpus"},
                        operands[] = {"roofs", "kernels", "here"};
  const auto has = [](const auto& meters, string_view meter) {
    return std::find(std::begin(meters), std::end(meters), meter) != std::end(meters);
  };
  const bool alone = named.paths.size() == 1 && !named.others;
  Quantities asked;
  for (const std::string& path : named.paths) {
    const std::string meter = path.substr(0, path.find('.'));
    const bool count = has(counts, meter), operand = has(operands, meter);
    if (number ? (count && !named.others) || (operand && alone) : count || operand) asked.push_back(path);
  }
  return asked;
}

/// Calls `see` for each value on the chip: its tensor, its place in it ("0" or "0.1"), and the value.
using SeeValue = std::function<void(const std::string&, const std::string&, double)>;
void for_each_value(const Scene& scene, const SeeValue& see) {
  const nlohmann::ordered_json& run = *scene.facts().run("");
  if (!run.contains("here")) return;
  for (const auto& [tensor, rows] : run.at("here").items()) {
    for (const auto& [row, cells] : rows.items()) {
      if (cells.is_number()) see(tensor, row, cells.get<double>());
      if (!cells.is_object()) continue;
      for (const auto& [col, cell] : cells.items())
        if (cell.is_number()) see(tensor, sim::text(row, ".", col), cell.get<double>());
    }
  }
}

bool is_equal_value(double value, double answer) { return std::abs(value - answer) <= 1e-6 * std::abs(answer); }

/// True for 0, 1, 2.5 and the like, which two quantities may share by chance.
bool is_round(double value) { return is_equal_value(std::round(8 * value), 8 * value) || std::abs(value) < 1e-12; }

void add_once(Quantities& all, std::string path) {
  if (std::find(all.begin(), all.end(), path) == all.end()) all.push_back(std::move(path));
}

/// Place of an entry in a path: "0.1" of "here.S.0.1".
string_view place_in(string_view path) {
  const std::size_t tensor = path.find('.');
  const std::size_t place = tensor == string_view::npos ? tensor : path.find('.', tensor + 1);
  return place == string_view::npos ? string_view() : path.substr(place + 1);
}
string_view tensor_in(string_view path) { return path.substr(0, path.size() - place_in(path).size()); }

/// Places that the answer of a formula may have: an entry that it reads of a tensor of which it reads no other, or a
/// row that it reads.
Quantities places_of(const Quantities& paths) {
  Quantities places;
  for (const std::string& path : paths) {
    if (!path.starts_with("here.")) continue;
    const string_view place = place_in(path);
    const auto same = [&](const std::string& other) { return tensor_in(other) == tensor_in(path); };
    if (std::count_if(paths.begin(), paths.end(), same) == 1) add_once(places, std::string(place));
    add_once(places, std::string(place.substr(0, place.find('.'))));
  }
  return places;
}

/// True if two moments have the same queries in the same CTA: their vectors belong to the same rows.
bool has_same_rows(const Cursor& one, const Cursor& other) {
  return one.kernel == other.kernel && one.place == other.place && one.i == other.i;
}

/// Values of a step that a question of a later one asks for.
Quantities values_asked_in(const Lesson& lesson, const Step& later, const Question& question, const Scene& there,
                           const Scene& here) {
  Quantities found;
  const NamedPaths named = named_by(lesson, later, question);
  const Quantities asked = named_quantities(named, is_number(question));
  if (!has_same_rows(*here.cursor(), *there.cursor())) return found;
  for_each_value(here, [&](const std::string& tensor, const std::string& place, double value) {
    const std::string path = sim::text("here.", tensor, ".", place);
    if (here.cursor()->j == there.cursor()->j && std::find(asked.begin(), asked.end(), path) != asked.end() &&
        is_equal_value(value, there.facts().value(path)))
      add_once(found, path);
  });
  if (!is_number(question) || named.others) return found;
  const double answer = there.facts().value(formula_of(question));
  if (is_round(answer)) return found;
  const Quantities places = places_of(named.paths);
  std::vector<std::string> tensors;
  for_each_value(here, [&](const std::string& tensor, const std::string& place, double value) {
    if (is_equal_value(value, answer) && std::count(places.begin(), places.end(), place) > 0) add_once(tensors, tensor);
  });
  for_each_value(here, [&](const std::string& tensor, const std::string& place, double value) {
    if (is_equal_value(value, answer) && std::count(tensors.begin(), tensors.end(), tensor) > 0)
      add_once(found, sim::text("here.", tensor, ".", place));
  });
  return found;
}

/// Paths that a step's own text and questions read.
Quantities own_paths(const Lesson& lesson, const Step& step, const Page& page) {
  NamedPaths named;
  for (const Block& block : page.blocks) add_paths(named, lesson, step, block.text);
  for (const Question& question : step.questions) {
    add_paths(named, lesson, step, question.answer);
    for (const Choice& choice : question.choices) add_paths(named, lesson, step, choice.when);
  }
  return named.paths;
}

}  // namespace

bool is_among(const Quantities& quantities, string_view path) {
  return std::any_of(quantities.begin(), quantities.end(), [&](const std::string& quantity) {
    return contains_path(quantity, path) || contains_path(path, quantity);
  });
}

Quantities asked_quantities(const Lesson& lesson, const Step& step, const Question& question, const Scene& scene) {
  const NamedPaths named = named_by(lesson, step, question);
  Quantities asked = named_quantities(named, is_number(question));
  if (!is_number(question) || named.others) return asked;
  const double answer = scene.facts().value(formula_of(question));
  if (is_round(answer)) return asked;
  for_each_value(scene, [&](const std::string& tensor, const std::string& place, double value) {
    if (is_equal_value(value, answer)) add_once(asked, sim::text("here.", tensor, ".", place));
  });
  return asked;
}

std::vector<AskedLater> asked_later(const Lesson& lesson, std::size_t number, const Page& page, const Scene& scene) {
  std::vector<AskedLater> later;
  if (!scene.cursor() || !scene.facts().run("")->contains("here")) return later;
  const Quantities own = own_paths(lesson, lesson.steps.at(number), page);
  for (std::size_t n = number + 1; n < lesson.steps.size(); ++n) {
    const Step& step = lesson.steps[n];
    if (!step.at || step.questions.empty() || options_of(lesson, step) != scene.options()) continue;
    const Scene there(lesson, step, scene.gpu());
    for (const Question& question : step.questions) {
      Quantities found = values_asked_in(lesson, step, question, there, scene);
      std::erase_if(found, [&](const std::string& path) { return is_among(own, path); });
      if (!found.empty()) later.push_back({&step, &question, std::move(found)});
    }
  }
  return later;
}

bool has_few_values(const sim::Problem& problem) {
  constexpr std::int64_t most = 4;  // rows and columns of a tile
  return problem.shape.batch * problem.shape.heads == 1 && problem.tiling.br <= most && problem.tiling.bc <= most &&
         problem.shape.head_dims().widest() <= most && problem.shape.seqlen_k <= 2 * most;
}

}  // namespace lessons
