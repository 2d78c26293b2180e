// History of the user's scenarios, for undo and redo.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/catalogue/options.h"

namespace explorer {

class ScenarioHistory {
 public:
  explicit ScenarioHistory(sim::OptionValues first) : versions_{std::move(first)} {}

  const sim::OptionValues& now() const { return versions_[at_]; }
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < versions_.size(); }
  void undo() {
    dragged_.clear();
    --at_;
  }
  void redo() { ++at_; }

  /// Adds a version after now(), replacing those that were undone. False if it equals now().
  bool add(sim::OptionValues next) {
    dragged_.clear();
    if (next == now()) return false;
    versions_.resize(at_ + 1);
    versions_.push_back(std::move(next));
    if (versions_.size() > most_versions) versions_.erase(versions_.begin());
    at_ = versions_.size() - 1;
    return true;
  }
  /// Sets an option while it is being dragged: all values of one drag are one version. False if nothing changes.
  bool drag(const std::string& name, const std::string& value) {
    sim::OptionValues next = now();
    next[name] = value;
    if (dragged_ == name && !can_redo()) {
      versions_[at_] = std::move(next);
      return true;
    }
    if (!add(std::move(next))) return false;
    dragged_ = name;
    return true;
  }
  void end_drag() { dragged_.clear(); }

 private:
  static constexpr std::size_t most_versions = 1000;

  std::vector<sim::OptionValues> versions_;
  std::size_t at_ = 0;
  std::string dragged_;  // option whose drag made the newest version; empty if none
};

}  // namespace explorer
