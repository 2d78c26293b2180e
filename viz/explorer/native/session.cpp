#include "viz/explorer/native/session.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "viz/explorer/export.h"
#include "viz/explorer/saved_picture.h"
#include "viz/model/painting.h"
#include "viz/model/verification.h"
#include "viz/platform/png.h"
#include "viz/ui/imgui_version.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

/// Keys that every version of Dear ImGui has, other than letters; typed characters also arrive as text.
constexpr std::array<std::pair<int, ImGuiKey>, 16> keys = {{{GLFW_KEY_TAB, ImGuiKey_Tab},
                                                            {GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
                                                            {GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
                                                            {GLFW_KEY_UP, ImGuiKey_UpArrow},
                                                            {GLFW_KEY_DOWN, ImGuiKey_DownArrow},
                                                            {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
                                                            {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
                                                            {GLFW_KEY_HOME, ImGuiKey_Home},
                                                            {GLFW_KEY_END, ImGuiKey_End},
                                                            {GLFW_KEY_INSERT, ImGuiKey_Insert},
                                                            {GLFW_KEY_DELETE, ImGuiKey_Delete},
                                                            {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
                                                            {GLFW_KEY_SPACE, ImGuiKey_Space},
                                                            {GLFW_KEY_ENTER, ImGuiKey_Enter},
                                                            {GLFW_KEY_ESCAPE, ImGuiKey_Escape},
                                                            {GLFW_KEY_KP_ENTER, ui::imgui::keypad_enter}}};

std::optional<ImGuiKey> known_key(int pressed, int scan_code) {
  for (const auto& [key, known] : keys) {
    if (key == pressed) return known;
  }
  const char* sign = glfwGetKeyName(pressed, scan_code);  // the position of letters depends on the keyboard layout
  if (sign == nullptr || sign[0] < 'a' || sign[0] > 'z' || sign[1] != '\0') return std::nullopt;
  return ui::imgui::key_of_letter(static_cast<char>(sign[0] - 'a' + 'A'));
}

/// Effect of a key on the scale, as in browsers: 1 larger, -1 smaller, 0 as the desktop is set; empty: none.
std::optional<int> scale_key(int pressed, int modifiers) {
  if ((modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) == 0) return std::nullopt;
  if (pressed == GLFW_KEY_EQUAL || pressed == GLFW_KEY_KP_ADD) return 1;
  if (pressed == GLFW_KEY_MINUS || pressed == GLFW_KEY_KP_SUBTRACT) return -1;
  if (pressed == GLFW_KEY_0 || pressed == GLFW_KEY_KP_0) return 0;
  return std::nullopt;
}

[[noreturn]] void no_display(const char* what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  throw NoDisplay(sim::text(what, reason == nullptr ? "" : ": ", reason == nullptr ? "" : reason));
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Checks for a display first: without a folder for its socket, Wayland's library prints an error to stderr.
void start_glfw() {
  const bool x11 = is_set("DISPLAY"), wayland_folder = is_set("XDG_RUNTIME_DIR");
  if (!x11 && !wayland_folder && !is_set("WAYLAND_DISPLAY") && !is_set("WAYLAND_SOCKET"))
    throw NoDisplay("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set");
#ifdef GLFW_PLATFORM  // since 3.4, which tries Wayland first
  if (x11 && !wayland_folder) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
  if (glfwInit() == GLFW_TRUE) return;
  if (!x11 && is_set("WAYLAND_DISPLAY") && std::strstr(glfwGetVersionString(), "Wayland") == nullptr)
    throw NoDisplay(
        "the desktop is Wayland without X11, and GLFW here draws through X11 only: start Xwayland, which sets DISPLAY");
  no_display("there is no display");
}

GLFWwindow* open(int width, int height, float dpr) {
  start_glfw();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, dpr > 0 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  const auto pixels = [&](int css) {
    return dpr > 0 ? static_cast<int>(std::lround(dpr * static_cast<float>(css))) : css;
  };
  GLFWwindow* window = glfwCreateWindow(pixels(width), pixels(height), "FlashScope", nullptr, nullptr);
  if (window != nullptr) return window;
  const char* reason = nullptr;
  glfwGetError(&reason);
  const std::string text = reason == nullptr ? "" : reason;
  glfwTerminate();
  throw NoDisplay("there is no OpenGL 3.3: " + text);
}

}  // namespace

Window::Window(int width, int height, float dpr, platform::InputQueue& input)
    : handle_(open(width, height, dpr)), dpr_(dpr), input_(input) {
  glfwSetWindowUserPointer(handle_, this);
  glfwMakeContextCurrent(handle_);
  glfwSwapInterval(1);
  listen();
}

Window::~Window() {
  glfwDestroyWindow(handle_);
  glfwTerminate();
}

/// Registers callbacks, which find the window through the handle.
void Window::listen() {
  static constexpr auto of = [](GLFWwindow* handle) -> Window& {
    auto& window = *static_cast<Window*>(glfwGetWindowUserPointer(handle));
    window.stirred_ = true;
    return window;
  };
  glfwSetCursorPosCallback(handle_, [](GLFWwindow* handle, double x, double y) {
    int width = 1, height = 1;  // in the desktop's pixels, which may be larger than the device's
    glfwGetWindowSize(handle, &width, &height);
    const Window& window = of(handle);
    const double across = static_cast<double>(window.width()) / std::max(width, 1);
    const double down = static_cast<double>(window.height()) / std::max(height, 1);
    window.input_.push(platform::PointerMoved{static_cast<float>(x * across), static_cast<float>(y * down)});
  });
  glfwSetCursorEnterCallback(handle_, [](GLFWwindow* handle, int entered) {
    if (entered == GLFW_FALSE) of(handle).input_.push(platform::PointerLeft{});
  });
  glfwSetMouseButtonCallback(handle_, [](GLFWwindow* handle, int button, int action, int) {
    if (button < 3) of(handle).input_.push(platform::ButtonChanged{button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(handle_, [](GLFWwindow* handle, double, double lines) {
    of(handle).input_.push(platform::WheelTurned{static_cast<float>(lines)});
  });
  glfwSetKeyCallback(handle_, [](GLFWwindow* handle, int pressed, int scan_code, int action, int modifiers) {
    Window& window = of(handle);  // a key repeat draws a frame, in which ImGui repeats the key
    const std::optional<int> resized = scale_key(pressed, modifiers);
    if (resized) return action == GLFW_RELEASE ? void() : window.change_scale(*resized);
    const std::optional<ImGuiKey> key = known_key(pressed, scan_code);
    if (!key || action == GLFW_REPEAT) return;
    const bool down = action == GLFW_PRESS, ctrl = (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
    window.input_.push(platform::KeyChanged{*key, down, ctrl, (modifiers & GLFW_MOD_SHIFT) != 0});
  });
  glfwSetCharCallback(handle_, [](GLFWwindow* handle, unsigned code) {
    char text[5];
    ImTextCharToUtf8(text, code);
    of(handle).input_.push(platform::Typed{text});
  });
  glfwSetFramebufferSizeCallback(handle_, [](GLFWwindow* handle, int, int) { of(handle); });
  glfwSetWindowContentScaleCallback(handle_, [](GLFWwindow* handle, float, float) { of(handle); });
  glfwSetWindowRefreshCallback(handle_, [](GLFWwindow* handle) { of(handle); });
}

int Window::width() const {
  int width = 0;
  glfwGetFramebufferSize(handle_, &width, nullptr);
  return width;
}

int Window::height() const {
  int height = 0;
  glfwGetFramebufferSize(handle_, nullptr, &height);
  return height;
}

float Window::scale() const {
  if (dpr_ > 0) return dpr_;
  float scale = 1;
  glfwGetWindowContentScale(handle_, &scale, nullptr);
  return std::clamp(scale, 0.5f, 4.f);
}

void Window::change_scale(int direction) {
  constexpr std::array<float, 9> scales = {0.5f, 0.75f, 1, 1.25f, 1.5f, 2, 2.5f, 3, 4};
  const float now = scale();
  const auto above = std::upper_bound(scales.begin(), scales.end(), now);
  const auto from = std::lower_bound(scales.begin(), scales.end(), now);
  if (direction == 0) dpr_ = 0;
  if (direction > 0 && above != scales.end()) dpr_ = *above;
  if (direction < 0 && from != scales.begin()) dpr_ = *std::prev(from);
}

bool Window::closed() const { return glfwWindowShouldClose(handle_) != GLFW_FALSE; }
void Window::close() { glfwSetWindowShouldClose(handle_, GLFW_TRUE); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(handle_, title.c_str()); }
void Window::copy(const std::string& text) { glfwSetClipboardString(handle_, text.c_str()); }
void Window::show_frame() { glfwSwapBuffers(handle_); }

void Window::take_events(double seconds) {
  if (seconds <= 0) return glfwPollEvents();
  if (std::isinf(seconds)) return glfwWaitEvents();
  glfwWaitEventsTimeout(seconds);
}

bool Window::stirred() { return std::exchange(stirred_, false); }

double seconds_now() { return glfwGetTime(); }

namespace {

/// One frame for the pointer to arrive, one for its effect, one for consequences of that.
constexpr int frames_after_input = 3;
/// Seconds per frame for long computations; the rest is for drawing.
constexpr double work_of_frame = 0.008;

}  // namespace

WindowSession::WindowSession(Explorer& shown, int width, int height, float dpr)
    : explorer_(shown),
      screen_(width, height, ui::ui_scale(static_cast<float>(width), static_cast<float>(height), 1)),
      window_(width, height, dpr, screen_.input),
      painter_(screen_) {
  last_ = seconds_now();
}

void WindowSession::run() {
  while (!window_.closed()) round(std::numeric_limits<double>::infinity());
}

void WindowSession::run(std::int64_t rounds) {
  for (; rounds > 0 && !window_.closed(); --rounds) round(0.02);
}

void WindowSession::round(double longest_sleep) {
  const double now = seconds_now();
  bool moves = explorer_.update(now - last_);
  last_ = now;
  while (moves && seconds_now() - now < work_of_frame && explorer_.model.world.tasks.advance()) {
  }
  if (window_.stirred() || moves || !screen_.input.empty()) due_ = frames_after_input;
  const bool draws = due_ > 0 && !window_.hidden();
  if (draws) {
    draw();
    --due_;
  }
  window_.take_events(draws ? 0 : longest_sleep);
}

ui::WindowSize WindowSession::size_to_draw() const {
  return ui::size_to_lay_out(
      {static_cast<float>(window_.width()), static_cast<float>(window_.height()), window_.scale()});
}

/// A picture of the window without its open menu, in which the user asked for it.
std::string WindowSession::picture_bytes() {
  const ui::WindowSize shown = size_to_draw();
  const Size pixels{static_cast<int>(shown.width), static_cast<int>(shown.height), shown.dpr};
  const platform::Picture picture = saved_picture(explorer_, pixels, screen_.state);
  screen_.make_current();
  return platform::png_bytes(picture, {"Link", "#" + explorer_.model.link()});
}

void WindowSession::draw() {
  const ui::WindowSize size = size_to_draw();
  screen_.resize(window_.width(), window_.height(), explorer_.scale(size.width, size.height, size.dpr));
  painter_.prepare();
  screen_.frame(explorer_.theme(), [&](ui::Ui& ui) { explorer_.draw(ui, size.width, size.height, size.dpr); });
  painter_.paint();
  window_.show_frame();
  ++drawn_;
  for (const Request request : std::exchange(explorer_.model.requests, {})) fulfil(request);
  const std::string title = window_title(explorer_.model);
  if (title != title_) window_.set_title(title_ = title);
}

void WindowSession::fulfil(Request request) {
  Model& model = explorer_.model;
  const auto say = [&](std::string_view english) { return words::say(model.state.look.language, english); };
  due_ = frames_after_input;
  try {
    if (request == Request::close) return window_.close();
    if (request == Request::copy_link) {
      window_.copy("#" + model.link());
      model.notice = is_too_long_for_link(model)
                         ? say("Painted; too large for a link: save it")
                         : say("The link is in the clipboard: flashscope explore --link LINK opens it");
      return;
    }
    if (request == Request::copy_verify_command) {
      window_.copy(verify_command(model.state.options));
      model.notice = say("The command is in the clipboard");
      return;
    }
    if (request == Request::show_licences) {
      model.notice = say("The licences are in licences.txt of the archive, or /usr/share/doc/flashscope/copyright");
      return;
    }
    Export file;
    if (request == Request::save_png)
      file = {export_name(model, ".png"), "", picture_bytes()};
    else
      file = make_export(request, model);
    const std::string name = save_new(file.name, file.bytes);
    model.notice = words::say_with(model.state.look.language, say("Saved as {} in {}"), name,
                                   std::filesystem::current_path().string());
  } catch (const sim::Error& error) {
    model.notice = words::translate(model.state.look.language, error.sentence());
  }
}

std::pair<platform::Picture, platform::Picture> WindowSession::both_pictures() {
  draw();
  painter_.paint();  // the buffers were swapped, and the contents of the other one are unknown
  return {painter_.read_back(), screen_.picture()};
}

namespace {

std::string numbered(const std::string& name, int number) {
  if (number == 1) return name;
  const std::filesystem::path path(name);
  return sim::text(path.stem().string(), "-", number, path.extension().string());
}

}  // namespace

std::string save_new(const std::string& name, std::string_view bytes) {
  constexpr int most = 1000;
  for (int number = 1; number <= most; ++number) {
    std::string free = numbered(name, number);
    std::FILE* file = std::fopen(free.c_str(), "wbx");  // x: fails if the file exists
    if (file == nullptr && errno == EEXIST) continue;
    sim::require(file != nullptr, "save: cannot write ", free, ": ", std::strerror(errno));
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const int reason = errno;
    const bool complete = std::fclose(file) == 0 && written;
    if (complete) return free;
    std::remove(free.c_str());
    throw sim::Error("save: cannot write ", free, ": ", std::strerror(written ? errno : reason));
  }
  throw sim::Error("save: there are ", most, " files like ", name, " already");
}

namespace {

constexpr const char *kept_link = "last-link", *kept_scale_file = "scale";

}  // namespace

void keep_scale(float scale, const std::filesystem::path& folder) {
  if (folder.empty() || scale == kept_scale(folder)) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(folder / kept_scale_file) << scale << '\n';
}

float kept_scale(const std::filesystem::path& folder) {
  float scale = 0;
  if (!folder.empty()) std::ifstream(folder / kept_scale_file) >> scale;
  return scale >= 0.5f && scale <= 4 ? scale : 0;
}

void keep_last_link(const Model& model, const std::filesystem::path& folder) {
  const std::string link = model.state.look.first ? model.state.first_view.behind : model.link();
  if (folder.empty() || link.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(folder / kept_link) << link << '\n';
}

std::string last_link(const std::filesystem::path& folder) {
  std::string link;
  if (!folder.empty()) std::getline(std::ifstream(folder / kept_link), link);
  return link.size() <= longest_link ? link : std::string();
}

}  // namespace explorer
