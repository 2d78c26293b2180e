// Places of the picture that linked words light up: [row block 3](row:3). page.h reads the links.
//
//   tensor:K                     its strip at the matrix, its tiles in memory, the lines that load or make it
//   row:3  column:0  tile:3,0    blocks of the matrix; without a number those at the playhead
//   level:hbm                    l2, shared, registers: a level of memory
//   counter:hbm_traffic          tile_traffic, work, time, memory: a counter above the picture
//   kernel:softmax               its name above the listing
//   option:br                    an option of the scenario
//   run:1                        a run of a race, from 0, the step's own
//   matrix                       a whole panel, or a card: "occupancy" of the engineer's lens, "kept" of the
//   microscope,
//                                in whose place narrow windows have the softmax panel
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/lesson.h"
#include "lessons/page.h"
#include "lessons/scene.h"

namespace lessons {

/// The places that the links of a text name, in order: "tensor:K".
std::vector<std::string> places_in(std::string_view text);
/// Lists the places in the words of a step, but for those of its questions.
std::vector<std::string> places_in(const Page& page);

/// "tensor" and "K" of "tensor:K"; "matrix" and "" of a panel.
std::pair<std::string_view, std::string_view> kind_and_name(std::string_view place);
/// False for a whole panel.
bool is_thing(std::string_view place);

/// The panel beside the matrix that a step shows: "memory", "code", "softmax" or "counters".
std::string_view panel_beside(const Step& step);

/// Complains of a place that the picture of a step does not show; "" if it does.
std::string place_complaint(std::string_view place, const Step& step, const Scene& scene);

/// The counters that the words and questions of a step speak of, by their places in `counter_names`.
inline constexpr std::string_view counter_names[] = {"tile_traffic", "hbm_traffic", "work", "time", "memory"};
std::vector<std::size_t> counters_of(const Step& step, const Page& page);

}  // namespace lessons
