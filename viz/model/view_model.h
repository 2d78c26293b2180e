// All that the explorer knows: the scenario and its history, the run, the playhead, what is selected, and how it is
// shown. Panels read it and call its actions; they keep nothing. No ImGui, no clock, no files.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "viz/model/comparison.h"
#include "viz/model/deep_link.h"
#include "viz/model/lesson_state.h"
#include "viz/model/look.h"
#include "viz/model/playhead.h"
#include "viz/model/request.h"
#include "viz/model/scenario_history.h"
#include "viz/model/subject.h"
#include "viz/model/task.h"
#include "viz/model/verification.h"

namespace explorer {

/// A block of a pattern.
struct BlockPlace {
  std::int64_t row = 0, col = 0;
  friend bool operator==(BlockPlace, BlockPlace) = default;
};

struct Brush {
  BlockPlace block;            ///< under the pointer, or where the keys are
  std::optional<bool> stroke;  ///< while the button is down: true if it shows the blocks that it crosses
};

struct Palette {
  std::string typed;
  int chosen = 0;  ///< the line that Enter takes
};

class ViewModel {
 public:
  /// `gpu`: where names of devices are looked up. `first`: the scenario to start with, by default that of the contract.
  explicit ViewModel(sim::GpuLookup gpu, sim::OptionValues first = {});

  // What there is to look at.
  std::size_t subjects() const { return 1 + peers_.size(); }
  const Subject& subject(std::size_t n) const { return n == 0 ? main_ : peers_[n - 1].subject; }
  // Of the first subject:
  const sim::OptionValues& options() const { return history_.now(); }
  const Run& run() const { return *main_.run; }
  /// A preview for a moment where the change of a long CTA is shown at once: then advance() replays the whole.
  const Replay& replay() const { return *main_.replay; }
  bool previewing() const { return previewing_; }
  /// Why the scenario is impossible; the last possible one stays in run(). Empty when all is well.
  const std::string& error() const { return main_.error; }
  const std::vector<std::string>& complaints() const { return complaints_; }  ///< of the last link
  void dismiss_complaints() { complaints_.clear(); }

  // The scenario. Each action is one step of undo.
  void set_option(const std::string& name, const std::string& value);
  /// Several options in one step; an empty value takes an option back. Of a run beside the first one: what it changes.
  void change_options(const sim::OptionValues& changes, std::size_t subject = 0);
  void reset_option(const std::string& name);
  /// Loads an .fscope file and shows its program, also where one of its name is shown already. Throws sim::Error.
  void open_program(const std::string& text, const std::string& called);
  /// The same for a number that is being dragged: many of them in a row are one step of undo.
  void drag_option(const std::string& name, const std::string& value);
  void end_drag() { history_.end_drag(); }  ///< the next one is another step
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo();
  void redo();

  // The runs beside the first: what they change of its scenario. Their playheads follow the first one's.
  const std::vector<sim::OptionValues>& changes() const { return changes_; }
  /// Runs as read_comparison() takes them. False, and nothing changes, when it makes no sense.
  bool compare_with(std::string_view changes);
  void add_peer(const sim::OptionValues& change);
  void remove_peer(std::size_t subject);
  void synchronise_by(Sync sync);
  /// Moves all playheads so that the one of this subject comes to a time.
  void seek_subject(std::size_t subject, sim::Cycles time);

  // The playhead: a time in the CTA that is looked at.
  sim::Cycles time() const { return main_.time; }
  void seek(sim::Cycles time);
  void look_at(std::size_t kernel, sim::CtaPlace place);
  /// The next (direction +1) or the previous (-1) one; from the last event of a CTA on to the next CTA, and so on.
  void step(Step unit, int direction);
  /// The step of the playhead, from where to where: what look.loop plays again and again.
  std::pair<sim::Cycles, sim::Cycles> around(Step unit) const;
  bool playing() const { return playhead_.playing(); }
  /// A run or a clip that has ended begins anew.
  void play(bool on);
  /// As soon as time passes, plays from a time to where the playhead is now, and stops there: cycles of the CTA, or
  /// microseconds where whole runs play. The clip is forgotten with the CTA or the scenario.
  void play_clip(double from);
  double speed() const { return playhead_.speed(); }
  void set_speed(double speed) { playhead_.set_speed(speed); }
  /// Microseconds of the GPU in a second of the viewer at speed 1: a tile, or a quarter of a CTA that has none.
  double pace() const;
  /// The clock of whole runs, where they play: since the first launch, to the end of the slowest run.
  bool plays_run() const { return look.play == Play::run; }
  double run_time() const { return look.run_time; }
  double run_end() const;
  void seek_run(double microseconds);
  /// Time passes; true when the playhead moved. `seconds` are those of the viewer.
  bool tick(double seconds);
  /// A slice of what is under way. False when nothing is.
  bool advance();
  /// Marks the place of the playhead, or takes the mark away again. At most most_bookmarks.
  void toggle_bookmark();
  bool at_bookmark() const;
  /// To the next (direction +1) or the previous (-1) bookmark in the order of the run; from the last to the first.
  void go_to_bookmark(int direction);

  // How it is shown.
  Look look;
  Tasks tasks;
  std::shared_ptr<const Verifier> verifier;  ///< runs kernels; none in the browser
  std::vector<Request> requests;             ///< for the front end, which takes them after each frame
  std::string notice;                        ///< what came of a request, until the next click or key; empty for none
  Palette palette;                           ///< not in the link
  std::map<std::string, float> scroll;       ///< offsets of scrolling views by name, in device pixels; not in the link
  /// What was measured on GPUs; never null.
  const std::vector<measurements::Recording>* recordings = &measurements::recordings();

  LessonState lesson;
  void show_lessons() {
    look.lesson = "list";
    look.lesson_step = 0;
  }

  Brush brush;  ///< paints a pattern; not in the link

  const sim::GpuLookup& gpu() const { return gpu_; }

  // Sharing.
  std::string link() const;
  void follow(std::string_view link);
  nlohmann::ordered_json state() const;

 private:
  void change(sim::OptionValues options);
  void rebuild();
  bool keeps_preview() const;
  void replay_whole();
  void move_to(sim::Cycles time);
  bool next_cta(int direction);
  bool move(Step unit, int direction);
  bool pass(double seconds);
  double clock() const;
  void set_clock(double time);
  bool play_in_steps(double seconds, Step step);
  bool play_run(double seconds);
  Bookmark here() const { return {main_.replay->kernel, main_.replay->place, main_.time}; }
  bool next_in_chain(int direction);
  void follow_place(Link& link);
  void show_first_picture();
  void follow_look(Link& link);
  void rebuild_compared();
  void rebuild_peers();
  void rebuild_chains();
  void follow_first();

  sim::GpuLookup gpu_;
  ScenarioHistory history_;
  struct Peer {
    Subject subject;
    std::shared_ptr<const Chain> chain;  ///< at the place of the first subject; null when it can't be replayed
  };
  Subject main_;
  std::vector<sim::OptionValues> changes_;
  std::vector<Peer> peers_;
  std::shared_ptr<const Chain> chain_;  ///< of the first subject; null when nothing is compared
  std::vector<std::string> complaints_;
  bool previewing_ = false;  ///< main_.replay is a preview
  bool changed_ = false;     ///< since the last advance(): who drags a number does not wait for each whole replay
  sim::Cycles wanted_;       ///< the time that the playhead comes back to after a preview
  Playhead playhead_;
};

}  // namespace explorer
