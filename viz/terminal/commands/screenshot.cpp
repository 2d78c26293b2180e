// flashscope screenshot: the explorer as a picture, video (MP4) or animation (GIF), without a display.
#include <cmath>
#include <nlohmann/json.hpp>

#include "lessons/notebook.h"
#include "sim/catalogue/typed_values.h"
#include "viz/explorer/headless.h"
#include "viz/explorer/native_verifier.h"
#include "viz/files/output_file.h"
#include "viz/platform/png.h"
#include "viz/terminal/command.h"
#include "viz/terminal/explorer_request.h"
#include "viz/terminal/movie.h"
#include "viz/terminal/request.h"
#include "viz/terminal/status_line.h"

namespace terminal {
namespace {

struct Shot {
  ExplorerRequest request;
  explorer::Size size;
  std::int64_t frames = 0, frames_per_second = 30;  ///< frames 0: a single picture
};

constexpr std::int64_t most_frames = 99999;

Shot make_shot(const Arguments& arguments) {
  Shot shot{make_explorer_request(arguments), {}};
  const double dpr = dpr_of(arguments).value_or(1);
  const auto pixels = [&](std::int64_t css) { return static_cast<int>(std::lround(static_cast<double>(css) * dpr)); };
  shot.size = {pixels(shot.request.width), pixels(shot.request.height), static_cast<float>(dpr)};
  constexpr std::int64_t most = std::int64_t{1} << 26;
  const std::int64_t all = std::int64_t{shot.size.width} * shot.size.height;
  sim::require(all <= most && std::max(shot.size.width, shot.size.height) <= 16384, "size: ", shot.size.width, " x ",
               shot.size.height, " pixels are too many: allowed are 16384 a side and ", most, " in all");
  const auto frames = arguments.find("frames"), seconds = arguments.find("seconds"), fps = arguments.find("fps");
  sim::require(!frames || !seconds, "seconds: the length is given twice; --frames gives it too");
  sim::require(!fps || frames || seconds, "fps: belongs to --frames or --seconds");
  if (fps) shot.frames_per_second = sim::typed_whole_number("fps", *fps, 1, 100);
  if (frames) shot.frames = sim::typed_whole_number("frames", *frames, 1, most_frames);
  if (seconds)
    shot.frames =
        shot.frames_per_second * sim::typed_whole_number("seconds", *seconds, 1, most_frames / shot.frames_per_second);
  return shot;
}

/// Path of the result. Throws for a name without a known suffix.
std::string output_path(const Arguments& arguments, const Shot& shot) {
  const auto path = arguments.find("OUT.png");
  sim::require(path.has_value(), "screenshot: needs a file: flashscope screenshot OUT.png");
  sim::require(*path != "-", "screenshot: \"-\" is not a file: /dev/stdout is standard output");
  const bool movie = is_movie(*path), device = path->starts_with("/dev/");
  sim::require(movie || device || std::filesystem::path(*path).extension() == ".png", "screenshot: the suffix of \"",
               *path, "\" names no format: allowed are .png, and with --frames or --seconds .gif and .mp4");
  sim::require(!movie || shot.frames > 0, "screenshot: ", *path,
               " is a video: give its length with --seconds S or --frames N");
  sim::require(!device || shot.frames == 0, "screenshot: ", *path, " cannot hold several pictures");
  return *path;
}

void write_picture(files::OutputFile& file, const explorer::Headless& window) {
  file.write(platform::png_bytes(window.driver.picture(), {"Link", "#" + window.explorer.model.link()}));
  file.commit();
}

/// Inserts a frame number: "film.png" -> "film-0001.png".
std::filesystem::path numbered(std::filesystem::path path, std::int64_t number) {
  const std::string digits = sim::text(number), stem = path.stem().string();
  const std::string zeros(digits.size() < 4 ? 4 - digits.size() : 0, '0');
  return path.replace_filename(stem + "-" + zeros + digits + path.extension().string());
}

/// Calls `take` for each frame, playing from the link's time.
template <class Take>
void play(explorer::Headless& window, const Shot& shot, Take take) {
  window.explorer.model.play(true);
  StatusLine status("screenshot", "pictures");
  for (std::int64_t n = 1; n <= shot.frames; ++n) {
    window.finish();
    take(n);
    status.show(n, shot.frames);
    window.explorer.update(1.0 / static_cast<double>(shot.frames_per_second));
  }
}

/// Output, opened before the work starts: one picture, one video, or nothing yet if there are several pictures.
struct Result {
  std::string path;
  std::optional<files::OutputFile> picture;
  std::optional<Movie> movie;
};

void open_result(Result& result, const Arguments& arguments, const Shot& shot) {
  result.path = output_path(arguments, shot);
  if (shot.frames == 0) {
    result.picture.emplace(result.path);
  } else if (is_movie(result.path)) {
    result.movie.emplace(result.path, Video{shot.size.width, shot.size.height, shot.frames, shot.frames_per_second});
  } else {
    for (std::int64_t n = 1; n <= shot.frames; ++n) files::OutputClaim("output", numbered(result.path, n));
  }
}

void write_result(Result& result, explorer::Headless& window, const Shot& shot) {
  if (result.picture) return write_picture(*result.picture, window);
  play(window, shot, [&](std::int64_t n) {
    if (result.movie) return result.movie->add(window.driver.picture());
    files::OutputFile file(numbered(result.path, n));
    write_picture(file, window);
  });
  if (result.movie) result.movie->commit();
}

/// Draws the link in the margin below the panels.
void stamp(ui::Ui& ui, const explorer::Explorer& explorer, const explorer::Size& size) {
  ui::Canvas& canvas = ui.canvas;
  const float side = canvas.px(16), height = canvas.px(14);
  const auto width = static_cast<float>(size.width);
  const ui::Rect box{side, static_cast<float>(size.height) - height, width - 2 * side, height};
  canvas.fill(box, canvas.theme().window);
  canvas.text(box, ui::Style::caption, canvas.theme().muted, "FlashScope #" + explorer.model.link());
}

}  // namespace

int run_screenshot(const Arguments& arguments) {
  const Shot shot = make_shot(arguments);
  const bool describe = arguments.find("describe").has_value();
  Result result;
  if (!describe) open_result(result, arguments, shot);
  explorer::Headless window(shot.request.link, shot.size, shot.request.gpu);
  const explorer::Model& model = window.explorer.model;
  if (shot.request.bare) print_notes({filled_card_note()});
  report_trouble(shot.request, model);
  window.explorer.model.classroom.handout = arguments.find("handout").has_value();
  lessons::Notebook notebook;
  notebook.student = arguments.value("student", "");
  if (!notebook.student.empty()) window.explorer.model.classroom.notebook = notebook;
  window.explorer.model.world.verifier = explorer::make_native_verifier();
  if (describe) {
    window.driver.frame();  // a lesson opens its step, and covers the answers
    print(window.explorer.description() + "\n");
    return exit_done;
  }
  if (arguments.find("stamp")) window.over = [&](ui::Ui& ui) { stamp(ui, window.explorer, shot.size); };
  window.explorer.model.play(false);  // stops a clip that the tour has started
  window.finish();
  write_result(result, window, shot);
  return exit_done;
}

}  // namespace terminal
