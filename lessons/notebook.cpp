#include "lessons/notebook.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/flow.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"

namespace lessons {
namespace {

using Json = nlohmann::ordered_json;
using sim::require;
using std::string;

constexpr std::size_t longest_text = 4096, most_lessons = 100, most_answers = 1000, most_tries = 9;

/// Reads the members of a notebook, each by its type.
class Reader {
 public:
  explicit Reader(string file) : file_(std::move(file)) {}

  string text(const Json& json, const char* key, bool needed = true) const {
    if (!needed && !json.contains(key)) return "";
    require(json.is_object() && json.contains(key) && json[key].is_string(), file_, ": ", key,
            " is missing or no text");
    string value = json[key].get<string>();
    require(value.size() <= longest_text, file_, ": ", key, " has more than ", longest_text, " bytes");
    return value;
  }
  int whole(const Json& json, const char* key) const {
    require(json.is_object() && json.contains(key) && json[key].is_number_integer(), file_, ": ", key,
            " is missing or no whole number");
    const auto value = json[key].get<std::int64_t>();
    require(value >= 0 && value <= 1'000'000, file_, ": ", key, " is out of range");
    return static_cast<int>(value);
  }
  const Json& list(const Json& json, const char* key, std::size_t most) const {
    require(json.is_object() && json.contains(key) && json[key].is_array(), file_, ": ", key, " is missing or no list");
    require(json[key].size() <= most, file_, ": ", key, " has more than ", most, " entries");
    return json[key];
  }

  Notebook read(const Json& json) const {
    require(json.is_object(), file_, " is not a notebook: it has no members");
    const int schema = whole(json, "schema");
    require(schema == 1, file_, ": schema ", schema, " is unknown, this program reads 1");
    Notebook notebook{text(json, "student", false), {}};
    for (const Json& lesson : list(json, "lessons", most_lessons)) {
      LessonNotes notes{text(lesson, "id"), whole(lesson, "version"), text(lesson, "step", false), {}};
      for (const Json& answer : list(lesson, "answers", most_answers)) {
        const bool shown = answer.is_object() && answer.contains("shown") && answer["shown"] == true;
        notes.answers.push_back({text(answer, "step"), text(answer, "question"), text(answer, "given", !shown), shown});
        if (answer.contains("later")) notes.answers.back().later = later(answer);
      }
      notebook.lessons.push_back(std::move(notes));
    }
    return notebook;
  }

 private:
  std::vector<string> later(const Json& answer) const {
    std::vector<string> all;
    for (const Json& given : list(answer, "later", most_tries)) {
      require(given.is_string() && given.get<string>().size() <= longest_text, file_,
              ": later contains something that is not an answer");
      all.push_back(given.get<string>());
    }
    return all;
  }

  string file_;
};

Grade::Mark mark_of(const WrittenLesson& written, const Step& step, const Question& question, const Scene& scene,
                    const LessonNotes& notes) {
  const Answer* answer = notes.answer(step.name, question.text);
  Grade::Mark one{
      step.name, question.text, answer == nullptr ? "" : answer->given, right_answer(question, scene), false, false,
      ""};
  if (answer == nullptr) {
    one.why = "missing";
  } else if (answer->shown && answer->given.empty()) {
    one.why = "shown";
  } else {
    const Verdict verdict = mark(written.lesson, step, question, scene, answer->given);
    one.right = verdict.right;
    one.solved = recalled({written.lesson, step, question, written.en.page(step.name), scene}, *answer).right();
    if (!verdict.right)
      one.why = !verdict.understood ? verdict.error.text() : verdict.why.empty() ? "wrong" : verdict.why;
    const auto& reasons = written.en.page(step.name).reasons;
    if (const auto reason = reasons.find(one.why); reason != reasons.end())
      one.why = scene.facts().filled(reason->second);
  }
  return one;
}

}  // namespace

const Answer* LessonNotes::answer(std::string_view step_name, std::string_view question) const {
  const auto found = std::find_if(answers.begin(), answers.end(), [&](const Answer& answer) {
    return answer.step == step_name && answer.question == question;
  });
  return found == answers.end() ? nullptr : &*found;
}

/// Finds the notes of a lesson version among `lessons`, a vector of LessonNotes; null if there are none.
template <class Lessons>
static auto* notes_of(Lessons& lessons, std::string_view id, int version) {
  const auto found = std::find_if(lessons.begin(), lessons.end(),
                                  [&](const LessonNotes& notes) { return notes.id == id && notes.version == version; });
  return found == lessons.end() ? nullptr : &*found;
}

LessonNotes& Notebook::notes(const Lesson& lesson) {
  if (LessonNotes* notes = notes_of(lessons, lesson.id, lesson.version)) return *notes;
  lessons.push_back({lesson.id, lesson.version, "", {}});
  return lessons.back();
}

const LessonNotes* Notebook::find(std::string_view id, int version) const { return notes_of(lessons, id, version); }

Notebook merged(Notebook kept, const Notebook& mine, const Notebook& before) {
  if (kept.student.empty()) kept.student = mine.student;
  for (const LessonNotes& notes : mine.lessons) {
    LessonNotes* same = notes_of(kept.lessons, notes.id, notes.version);
    if (same == nullptr) {
      kept.lessons.push_back(notes);
      continue;
    }
    const LessonNotes* old = before.find(notes.id, notes.version);
    if (old == nullptr || old->step != notes.step) same->step = notes.step;
    for (const Answer& answer : notes.answers) keep_answer(*same, answer);
  }
  return kept;
}

static Answer* kept_answer(LessonNotes& notes, std::string_view step, std::string_view question) {
  const auto found = std::find_if(notes.answers.begin(), notes.answers.end(), [&](const Answer& answer) {
    return answer.step == step && answer.question == question;
  });
  return found == notes.answers.end() ? nullptr : &*found;
}

void keep_answer(LessonNotes& notes, Answer answer) {
  Answer* const kept = kept_answer(notes, answer.step, answer.question);
  if (kept == nullptr) return notes.answers.push_back(std::move(answer));
  const bool same = kept->given == answer.given;
  if (same && answer.later.size() > kept->later.size()) kept->later = std::move(answer.later);
  kept->shown = kept->shown || answer.shown;
}

void keep_try(LessonNotes& notes, const string& step, const string& question, const string& given) {
  Answer* const kept = kept_answer(notes, step, question);
  if (kept == nullptr) return keep_answer(notes, {step, question, given, false});
  if (kept->later.size() < most_tries) kept->later.push_back(given);
}

Notebook read_notebook(std::string_view json, const string& origin) {
  const string file = sim::shortened(origin, 1000);
  require(json.size() <= longest_notebook, file, ": a notebook has at most ", longest_notebook, " bytes");
  const Json read = Json::parse(json, nullptr, false);
  require(!read.is_discarded(), file, " is not JSON");
  return Reader(file).read(read);
}

string to_text(const Notebook& notebook) {
  Json lessons = Json::array();
  for (const LessonNotes& notes : notebook.lessons) {
    Json answers = Json::array();
    for (const Answer& answer : notes.answers) {
      Json one = {{"step", answer.step}, {"question", answer.question}, {"given", answer.given}};
      if (answer.shown) one["shown"] = true;
      if (!answer.later.empty()) one["later"] = answer.later;
      answers.push_back(std::move(one));
    }
    lessons.push_back({{"id", notes.id}, {"version", notes.version}, {"step", notes.step}, {"answers", answers}});
  }
  const Json json = {{"schema", 1}, {"student", notebook.student}, {"lessons", lessons}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Grade grade(const WrittenLesson& written, const LessonNotes& notes, const sim::GpuLookup& gpu) {
  Grade grade{written.lesson.id, written.lesson.version, 0, 0, 0, {}};
  for (const Step& step : written.lesson.steps) {
    if (step.questions.empty()) continue;
    const Scene scene(written.lesson, step, gpu);
    for (const Question& question : step.questions) {
      grade.marks.push_back(mark_of(written, step, question, scene, notes));
      grade.right += grade.marks.back().right ? 1 : 0;
      grade.solved += grade.marks.back().solved ? 1 : 0;
      ++grade.of;
    }
  }
  return grade;
}

Json to_json(const std::vector<Grade>& grades) {
  Json lessons = Json::array();
  for (const Grade& grade : grades) {
    Json answers = Json::array();
    for (const Grade::Mark& mark : grade.marks)
      answers.push_back({{"step", mark.step},
                         {"question", mark.question},
                         {"given", mark.given},
                         {"expected", mark.expected},
                         {"right", mark.right},
                         {"solved", mark.solved},
                         {"why", mark.why}});
    lessons.push_back({{"id", grade.id},
                       {"version", grade.version},
                       {"right", grade.right},
                       {"solved", grade.solved},
                       {"of", grade.of},
                       {"answers", answers}});
  }
  return {{"schema", 1}, {"lessons", lessons}};
}

}  // namespace lessons
