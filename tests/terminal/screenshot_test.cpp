// flashscope screenshot and explore from the user's view.
#include <catch2/catch.hpp>

#include "sim/machine/device_spec.h"
#include "tests/support/program.h"
#include "tests/support/refusing.h"
#include "viz/explorer/headless.h"
#include "viz/platform/png.h"

using Catch::Contains;
using program::Folder;

namespace {

/// The text in a PNG under the keyword Link.
std::string link_in(const std::string& png) {
  const std::string chunk = std::string("tEXtLink") + '\0';
  const std::size_t at = png.find(chunk);
  REQUIRE(at != std::string::npos);
  std::size_t length = 0;  // length of the chunk's content, in the four bytes before its name
  for (std::size_t i = at - 4; i < at; ++i) length = length * 256 + static_cast<unsigned char>(png[i]);
  return png.substr(at + chunk.size(), length - 5);
}

/// Sets a variable of the environment for the programs that this test starts.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    if (value != nullptr) {
      ::setenv(name, value, 1);
    } else {
      ::unsetenv(name);
    }
  }
  ~Environment() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("the option measured opens the engineer's lens with the time, and is parsed before drawing") {
  const Folder folder;
  const auto result =
      program::run(folder, {"screenshot", "a.png", "--seqlen", "512", "--size", "960x600", "--measured", "2.6ms"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const std::string link = link_in(program::read_file(folder / "a.png"));
  CHECK_THAT(link, Contains("measured=2.6ms") && Contains("center=engineer"));
  program::check_refused({"screenshot", "b.png", "--measured", "2.6"}, {"measured: ", "not a time with its unit"});
  program::check_refused({"explore", "--measured", "1ms,x"}, {"measured: ", "not a time with its unit"});
}

TEST_CASE("a screenshot is the picture that the explorer draws, with its link inside") {
  const Folder folder;
  const auto result = program::run(folder, {"screenshot", "a.png", "--seqlen", "512", "--causal", "--theme", "light",
                                            "--size", "960x600", "--dpr", "1.5", "--link", "time=2000"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(result.err.empty());
  const std::string png = program::read_file(folder / "a.png"), link = link_in(png);
  CHECK(link == "#batch=1&causal=1&heads=1&seqlen=512&theme=light&time=2000");
  explorer::Headless window(link, {1440, 900, 1.5f});
  window.finish();
  const bool same = png == platform::png_bytes(window.driver.picture(), {"Link", link});
  CHECK(same);
}

TEST_CASE("options of a screenshot take precedence over its link, and unknown parts of a link are only warnings") {
  const Folder folder;
  const auto result =
      program::run(folder, {"screenshot", "a.png", "--size", "800x600", "--seqlen", "256", "--lang", "zh", "--link",
                            "#seqlen-q=512&seqlen-k=64&colour=red&tab=nowhere&batch=2&lang=en"});
  CHECK(result.exit_code == 0);
  CHECK(result.err_lines() == 2);
  CHECK_THAT(result.err, Contains("warning: link: unknown key \"colour\"") && Contains("tab = \"nowhere\""));
  CHECK(link_in(program::read_file(folder / "a.png")) == "#batch=2&heads=1&seqlen=256&lang=zh");
}

TEST_CASE("an impossible scenario is refused on the command line, and only a warning in a link") {
  const Folder folder;
  program::check_refused(folder, {"screenshot", "a.png", "--seqlen", "8192", "--br", "4096"}, {"do not fit"});
  CHECK(folder.files() == 0);
  const auto linked = program::run(folder, {"screenshot", "a.png", "--link", "seqlen=8192&br=4096"});
  CHECK(linked.exit_code == 0);
  CHECK_THAT(linked.err, Contains("warning: link: ") && Contains("do not fit"));
}

TEST_CASE("a screenshot that cannot be drawn or written is refused before drawing") {
  const Folder folder;
  const auto refuses = [&](std::vector<std::string> words, const std::vector<std::string>& says) {
    words.insert(words.begin(), "screenshot");
    program::check_refused(folder, words, says);
  };
  refuses({}, {"screenshot OUT.png"});
  refuses({"-"}, {"/dev/stdout"});
  refuses({"a.jpg"}, {"a.jpg", ".png"});
  refuses({"a.png", "b.png"}, {"b.png"});
  refuses({"a.png", "--size", "319x480"}, {"320"});
  refuses({"a.png", "--size", "600"}, {"1600x1000"});
  refuses({"a.png", "--size", "16384x16384"}, {"too many"});
  refuses({"a.png", "--dpr", "5"}, {"0.5 to 4"});
  refuses({"a.png", "--dpr", "nan"}, {"0.5 to 4"});
  refuses({"a.png", "--fps", "30"}, {"--frames"});
  refuses({"a.gif"}, {"--frames", "--seconds"});
  refuses({"a.gif", "--seconds", "2", "--frames", "60"}, {"seconds", "--frames"});
  refuses({"a.gif", "--seconds", "0"}, {"seconds", "\"0\""});
  refuses({"a.gif", "--seconds", "100000"}, {"seconds"});
  refuses({"/dev/stdout", "--frames", "2"}, {"several"});
  refuses({"gone/a.png"}, {"gone/a.png"});
  refuses({"a.png", "--gpu", "no-such-gpu"}, {"no-such-gpu"});
  refuses({"a.png", "--theme", "blue"}, {"dark", "light"});
  CHECK(folder.files() == 0);
}

TEST_CASE("a link opens no file, an option may") {
  const Folder folder;
  const auto linked = program::run(folder, {"screenshot", "a.png", "--link", "gpu=/etc/device.toml"});
  CHECK(linked.exit_code == 0);
  CHECK_THAT(linked.err, Contains("unknown GPU") && !Contains("no such file"));
  program::check_refused(folder, {"screenshot", "b.png", "--gpu", "/etc/device.toml"}, {"no such file"});
}

TEST_CASE("frames advance from the link's time at the given frames per second") {
  const Folder folder;
  const std::string begin = "time=1000&speed=2";
  const auto result = program::run(
      folder, {"screenshot", "f.png", "--size", "640x480", "--frames", "3", "--fps", "4", "--link", begin});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(folder.files() == 3);
  explorer::Model model(sim::built_in_gpu);
  model.follow(begin);
  model.play(true);
  for (int n = 1; n <= 3; ++n) {
    CHECK(link_in(program::read_file(folder / ("f-000" + std::to_string(n) + ".png"))) == "#" + model.link());
    model.tick(0.25);
  }
}

TEST_CASE("a video of a given length has seconds x fps frames, and a race in it advances") {
  const Folder folder;
  const auto result = program::run(
      folder, {"screenshot", "f.png", "--size", "640x480", "--seconds", "2", "--fps", "2", "--link", "play=run"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(folder.files() == 4);
  explorer::Model model(sim::built_in_gpu);
  model.follow("play=run");
  model.seek_run(model.world.run_end() * 1.5 / explorer::race_seconds);
  CHECK(link_in(program::read_file(folder / "f-0004.png")).find("run-time=") != std::string::npos);
  explorer::Model last(sim::built_in_gpu);
  last.follow(link_in(program::read_file(folder / "f-0004.png")));
  CHECK(last.state.look.run_time == Approx(model.state.look.run_time));
}

TEST_CASE("the description of a picture is text in the window's language, and needs no file") {
  const auto english = program::run({"screenshot", "--describe", "--link", "time=3000"});
  const auto chinese = program::run({"screenshot", "--describe", "--link", "time=3000", "--lang", "zh"});
  CHECK(english.exit_code == 0);
  CHECK(std::count(english.out.begin(), english.out.end(), '\n') == 1);
  CHECK(english.out.size() > 20);
  CHECK(english.out != chinese.out);
}

TEST_CASE("a stamp writes the link below the picture and changes nothing else") {
  const Folder folder;
  REQUIRE(program::run(folder, {"screenshot", "a.png", "--size", "800x600"}).exit_code == 0);
  REQUIRE(program::run(folder, {"screenshot", "b.png", "--size", "800x600", "--stamp"}).exit_code == 0);
  const bool same = program::read_file(folder / "a.png") == program::read_file(folder / "b.png");
  CHECK_FALSE(same);
  CHECK(link_in(program::read_file(folder / "a.png")) == link_in(program::read_file(folder / "b.png")));
}

TEST_CASE("explore without a display names the alternatives") {
  const Environment x11("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", nullptr);
  const auto result = program::run({"explore"});
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK(result.err_lines() == 1);
  CHECK_THAT(result.err, Contains("flashscope screenshot") && Contains("browser"));
  program::check_refused({"explore", "--head-dim", "0"}, {"head-dim"});
}

TEST_CASE("explore on Wayland without X11 does not say that there is no display") {
  const Folder folder;
  const Environment x11("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", "wayland-0"),
      sockets("XDG_RUNTIME_DIR", folder.path().c_str());
  const auto result = program::run({"explore"});
  CHECK(result.exit_code == 3);
  CHECK_THAT(result.err, Contains("Wayland") && Contains("flashscope screenshot"));
  CHECK_THAT(result.err, !Contains("DISPLAY environment variable is missing"));
}

TEST_CASE("a bare screenshot shows a full card, notes it, and keeps it in its link") {
  const Folder folder;
  const auto bare = program::run(folder, {"screenshot", "a.png", "--theme", "light"});
  REQUIRE(bare.exit_code == 0);
  CHECK_THAT(bare.err, Contains("note: no scenario option is given: batch 4, heads 32"));
  const std::string link = link_in(program::read_file(folder / "a.png"));
  CHECK_THAT(link, Catch::StartsWith("#batch=4&heads=32&") && Contains("&theme=light"));
  CHECK_THAT(link, Contains("&cta=0,0,2,0&") && Contains("&time="));  // at a time with work under way
  const auto asked = program::run(folder, {"screenshot", "b.png", "--link", "seqlen=512"});
  REQUIRE(asked.exit_code == 0);
  CHECK(asked.err.empty());
  CHECK(link_in(program::read_file(folder / "b.png")) == "#batch=1&heads=1&seqlen=512");
}
