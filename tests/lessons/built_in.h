// The built-in lessons that this build has.
#pragma once
#include <vector>

#include "lessons/catalogue.h"

namespace built_in {

inline std::vector<const ::lessons::WrittenLesson*> lessons() {
  std::vector<const ::lessons::WrittenLesson*> all;
  for (const std::string& id : ::lessons::built_in_ids()) all.push_back(&::lessons::built_in(id));
  return all;
}

}  // namespace built_in
