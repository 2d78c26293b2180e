// State of the explorer in the browser, shared by the functions of main_web.cpp and main_web_lessons.cpp.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "viz/explorer/explorer.h"
#include "viz/explorer/export.h"
#include "viz/platform/gl_painter.h"

namespace web {

class Page {
 public:
  /// `notebook`: the learner's notebook as text, empty if there is none. `webgl`: a context of WebGL 2 is current;
  /// otherwise pictures are drawn in software, and shell.js puts them into the canvas.
  Page(const char* link, const std::string& notebook, int width, int height, float dpr, bool webgl);

  explorer::Explorer explorer;
  platform::Screen screen;
  /// A picture as its pixels, four bytes each; the page makes a PNG of them, with the link.
  struct File {
    explorer::Export file;
    int width = 0, height = 0;  ///< of a picture
  };
  std::vector<File> files;              ///< for shell.js to save
  nlohmann::ordered_json copy;          ///< text for the clipboard, or a file to show
  std::optional<std::string> notebook;  ///< for shell.js to keep
  platform::Picture picture;            ///< the last frame, without WebGL
  bool pictured = false;                ///< shell.js has not yet put it into the canvas
  std::int64_t drawn = 0;

  void resize(int width, int height, float dpr);
  void stir();
  float dpr() const { return dpr_; }
  bool idle() const { return due_ == 0; }
  const char* painter() const { return painter_ ? "WebGL" : "software"; }

  /// Draws if something may have changed. False if nothing will change without input.
  bool frame(double seconds);

 private:
  void draw();
  void paint();
  File picture_file();
  void fulfil(explorer::Request request);

  std::optional<platform::GlPainter> painter_;  ///< empty without WebGL
  int width_, height_;
  float dpr_;
  int due_;
  double worked_ = 0;  ///< milliseconds of long computations in the last frame
};

extern std::unique_ptr<Page> page;

/// Buffer for long arguments: shell.js writes into it before a call.
extern std::string room;

/// Returns a text to shell.js, valid until the next one.
const char* answered(std::string text);

}  // namespace web
