#include "viz/panels/matrix.h"

namespace explorer {

void draw_matrix_values(const MatrixFrame&) {}

}  // namespace explorer
