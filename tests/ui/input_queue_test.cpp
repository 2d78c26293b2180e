#include "viz/platform/input_queue.h"

#include <catch2/catch.hpp>

#include "viz/ui/imgui_version.h"

using namespace platform;

namespace {

/// Runs Dear ImGui without a window, a frame at a time.
class Frames {
 public:
  Frames() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    io.IniFilename = nullptr;
    io.DisplaySize = {100, 100};
    unsigned char* texels = nullptr;
    io.Fonts->GetTexDataAsAlpha8(&texels, nullptr, nullptr);  // no frame without glyphs
    InputQueue::prepare(io);
  }
  ~Frames() { ImGui::DestroyContext(context_); }
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// Calls look() in the next frame.
  template <class Look>
  void next(InputQueue& queue, Look look) {
    queue.apply(io);
    ImGui::NewFrame();
    look();
    ImGui::EndFrame();
  }

 private:
  ImGuiContext* context_;

 public:
  ImGuiIO& io = ImGui::GetIO();
};

}  // namespace

TEST_CASE("a fast tap is seen over three frames: the pointer, the press, the release") {
  ImGuiIO io;
  InputQueue queue;
  queue.touch_down(30, 40);
  queue.touch_up();
  queue.apply(io);
  CHECK((io.MousePos.x == 30 && !io.MouseDown[0]));
  queue.apply(io);
  CHECK(io.MouseDown[0]);
  queue.apply(io);
  CHECK((!io.MouseDown[0] && io.MousePos.x == 30));
  CHECK(!queue.empty());
  queue.apply(io);
  CHECK(io.MousePos.x < -1e30f);  // a lifted finger has no position
  CHECK(queue.empty());
}

TEST_CASE("moves of one frame are delivered together, and the last one counts") {
  ImGuiIO io;
  InputQueue queue;
  for (const float x : {1.f, 2.f, 3.f}) queue.push(PointerMoved{x, 0});
  queue.apply(io);
  CHECK(io.MousePos.x == 3);
  CHECK(queue.empty());
}

TEST_CASE("a key pressed and released at once is down for one frame") {
  Frames frames;
  InputQueue queue;
  queue.push(KeyChanged{ImGuiKey_Space, true});
  queue.push(KeyChanged{ImGuiKey_Space, false});
  frames.next(queue, [] { CHECK((ImGui::IsKeyDown(ImGuiKey_Space) && ImGui::IsKeyPressed(ImGuiKey_Space))); });
  frames.next(queue, [] { CHECK((!ImGui::IsKeyDown(ImGuiKey_Space) && !ui::imgui::any_key_down())); });
}

TEST_CASE("a letter pressed with Ctrl and Shift has them in the frame in which it goes down") {
  Frames frames;
  InputQueue queue;
  queue.push(PointerMoved{1, 2});
  queue.push(KeyChanged{ui::imgui::key_of_letter('K'), true, true, true});
  frames.next(queue, [&] {
    CHECK(ImGui::IsKeyPressed(ui::imgui::key_of_letter('K')));
    CHECK(!ImGui::IsKeyPressed(ui::imgui::key_of_letter('L')));
    CHECK((frames.io.KeyCtrl && frames.io.KeyShift && ui::imgui::any_key_down()));
  });
  queue.push(KeyChanged{ui::imgui::key_of_letter('K'), false});
  frames.next(queue, [&] { CHECK((!frames.io.KeyCtrl && !frames.io.KeyShift && !ui::imgui::any_key_down())); });
}

TEST_CASE("wheel steps add up after the pointer has arrived") {
  ImGuiIO io;
  InputQueue queue;
  queue.push(PointerMoved{5, 5});
  queue.push(WheelTurned{1});
  queue.push(WheelTurned{0.5f});
  queue.apply(io);
  CHECK(io.MouseWheel == 0);
  queue.apply(io);
  CHECK(io.MouseWheel == 1.5f);
}

TEST_CASE("typed text arrives whole") {
  Frames frames;
  InputQueue queue;
  queue.push(Typed{"N=4é"});
  frames.next(queue, [&] {
    REQUIRE(frames.io.InputQueueCharacters.Size == 4);
    CHECK(frames.io.InputQueueCharacters[3] == 0xE9);
  });
}
