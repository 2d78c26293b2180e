// Equations in one line of text: subscripts, superscripts, and tensors in their colours.
//
//   S = Q_i K_j^T / √d      _x and ^x: the next character is a script; _{ij} and ^{T}: several are
//   dQ_i ← dQ_i + dS K_j    words made of the letters Q K V S P O, or of d and one of them, are tensors
//   o_i ← P v_j             q, k, v, o and their gradients with a subscript are rows of tensors
//   rows \OK, row\_max      after \ a word has no colour and a sign is itself
//
// A script has the colour of the letter before it; a subscript and a superscript of one letter stand above each other.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viz/ui/canvas.h"

namespace ui {

/// A piece of an equation in one font and colour.
struct Piece {
  std::string text;
  char tensor = 0;  ///< the letter that decides the colour, 0 for none
  int level = 0;    ///< -1 subscript, 0 on the line, 1 superscript
};

/// Takes markup apart; every text has a meaning, there are no errors. Costs the length of the text.
std::vector<Piece> parse_rich(std::string_view markup);

/// The markup that shows a text as it is, without scripts; tensors keep their colours.
std::string escaped(std::string_view text);

/// What is drawn, without the markup: for screen readers and for the check that the fonts have every character.
std::string plain(std::string_view markup);

/// The width of the line in device pixels.
float rich_width(const Canvas& canvas, Style style, std::string_view markup);

/// How high a box must be to hold the letters of a line in its middle, with scripts above and below it.
float rich_height(const Canvas& canvas, Style style, std::string_view markup);

/// How tensors are drawn: each in its colour, made readable on a surface, or like the rest, as on a fill.
struct Ink {
  Color color;            ///< of what is no tensor
  bool tensors = false;   ///< in their colours
  Color surface = color;  ///< what they are drawn on
};

/// Draws a line in the middle of the box from top to bottom; what is wider than the box is cut off there. Returns the
/// width.
float rich_text(Canvas& canvas, Rect box, Style style, const Ink& ink, std::string_view markup,
                Align align = Align::left);

}  // namespace ui
