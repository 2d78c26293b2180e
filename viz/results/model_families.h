// What a config.json leaves out or spells in its own way: defaults and features by model_type, and keys by their
// effect.
#pragma once
#include <span>
#include <string_view>

namespace results {

/// Models of one kind of config.
struct Family {
  const char* types;          ///< values of model_type, between blanks
  const char* defaults;       ///< JSON: the values that its configuration class takes for keys that a file leaves out
  const char* features = "";  ///< features of its attention that no key names and that are not modelled, between ";"
  const char* known = "";     ///< its keys that change nothing here, between blanks
  const char* source;         ///< where defaults and rules were read
};

/// Keys that begin with "." are rules of a class for which configs have no key: ".full_every" n (every n-th layer has
/// full attention, the others a window), ".scale", ".scale_of_half" (true:
/// 1 / sqrt(d / 2)), ".width_factor" (d = factor x hidden_size / heads), ".block_pattern" (kinds that repeat),
/// ".last_is_full", ".other_layers" (true: layers that are not read), ".alibi_is_scaled" (true: ALiBi is added before
/// the scale, so that its slopes are scaled too).
/// Returns the family of a model_type; null if it is not in the table.
const Family* family_of(std::string_view type);

/// A key that changes attention in a way that is not modelled, with its effect; named unless it is false, 0, "" or
/// empty.
struct NamedKey {
  const char* key;
  const char* effect;
};
std::span<const NamedKey> named_keys();

/// True if the name of a key suggests that it changes attention, KV heads, windows or layers, and it is not in the
/// table of keys that change none of these.
bool may_change_attention(std::string_view key);

}  // namespace results
