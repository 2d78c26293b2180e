// Playback: running or paused, and the current clip. Its clock is cycles of the CTA, or microseconds of whole runs; the
// times themselves and the speed are in the state, so that links store them.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace explorer {

inline constexpr double slowest_speed = 0.01, fastest_speed = 100;  ///< speeds of playback

struct Clip {
  double from, to;  ///< on the clock
  bool of_run;      ///< the clock is that of whole runs
};

class Playhead {
 public:
  bool playing() const { return playing_; }
  /// Clock seconds that pass in `seconds` of the viewer, capped at 1 per frame.
  static double passed(double seconds, double speed) { return std::min(seconds, 1.0) * speed; }

  /// Stops playback and returns false: the playhead does not move.
  bool stop() { return playing_ = false; }
  /// Starts playback. True if the clip ends at `now`: take_rewind() then returns its start.
  bool start(double now, bool of_run) {
    playing_ = true;
    return rewinds_ = clip(of_run) != nullptr && clip(of_run)->to == now;
  }
  /// The start of the clip, once after each start() at its end.
  std::optional<double> take_rewind(bool of_run) {
    return std::exchange(rewinds_, false) && clip(of_run) != nullptr ? std::optional(clip(of_run)->from) : std::nullopt;
  }
  /// The clip on this clock; null if there is none.
  const Clip* clip(bool of_run) const { return clip_ && clip_->of_run == of_run ? &*clip_ : nullptr; }
  void set_clip(std::optional<Clip> clip) { clip_ = clip; }

  /// Number of steps due after another `seconds`, one per second at speed 1.
  int steps_due(double seconds, double speed) {
    since_step_ += passed(seconds, speed);
    const double due = std::floor(since_step_);
    since_step_ -= due;
    return static_cast<int>(due);
  }

 private:
  bool playing_ = false;
  double since_step_ = 0;
  bool rewinds_ = false;
  std::optional<Clip> clip_;
};

}  // namespace explorer
