// A portable bitmap in memory, for tests of code that reads bitmaps from files.
#pragma once
#include <cstdio>
#include <memory>

#include "sim/base/picture.h"

namespace sim {

/// Returns the result of read_pbm() for a file with these bytes, named x.pbm.
inline Picture read_bitmap(const std::string& bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  std::fwrite(bytes.data(), 1, bytes.size(), file.get());
  std::rewind(file.get());
  return read_pbm(file.get(), "x.pbm");
}

}  // namespace sim
