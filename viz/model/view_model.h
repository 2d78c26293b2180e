// All that the explorer knows: the scenario and its history, the run, the playhead, what is selected, and how it is
// shown. Panels read it and call its actions; they keep nothing. No ImGui, no clock, no files.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/model/deep_link.h"
#include "viz/model/look.h"
#include "viz/model/subject.h"
#include "viz/model/task.h"
#include "viz/model/wish.h"

namespace explorer {

/// What one step of playback crosses.
enum class Step { event, line, tile, row_block, cta, kernel };

class ViewModel {
 public:
  /// `gpu`: where names of devices are looked up. Starts with the contract's default scenario.
  explicit ViewModel(sim::GpuLookup gpu);

  // What there is to look at.
  std::size_t subjects() const { return 1; }
  const Subject& subject(std::size_t) const { return main_; }
  // Of the first subject:
  const sim::OptionValues& options() const { return history_[version_]; }
  const Run& run() const { return *main_.run; }
  const Replay& replay() const { return *main_.replay; }
  /// Why the scenario is impossible; the last possible one stays in run(). Empty when all is well.
  const std::string& error() const { return main_.error; }
  const std::vector<std::string>& complaints() const { return complaints_; }  ///< of the last link

  // The scenario. Each action is one step of undo.
  void set_option(const std::string& name, const std::string& value);
  void reset_option(const std::string& name);
  bool can_undo() const { return version_ > 0; }
  bool can_redo() const { return version_ + 1 < history_.size(); }
  void undo();
  void redo();

  // The playhead: a time in the CTA that is looked at.
  sim::Cycles time() const { return main_.time; }
  void seek(sim::Cycles time);
  void look_at(std::size_t kernel, sim::CtaPlace place);
  /// The next (direction +1) or the previous (-1) one; from the last event of a CTA on to the next CTA, and so on.
  void step(Step unit, int direction);
  bool playing() const { return playing_; }
  void play(bool on) { playing_ = on; }
  double speed() const { return speed_; }
  void set_speed(double speed);
  /// Time passes; true when the playhead moved. `seconds` are those of the viewer.
  bool tick(double seconds);

  // How it is shown.
  Look look;
  Tasks tasks;
  std::vector<Wish> wishes;             ///< for the front end, which takes them after each frame
  std::string notice;                   ///< what came of a wish, until the next click or key; empty for none
  std::map<std::string, float> scroll;  ///< offsets of scrolling views by name, in device pixels; not in the link

  // Sharing.
  std::string link() const;
  void follow(std::string_view link);
  nlohmann::ordered_json state() const;

 private:
  void change(sim::OptionValues options);
  void rebuild();
  bool next_cta(int direction);

  sim::GpuLookup gpu_;
  std::vector<sim::OptionValues> history_;
  std::size_t version_ = 0;
  Subject main_;
  std::vector<std::string> complaints_;
  bool playing_ = false;
  double speed_ = 1;
};

}  // namespace explorer
