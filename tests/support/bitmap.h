// A portable bitmap in memory, for tests of code that reads bitmaps from files.
#pragma once
#include "sim/base/picture.h"

namespace sim {

/// Returns the result of read_pbm() for a file with these bytes, named x.pbm.
inline Picture read_bitmap(const std::string& bytes) { return read_pbm(bytes, "x.pbm"); }

}  // namespace sim
