// The explorer without a window: the state, the world computed from it, and the only code that changes either. Panels
// read both and return edits. No ImGui, no clock, no files.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "viz/model/edit.h"
#include "viz/model/lesson/classroom.h"
#include "viz/model/playhead.h"
#include "viz/model/request.h"
#include "viz/model/scenario_history.h"
#include "viz/model/world.h"

namespace explorer {

class Model {
 public:
  /// `gpu`: resolves device names. `first`: the initial scenario, by default that of the contract.
  explicit Model(sim::GpuLookup gpu, sim::OptionValues first = {});

  State state;
  World world;
  Classroom classroom;

  // Edits: how everything outside of this class changes the state.
  void apply(const Edit& edit);
  void apply(const Edits& all);
  Edits edits;         ///< of this frame, in order
  void apply_edits();  ///< after the frame

  // Effects of edits, for the front end.
  std::vector<Request> requests;           ///< taken by it after each frame
  std::string notice;                      ///< result of a request, until the next click or key; empty if none
  std::vector<sim::Sentence> link_errors;  ///< errors of the last link

  // Time.
  bool playing() const { return playhead_.playing(); }
  /// Advances playback; true if the playhead moved. `seconds` are those of the viewer.
  bool tick(double seconds);
  /// Runs a slice of pending work. False if there is none.
  bool advance();
  /// Replays the CTAs that a race does not show, once it has ended.
  void leave_race();

  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  bool at_bookmark() const;

  // Cases of apply(), also for what leads to an edit or follows from one.
  /// Sets several options in one step of undo; an empty value resets an option. For a compared run: sets its changes.
  void change_options(const sim::OptionValues& changes, std::size_t subject = 0);
  void set_option(const std::string& name, const std::string& value) { change_options({{name, value}}); }
  /// Loads an .fscope file and shows its program, replacing one of the same name. Throws sim::Error.
  void open_program(const std::string& text, const std::string& called);
  /// Like set_option(), for a number that is being dragged: consecutive drags are one step of undo.
  void drag_option(const std::string& name, const std::string& value);
  void undo();
  void redo();
  void compare(std::vector<sim::OptionValues> changes);
  void seek(sim::Cycles time);
  /// Moves all playheads so that the subject's is at a time.
  void seek_subject(std::size_t subject, sim::Cycles time);
  void seek_run(double microseconds);
  void look_at(std::size_t kernel, sim::CtaPlace place);
  /// Moves to the next (direction +1) or previous (-1) unit; past the end of a CTA to the next CTA, and so on.
  void step(Step unit, int direction);
  /// Starts or stops playback. A run or clip that has ended starts from the beginning.
  void play(bool on);
  /// Plays from `from` to the current playhead as soon as time passes, then stops: cycles of the CTA, or microseconds
  /// if whole runs play. A change of CTA or scenario discards the clip.
  void play_clip(double from);
  void set_speed(double speed);
  /// Adds a bookmark at the playhead, or removes it. At most most_bookmarks.
  void toggle_bookmark();
  /// Moves to the next (direction +1) or the previous (-1) bookmark in the order of the run, cyclically.
  void go_to_bookmark(int direction);

  // Sharing.
  std::string link() const { return link_of(state); }
  void follow(std::string_view link);
  nlohmann::ordered_json to_json() const;

 private:
  void change(sim::OptionValues options);
  void rebuild();
  void rebuild_compared();
  void simulate_peers();
  void settle();
  void replay_whole();
  bool next_cta(int direction);
  bool move(Step unit, int direction);
  bool pass(double seconds);
  double clock() const;
  void set_clock(double time);
  bool play_in_steps(double seconds, Step step);
  bool play_run(double seconds);
  bool play_pages(double seconds);
  Bookmark here() const { return {world.replay().kernel, world.replay().place, world.time()}; }
  void follow_place(Link& link);
  void show_first_picture();
  void follow_look(Link& link);

  ScenarioHistory history_;  ///< its version of now is state.options
  Playhead playhead_;
};

}  // namespace explorer
