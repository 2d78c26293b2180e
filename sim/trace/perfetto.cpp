// Source of the message and field numbers: the public schema of Perfetto, protos/perfetto/trace/ in
// github.com/google/perfetto.
#include "sim/trace/perfetto.h"

#include <unordered_map>

#include "sim/trace/protobuf.h"

namespace sim {
namespace {

/// Field numbers, by message.
namespace field {
namespace trace {
constexpr int packet = 1;
}
namespace packet {
constexpr int timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12, sequence_flags = 13,
              track_descriptor = 60;
}
namespace descriptor {
constexpr int uuid = 1, name = 2, process = 3, thread = 4, parent_uuid = 5, counter = 8;
}
namespace process {
constexpr int pid = 1, process_name = 6;
}
namespace thread {
constexpr int pid = 1, tid = 2, thread_name = 5;
}
namespace counter {
constexpr int unit = 3;
}
namespace event {
constexpr int category_iids = 3, debug_annotations = 4, type = 9, name_iid = 10, track_uuid = 11, counter_value = 30;
}
namespace annotation {
constexpr int name_iid = 1, int_value = 4, string_value = 6, string_value_iid = 17;
}
namespace interned {
constexpr int categories = 1, event_names = 2, annotation_names = 3, annotation_words = 29;
constexpr int iid = 1, string = 2;  // fields of each entry
}  // namespace interned
}  // namespace field

enum EventType { slice_begin = 1, slice_end = 2, counter_sample = 4 };
constexpr int size_in_bytes = 3;                   // CounterDescriptor.Unit
constexpr int state_cleared = 1, needs_state = 2;  // TracePacket.SequenceFlags
constexpr int only_sequence = 1;                   // 0 means no sequence

/// Names that one field of InternedData has introduced.
class Words {
 public:
  explicit Words(int field) : field_(field) {}

  /// Returns the number of a name; a new name is appended to `introduced` as a field of InternedData.
  std::int64_t number_of(std::string_view word, std::string& introduced) {
    const auto found = numbers_.find(word);
    if (found != numbers_.end()) return found->second;
    const auto number = static_cast<std::int64_t>(numbers_.size()) + 1;
    numbers_.emplace(word, number);
    ProtobufWriter wire(introduced);
    wire.message(field_, [&] {
      wire.number(field::interned::iid, number);
      wire.text(field::interned::string, word);
    });
    return number;
  }

 private:
  struct Hash {
    using is_transparent = void;  // finds a string_view without making a string
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
  };
  int field_;
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
};

class PerfettoWriter : public TimelineWriter {
 public:
  explicit PerfettoWriter(const Sink& sink) : out_(sink) {}
  void track(const Track& track) override;
  void slice(const Slice& slice) override;
  void sample(const CounterSample& sample) override;
  void finish() { out_.finish(); }

 private:
  template <class Fill>
  void packet(Fill fill);
  template <class Fill>
  void event(const Track& track, std::int64_t at, EventType type, Fill fill);
  void annotation(const Argument& argument);

  Pieces out_;
  ProtobufWriter wire_{out_.text()};
  bool first_ = true;
  std::string introduced_;  ///< fields of InternedData that the packet being written needs
  Words categories_{field::interned::categories}, event_names_{field::interned::event_names},
      annotation_names_{field::interned::annotation_names}, annotation_words_{field::interned::annotation_words};
};

template <class Fill>
void PerfettoWriter::packet(Fill fill) {
  wire_.message(field::trace::packet, [&] {
    fill();
    wire_.number(field::packet::sequence_id, only_sequence);
    wire_.number(field::packet::sequence_flags, first_ ? state_cleared : needs_state);
    if (!introduced_.empty()) wire_.bytes(field::packet::interned_data, introduced_);
  });
  first_ = false;
  introduced_.clear();
  out_.next();
}

void PerfettoWriter::track(const Track& track) {
  packet([&] {
    wire_.message(field::packet::track_descriptor, [&] {
      wire_.number(field::descriptor::uuid, track.id());
      wire_.text(field::descriptor::name, track.name);
      if (track.kind == Track::Kind::process) {
        wire_.message(field::descriptor::process, [&] {
          wire_.number(field::process::pid, track.process);
          wire_.text(field::process::process_name, track.name);
        });
        return;
      }
      wire_.number(field::descriptor::parent_uuid, Track{.process = track.process}.id());
      if (track.kind == Track::Kind::byte_counter) {
        wire_.message(field::descriptor::counter, [&] { wire_.number(field::counter::unit, size_in_bytes); });
        return;
      }
      wire_.message(field::descriptor::thread, [&] {
        wire_.number(field::thread::pid, track.process);
        wire_.number(field::thread::tid, track.id());
        wire_.text(field::thread::thread_name, track.name);
      });
    });
  });
}

template <class Fill>
void PerfettoWriter::event(const Track& track, std::int64_t at, EventType type, Fill fill) {
  packet([&] {
    wire_.number(field::packet::timestamp, at);
    wire_.message(field::packet::track_event, [&] {
      wire_.number(field::event::type, type);
      wire_.number(field::event::track_uuid, track.id());
      fill();
    });
  });
}

void PerfettoWriter::annotation(const Argument& argument) {
  wire_.message(field::event::debug_annotations, [&] {
    wire_.number(field::annotation::name_iid, annotation_names_.number_of(argument.name, introduced_));
    switch (argument.kind) {
      case Argument::Kind::number:
        return wire_.number(field::annotation::int_value, argument.number);
      case Argument::Kind::word:
        return wire_.number(field::annotation::string_value_iid,
                            annotation_words_.number_of(argument.text, introduced_));
      case Argument::Kind::text:
        return wire_.text(field::annotation::string_value, argument.text);
    }
  });
}

void PerfettoWriter::slice(const Slice& slice) {
  event(slice.track, slice.begin, slice_begin, [&] {
    wire_.number(field::event::category_iids, categories_.number_of(slice.category, introduced_));
    wire_.number(field::event::name_iid, event_names_.number_of(slice.name, introduced_));
    for (const Argument& argument : slice.arguments) annotation(argument);
  });
  event(slice.track, slice.end, slice_end, [] {});
}

void PerfettoWriter::sample(const CounterSample& sample) {
  event(sample.track, sample.at, counter_sample, [&] { wire_.number(field::event::counter_value, sample.bytes); });
}

}  // namespace

void write_perfetto(const Timeline& timeline, const Sink& sink) {
  PerfettoWriter writer(sink);
  walk(timeline, writer);
  writer.finish();
}

}  // namespace sim
