// Films of the explorer: pictures on their way through the program ffmpeg to a .gif or .mp4 file.
#pragma once
#include <cstdint>
#include <filesystem>

#include "viz/files/output_file.h"
#include "viz/platform/picture.h"

namespace terminal {

/// Whether the suffix is that of a film.
bool is_movie(const std::filesystem::path& path);

/// Size and length of a film.
struct Film {
  std::int64_t width, height, frames, frames_per_second;
};

/// A film of pictures of one size. The file is complete, or as it was before: ffmpeg writes what has no name yet, so
/// that nothing is left wherever it ends.
class Movie {
 public:
  /// Starts ffmpeg. Throws MissingCapability when it is not installed, sim::Error when the path cannot be written.
  Movie(const std::filesystem::path& path, const Film& film);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  /// Throws sim::Error when ffmpeg ended before its time.
  void add(const platform::Picture& picture);
  void commit();

 private:
  void start(const std::vector<std::string>& words);
  int wait();  ///< ends the pipe and returns the exit code of ffmpeg
  files::OutputFile file_;
  int unfinished_ = -1;  ///< what ffmpeg writes in place of a pipe or a device: it needs a file that it can seek in
  int pipe_ = -1, process_ = -1;
};

}  // namespace terminal
