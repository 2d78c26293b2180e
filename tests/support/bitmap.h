// A portable bitmap in memory, for who tests what reads it from files.
#pragma once
#include <cstdio>
#include <memory>

#include "sim/base/picture.h"

namespace sim {

/// What read_pbm() makes of a file with these bytes, whose name is x.pbm.
inline Picture read_bitmap(const std::string& bytes) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  std::fwrite(bytes.data(), 1, bytes.size(), file.get());
  std::rewind(file.get());
  return read_pbm(file.get(), "x.pbm");
}

}  // namespace sim
