#include "viz/model/row_numbers.h"

namespace explorer {

RowNumbers RowNumbers::part(sim::Interval some) const {
  const auto cut = [&](const std::vector<float>& all) {
    const bool complete = static_cast<std::int64_t>(all.size()) == queries.size();  // D may be under way
    return !complete ? std::vector<float>{}
                     : std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(some.begin - queries.begin),
                                          all.begin() + static_cast<std::ptrdiff_t>(some.end - queries.begin));
  };
  return {some, cut(m), cut(l), cut(L), cut(D)};
}

}  // namespace explorer
