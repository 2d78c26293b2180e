#include "viz/panels/hatch.h"

namespace explorer {

Hatch hatch_of(sim::Cause cause) {
  switch (cause) {
    case sim::Cause::data:
      return Hatch::dots;
    case sim::Cause::bandwidth:
      return Hatch::horizontal;
    case sim::Cause::barrier:
      return Hatch::vertical;
    case sim::Cause::turn:
      return Hatch::chevrons;
    case sim::Cause::stage:
      return Hatch::squares;
    case sim::Cause::launch:
    case sim::Cause::tail:
      return Hatch::none;
    default:
      return sim::is_work(cause) ? Hatch::none : Hatch::diagonal;
  }
}

}  // namespace explorer
