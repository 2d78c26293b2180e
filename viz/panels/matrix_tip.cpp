#include "viz/panels/matrix.h"

namespace explorer {

void draw_matrix_tip(const MatrixFrame&, ui::Rect) {}

}  // namespace explorer
