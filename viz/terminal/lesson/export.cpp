#include "viz/terminal/lesson/export.h"

#include <unistd.h>

#include <cerrno>
#include <optional>

#include "sim/base/text.h"
#include "viz/files/output_set.h"
#include "viz/terminal/child.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/pages.h"
#include "viz/terminal/lesson/sheet.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

using std::string;

/// Runs the drawing program, which writes the picture to its standard output. Throws sim::Error with its error message.
string drawn(const std::filesystem::path& program, const string& link, const std::vector<string>& more) {
  std::vector<string> words = {program.string(), "screenshot", "/dev/stdout", "--link", link, "--size", "1280x800"};
  words.insert(words.end(), more.begin(), more.end());
  Child child(words);
  string picture = child.output();
  const string error = child.end();
  sim::require(!error.empty() || picture.starts_with("\x89PNG"),
               "lesson: the pictures cannot be drawn: the result is not a picture");
  if (error.empty()) return picture;
  const string message = sim::text("lesson: the pictures cannot be drawn: ", error);
  if (child.lacks_something()) throw MissingCapability(message);
  throw sim::Error(message);
}

/// Options that hide the answers in a handout's picture. They need the step's link, which sets its scenario.
std::vector<string> handout_words(const ExportRequest& request) {
  std::vector<string> words = {"--handout"};
  if (!request.student.empty()) words.insert(words.end(), {"--student", request.student});
  if (!request.own.empty()) words.insert(words.end(), {"--lessons", request.own});
  return words;
}

/// Draws a picture of each step.
void draw_all(const std::filesystem::path& program, const lessons::WrittenLesson& written, const ExportRequest& request,
              files::OutputSet& set) {
  StatusLine status("lesson", "");
  for (std::size_t n = 0; n < written.lesson.steps.size(); ++n) {
    const StepPage step = make_step_page(written, n, request.language);
    status.show(sim::text(written.lesson.id, ": picture ", n + 1, " of ", written.lesson.steps.size()));
    const bool covers = request.sheet == Sheet::handout && !step.step().questions.empty();
    const string link = (covers ? sim::text("lesson=", written.lesson.id, "&lesson-step=", n + 1)
                                : lessons::link_of(step.scene.options(), step.step(), step.scene.cursor())) +
                        sim::text("&theme=light&lang=", lessons::name_of(request.language));
    const std::vector<string> more = covers ? handout_words(request) : std::vector<string>();
    set.add(request.folder / "pictures" / picture_name(written, step.step())).write(drawn(program, link, more));
  }
}

}  // namespace

void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request) {
  files::OutputFolder folder(request.folder);
  const std::filesystem::path program = program_beside(explorer_program);
  const bool wanted = request.sheet != Sheet::key, draws = ::access(program.c_str(), F_OK) == 0 || errno != ENOENT;
  std::optional<files::OutputFolder> pictures;
  if (wanted && draws) pictures.emplace(request.folder / "pictures");
  files::OutputSet set;
  for (const lessons::WrittenLesson& written : all) {
    if (wanted && draws) draw_all(program, written, request, set);
    const SheetParts parts = sheet_parts(written, request, wanted && draws);
    set.add(request.folder / (written.lesson.id + ".md")).write(markdown_of(parts));
    set.add(request.folder / (written.lesson.id + ".html")).write(html_of(parts, request.language));
  }
  set.commit();
  if (wanted && !draws)
    print_warnings(
        {"the sheets have no pictures: flashscope-explorer, which draws them, is not built; ./flashscope build "
         "flashscope-explorer"});
  print(
      sim::text("wrote ", all.size(), all.size() == 1 ? " lesson" : " lessons", " to ", request.folder.string(), "\n"));
}

}  // namespace terminal
