// A step's questions, and what follows their tries, as a player shows them besides the blocks of text: pieces in the
// order in which they are read. The sentences of a verdict are written here, once; players only draw them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "lessons/flow.h"

namespace lessons {

struct Piece {
  enum class Kind {
    question,  ///< label: "Predict"
    choice,    ///< label: its number
    line,      ///< of an order, as shown; label: its number
    how,       ///< how to type an answer
    hint,      ///< label: "Hint 1 of 2"
    right,     ///< outcome; label: "Right.", text: the answer given
    wrong,     ///< label: "Not yet."
    shown,     ///< label: "Shown.", text: the right answer
    given,     ///< label: "you said"
    expected,  ///< label: "the run counted"
    solution,  ///< a line of an order, in the right order; label: its place
    score,     ///< of a goal, with its par
    reason,    ///< why an answer is wrong
    mistake,   ///< label: an anticipated wrong answer, text: why it is wrong
    left,      ///< tries left
    because    ///< why the right answer is right
  };
  Kind kind;
  std::string label, text;
  bool markup = true;  ///< text has the markup of page.h
};
using Pieces = std::vector<Piece>;

/// Translates a sentence into the learner's language.
using Say = std::function<std::string(const sim::Sentence&)>;

/// The question alone.
Piece question_piece(const Asked& asked, const Say& say);
/// The question with its choices or lines, and how to answer it.
Pieces question_pieces(const Asked& asked, const Say& say);
/// Says how to type an answer: "a number, with or without a unit: 2.5 MB, 3*1024".
std::string how_to_answer(const Asked& asked, const Say& say);
/// The hints shown.
Pieces hint_pieces(const Asked& asked, const Attempt& attempt, const Say& say);
/// Replies to the last try: its outcome, and once the question is over the run's answer and why. While tries are left
/// no piece gives the answer away.
Pieces reply_pieces(const Asked& asked, const Attempt& attempt, const Say& say);
/// The right answer and why, and every anticipated mistake, for readers who do not answer.
Pieces key_pieces(const Asked& asked, const Say& say);

/// An error without what learners have not met: the line of a program, "flash2.cpp:19: ", and the dashes of "--br".
std::string for_learners(std::string error);

/// An answer as a learner reads it: the label of a choice, in markup; others as typed.
std::string readable_answer(const Asked& asked, const std::string& answer);
/// The run's answer; for an order, "", as its lines are pieces.
std::string expected_answer(const Asked& asked);

}  // namespace lessons
