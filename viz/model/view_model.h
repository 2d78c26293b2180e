// All that the explorer knows: the scenario and its history, the run, the playhead, what is selected, and how it is
// shown. Panels read it and call its actions; they keep nothing. No ImGui, no clock, no files.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/model/deep_link.h"
#include "viz/model/run.h"

namespace explorer {

enum class Theme { dark, light };
enum class Language { en, zh };

/// What one step of playback crosses.
enum class Step { event, line, tile, row_block, cta, kernel };

class ViewModel {
 public:
  /// `gpu`: where names of devices are looked up. Starts with the contract's default scenario.
  explicit ViewModel(sim::GpuLookup gpu);

  // What there is to look at.
  const sim::OptionValues& options() const { return history_[version_]; }
  const Run& run() const { return *run_; }
  const Replay& replay() const { return *replay_; }
  /// Why the scenario is impossible; the last possible one stays in run(). Empty when all is well.
  const std::string& error() const { return error_; }
  const std::vector<std::string>& complaints() const { return complaints_; }  ///< of the last link

  // The scenario. Each action is one step of undo.
  void set_option(const std::string& name, const std::string& value);
  void reset_option(const std::string& name);
  bool can_undo() const { return version_ > 0; }
  bool can_redo() const { return version_ + 1 < history_.size(); }
  void undo();
  void redo();

  // The playhead: a time in the CTA that is looked at.
  sim::Cycles time() const { return time_; }
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
  Theme theme = Theme::dark;
  Language language = Language::en;
  std::string tab, selection;

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
  std::shared_ptr<const Run> run_;
  std::shared_ptr<const Replay> replay_;
  std::string error_;
  std::vector<std::string> complaints_;
  sim::Cycles time_;
  bool playing_ = false;
  double speed_ = 1;
};

}  // namespace explorer
