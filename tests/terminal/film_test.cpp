// Videos of the explorer: what ffmpeg makes is checked, and replaces a file only as a whole.
#include <signal.h>

#include <catch2/catch.hpp>

#include "tests/support/program.h"
#include "tests/support/refusing.h"
#include "viz/terminal/movie.h"

using Catch::Contains;
using program::Folder;

namespace {

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

void write_program(const Folder& folder, const std::string& name, const std::string& script) {
  program::write_file(folder / name, "#!/bin/sh\n" + script);
  std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
}

/// A program ffmpeg in `tools` that keeps its input in `raw`, and whose result is this film.
void write_ffmpeg(const Folder& tools, const std::string& film, int exit_code) {
  program::write_file(tools / "film", film);
  write_program(tools, "ffmpeg",
                "/bin/cat > raw\nfor last; do :; done\n/bin/cat '" + (tools / "film") + "' > \"$last\"\nexit " +
                    std::to_string(exit_code) + "\n");
}

/// A GIF of one pixel: signature, screen without a table, an extension, frames of one code block, trailer.
std::string small_gif(std::int64_t frames) {
  using namespace std::string_literals;
  std::string film = "GIF89a\1\0\1\0\0\0\0!\xf9\4\0\0\0\0\0"s;
  for (std::int64_t n = 0; n < frames; ++n) film += ",\0\0\0\0\1\0\1\0\x80\0\0\0\xff\xff\xff\2\2\x44\1\0"s;
  return film + ";";
}

/// A box of an MP4 file: its length in four bytes, its type, its contents.
std::string box(const std::string& type, const std::string& contents) {
  std::string length;
  for (const int shift : {24, 16, 8, 0}) length += static_cast<char>((contents.size() + 8) >> shift & 255);
  return length + type + contents;
}

/// An MP4 file whose table of sample sizes has this many entries.
std::string small_mp4(std::int64_t frames) {
  std::string table(8, '\0');
  for (const int shift : {24, 16, 8, 0}) table += static_cast<char>(frames >> shift & 255);
  const std::string track = box("trak", box("mdia", box("minf", box("stbl", box("stsz", table)))));
  return box("ftyp", "isomiso2") + box("moov", box("mvhd", "") + track) + box("mdat", "data");
}

}  // namespace

TEST_CASE("a video passes each frame to ffmpeg and keeps its output") {
  const Folder folder, tools;
  const Environment path("PATH", tools.path().c_str());
  for (const auto& [name, film] : {std::pair("a.gif", small_gif(3)), {"a.mp4", small_mp4(3)}}) {
    write_ffmpeg(tools, film, 0);
    const auto result = program::run(folder, {"screenshot", name, "--size", "640x480", "--frames", "3"});
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK(program::read_file(folder / name) == film);
    CHECK(program::read_file(folder / "raw").size() == 3u * 640 * 480 * 4);
  }
}

TEST_CASE("the frames of a film are counted, and a torn film has none") {
  for (const std::int64_t frames : {0, 1, 2, 300}) {
    CHECK(terminal::frames_in(small_gif(frames)) == frames);
    CHECK(terminal::frames_in(small_mp4(frames)) == frames);
  }
  for (const std::string& film : {small_gif(3), small_mp4(3)}) {
    for (std::size_t size = 0; size < film.size(); ++size) {
      INFO(size);
      CHECK(terminal::frames_in(film.substr(0, size)) != 3);
      CHECK(terminal::frames_in(film.substr(0, size) + film.substr(size + 1)) != 3);
    }
    CHECK(terminal::frames_in(film + "x") == -1);
  }
  CHECK(terminal::frames_in("") == -1);
  CHECK(terminal::frames_in("video") == -1);
}

TEST_CASE("a film that is torn, too short or empty keeps the old file although ffmpeg reports success") {
  const Folder folder, tools;
  const Environment path("PATH", tools.path().c_str());
  const auto refused = [&](const std::string& name, const std::string& film, const std::string& says) {
    INFO(film.size());
    write_ffmpeg(tools, film, 0);
    program::write_file(folder / name, "old");
    program::check_refused(folder, {"screenshot", name, "--size", "640x480", "--frames", "3"}, {"ffmpeg", says});
    CHECK(program::read_file(folder / name) == "old");
    program::fs::remove(folder / name);
    program::fs::remove(folder / "raw");
    CHECK(folder.files() == 0);
  };
  for (const auto& [name, film, shorter] :
       {std::tuple("a.gif", small_gif(3), small_gif(2)), {"a.mp4", small_mp4(3), small_mp4(2)}}) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, film.size() / 2, film.size() - 1})
      refused(name, film.substr(0, size), "is torn");
    refused(name, shorter, "has 2 frames, not 3");
  }
}

TEST_CASE("a film that ffmpeg made has all its frames, also of a picture that does not change", "[repeats]") {
  if (!program::possible("command -v ffmpeg", "making a video (ffmpeg)")) return;
  const Folder folder;
  for (const std::string name : {"a.gif", "a.mp4"}) {
    for (const std::string link : {"play=run", "seqlen=256"}) {
      const auto result = program::run(
          folder, {"screenshot", name, "--size", "641x481", "--frames", "7", "--fps", "50", "--link", link});
      INFO(result.err);
      REQUIRE(result.exit_code == 0);
      CHECK(terminal::frames_in(program::read_file(folder / name)) == 7);
    }
  }
}

TEST_CASE("a film that outgrows the disk keeps the old file") {
  if (!program::possible("command -v ffmpeg", "making a video (ffmpeg)")) return;
  const std::string draw =
      "$flashscope screenshot a.gif --size 641x481 --frames 3 --link play=run; code=$?; "
      "cat a.gif; ls -A | wc -l; exit $code";
  const auto refused = [](const program::Result& result) {
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err_lines() == 1);
    CHECK(result.out == "old1\n");
  };
  const Folder limited;
  refused(program::shell(limited, "printf old > a.gif; trap '' XFSZ; ulimit -f 16; " + draw));
  const std::string mount = "unshare -Urm sh -c 'mount -t tmpfs -o size=12k tmpfs . && cd \"$PWD\" && ";
  if (!program::possible(mount + "true'", "a file system of 12 KB (unshare -Urm)")) return;
  const Folder full;
  refused(program::shell(full, "export flashscope; " + mount + "printf old > a.gif; " + draw + "'"));
}

TEST_CASE("a video whose ffmpeg fails keeps the old file") {
  const Folder folder, tools;
  program::write_file(folder / "a.mp4", "old");
  write_ffmpeg(tools, small_mp4(3), 7);
  const Environment path("PATH", tools.path().c_str());
  program::check_refused(folder, {"screenshot", "a.mp4", "--size", "640x480", "--frames", "3"}, {"ffmpeg", "7"});
  CHECK(program::read_file(folder / "a.mp4") == "old");
  CHECK(folder.files() == 2);  // and its input
}

TEST_CASE("without ffmpeg a video fails with exit code 3, and pictures work") {
  const Folder folder;
  const Environment path("PATH", "/nonexistent");
  const auto video = program::run(folder, {"screenshot", "a.gif", "--size", "640x480", "--frames", "1"});
  CHECK(video.exit_code == 3);
  CHECK(video.err_lines() == 1);
  CHECK_THAT(video.err, Contains("apt-get install ffmpeg"));
  CHECK(folder.files() == 0);
  CHECK(program::run(folder, {"screenshot", "a.png", "--size", "640x480"}).exit_code == 0);
}

TEST_CASE("a video ended by a signal leaves nothing, and needs no folder for temporaries") {
  const Folder folder, tools;
  write_program(tools, "ffmpeg", "for last; do :; done\nprintf part > \"$last\"\n: > started\n/bin/cat > /dev/null\n");
  const Environment path("PATH", tools.path().c_str()), temporaries("TMPDIR", (folder / "no such folder").c_str());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    program::write_file(folder / "a.mp4", "old");
    const pid_t child =
        program::start_silently(folder, {"screenshot", "a.mp4", "--size", "640x480", "--frames", "99999"});
    program::wait_until([&] { return program::fs::exists(folder / "started"); }, child);
    ::kill(child, signal);
    CHECK(program::wait_for(child) == 128 + signal);
    program::fs::remove(folder / "started");
    CHECK(program::read_file(folder / "a.mp4") == "old");
    CHECK(folder.files() == 1);
  }
}
