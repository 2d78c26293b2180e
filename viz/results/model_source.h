// A config.json with the defaults of its class: values by key, in all spellings, and the keys that were read.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "viz/results/model_families.h"

namespace results {

using ConfigJson = nlohmann::json;  // in the order of the alphabet

class ModelSource {
 public:
  using Keys = std::initializer_list<const char*>;

  /// Parses the config, descends to the object of its text model, and adds the defaults of its family. Throws
  /// sim::Error.
  ModelSource(std::string_view json, const std::string& origin);

  const std::string& type() const { return type_; }
  const Family* family() const { return family_; }

  /// Returns the value of the first of these spellings that is not null; null if there is none. All of them are then
  /// known.
  const ConfigJson* find(Keys keys) const;

  /// Returns the spelling that find() reads; the first one if there is none.
  const char* name_of(Keys keys) const;

  /// Marks keys as known: they are not read, since others take precedence.
  void known(Keys keys) const { known_.insert(keys.begin(), keys.end()); }

  /// True if the file itself has one of these keys.
  bool given(Keys keys) const;

  std::optional<std::int64_t> whole_number(Keys keys, std::int64_t most = std::int64_t{1} << 30) const;
  std::optional<double> positive_number(Keys keys) const;
  std::int64_t needed(Keys keys) const;
  std::string word(const char* key) const;
  bool is_true(const char* key) const { return is(key, true); }
  bool is_false(const char* key) const { return is(key, false); }

  /// A whole number from 1 to `most`, as a value of the key that errors name.
  std::int64_t number_of(const ConfigJson& value, std::string_view key,
                         std::int64_t most = std::int64_t{1} << 30) const;

  template <class... Words>
  void check(bool holds, const Words&... words) const {
    sim::require(holds, "model: ", origin_, ": ", words...);
  }

  /// Keys that may change attention, are not in the tables, and were not read.
  std::vector<std::string> unknown_keys() const;
  /// "head_dim 256": values of the class that were read and that the file leaves out.
  std::vector<std::string> defaults_read() const;
  const ConfigJson& object() const { return values_; }

 private:
  bool is(const char* key, bool value) const;
  void add_defaults(const ConfigJson& defaults);

  ConfigJson outer_, values_;
  std::string origin_, type_;
  const Family* family_ = nullptr;
  std::set<std::string> defaults_;
  mutable std::set<std::string> read_, known_;
};

}  // namespace results
