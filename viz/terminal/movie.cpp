#include "viz/terminal/movie.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "viz/terminal/command.h"

namespace terminal {
namespace {

/// Limit of the memory for frames in ffmpeg, in bytes.
constexpr std::int64_t most_kept = std::int64_t{1} << 30;

/// Encoder options. A GIF has one palette for all frames, so that ffmpeg stores only changes; it must then hold all
/// frames in memory. If they are too many, each frame has its own palette and is stored whole. No dithering: flat
/// colours stay flat. MP4 players need even sizes and 4:2:0.
std::vector<std::string> encoder(const std::string& suffix, const Video& video) {
  if (suffix == ".gif") {
    const bool keeps = 4 * video.width * video.height * video.frames <= most_kept;
    return {"-filter_complex", sim::text("split[a][b];[a]palettegen=stats_mode=", keeps ? "full" : "single",
                                         "[p];[b][p]paletteuse=dither=none", keeps ? "" : ":new=1")};
  }
  return {
      "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags",
      "+faststart"};
}

/// Descriptor through which ffmpeg accesses its output file.
constexpr int video_descriptor = 3;

std::vector<std::string> ffmpeg_words(const std::string& suffix, const Video& video) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-loglevel",
                                    "error",
                                    "-nostdin",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgb0",
                                    "-video_size",
                                    sim::text(video.width, "x", video.height),
                                    "-framerate",
                                    sim::text(video.frames_per_second),
                                    "-i",
                                    "pipe:0"};
  for (std::string& word : encoder(suffix, video)) words.push_back(std::move(word));
  words.insert(words.end(), {"-f", suffix.substr(1), sim::text("/proc/self/fd/", video_descriptor)});
  return words;
}

/// Creates a file in memory.
int new_unfinished() {
  const int descriptor = ::memfd_create("film", MFD_CLOEXEC);
  sim::require(descriptor >= 0, "output: no memory for a video: ", std::strerror(errno));
  return descriptor;
}

}  // namespace

bool is_movie(const std::filesystem::path& path) { return path.extension() == ".gif" || path.extension() == ".mp4"; }

Movie::Movie(const std::filesystem::path& path, const Video& video) : file_(path) {
  if (file_.lend() < 0) unfinished_ = new_unfinished();
  start(ffmpeg_words(path.extension().string(), video));
}

Movie::~Movie() {
  if (process_ > 0) ::kill(process_, SIGTERM);
  wait();
  if (unfinished_ >= 0) ::close(unfinished_);
}

void Movie::start(const std::vector<std::string>& words) {
  int ends[2];
  sim::require(::pipe2(ends, O_CLOEXEC) == 0, "ffmpeg: no pipe to it: ", std::strerror(errno));
  pipe_ = ends[1];
  std::signal(SIGPIPE, SIG_IGN);  // write() reports that it ended
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, unfinished_ >= 0 ? unfinished_ : file_.lend(), video_descriptor);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error = ::posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (error == 0) return;
  process_ = -1;
  ::close(std::exchange(pipe_, -1));
  if (unfinished_ >= 0) ::close(unfinished_);  // the destructor will not run
  throw MissingCapability(sim::text("screenshot: videos need ffmpeg, which cannot be started: ", std::strerror(error),
                                    ": apt-get install ffmpeg, or write .png pictures"));
}

void Movie::add(const platform::Picture& picture) {
  const std::uint8_t* at = picture.rgba.data();
  for (std::size_t rest = picture.rgba.size(); rest > 0;) {
    const ssize_t written = ::write(pipe_, at, rest);
    if (written < 0 && errno == EINTR) continue;
    sim::require(written > 0, "ffmpeg: ended with exit code ", written > 0 ? 0 : wait(),
                 " before the video was complete");
    at += written;
    rest -= static_cast<std::size_t>(written);
  }
}

int Movie::wait() {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  if (process_ < 0) return 0;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Movie::commit() {
  const int code = wait();
  sim::require(code == 0, "ffmpeg: failed with exit code ", code, ": does this build of it write ",
               file_.path().extension().string(), "?");
  if (unfinished_ >= 0) {
    std::ifstream in(sim::text("/proc/self/fd/", unfinished_), std::ios::binary);
    file_.write(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  file_.commit();
}

}  // namespace terminal
