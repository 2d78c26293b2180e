#include "viz/platform/gl_painter.h"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>

#include "sim/base/check.h"
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <backends/imgui_impl_opengl3_loader.h>  // OpenGL as the backend loads it: no library to link
#endif

namespace platform {
namespace {

#ifdef __EMSCRIPTEN__
constexpr const char* shader_version = "#version 300 es";
#else
constexpr const char* shader_version = "#version 330 core";
#endif

float part(std::uint8_t channel) { return static_cast<float>(channel) / 255; }

}  // namespace

GlPainter::GlPainter(const Screen& screen) : screen_(screen) {
  screen_.make_current();
  sim::require(ImGui_ImplOpenGL3_Init(shader_version), "OpenGL: its functions were not found");
}

GlPainter::~GlPainter() {
  screen_.make_current();
  ImGui_ImplOpenGL3_Shutdown();
}

void GlPainter::prepare() {
  screen_.make_current();
  ImGui_ImplOpenGL3_NewFrame();  // creates missing objects, on the first call all of them
  if (ImGui::GetIO().Fonts->TexID) return;
  ImGui_ImplOpenGL3_DestroyFontsTexture();  // texture of the previous fonts
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void GlPainter::paint() const {
  const ImDrawData& drawn = screen_.drawn();
  const ui::Color color = screen_.background();
  glViewport(0, 0, static_cast<int>(drawn.DisplaySize.x), static_cast<int>(drawn.DisplaySize.y));
  glClearColor(part(color.red), part(color.green), part(color.blue), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(const_cast<ImDrawData*>(&drawn));
}

Picture GlPainter::read_back() const {
  const ImDrawData& drawn = screen_.drawn();
  Picture picture{static_cast<int>(drawn.DisplaySize.x), static_cast<int>(drawn.DisplaySize.y), {}};
  const std::size_t row = static_cast<std::size_t>(picture.width) * 4;
  picture.rgba.resize(row * static_cast<std::size_t>(picture.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
  for (std::size_t top = 0, bottom = picture.rgba.size() - row; top < bottom; top += row, bottom -= row) {
    std::swap_ranges(picture.rgba.begin() + static_cast<std::ptrdiff_t>(top),  // OpenGL's first row is the bottom one
                     picture.rgba.begin() + static_cast<std::ptrdiff_t>(top + row),
                     picture.rgba.begin() + static_cast<std::ptrdiff_t>(bottom));
  }
  return picture;
}

}  // namespace platform
