// Playback: whether time passes, how fast, and the clip that plays. Its clock is cycles of the CTA, or microseconds of
// whole runs; the times themselves are in Subject and Look, so that links name them.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace explorer {

struct Clip {
  double from, to;  ///< of the clock
  bool of_run;      ///< of whole runs
};

class Playhead {
 public:
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  void set_speed(double speed) {
    if (std::isfinite(speed)) speed_ = std::clamp(speed, slowest, fastest);
  }
  /// Seconds at speed 1 of `seconds` of the viewer, of which a frame is never more than one.
  double passed(double seconds) const { return std::min(seconds, 1.0) * speed_; }

  /// Returns false: the playhead does not move on.
  bool stop() { return playing_ = false; }
  /// Lets time pass from `now` on. True if a clip has ended there: take_rewind() then leads back to its begin.
  bool start(double now, bool of_run) {
    playing_ = true;
    return rewinds_ = clip(of_run) != nullptr && clip(of_run)->to == now;
  }
  /// The begin of the clip, once after each start() at its end.
  std::optional<double> take_rewind(bool of_run) {
    return std::exchange(rewinds_, false) && clip(of_run) != nullptr ? std::optional(clip(of_run)->from) : std::nullopt;
  }
  /// The clip of this clock; null if there is none.
  const Clip* clip(bool of_run) const { return clip_ && clip_->of_run == of_run ? &*clip_ : nullptr; }
  void set_clip(std::optional<Clip> clip) { clip_ = clip; }

  /// Steps that are due when `seconds` more have passed, one for each second at speed 1.
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
