// Summaries made from the lessons themselves, for builds in which all lessons are compiled in.
#include "lessons/catalogue.h"

namespace lessons {

const std::vector<Summary>& built_in_summaries() {
  static const std::vector<Summary> all = [] {
    std::vector<Summary> made;
    for (const std::string& id : built_in_ids()) made.push_back(summary_of(built_in(id)));
    return made;
  }();
  return all;
}

}  // namespace lessons
