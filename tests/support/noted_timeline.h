// An exporter that records the output of walk() by track, and checks that each track has only its kind of entries.
#pragma once
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/timeline.h"

namespace sim {

struct NotedSlice {
  std::int64_t begin, end;
  std::string name;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::string> words;
};

/// Records the output of walk(), by track.
class Notes : public TimelineWriter {
 public:
  void track(const Track& track) override {
    CHECK(tracks.count(track.id()) == 0);
    if (track.kind != Track::Kind::process) CHECK(tracks.count(Track{.process = track.process}.id()) == 1);
    tracks.emplace(track.id(), track);
  }
  void slice(const Slice& slice) override {
    CHECK(tracks.at(slice.track.id()).kind == Track::Kind::slices);
    NotedSlice noted{slice.begin, slice.end, std::string(slice.name), {}, {}};
    for (const Argument& argument : slice.arguments) {
      const std::string name(argument.name);
      if (argument.kind == Argument::Kind::number) {
        CHECK(noted.numbers.emplace(name, argument.number).second);
      } else {
        CHECK(noted.words.emplace(name, argument.text).second);
      }
    }
    slices[slice.track.id()].push_back(noted);
  }
  void sample(const CounterSample& sample) override {
    CHECK(tracks.at(sample.track.id()).kind == Track::Kind::byte_counter);
    samples[sample.track.id()].emplace_back(sample.at, sample.bytes);
  }
  /// Returns the id of the track with this name in a process.
  std::int64_t id_of(int process, const std::string& name) const {
    for (const auto& [id, track] : tracks) {
      if (track.process == process && track.name == name) return id;
    }
    FAIL("process " << process << " has no track " << name);
    return 0;
  }

  std::map<std::int64_t, Track> tracks;
  std::map<std::int64_t, std::vector<NotedSlice>> slices;
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> samples;  ///< time, bytes
};

inline Notes noted(const Timeline& timeline) {
  Notes notes;
  walk(timeline, notes);
  return notes;
}

}  // namespace sim
