// Everything that panels can change: plain data, applied by Model::apply() after the frame. The same list of edits
// on the same state gives the same state again.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "viz/model/request.h"
#include "viz/model/state.h"

namespace explorer {

// The scenario. Each is one step of undo.
struct SetOptions {
  sim::OptionValues changes;  ///< an empty value resets an option
  std::size_t subject = 0;    ///< a further one: its changes to the first run's scenario
};
struct SetNumber {
  std::string option, text;  ///< replaces the options that this one covers; an empty text resets it
  bool drags = false;        ///< consecutive drags of an option are one step of undo
};
struct EndDrag {};
struct Undo {};
struct Redo {};
/// Replaces all compared runs: their changes to the first run's scenario.
struct Compare {
  std::vector<sim::OptionValues> changes;
};

// The place.
struct LookAt {
  std::size_t kernel = 0;
  sim::CtaPlace cta;
};
struct Seek {
  sim::Cycles time;
  std::size_t subject = 0;
};
/// Moves to a share of the CTA in view, in [0, 1]: for a CTA that an edit before this one has selected.
struct SeekShare {
  double share = 0;
};
struct SeekRun {
  double microseconds = 0;
};
/// Moves to the start of a tile in the CTA in view.
struct SeekTile {
  std::int64_t row = 0, col = 0;
};
/// Moves to the first event of a line in the CTA in view: "flash2_forward:20".
struct SeekLine {
  std::string line;
};
/// Moves to the next event of the current line.
struct SeekAgain {};
/// Moves to the end of a stage of the microscope's row: its tile, and the number of its stage.
struct SeekStage {
  std::size_t tile = 0, stage = 0;
};
/// Moves to the next (direction +1) or previous (-1) unit.
struct StepBy {
  Step unit = Step::tile;
  int direction = 1;
};
/// Moves to the next (direction +1) or previous (-1) stop of the microscope's row.
struct StepRow {
  int direction = 1;
};
/// Adds a bookmark at the playhead, or removes it.
struct ToggleBookmark {};
/// Moves to the next (direction +1) or previous (-1) bookmark.
struct GoToBookmark {
  int direction = 1;
};
struct ShowQuery {
  std::int64_t query = 0;
};
struct ShowHead {
  std::int64_t head = 0;
};

// Playback.
struct PlayOn {
  bool on = true;
};
struct SetSpeed {
  double speed = 1;
};

// The view.
struct SetLook {
  std::string field, value;  ///< as in a link
};
/// Lights up the events of a cause of time; again: the next of its moments.
struct LightUp {
  std::string cause;  ///< its key
  std::size_t subject = 0;
};
/// Draws the inputs from a text and shows its row; "": draws them as before.
struct ChooseText {
  std::string text;
};
/// Does what an action of the table does by then: after the edits before this one.
struct Act {
  std::string action;  ///< its name
};
/// Follows a link; keeps theme, language and motion.
struct Follow {
  std::string link;
};
/// Opens the first view, and plays its film.
struct OpenFirst {};
/// Names the link that the first view returns to.
struct RememberLast {
  std::string link;
};
/// Returns from the first view to the explorer as it was.
struct LeaveFirst {};

// Widgets.
/// A press on a block of the pattern begins a stroke and inverts it; the stroke gives each block that it crosses the
/// same state, until it ends.
struct BeginStroke {
  BlockPlace at;
};
struct Stroke {
  BlockPlace to;
};
struct EndStroke {};
/// Moves the cursor of the pattern; `shows`: paints the blocks between.
struct MoveBrush {
  BlockPlace to;
  std::optional<bool> shows;
};
struct TypeInPalette {
  std::string text;
  int chosen = 0;
};
// Lessons. A question is named by its key in the step.
/// Opens a step of a lesson; "list": the list of lessons; "": closes the lesson. Step 0: where the learner stopped.
struct OpenLesson {
  std::string lesson;
  int step = 0;
};
/// Opens a step of the open lesson or tour; past the last one, ends it.
struct TurnTo {
  int step = 1;
};
/// Sets what is typed or chosen as an answer, but does not check it.
struct TypeAnswer {
  std::string question, typed, unit;
  std::vector<std::size_t> order;  ///< the lines clicked
};
/// Checks what is typed, or a text.
struct CheckAnswer {
  std::string question, text;
};
struct ShowHint {
  std::string question;
};
/// Shows the answer instead of a try. `asks_first`: only when it is asked again. An audience's is not kept.
struct ShowAnswer {
  std::string question;
  bool asks_first = false, to_audience = false;
};
/// Resets a question; the notebook keeps the first answer.
struct AskAgain {
  std::string question;
};
/// Answers a question by a click on the matrix.
struct AnswerTile {
  std::int64_t row = 0, col = 0;
};
/// Sets the options chosen in free play, which run later.
struct Draft {
  sim::OptionValues options;
};
/// Starts or ends presenting the step to an audience. The picture plays in a loop, unless motion is off.
struct Present {
  bool on = true;
};
/// Turns to a page of the step presented, by its first part.
struct TurnPage {
  std::size_t part = 0;
};
/// Highlights the place that a word names. `tabbed`: the panels share tabs.
struct PointAt {
  std::string place;
  bool tabbed = false;
};
/// Puts another panel in front of the one that a question covers.
struct GiveWay {
  std::string asked;
  Front front{};
  std::optional<Front> hidden;
};
struct DrawUp {
  bool up = true;
};
/// Requests a lesson's pack again.
struct FetchAgain {
  std::string pack;
};
/// Requests the notebook as a file.
struct HandOut {};

struct Ask {
  Request request{};
};
struct Tell {
  std::string notice;
};
struct DismissErrors {};

using Edit =
    std::variant<SetOptions, SetNumber, EndDrag, Undo, Redo, Compare, LookAt, Seek, SeekShare, SeekRun, SeekTile,
                 SeekLine, SeekAgain, SeekStage, StepBy, StepRow, ToggleBookmark, GoToBookmark, ShowQuery, ShowHead,
                 PlayOn, SetSpeed, SetLook, LightUp, ChooseText, Act, Follow, OpenFirst, RememberLast, LeaveFirst,
                 BeginStroke, Stroke, EndStroke, MoveBrush, TypeInPalette, OpenLesson, TurnTo, TypeAnswer, CheckAnswer,
                 ShowHint, ShowAnswer, AskAgain, AnswerTile, Draft, Present, TurnPage, PointAt, GiveWay, DrawUp,
                 FetchAgain, HandOut, Ask, Tell, DismissErrors>;
using Edits = std::vector<Edit>;

/// Adds a run of another algorithm to the compared ones.
Compare compare_with_algorithm(const State& state, std::string_view algorithm);

/// Removes a compared run, from 1.
Compare without_run(const State& state, std::size_t subject);

/// Edits that turn one look into another, one for each field that differs.
Edits edits_between(const Look& from, const Look& to);
/// Edits that change fields of a look: edits_of(state.look, [](Look& look) { look.row = 3; }).
template <class Change>
Edits edits_of(const Look& from, Change change) {
  Look to = from;
  change(to);
  return edits_between(from, to);
}

}  // namespace explorer
