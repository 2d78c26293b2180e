#include "lessons/names.h"

#include <algorithm>
#include <set>

#include "lessons/facts.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t most_names = 100, longest_name = 30, longest_formula = 4000;

/// Words that mean something else in formulas: the first parts of paths, functions, and the words of claims.
constexpr string_view taken[] = {"schema", "scenario", "kernels", "warnings", "links",  "memory", "work",
                                 "time",   "stalls",   "banks",   "check",    "gpu",    "roofs",  "here",
                                 "ceil",   "floor",    "sqrt",    "log",      "log2",   "tanh",   "abs",
                                 "exp",    "exp2",     "min",     "max",      "within", "of",     "e"};

/// True if an operator stands outside of the brackets of a formula.
bool has_operator(string_view formula) {
  int depth = 0;
  for (const FormulaPart& part : formula_parts(formula)) {
    if (part.kind != FormulaPart::Kind::sign) continue;
    const char sign = part.text[0];
    depth += sign == '(' ? 1 : sign == ')' ? -1 : 0;
    if (depth == 0 && string_view(" ()").find(sign) == string_view::npos) return true;
  }
  return false;
}

/// The names that formulas of a step may use.
class Names {
 public:
  Names(Lesson& lesson, Step& step) {
    for (const auto* others : {&lesson.others, &step.others}) {
      for (const Other& other : *others) runs_.insert(other.name);
    }
    for (auto* names : {&lesson.names, &step.names}) {
      for (Name& name : *names) {
        std::set<std::size_t> uses;
        string formula = replaced(name.formula, uses);
        formula.resize(std::min(formula.size(), longest_formula + 1));  // is an error, see error_of
        entries_.push_back({&name, std::move(formula), std::move(uses)});
      }
    }
  }

  /// Throws sim::Error for the first name that is wrong.
  void validate(const string& file) const {
    for (std::size_t n = 0; n < entries_.size(); ++n) {
      const Name& name = *entries_[n].name;
      const string error = error_of(n);
      sim::require(error.empty(), at_line(file, name.line, "name "), sim::quoted(name.name), " ", error);
    }
  }

  /// Replaces the names in a formula, which thereby are used.
  void expand(string& formula) const {
    if (entries_.empty()) return;
    std::set<std::size_t> uses;
    formula = replaced(formula, uses);
    for (const std::size_t used : uses) entries_[used].name->used = true;
  }

 private:
  struct Entry {
    Name* name;
    string formula;              // without names
    std::set<std::size_t> uses;  // the names that were in it
  };

  bool is_run(const FormulaPart& part) const {
    return part.kind == FormulaPart::Kind::word && runs_.contains(part.text);
  }

  std::size_t entry_called(const FormulaPart& part) const {
    std::size_t n = 0;
    while (n < entries_.size() && (part.kind != FormulaPart::Kind::word || entries_[n].name->name != part.text)) ++n;
    return n;
  }

  /// Reads all paths of a formula from a run, except those for which it names one.
  string of_run(string_view run, string_view formula) const {
    string result;
    bool named = false;
    for (const FormulaPart& part : formula_parts(formula)) {
      const bool path = part.kind == FormulaPart::Kind::word && !is_run(part);
      if (path && !named) result += string(run) + " ";
      if (path || is_run(part)) named = is_run(part);
      result += part.text;
    }
    return result;
  }

  string replaced(string_view formula, std::set<std::size_t>& uses) const {
    const std::vector<FormulaPart> parts = formula_parts(formula);
    const auto is_space = [&](std::size_t n) { return n < parts.size() && parts[n].text == " "; };
    string result;
    for (std::size_t n = 0; n < parts.size(); ++n) {
      const std::size_t begin = n;
      if (parts[n].text == "|") {  // a unit may be called as a name is
        for (; n < parts.size(); ++n) result += parts[n].text;
        break;
      }
      if (is_run(parts[n])) {
        std::size_t next = n + 1;
        while (is_space(next)) ++next;
        if (next < parts.size() && entry_called(parts[next]) < entries_.size()) n = next;
      }
      const std::size_t entry = entry_called(parts[n]);
      if (entry == entries_.size()) {
        result += parts[n].text;
        continue;
      }
      const Entry& named = entries_[entry];
      const string whole = n == begin ? named.formula : of_run(parts[begin].text, named.formula);
      std::size_t end = n + 1;
      while (is_space(end)) ++end;
      const bool alone = sim::trimmed(result).empty() && (end == parts.size() || parts[end].text == "|");
      result += alone || !has_operator(whole) ? whole : "(" + whole + ")";
      uses.insert(entry);
      uses.insert(named.uses.begin(), named.uses.end());
    }
    return result;
  }

  /// Returns what is wrong with a name, as the end of a sentence; "" if nothing is.
  string error_of(std::size_t at) const {
    const string &name = entries_[at].name->name, &formula = entries_[at].name->formula;
    const auto fits = [](char c) { return sim::is_letter(c) || sim::is_digit(c); };
    if (name.size() > longest_name || !sim::is_letter(name[0]) || !std::all_of(name.begin(), name.end(), fits))
      return sim::text("must begin with a letter and have only letters and digits, at most ", longest_name);
    if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken))
      return "has another meaning in formulas";
    if (runs_.contains(name)) return "is the name of a run";
    for (std::size_t n = 0; n < at; ++n) {
      if (entries_[n].name->name == name) return "is defined twice";
    }
    for (const FormulaPart& part : formula_parts(formula)) {
      if (part.text == "|") return "has a unit: write it where the name is used, {" + name + " | UNIT}";
      if (string_view("<>=").find(part.text) != string_view::npos) return "stands for a claim, not for a formula";
      const std::size_t used = entry_called(part);
      if (used < entries_.size() && used >= at)
        return sim::text("uses ", part.text, ", which is not defined before it");
    }
    if (entries_[at].formula.size() > longest_formula)
      return sim::text("stands for more than ", longest_formula, " characters");
    return at < most_names ? "" : sim::text("is one too many: a step may use ", most_names);
  }

  std::set<string, std::less<>> runs_;
  std::vector<Entry> entries_;
};

/// Replaces the names in the formulas of a question. The answers to an order, to a goal, and to a question for a
/// formula are no formulas of the lesson.
void expand_question(Question& question, const Names& names) {
  for (string* formula : {&question.answer, &question.until, &question.score, &question.par}) names.expand(*formula);
  for (Choice& choice : question.choices) names.expand(choice.when);
  if (question.kind != QuestionKind::number && question.kind != QuestionKind::tile) return;
  for (Wrong& wrong : question.wrong) names.expand(wrong.when);
}

}  // namespace

void expand_names(Lesson& lesson, const string& file) {
  for (Step& step : lesson.steps) {
    const Names names(lesson, step);
    names.validate(file);
    for (string& claim : step.claims) names.expand(claim);
    for (Question& question : step.questions) expand_question(question, names);
  }
}

void expand_names(Lesson& lesson, Words& words) {
  for (Step& step : lesson.steps) {
    const auto page =
        std::find_if(words.pages.begin(), words.pages.end(), [&](const Page& one) { return one.name == step.name; });
    if (page == words.pages.end()) continue;
    const Names names(lesson, step);
    for (string* text : texts_of(*page)) {
      *text = with_formulas(*text, [&](string_view formula) {
        string plain(formula);
        names.expand(plain);
        return "{" + plain + "}";
      });
    }
  }
}

string expanded(Lesson& lesson, Step& step, string_view formula) {
  string plain(formula);
  Names(lesson, step).expand(plain);
  return plain;
}

}  // namespace lessons
