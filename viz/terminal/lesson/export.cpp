#include "viz/terminal/lesson/export.h"

#include <unistd.h>

#include <cerrno>
#include <optional>

#include "sim/base/text.h"
#include "viz/files/output_set.h"
#include "viz/terminal/child.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/pages.h"
#include "viz/terminal/lesson/phrases.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

using lessons::Question;
using std::string;

/// Words as Markdown: what it takes for marks is written out.
string markdown(std::string_view markup) {
  string text;
  for (const char c : typed(markup)) {
    if (std::string_view("_*<>`#").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

string block_markdown(const lessons::Block& block) {
  switch (block.kind) {
    case lessons::BlockKind::equations:
      return "```\n" + block_text(block) + "```\n";
    case lessons::BlockKind::table:
      return block.text + "\n";
    case lessons::BlockKind::item:
      return "- " + markdown(block.text) + "\n";
    case lessons::BlockKind::myth:
      return "> " + markdown(block.text) + "\n";
    case lessons::BlockKind::paragraph:
      break;
  }
  return markdown(block.text) + "\n";
}

string picture_name(const lessons::WrittenLesson& written, const lessons::Step& step) {
  return written.lesson.id + "-" + step.name + ".png";
}

/// As the terminal prints it, without breaking lines.
string question_markdown(const StepPage& step, const Question& question, const ExportRequest& request) {
  const PageStyle style{request.language, 1000};
  if (request.sheet == Sheet::handout) return "```\n" + question_text(step, question, style) + "\n\n\n```\n";
  const bool key = request.sheet == Sheet::key;
  return "```\n" + (key ? answer_text(step, question, style) : answered_text(step, question, style)) + "```\n";
}

string step_markdown(const StepPage& step, const ExportRequest& request, bool pictures) {
  string text = sim::text("\n## ", step.number + 1, ". ", markdown(step.page.title), "\n");
  if (request.sheet != Sheet::key) {
    for (const lessons::Block& block : step.page.blocks) text += "\n" + block_markdown(block);
    if (pictures)
      text +=
          sim::text("\n![", markdown(step.page.title), "](pictures/", picture_name(*step.written, step.step()), ")\n");
  }
  for (const Question& question : step.step().questions) text += "\n" + question_markdown(step, question, request);
  return text;
}

/// Runs the program that draws, which writes the picture to its standard output. Throws sim::Error with what it says.
string drawn(const std::filesystem::path& program, const string& link) {
  Child child({program.string(), "screenshot", "/dev/stdout", "--link", link, "--size", "1280x800"});
  string picture = child.output();
  const string error = child.end();
  sim::require(!error.empty() || picture.starts_with("\x89PNG"),
               "lesson: the pictures cannot be drawn: what came is no picture");
  if (error.empty()) return picture;
  const string message = sim::text("lesson: the pictures cannot be drawn: ", error);
  if (child.lacks_something()) throw MissingCapability(message);
  throw sim::Error(message);
}

/// A picture of each step.
void draw_all(const std::filesystem::path& program, const lessons::WrittenLesson& written, const ExportRequest& request,
              files::OutputSet& set) {
  StatusLine status("lesson", "");
  for (std::size_t n = 0; n < written.lesson.steps.size(); ++n) {
    const StepPage step = make_step_page(written, n, request.language);
    status.show(sim::text(written.lesson.id, ": picture ", n + 1, " of ", written.lesson.steps.size()));
    const string link = lessons::link_of(step.scene.options(), step.step(), step.scene.cursor()) +
                        sim::text("&theme=light&lang=", lessons::name_of(request.language));
    set.add(request.folder / "pictures" / picture_name(written, step.step())).write(drawn(program, link));
  }
}

}  // namespace

string sheet_text(const lessons::WrittenLesson& written, const ExportRequest& request, bool pictures) {
  const lessons::Words& words = written.words(request.language);
  string text = sim::text("# ", written.lesson.number(), " ", markdown(words.title), "\n");
  if (!request.student.empty()) text += "\n" + markdown(request.student) + "\n";
  for (const lessons::Block& block : words.aim) text += "\n" + block_markdown(block);
  for (std::size_t n = 0; n < written.lesson.steps.size(); ++n)
    text += step_markdown(make_step_page(written, n, request.language), request, pictures);
  return text;
}

void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request) {
  files::OutputFolder folder(request.folder);
  const std::filesystem::path program = program_beside(explorer_program);
  const bool wanted = request.sheet != Sheet::key, draws = ::access(program.c_str(), F_OK) == 0 || errno != ENOENT;
  std::optional<files::OutputFolder> pictures;
  if (wanted && draws) pictures.emplace(request.folder / "pictures");
  files::OutputSet set;
  for (const lessons::WrittenLesson& written : all) {
    if (wanted && draws) draw_all(program, written, request, set);
    set.add(request.folder / (written.lesson.id + ".md")).write(sheet_text(written, request, wanted && draws));
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
