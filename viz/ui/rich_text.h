// Equations in one line of text: subscripts, superscripts, and tensors in their colours.
//
//   S = Q_i K_j^T / √d      _x and ^x: the next character is a script; _{ij} and ^{T}: several are
//   dQ_i ← dQ_i + dS K_j    words made of the letters Q K V S P O, or of d and one of them, are tensors
//   o_i ← P v_j             q, k, v, o and their gradients with a subscript are rows of tensors
//   rows \OK, row\_max      after \ a word has no colour and a symbol is literal
//
// A script has the colour of the letter before it; a subscript and a superscript of one letter are stacked.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viz/ui/canvas.h"

namespace ui {

/// A piece of an equation in one font and colour.
struct Piece {
  std::string text;
  char tensor = 0;  ///< the letter that determines the colour; 0 if none
  int level = 0;    ///< -1 subscript, 0 on the line, 1 superscript
};

/// Parses markup; every text is valid, there are no errors. O(length of the text).
std::vector<Piece> parse_rich(std::string_view markup);

/// Markup that shows a text literally, without scripts; tensors keep their colours.
std::string escaped(std::string_view text);

/// Text as drawn, without the markup: for screen readers and for the check that the fonts have every character.
std::string plain(std::string_view markup);

/// Width of the line in device pixels.
float rich_width(const Canvas& canvas, Style style, std::string_view markup);

/// Height of a box that holds a line in its middle, with scripts above and below it.
float rich_height(const Canvas& canvas, Style style, std::string_view markup);

/// Colours of a text: tensors each in their own, made readable on a surface, or in that of the rest, as on a fill.
struct Ink {
  Color color;            ///< colour of everything but tensors
  bool tensors = false;   ///< tensors have their own colours
  Color surface = color;  ///< background of the text
};

/// Draws a line, vertically centred in the box and clipped to the box's width. Returns the width.
float rich_text(Canvas& canvas, Rect box, Style style, const Ink& ink, std::string_view markup,
                Align align = Align::left);

}  // namespace ui
