// Things in the picture that linked words highlight: [row block 3](row:3). page.h reads the links.
//
//   tensor:K                     its strip at the matrix, its tiles in memory, the lines that load or make it
//   row:3  column:0  tile:3,0    blocks of the matrix; without a number those at the playhead
//   level:hbm                    a level of memory: also l2, shared, registers
//   counter:hbm_traffic          a counter above the picture: also tile_traffic, work, time, memory
//   kernel:softmax               its name above the listing
//   option:br                    an option of the scenario
//   run:1                        a run of a race; 0 is the step's own
//   matrix                       a whole panel, or a card: "occupancy" of the engineer's lens, "kept" of the
//                                 microscope, which narrow windows replace by the softmax panel
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/page.h"
#include "lessons/scene.h"

namespace lessons {

/// Returns the link targets of a text, in order: "tensor:K".
std::vector<std::string> places_in(std::string_view text);
/// Returns the link targets in the texts of a step, except in its questions.
std::vector<std::string> places_in(const Page& page);

/// Splits "tensor:K" into "tensor" and "K"; a panel such as "matrix" has an empty name.
std::pair<std::string_view, std::string_view> kind_and_name(std::string_view place);
/// True if a link target is a single thing, not a whole panel.
bool is_thing(std::string_view place);

/// The panel that a step shows next to the matrix: "memory", "code", "softmax" or "counters".
std::string_view panel_beside(const Step& step);

/// Returns an error if the picture of a step does not show a link target; else "".
std::string place_error(std::string_view place, const Step& step, const Scene& scene);

/// The counters that the texts and questions of a step mention, as indices in `counter_names`.
inline constexpr std::string_view counter_names[] = {"tile_traffic", "hbm_traffic", "work", "time", "memory"};
std::vector<std::size_t> counters_of(const Step& step, const Page& page);

}  // namespace lessons
