#include "sim/report/value_memory.h"

#include <unistd.h>

namespace report {

std::int64_t value_memory_limit() {
  constexpr std::int64_t most = std::int64_t{8} << 30;
  const std::int64_t pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && pages < most / page ? pages * page : most;
}

}  // namespace report
