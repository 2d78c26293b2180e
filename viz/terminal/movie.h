// Videos (MP4) and animations (GIF) of the explorer: pictures piped through ffmpeg into a file.
#pragma once
#include <cstdint>
#include <filesystem>

#include "viz/files/output_file.h"
#include "viz/platform/picture.h"

namespace terminal {

/// True if the suffix is .gif or .mp4.
bool is_movie(const std::filesystem::path& path);

/// Size and length of a video.
struct Video {
  std::int64_t width, height, frames, frames_per_second;
};

/// A video of pictures of equal size. The file is complete or unchanged: ffmpeg writes an unnamed file, so that nothing
/// is left if it ends early.
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
  void start(const std::vector<std::string>& words);
  int wait();  ///< closes the pipe and returns the exit code of ffmpeg
  files::OutputFile file_;
  int unfinished_ = -1;  ///< written by ffmpeg, which needs to seek, if the target is a pipe or a device
  int pipe_ = -1, process_ = -1;
};

}  // namespace terminal
