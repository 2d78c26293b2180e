#include "viz/platform/input_queue.h"

#include <catch2/catch.hpp>

using namespace platform;

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
  CHECK(io.MousePos.x < -1e30f);  // a finger that was lifted is nowhere
  CHECK(queue.empty());
}

TEST_CASE("moves of one frame are handed over together, and the last one counts") {
  ImGuiIO io;
  InputQueue queue;
  for (const float x : {1.f, 2.f, 3.f}) queue.push(PointerMoved{x, 0});
  queue.apply(io);
  CHECK(io.MousePos.x == 3);
  CHECK(queue.empty());
}

TEST_CASE("a key that goes down and up at once is down for a frame") {
  ImGuiIO io;
  InputQueue::prepare(io);
  InputQueue queue;
  queue.push(KeyChanged{ImGuiKey_Space, true});
  queue.push(KeyChanged{ImGuiKey_Space, false});
  queue.apply(io);
  CHECK(io.KeysDown[io.KeyMap[ImGuiKey_Space]]);
  queue.apply(io);
  CHECK(!io.KeysDown[io.KeyMap[ImGuiKey_Space]]);
}

TEST_CASE("turns of the wheel add up after the pointer has arrived") {
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
  ImGuiIO io;
  InputQueue queue;
  queue.push(Typed{"N=4é"});
  queue.apply(io);
  REQUIRE(io.InputQueueCharacters.Size == 4);
  CHECK(io.InputQueueCharacters[3] == 0xE9);
}
