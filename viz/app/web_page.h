// The explorer in the browser: the state that the functions of main_web.cpp and main_web_lessons.cpp share.
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
  /// With a notebook of the learner as text, empty for none. With `webgl` there is a current context of WebGL 2,
  /// without it the pictures are drawn here, for shell.js to put into the canvas.
  Page(const char* link, const std::string& notebook, int width, int height, float dpr, bool webgl);

  explorer::Explorer explorer;
  platform::Screen screen;
  std::vector<explorer::Export> files;  ///< for shell.js to save
  nlohmann::ordered_json copy;          ///< what is wanted in the clipboard
  std::optional<std::string> notebook;  ///< for shell.js to keep
  platform::Picture picture;            ///< the last frame, without WebGL
  bool pictured = false;                ///< shell.js has not put it into the canvas yet
  std::int64_t drawn = 0;

  void resize(int width, int height, float dpr);
  void stir();
  float dpr() const { return dpr_; }
  bool idle() const { return due_ == 0; }
  const char* painter() const { return painter_ ? "WebGL" : "software"; }

  /// Draws when something may have changed. False when nothing will until somebody does something.
  bool frame(double seconds);

 private:
  void draw();
  void paint();
  void fulfil(explorer::Request request);

  std::optional<platform::GlPainter> painter_;  ///< where there is WebGL
  int width_, height_;
  float dpr_;
  int due_;
};

extern std::unique_ptr<Page> page;

/// What shell.js hands over that may be long: it writes into this before it calls.
extern std::string room;

/// A text for shell.js, kept until the next one.
const char* answered(std::string text);

}  // namespace web
