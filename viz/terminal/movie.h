// Videos (MP4) and animations (GIF) of the explorer: pictures piped through ffmpeg into memory, and from there into a
// file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "viz/files/output_file.h"
#include "viz/platform/picture.h"
#include "viz/terminal/child.h"

namespace terminal {

/// True if the suffix is .gif or .mp4.
bool is_movie(const std::filesystem::path& path);

/// Number of frames in the bytes of a GIF or MP4 file; -1 if the file is torn or neither. Sources: GIF89a specification
/// (CompuServe, 1990); ISO/IEC 14496-12, boxes and stsz.
std::int64_t frames_in(std::string_view film);

/// Size and length of a video.
struct Video {
  std::int64_t width, height, frames, frames_per_second;
};

/// A video of pictures of equal size. The file is complete or unchanged: ffmpeg, whose exit code does not tell of a
/// full disk, writes into memory; the result replaces the file only if it has all frames.
class Movie {
 public:
  /// Starts ffmpeg. Throws MissingCapability if it is not installed, sim::Error if the path cannot be written.
  Movie(const std::filesystem::path& path, const Video& video);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Adds a frame. Throws sim::Error if ffmpeg has ended early.
  void add(const platform::Picture& picture);
  void commit();

 private:
  /// A descriptor, closed with the object.
  struct Descriptor {
    int number = -1;
    ~Descriptor() { close(); }
    void close();
  };
  files::OutputFile file_;
  Video video_;
  Descriptor film_;              ///< file in memory
  Descriptor pictures_;          ///< pipe to ffmpeg
  std::optional<Child> ffmpeg_;  ///< destroyed first
};

}  // namespace terminal
