// The scenarios that the user has asked for, one after the other, to go back and on.
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

  /// Adds a version after now(), in place of those that were undone. False for one that equals now().
  bool add(sim::OptionValues next) {
    dragged_.clear();
    if (next == now()) return false;
    versions_.resize(at_ + 1);
    versions_.push_back(std::move(next));
    if (versions_.size() > most_versions) versions_.erase(versions_.begin());
    at_ = versions_.size() - 1;
    return true;
  }
  /// Sets an option that is being dragged: all values of one drag are one version. False where nothing changes.
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
  std::string dragged_;  // the option that the newest version is about; empty when it is no dragging
};

}  // namespace explorer
