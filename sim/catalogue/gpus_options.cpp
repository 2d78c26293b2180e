// Rows of runs on several GPUs. Displayed texts are marked: a test requires their translations.
#include "sim/catalogue/option_places.h"
#include "sim/programs/ranges.h"

namespace sim {
namespace {

/// A row of the programs whose sequences several GPUs may share.
ScenarioOption of_gpus(ScenarioOption option) {
  option.applies = [](const Scenario& s) { return named_program(s)->gpus; };
  return option;
}

std::vector<std::string> ways() {
  std::vector<std::string> names;
  for (int n = 0; n < parallel_count; ++n) names.emplace_back(name_of(static_cast<Parallel>(n)));
  return names;
}

}  // namespace

std::vector<ScenarioOption> gpus_rows() {
  return {of_gpus(at([](auto& s) -> auto& { return s.gpus; },
                     {"gpus",
                      "P",
                      OptionKind::whole_number,
                      "GPUs that share each sequence, of flash2 and flash3, forward: seqlen is that of all, and every "
                      "number is of one GPU, the slowest of each step [1]",
                      /*say*/ "GPUs",
                      /*say*/ "GPUs that share each sequence",
                      {"GPUs", gpus_range.least, gpus_range.least, static_cast<double>(gpus_range.most), Pace::doubling,
                       "1 2 4 8 16", "1 2 4 8 16 32 64", gpus_range.most},
                      of_speed | seldom})),
          of_gpus(at(
              [](auto& s) -> auto& { return s.parallel; },
              {"parallel",
               "ring|zigzag|striped|gather|ulysses",
               OptionKind::name,
               "with --gpus: K and V travel around a ring, and each GPU has consecutive tokens, a chunk of the front "
               "and one of the back, or every Pth token; or all K and V are gathered first; or heads are exchanged "
               "for tokens [ring]",
               /*say*/ "sharing",
               /*say*/ "how GPUs share a sequence",
               {},
               of_speed | seldom,
               ways}))};
}

}  // namespace sim
