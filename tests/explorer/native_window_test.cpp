// The desktop window, on a display provided by tests/explorer/xvfb_test.sh.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "sim/machine/device_spec.h"
#include "tests/support/program.h"
#include "viz/explorer/export.h"
#include "viz/explorer/headless.h"
#include "viz/explorer/native/session.h"
#include "viz/files/state_folder.h"
#include "viz/model/first_view.h"
#include "viz/platform/png.h"

namespace {

constexpr std::string_view view_link = "seqlen=2048&head-dim=128&causal=1&time=30000";

/// Changes the working directory for its lifetime.
struct Inside {
  explicit Inside(const program::Folder& folder) : before(std::filesystem::current_path()) {
    std::filesystem::current_path(folder.path());
  }
  ~Inside() { std::filesystem::current_path(before); }
  std::filesystem::path before;
};

/// Returns the share of pixels in which a channel differs by more than `most`.
double share_of_different(const platform::Picture& a, const platform::Picture& b, int most) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    bool far = false;
    for (std::size_t channel = 0; channel < 3; ++channel)
      far = far || std::abs(int{a.rgba[i + channel]} - int{b.rgba[i + channel]}) > most;
    different += far;
  }
  return static_cast<double>(different) * 4 / static_cast<double>(a.rgba.size());
}

}  // namespace

TEST_CASE("OpenGL draws the picture of the software rasteriser, but for edges") {
  for (const std::string theme : {"dark", "light"}) {
    explorer::Explorer explorer(sim::built_in_gpu);
    explorer.model.follow(std::string(view_link) + "&theme=" + theme);
    explorer::WindowSession session(explorer, 1280, 800);
    const auto [window, software] = session.both_pictures();
    REQUIRE(window.width == software.width);
    REQUIRE(window.height == software.height);
    CHECK(window.width == 1280);
    CHECK(share_of_different(window, software, 0) > 0);  // the two pictures are really different renderings
    CHECK(share_of_different(window, software, 16) < 0.005);
    CHECK(share_of_different(window, software, 128) < 0.0005);
  }
}

TEST_CASE("the window draws nothing while idle, and every frame during playback") {
  explorer::Explorer explorer(sim::built_in_gpu);
  explorer.model.follow(std::string(view_link) + "&loop=1");  // playback never ends
  explorer::WindowSession session(explorer, 960, 600);
  const auto drawn_by = [&](std::int64_t rounds) {
    const std::int64_t before = session.drawn();
    session.run(rounds);
    return session.drawn() - before;
  };
  int tries = 0;
  while (drawn_by(20) > 0 && tries < 50) ++tries;  // the desktop sends events, and computations end
  CHECK(tries < 50);
  explorer.model.play(true);
  CHECK(drawn_by(20) == 20);
}

TEST_CASE("the window saves files in the working directory without overwriting others") {
  const program::Folder folder;
  const Inside inside(folder);
  explorer::Explorer explorer(sim::built_in_gpu);
  explorer.model.follow(view_link);
  explorer::WindowSession session(explorer, 960, 600);
  using explorer::Request;
  for (const Request request :
       {Request::save_png, Request::save_csv, Request::save_json, Request::save_perfetto, Request::save_csv}) {
    explorer.model.requests.push_back(request);
    explorer.model.play(true);  // to make it draw
    session.run(1);
    CHECK(explorer.model.notice.substr(0, 9) == "Saved as ");
  }
  CHECK(folder.files() == 5);
  const std::string csv = explorer::make_export(Request::save_csv, explorer.model).bytes;
  CHECK(program::read_file("flashscope-flash2-n2048.csv") == csv);
  CHECK(program::read_file("flashscope-flash2-n2048-2.csv") == csv);
  CHECK(program::read_file("flashscope-flash2-n2048.png").substr(1, 3) == "PNG");
}

TEST_CASE(
    "a picture saved from the window has two pixels for each of the design, and its link opens the same picture") {
  const program::Folder folder;
  const Inside inside(folder);
  explorer::Explorer explorer(sim::built_in_gpu);
  explorer.model.follow(view_link);
  explorer::WindowSession session(explorer, 960, 600, 1);
  explorer.model.requests.push_back(explorer::Request::save_png);
  session.run(1);  // a new window draws
  CHECK(explorer.model.notice.find(std::filesystem::current_path().string()) != std::string::npos);
  const std::string saved = program::read_file("flashscope-flash2-n2048.png"), sign = std::string("tEXtLink") + '\0';
  const std::size_t at = saved.find(sign);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + sign.size();
  std::size_t length = 0;  // of the chunk, before its name: big-endian
  for (std::size_t n = at - 4; n < at; ++n) length = 256 * length + static_cast<unsigned char>(saved[n]);
  const std::string link = saved.substr(begin, at + 4 + length - begin);
  explorer::Headless again(link, {1920, 1200, 2});
  again.finish();
  CHECK("#" + again.explorer.model.link() == link);
  CHECK(saved == platform::png_bytes(again.driver.picture(), {"Link", link}));
}

TEST_CASE("a window opens with as many device pixels per CSS pixel as its user asks for") {
  for (const float dpr : {0.5f, 2.f}) {
    explorer::Explorer explorer(sim::built_in_gpu);
    explorer::WindowSession session(explorer, 640, 480, dpr);
    CHECK(static_cast<float>(session.both_pictures().first.width) == 640 * dpr);
  }
}

TEST_CASE("the scale that a user asks for is kept for the next start") {
  const program::Folder folder;
  CHECK(explorer::kept_scale(folder.path()) == 0);
  explorer::keep_scale(1.25f, folder / "state");
  CHECK(explorer::kept_scale(folder / "state") == 1.25f);
  explorer::keep_scale(0, folder / "state");
  CHECK(explorer::kept_scale(folder / "state") == 0);
  explorer::keep_scale(2, "/dev/null/flashscope");
  CHECK(explorer::kept_scale("/dev/null/flashscope") == 0);
}

TEST_CASE("a request to close ends the window") {
  explorer::Explorer explorer(sim::built_in_gpu);
  explorer::WindowSession session(explorer, 960, 600);
  explorer.model.requests.push_back(explorer::Request::close);
  session.run();  // would never end
  CHECK(session.drawn() == 1);
}

TEST_CASE("the link of the explorer is kept for the next start, and that of the first view is not") {
  const program::Folder folder;
  explorer::Explorer explorer(sim::built_in_gpu);
  explorer::Model& model = explorer.model;
  model.follow("seqlen=512&center=wall");
  const std::string link = model.link();
  CHECK(explorer::last_link(folder / "state/flashscope").empty());
  explorer::keep_last_link(model, folder / "state/flashscope");
  CHECK(explorer::last_link(folder / "state/flashscope") == link);
  explorer::open_first(model, link);
  explorer::keep_last_link(model, folder / "state/flashscope");
  CHECK(explorer::last_link(folder / "state/flashscope") == link);
  for (const char* unwritable : {"", "/dev/null/flashscope"}) {
    explorer::keep_last_link(model, unwritable);
    CHECK(explorer::last_link(unwritable).empty());
  }
}

TEST_CASE("the state folder follows XDG_STATE_HOME and HOME") {
  const auto value_of = [](const char* name) {
    return std::string(std::getenv(name) == nullptr ? "" : std::getenv(name));
  };
  const std::string home = value_of("HOME"), state = value_of("XDG_STATE_HOME");
  ::setenv("XDG_STATE_HOME", "/somewhere", 1);
  CHECK(files::state_folder() == "/somewhere/flashscope");
  ::setenv("XDG_STATE_HOME", "not/absolute", 1);
  ::setenv("HOME", "/home/ada", 1);
  CHECK(files::state_folder() == "/home/ada/.local/state/flashscope");
  ::unsetenv("XDG_STATE_HOME");
  ::unsetenv("HOME");
  CHECK(files::state_folder().empty());
  if (!home.empty()) ::setenv("HOME", home.c_str(), 1);
  if (!state.empty()) ::setenv("XDG_STATE_HOME", state.c_str(), 1);
}
