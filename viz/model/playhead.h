// Playback state: running or paused, speed, and the current clip. Its clock is cycles of the CTA, or microseconds of
// whole runs; the times themselves are in Subject and Look, so that links store them.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace explorer {

struct Clip {
  double from, to;  ///< on the clock
  bool of_run;      ///< the clock is that of whole runs
};

class Playhead {
 public:
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  void set_speed(double speed) {
    if (std::isfinite(speed)) speed_ = std::clamp(speed, slowest, fastest);
  }
  /// Clock seconds at speed 1 that pass in `seconds` of the viewer, capped at 1 per frame.
  double passed(double seconds) const { return std::min(seconds, 1.0) * speed_; }

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
  int steps_due(double seconds) {
    since_step_ += passed(seconds);
    const double due = std::floor(since_step_);
    since_step_ -= due;
    return static_cast<int>(due);
  }

 private:
  static constexpr double slowest = 0.01, fastest = 100;

  bool playing_ = false;
  double speed_ = 1;
  double since_step_ = 0;
  bool rewinds_ = false;
  std::optional<Clip> clip_;
};

}  // namespace explorer
