#include "viz/platform/screen.h"

#include <algorithm>

#include "viz/platform/soft_raster.h"
#include "viz/ui/imgui_version.h"

namespace platform {
namespace {

void prepare_style(ImGuiStyle& style) {
  style.WindowPadding = {0, 0};  // ImGui clips to the area inside the padding
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.WindowMinSize = {1, 1};
  style.AntiAliasedLinesUseTex = false;  // the atlas holds glyphs only
}

}  // namespace

Screen::Screen(int width, int height, float scale)
    : fonts_(ui::shared_fonts(scale)), context_(ImGui::CreateContext(fonts_->atlas.get())) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // nothing is stored on disk
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // more than 65536 vertices with 16-bit indices
  InputQueue::prepare(io);
  prepare_style(ImGui::GetStyle());
  resize(width, height, scale);
}

Screen::~Screen() { ImGui::DestroyContext(context_); }

void Screen::resize(int width, int height, float scale) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  rescale(scale);
}

void Screen::rescale(float scale) {
  if (scale == fonts_->scale) return;
  ImGui::SetCurrentContext(context_);
  fonts_ = ui::shared_fonts(scale);
  ImGui::GetIO().Fonts = fonts_->atlas.get();
}

void Screen::renew_fonts() {
  ImGui::SetCurrentContext(context_);
  fonts_ = ui::shared_fonts(fonts_->scale);
  ImGui::GetIO().Fonts = fonts_->atlas.get();
}

void Screen::frame(const ui::Theme& theme, const Draw& draw, float seconds) {
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = std::max(seconds, 1e-4f);  // ImGui requires a positive time step
  state.fingers = input.apply(io);
  state.probes.clear();
  state.places.clear();
  state.shown.clear();
  background_ = theme.window;
  ImGui::NewFrame();
  try {
    draw_window(theme, draw);
  } catch (...) {
    ui::imgui::end_windows();
    ImGui::EndFrame();
    throw;
  }
  ImGui::Render();
}

void Screen::draw_window(const ui::Theme& theme, const Draw& draw) {
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                                     ImGuiWindowFlags_NoNav;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("explorer", nullptr, flags);
  ui::Canvas canvas(*ImGui::GetWindowDrawList(), *fonts_, theme);
  if (texts) {
    texts->clear();
    canvas.list_texts(&*texts);
  }
  ui::Ui ui{canvas, state};
  draw(ui);
  ImGui::End();
}

void Screen::make_current() const { ImGui::SetCurrentContext(context_); }

const ImDrawData& Screen::drawn() const {
  make_current();
  return *ImGui::GetDrawData();
}

Picture Screen::picture() const { return rasterize(drawn(), *fonts_->atlas, background_); }

}  // namespace platform
