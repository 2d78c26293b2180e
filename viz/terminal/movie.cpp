#include "viz/terminal/movie.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
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

/// The film in memory, as ffmpeg finds it.
constexpr const char* film_name = "/proc/self/fd/3";

std::vector<std::string> ffmpeg_words(const std::string& suffix, const Video& video) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-loglevel",
                                    "error",
                                    "-xerror",  // a frame that cannot be read or written ends it
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
  words.insert(words.end(), {"-f", suffix.substr(1), film_name});
  return words;
}

/// A number of `size` bytes, most significant first; the caller checks that they are there.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(at, size)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

/// Adds the frames that the boxes of an MP4 file list; false if a box is torn. `media` becomes true if there is media.
bool add_frames(std::string_view boxes, std::int64_t& frames, bool& media) {
  while (!boxes.empty()) {
    std::size_t start = 8;
    if (boxes.size() < start) return false;
    std::uint64_t size = number_at(boxes, 0, 4);
    if (size == 1 && boxes.size() >= 16) {
      size = number_at(boxes, 8, 8);
      start = 16;
    }
    if (size < start || size > boxes.size()) return false;
    const std::string_view type = boxes.substr(4, 4), contents = boxes.substr(start, size - start);
    constexpr std::string_view with_boxes = "moov trak mdia minf stbl";
    if (with_boxes.find(type) != std::string_view::npos && !add_frames(contents, frames, media)) return false;
    media = media || type == "mdat";
    if (type == "stsz" && contents.size() >= 12) frames += static_cast<std::int64_t>(number_at(contents, 8, 4));
    boxes.remove_prefix(size);
  }
  return true;
}

/// Size of a color table, from the flags that announce it.
std::size_t colour_table(char flags) { return (flags & 0x80) != 0 ? std::size_t{6} << (flags & 7) : 0; }

/// Skips the sub-blocks of a GIF at `at`; false at the end of the file.
bool skip_blocks(std::string_view film, std::size_t& at) {
  while (at < film.size()) {
    const auto size = static_cast<unsigned char>(film[at]);
    at += size + std::size_t{1};
    if (size == 0) return true;
  }
  return false;
}

std::int64_t frames_in_gif(std::string_view film) {
  constexpr std::size_t header = 13, image = 10;
  if (film.size() < header) return -1;
  std::int64_t frames = 0;
  for (std::size_t at = header + colour_table(film[10]); at < film.size();) {
    const char kind = film[at];
    if (kind == ';') return at + 1 == film.size() ? frames : -1;
    if (kind == ',') {
      if (at + image > film.size()) return -1;
      at += image + colour_table(film[at + image - 1]) + 1;  // and the first size of codes
      ++frames;
    } else if (kind == '!') {
      at += 2;
    } else {
      return -1;
    }
    if (!skip_blocks(film, at)) return -1;
  }
  return -1;
}

/// The bytes of a file in memory, as long as the object.
class Mapped {
 public:
  explicit Mapped(int descriptor) {
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    size_ = size > 0 ? static_cast<std::size_t>(size) : 0;
    if (size_ > 0) start_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
    sim::require(size >= 0 && start_ != MAP_FAILED,
                 "output: the video in memory cannot be read: ", std::strerror(errno));
  }
  ~Mapped() {
    if (size_ > 0) ::munmap(start_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  std::string_view bytes() const { return {static_cast<const char*>(start_), size_}; }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

std::int64_t frames_in(std::string_view film) {
  if (film.starts_with("GIF8")) return frames_in_gif(film);
  std::int64_t frames = 0;
  bool media = false;
  return film.substr(0, 8).ends_with("ftyp") && add_frames(film, frames, media) && media ? frames : -1;
}

bool is_movie(const std::filesystem::path& path) { return path.extension() == ".gif" || path.extension() == ".mp4"; }

void Movie::Descriptor::close() {
  if (number >= 0) ::close(std::exchange(number, -1));
}

Movie::Movie(const std::filesystem::path& path, const Video& video) : file_(path), video_(video) {
  if (::access("/proc/self/fd", X_OK) != 0)
    throw MissingCapability(
        "screenshot: ffmpeg writes videos through /proc, which is not mounted here: mount it, or write .png pictures");
  film_.number = ::memfd_create("film", MFD_CLOEXEC);
  sim::require(film_.number >= 0, "output: no memory for a video: ", std::strerror(errno));
  int ends[2];
  sim::require(::pipe2(ends, O_CLOEXEC) == 0, "ffmpeg: no pipe to it: ", std::strerror(errno));
  pictures_.number = ends[1];
  const Descriptor input{ends[0]};
  std::signal(SIGPIPE, SIG_IGN);  // write() reports that it ended
  try {
    ffmpeg_.emplace(ffmpeg_words(path.extension().string(), video), Child::Gets{input.number, film_.number});
  } catch (const sim::Error& error) {
    throw MissingCapability(sim::text("screenshot: videos need ffmpeg: ", error.what(),
                                      ": apt-get install ffmpeg, or write .png pictures"));
  }
}

Movie::~Movie() { pictures_.close(); }  // or ffmpeg would wait for them

void Movie::add(const platform::Picture& picture) {
  const std::uint8_t* at = picture.rgba.data();
  for (std::size_t rest = picture.rgba.size(); rest > 0;) {
    const ssize_t written = ::write(pictures_.number, at, rest);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const std::string error = std::strerror(errno);
      pictures_.close();
      const std::string reason = ffmpeg_->end();
      throw sim::Error("ffmpeg: cannot take a picture: ", reason.empty() ? error : reason);
    }
    at += written;
    rest -= static_cast<std::size_t>(written);
  }
}

void Movie::commit() {
  pictures_.close();  // the end of ffmpeg's input
  const std::string reason = ffmpeg_->end(), suffix = file_.path().extension().string();
  sim::require(reason.empty(), "ffmpeg: failed: ", reason, ": does this build of it write ", suffix, "?");
  const Mapped film(film_.number);
  const std::int64_t frames = frames_in(film.bytes());
  sim::require(frames == video_.frames, "ffmpeg: the ", suffix, " that it wrote ",
               frames < 0 ? "is torn" : sim::text("has ", frames, " frames, not ", video_.frames));
  file_.write(film.bytes());
  file_.commit();
}

}  // namespace terminal
