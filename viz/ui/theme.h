// The two colour themes. The window itself is monochrome: a colour always means a tensor, and a letter names the tensor
// too. The tensors' colours are as far apart as a search found, for normal vision and three kinds of colour blindness;
// the test of the theme measures it.
#pragma once
#include <array>
#include <string_view>

#include "viz/ui/color.h"

namespace ui {

/// Position of something in the run: over, current, or still to come.
enum class Phase { done, active, future };

struct Theme {
  bool dark = true;
  Color window, card, border, inset, track;  ///< from the back to the front
  Color text, muted, faint;                  ///< faint: line numbers and ticks only, its contrast is below 4.5
  Color strong, on_strong;                   ///< the accent, and text on it: playhead, current line, main button
  Color warning;                             ///< text of what does not fit or is wrong; always with words
  Color tile_to_do, tile_done, skipped;      ///< tiles of the matrix
  std::array<Color, 6> tensors;              ///< colours of Q, K, V, S, P, O
  std::array<Color, 9> order;  ///< heads in the lanes of SMs, parts of the keys: cividis, its dark end lightened

  /// Colour at a position in an order, 0 to 1.
  Color in_order(float share) const;

  /// Colour of a tensor, or of its gradient, by its letter. Throws sim::Error for other letters.
  Color tensor(char letter) const;
  /// A fill in the tensor's colour: as it is while active, 28 % inset when done, 70 % when still to come.
  Color tensor(char letter, Phase phase) const;
  /// The tensor's colour as text on a surface: with a contrast of at least 4.5.
  Color tensor_text(char letter, Color surface) const { return readable(tensor(letter), surface, text); }
};

/// True if a letter names a tensor with a colour: Q, K, V, S (scores), P (probabilities) or O.
bool is_tensor(char letter);

Theme dark_theme();
Theme light_theme();

}  // namespace ui
