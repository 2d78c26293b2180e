// Options, devices, algorithms and the derivation of a number as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/catalogue/options.h"

namespace report {

/// The value of an option in a scenario that nobody asked for anything.
sim::OptionValue default_of(const sim::ScenarioOption& option);

/// The options of a scenario, as their table has them: `flashscope options --format json`.
nlohmann::ordered_json options_json();

/// A device with the source of each field, as `flashscope devices --format json` lists it.
nlohmann::ordered_json device_json(const sim::DeviceSpec& device);

/// Every program, and those that are the published code of another: `flashscope algorithms --format json`.
nlohmann::ordered_json algorithms_json();

/// A derivation for programs: a number is a number.
nlohmann::ordered_json derivation_json(const sim::Derivation& derivation);

}  // namespace report
