// Options, devices, algorithms and derivations as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/catalogue/options.h"

namespace report {

/// Returns the value of an option in the default scenario.
sim::OptionValue default_of(const sim::ScenarioOption& option);

/// Returns the table of scenario options: `flashscope options --format json`.
nlohmann::ordered_json options_json();

/// Returns a device with the source of each field, as `flashscope devices --format json` lists it.
nlohmann::ordered_json device_json(const sim::DeviceSpec& device);

/// Returns every program, including those that are the published code of another: `flashscope algorithms --format
/// json`.
nlohmann::ordered_json algorithms_json();

/// Returns a derivation in machine-readable form: numbers are JSON numbers.
nlohmann::ordered_json derivation_json(const sim::Derivation& derivation);

}  // namespace report
