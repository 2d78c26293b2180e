// The explorer's state: the scenario and its history, the run, the playhead, the selection and the view. Panels read it
// and change it by edits; they keep no state. No ImGui, no clock, no files.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "viz/model/comparison.h"
#include "viz/model/covered.h"
#include "viz/model/deep_link.h"
#include "viz/model/edit.h"
#include "viz/model/lesson/classroom.h"
#include "viz/model/look.h"
#include "viz/model/playhead.h"
#include "viz/model/request.h"
#include "viz/model/scenario_history.h"
#include "viz/model/subject.h"
#include "viz/model/task.h"
#include "viz/model/verification.h"

namespace measurements {
struct Recording;
}

namespace explorer {

struct Brush {
  BlockPlace block;            ///< under the pointer, or at the keyboard cursor
  std::optional<bool> stroke;  ///< while the button is down: true if the stroke shows the blocks that it crosses
};

struct Palette {
  std::string typed;
  int chosen = 0;  ///< the line that Enter runs
  friend bool operator==(const Palette&, const Palette&) = default;
};

/// State of the first view that is not in the link.
struct FirstView {
  std::string behind;  ///< link to return to; empty: the default scenario
  double stood = 0;    ///< seconds at the end of the film
  bool again = false;  ///< the film plays once more
};

class ViewModel {
 public:
  /// `gpu`: resolves device names. `first`: the initial scenario, by default that of the contract.
  explicit ViewModel(sim::GpuLookup gpu, sim::OptionValues first = {});

  // Shown runs.
  std::size_t subjects() const { return 1 + peers_.size(); }
  const Subject& subject(std::size_t n) const { return n == 0 ? main_ : peers_[n - 1].subject; }
  // The first subject:
  const sim::OptionValues& options() const { return history_.now(); }
  const Run& run() const { return *main_.run; }
  /// A preview for a moment if the change of a long CTA is shown at once: advance() then replays the whole.
  const Replay& replay() const { return *main_.replay; }
  bool previewing() const { return previewing_; }
  /// Reason why the scenario is impossible; run() keeps the last possible one. Otherwise empty.
  const sim::Sentence& error() const { return main_.error; }
  const std::vector<sim::Sentence>& link_errors() const { return link_errors_; }  ///< errors of the last link
  void dismiss_link_errors() { link_errors_.clear(); }

  // Scenario. Each action is one step of undo.
  void set_option(const std::string& name, const std::string& value);
  /// Sets several options in one step; an empty value resets an option. For a compared run: sets its changes.
  void change_options(const sim::OptionValues& changes, std::size_t subject = 0);
  void reset_option(const std::string& name);
  /// Loads an .fscope file and shows its program, replacing one of the same name. Throws sim::Error.
  void open_program(const std::string& text, const std::string& called);
  /// Like set_option(), for a number that is being dragged: consecutive drags are one step of undo.
  void drag_option(const std::string& name, const std::string& value);
  void end_drag() { history_.end_drag(); }  ///< the next drag is another step
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo();
  void redo();

  // Compared runs: their changes to the first run's scenario. Their playheads follow the first one's.
  const std::vector<sim::OptionValues>& changes() const { return changes_; }
  /// True if runs are named to be compared: a ragged batch has its packings next to it without.
  bool compares() const { return !changes_.empty(); }
  /// Sets the compared runs, as read_comparison() reads them. False and no change if malformed.
  bool compare_with(std::string_view changes);
  void add_peer(const sim::OptionValues& change);
  /// The quantity that the playheads have in common, as look.sync names it; empty if nothing is compared.
  std::optional<double> common() const;
  /// Moves all playheads so that the subject's is at a time.
  void seek_subject(std::size_t subject, sim::Cycles time);

  // Playhead: a time in the selected CTA.
  sim::Cycles time() const { return main_.time; }
  void seek(sim::Cycles time);
  void look_at(std::size_t kernel, sim::CtaPlace place);
  /// Moves to the next (direction +1) or previous (-1) unit; past the end of a CTA to the next CTA, and so on.
  void step(Step unit, int direction);
  /// Start and end of the playhead's current step, which look.loop repeats.
  std::pair<sim::Cycles, sim::Cycles> around(Step unit) const;
  bool playing() const { return playhead_.playing(); }
  /// Starts or stops playback. A run or clip that has ended starts from the beginning.
  void play(bool on);
  /// Plays from `from` to the current playhead as soon as time passes, then stops: cycles of the CTA, or microseconds
  /// if whole runs play. A change of CTA or scenario discards the clip.
  void play_clip(double from);
  double speed() const { return playhead_.speed(); }
  void set_speed(double speed) { playhead_.set_speed(speed); }
  /// Microseconds of the GPU per second of the viewer at speed 1: a tile, or a quarter of a CTA without tiles.
  double pace() const;
  /// Clock of whole runs, if they play, as always in the view of a batch: since the first launch, to the end of the
  /// slowest run.
  bool plays_run() const { return look.play == Play::run || look.center == Center::batch; }
  double run_time() const { return look.run_time; }
  double run_end() const;
  void seek_run(double microseconds);
  /// Replays the CTAs that a race does not show, once it has ended.
  void leave_race();
  /// Advances playback; true if the playhead moved. `seconds` are those of the viewer.
  bool tick(double seconds);
  /// Runs a slice of pending work. False if there is none.
  bool advance();
  /// Adds a bookmark at the playhead, or removes it. At most most_bookmarks.
  void toggle_bookmark();
  bool at_bookmark() const;
  /// Moves to the next (direction +1) or the previous (-1) bookmark in the order of the run, cyclically.
  void go_to_bookmark(int direction);

  // View.
  Look look;
  mutable Tasks tasks;                       ///< what is computed from the state, also while it is drawn
  std::shared_ptr<const Verifier> verifier;  ///< runs kernels; null in the browser
  std::vector<Request> requests;             ///< for the front end, which takes them after each frame
  std::string notice;                        ///< result of a request, until the next click or key; empty if none
  Palette palette;                           ///< not in the link
  FirstView first_view;                      ///< not in the link, except that it is open
  const std::vector<measurements::Recording>* recordings = nullptr;  ///< measured on GPUs; null: the project's

  LessonWork lesson;
  Classroom classroom;
  Covered covered;  ///< hidden in this frame: it would reveal the answer of the open question

  Brush brush;  ///< paints a pattern; not in the link

  const sim::GpuLookup& gpu() const { return gpu_; }

  // Edits: how everything outside of this class changes the state.
  State now() const;
  void apply(const Edit& edit);
  Edits edits;         ///< of this frame, in order
  void apply_edits();  ///< after the frame

  // Sharing.
  std::string link() const { return link_of(now()); }
  void follow(std::string_view link);
  nlohmann::ordered_json state() const;

 private:
  void change(sim::OptionValues options);
  void rebuild();
  bool keeps_preview() const;
  bool races() const { return look.play == Play::run && look.lesson.empty(); }
  void replay_whole();
  void move_to(sim::Cycles time);
  const std::vector<sim::Cycles>& stops_of(Step unit) const;
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
  std::shared_ptr<const sim::Simulation> standard_of(const sim::OptionValues& options) const;
  void follow_first();

  sim::GpuLookup gpu_;
  ScenarioHistory history_;
  struct Peer {
    Subject subject;
    std::shared_ptr<const Chain> chain;  ///< at the position of the first subject; null if it cannot be replayed
  };
  Subject main_;
  std::vector<sim::OptionValues> changes_;
  std::vector<Peer> peers_;
  std::shared_ptr<const Chain> chain_;  ///< chain of the first subject; null if nothing is compared
  std::vector<sim::Sentence> link_errors_;
  bool previewing_ = false;  ///< main_.replay is a preview
  bool raced_ = false;       ///< main_.replay is a preview and there are no chains, since only whole runs are shown
  bool changed_ = false;     ///< since the last advance(): dragging does not wait for each whole replay
  sim::Cycles wanted_;       ///< time to which the playhead returns after a preview
  Playhead playhead_;
};

}  // namespace explorer
