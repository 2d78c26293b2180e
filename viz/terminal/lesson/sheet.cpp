#include "viz/terminal/lesson/sheet.h"

#include <unistd.h>

#include <cerrno>
#include <optional>

#include "sim/base/text.h"
#include "viz/draw/svg_paper.h"
#include "viz/files/output_set.h"
#include "viz/terminal/child.h"
#include "viz/terminal/command.h"
#include "viz/terminal/document.h"
#include "viz/terminal/lesson/pages.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

using lessons::Question;
using std::string;
using std::string_view;

SheetPart part_of(const lessons::Block& block) {
  switch (block.kind) {
    case lessons::BlockKind::equations:
      return {SheetPart::lines, block_text(block)};
    case lessons::BlockKind::table:
      return {SheetPart::table, block.text};
    case lessons::BlockKind::item:
      return {SheetPart::item, typed(block.text)};
    case lessons::BlockKind::myth:
      return {SheetPart::quote, typed(block.text)};
    case lessons::BlockKind::paragraph:
      break;
  }
  return {SheetPart::paragraph, typed(block.text)};
}

/// The question as the terminal prints it, without line breaks; on a handout with space for the answer.
SheetPart question_part(const StepPage& step, const Question& question, const ExportRequest& request) {
  const PageStyle page{request.language, 1000};
  if (request.sheet == Sheet::handout) return {SheetPart::lines, question_text(step, question, page) + "\n\n\n"};
  const bool key = request.sheet == Sheet::key;
  return {SheetPart::lines, key ? answer_text(step, question, page) : answered_text(step, question, page)};
}

void add_step(SheetParts& parts, const StepPage& step, const ExportRequest& request, bool pictures) {
  const string title = typed(step.page.title);
  parts.push_back({SheetPart::heading, sim::text(step.number + 1, ". ", title)});
  if (request.sheet != Sheet::key) {
    for (const lessons::Block& block : step.page.blocks) parts.push_back(part_of(block));
    if (pictures) parts.push_back({SheetPart::picture, title, "pictures/" + picture_name(*step.written, step.step())});
  }
  for (const Question& question : step.step().questions) parts.push_back(question_part(step, question, request));
  if (request.sheet != Sheet::all) return;
  for (const lessons::Block& block : step.page.told) parts.push_back(part_of(block));
}

/// Escapes text, keeping its lines.
string xml_lines(string_view lines) {
  string text;
  for (const string_view line : sim::split(lines, "\n")) text += draw::xml(string(line)) + "\n";
  text.pop_back();
  return text;
}

string in_tag(string_view tag, string_view text) { return sim::text("<", tag, ">", text, "</", tag, ">\n"); }

/// Converts table rows: the first is the header, and the line of dashes after it is skipped.
string html_table(string_view rows) {
  string text, cell = "th";
  for (const auto& row : rows_of(rows)) {
    string cells;
    for (const string& one : row) cells += sim::text("<", cell, ">", draw::xml(one), "</", cell, ">");
    text += in_tag("tr", cells);
    cell = "td";
  }
  return in_tag("table", "\n" + text);
}

string html_part(const SheetPart& part) {
  switch (part.kind) {
    case SheetPart::title:
      return in_tag("h1", draw::xml(part.text));
    case SheetPart::heading:
      return in_tag("h2", draw::xml(part.text));
    case SheetPart::item:
      return in_tag("li", draw::xml(part.text));
    case SheetPart::quote:
      return in_tag("blockquote", draw::xml(part.text));
    case SheetPart::table:
      return html_table(part.text);
    case SheetPart::lines:
      return in_tag("pre", xml_lines(part.text));
    case SheetPart::picture:
      return sim::text("<img src=\"", draw::xml(part.path), "\" alt=\"", draw::xml(part.text), "\">\n");
    case SheetPart::paragraph:
      break;
  }
  return in_tag("p", draw::xml(part.text));
}

string markdown_part(const SheetPart& part) {
  switch (part.kind) {
    case SheetPart::title:
      return "# " + markdown(part.text) + "\n";
    case SheetPart::heading:
      return "## " + markdown(part.text) + "\n";
    case SheetPart::item:
      return "- " + markdown(part.text) + "\n";
    case SheetPart::quote:
      return "> " + markdown(part.text) + "\n";
    case SheetPart::table:
      return part.text + "\n";
    case SheetPart::lines:
      return "```\n" + part.text + "```\n";
    case SheetPart::picture:
      return sim::text("![", markdown(part.text), "](", part.path, ")\n");
    case SheetPart::paragraph:
      break;
  }
  return markdown(part.text) + "\n";
}

/// Style for screens and paper: a step avoids page breaks if possible.
constexpr string_view sheet_style =
    "body{max-width:46em;margin:2em auto;padding:0 1em;font:16px/1.5 system-ui,sans-serif;color:#111;background:#fff}"
    "pre{white-space:pre-wrap;padding:.8em;border:1px solid #bbb;border-radius:6px;break-inside:avoid}"
    "img{max-width:100%}table{border-collapse:collapse}th,td{text-align:left;padding:.2em 1em .2em 0}"
    "th{border-bottom:1px solid #bbb}blockquote{margin:1em 0;padding-left:1em;border-left:3px solid #bbb}"
    "h2{break-after:avoid}img,table{break-inside:avoid}";

}  // namespace

string picture_name(const lessons::WrittenLesson& written, const lessons::Step& step) {
  return written.lesson.id + "-" + step.name + ".png";
}

SheetParts sheet_parts(const lessons::WrittenLesson& written, const ExportRequest& request, bool pictures) {
  const lessons::Words& words = written.words(request.language);
  SheetParts parts = {{SheetPart::title, sim::text(written.lesson.number(), " ", typed(words.title))}};
  if (!request.student.empty()) parts.push_back({SheetPart::paragraph, request.student});
  for (const lessons::Block& block : words.aim) parts.push_back(part_of(block));
  for (std::size_t n = 0; n < written.lesson.steps.size(); ++n)
    add_step(parts, make_step_page(written, n, request.language), request, pictures);
  return parts;
}

string markdown_of(const SheetParts& parts) {
  string text;
  for (const SheetPart& part : parts) text += (text.empty() ? "" : "\n") + markdown_part(part);
  return text;
}

string html_of(const SheetParts& parts, lessons::Language language) {
  string body;
  bool in_list = false;
  for (const SheetPart& part : parts) {
    const bool item = part.kind == SheetPart::item;
    if (item != in_list) body += item ? "<ul>\n" : "</ul>\n";
    in_list = item;
    body += html_part(part);
  }
  if (in_list) body += "</ul>\n";
  return sim::text("<!DOCTYPE html>\n<html lang=\"", lessons::name_of(language), "\">\n<head>\n",
                   "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n",
                   in_tag("title", draw::xml(parts.front().text)), in_tag("style", sheet_style), "</head>\n<body>\n",
                   body, "</body>\n</html>\n");
}

namespace {

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
