// The explorer in the browser, as functions that web/shell.js calls: takes input; returns frames, links, files and a
// description. main_web_lessons.cpp has the functions for lessons, main_web_packs.cpp those for files fetched later.
// Texts are JSON or UTF-8 and are valid until the next call. Lengths are device pixels.
#include <emscripten/emscripten.h>
#include <emscripten/html5_webgl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/report/run_json.h"
#include "viz/app/web_page.h"
#include "viz/ui/imgui_version.h"
#include "viz/words/words.h"

using web::answered;
using web::page;

namespace {

using Json = nlohmann::ordered_json;

/// Names of KeyboardEvent.key.
constexpr std::array<std::pair<std::string_view, ImGuiKey>, 14> keys = {{{"ArrowLeft", ImGuiKey_LeftArrow},
                                                                         {"ArrowRight", ImGuiKey_RightArrow},
                                                                         {"ArrowUp", ImGuiKey_UpArrow},
                                                                         {"ArrowDown", ImGuiKey_DownArrow},
                                                                         {"PageUp", ImGuiKey_PageUp},
                                                                         {"PageDown", ImGuiKey_PageDown},
                                                                         {"Home", ImGuiKey_Home},
                                                                         {"End", ImGuiKey_End},
                                                                         {"Insert", ImGuiKey_Insert},
                                                                         {"Delete", ImGuiKey_Delete},
                                                                         {"Backspace", ImGuiKey_Backspace},
                                                                         {" ", ImGuiKey_Space},
                                                                         {"Enter", ImGuiKey_Enter},
                                                                         {"Escape", ImGuiKey_Escape}}};

std::optional<ImGuiKey> known_key(std::string_view name) {
  for (const auto& [known, key] : keys) {
    if (known == name) return key;
  }
  if (name.size() != 1 || std::isalpha(static_cast<unsigned char>(name[0])) == 0) return std::nullopt;
  return ui::imgui::key_of_letter(static_cast<char>(std::toupper(static_cast<unsigned char>(name[0]))));
}

bool make_context() {
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = false;
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &attributes);
  return context > 0 && emscripten_webgl_make_context_current(context) == EMSCRIPTEN_RESULT_SUCCESS;
}

}  // namespace

extern "C" {

/// Resizes the shared buffer to `size` bytes for a text or a file; returns its address.
EMSCRIPTEN_KEEPALIVE std::uintptr_t viz_room(int size) {
  web::room.assign(static_cast<std::size_t>(std::max(size, 0)), '\0');
  return reinterpret_cast<std::uintptr_t>(web::room.data());
}

/// Starts the page, with the notebook that the browser kept in the buffer; empty if there is none.
EMSCRIPTEN_KEEPALIVE void viz_start(const char* link, int width, int height, float dpr) {
  page = std::make_unique<web::Page>(link, web::room, width, height, dpr, make_context());
}

EMSCRIPTEN_KEEPALIVE void viz_resize(int width, int height, float dpr) { page->resize(width, height, dpr); }
EMSCRIPTEN_KEEPALIVE void viz_pointer(float x, float y) { page->screen.input.push(platform::PointerMoved{x, y}); }
EMSCRIPTEN_KEEPALIVE void viz_pointer_left() { page->screen.input.push(platform::PointerLeft{}); }
EMSCRIPTEN_KEEPALIVE void viz_button(int button, bool down) {
  page->screen.input.push(platform::ButtonChanged{button, down});
}
EMSCRIPTEN_KEEPALIVE void viz_touch_down(float x, float y) { page->screen.input.touch_down(x, y); }
EMSCRIPTEN_KEEPALIVE void viz_touch_move(float x, float y) { page->screen.input.touch_move(x, y); }
EMSCRIPTEN_KEEPALIVE void viz_touch_up() { page->screen.input.touch_up(); }
EMSCRIPTEN_KEEPALIVE void viz_pinch_begin() { page->screen.input.pinch_begin(); }
/// Reports a pinch around (x, y): the fingers are now `spread` times as far apart, moved by (across, down).
EMSCRIPTEN_KEEPALIVE void viz_pinch(float x, float y, float spread, float across, float down) {
  page->screen.input.push(platform::Pinched{x, y, spread, across, down});
}
EMSCRIPTEN_KEEPALIVE void viz_pinch_end() { page->screen.input.pinch_end(); }
EMSCRIPTEN_KEEPALIVE void viz_wheel(float lines) { page->screen.input.push(platform::WheelTurned{lines}); }
EMSCRIPTEN_KEEPALIVE void viz_text(const char* text) { page->screen.input.push(platform::Typed{text}); }

/// Reports a key by its name in the browser. False if it has no meaning here.
EMSCRIPTEN_KEEPALIVE bool viz_key(const char* name, bool down, bool ctrl, bool shift) {
  const std::optional<ImGuiKey> key = known_key(name);
  if (key) page->screen.input.push(platform::KeyChanged{*key, down, ctrl, shift});
  return key.has_value();
}

/// Advances by `seconds` and draws. False if nothing moves: the next frame is then drawn after input only.
EMSCRIPTEN_KEEPALIVE bool viz_frame(double seconds) {
  try {
    return page->frame(seconds);
  } catch (const sim::Error& error) {  // shown as a notice; the page stays alive
    explorer::Model& model = page->explorer.model;
    model.notice = words::translate(model.state.look.language, error.sentence());
    return false;
  }
}

/// Address of the picture without WebGL 2, four bytes per pixel; 0 if there is no new one.
EMSCRIPTEN_KEEPALIVE std::uintptr_t viz_pixels() {
  if (!std::exchange(page->pictured, false)) return 0;
  return reinterpret_cast<std::uintptr_t>(page->picture.rgba.data());
}

EMSCRIPTEN_KEEPALIVE void viz_follow(const char* link) {
  page->explorer.model.follow(link);
  page->stir();
}
/// The link of the last visit, which the first view leads back to.
EMSCRIPTEN_KEEPALIVE void viz_last(const char* link) { page->explorer.model.apply(explorer::RememberLast{link}); }
EMSCRIPTEN_KEEPALIVE const char* viz_link() { return answered(page->explorer.model.link()); }
/// Part of the link that describes the scenario.
EMSCRIPTEN_KEEPALIVE const char* viz_scenario() {
  return answered(explorer::to_link({page->explorer.model.state.options, {}, {}}));
}
/// True if typed characters are currently text.
EMSCRIPTEN_KEEPALIVE bool viz_takes_text() {
  page->screen.make_current();
  return ImGui::GetIO().WantTextInput || page->explorer.model.state.look.overlay == explorer::Overlay::palette;
}
EMSCRIPTEN_KEEPALIVE const char* viz_title() { return answered(explorer::window_title(page->explorer.model)); }
EMSCRIPTEN_KEEPALIVE const char* viz_description() { return answered(page->explorer.description()); }

/// State of the model and of the page, for tests.
EMSCRIPTEN_KEEPALIVE const char* viz_state() {
  Json state = page->explorer.model.to_json();
  state["idle"] = page->idle();
  state["drawn"] = page->drawn;
  state["painter"] = page->painter();
  state["notice"] = page->explorer.model.notice;
  state["dark"] = page->explorer.theme().dark;
  for (const auto& [name, rect] : page->screen.state.probes) state["widgets"].push_back(name);
  return answered(report::to_line(state));
}

/// Position of a widget in the last frame: [x, y, width, height] in CSS pixels, or null.
EMSCRIPTEN_KEEPALIVE const char* viz_rect(const char* name) {
  const auto found = page->screen.state.probes.find(std::string_view(name));
  if (found == page->screen.state.probes.end()) return "null";
  const ui::Rect& rect = found->second;
  const float dpr = page->dpr();
  return answered(Json({rect.x / dpr, rect.y / dpr, rect.width / dpr, rect.height / dpr}).dump());
}

/// Pending copy to the clipboard, {"link"} or {"text"}, or null; returned once.
EMSCRIPTEN_KEEPALIVE const char* viz_copy() { return answered(std::exchange(page->copy, {}).dump()); }
/// Reports whether the copy succeeded.
EMSCRIPTEN_KEEPALIVE void viz_copied(bool done) {
  explorer::Model& model = page->explorer.model;
  model.notice = words::say(model.state.look.language,
                            done ? /*say*/ "Copied to the clipboard" : /*say*/ "The browser kept the clipboard closed");
  page->stir();
}

/// Next file to save, or null: {"name", "type", "bytes": size, "at": address, "width", "height"}. With a width its
/// bytes are the pixels of a picture.
EMSCRIPTEN_KEEPALIVE const char* viz_file() {
  static std::string bytes;
  if (page->files.empty()) return "null";
  const auto [file, width, height] = std::move(page->files.front());
  page->files.erase(page->files.begin());
  bytes = file.bytes;
  return answered(Json({{"name", file.name},
                        {"type", file.media_type},
                        {"bytes", bytes.size()},
                        {"at", reinterpret_cast<std::uintptr_t>(bytes.data())},
                        {"width", width},
                        {"height", height}})
                      .dump());
}

}  // extern "C"
