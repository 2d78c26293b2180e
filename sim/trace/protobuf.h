// Writer for the wire format of Protocol Buffers: varints, strings and nested messages.
// Source: protobuf.dev, "Encoding".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/printable.h"

namespace sim {

/// Appends fields to a string. A field is a key, number x 8 + wire type, followed by a value.
class ProtobufWriter {
 public:
  explicit ProtobufWriter(std::string& out) : out_(out) {}

  /// Appends an integer, an enumeration or a bool. Negative numbers take ten bytes.
  void number(int field, std::int64_t value) {
    varint(key(field, 0));
    varint(static_cast<std::uint64_t>(value));
  }

  /// Appends a string, made printable: readers demand UTF-8.
  void text(int field, std::string_view value) { bytes(field, printable(value)); }

  /// Appends a message that is encoded already.
  void bytes(int field, std::string_view value) {
    varint(key(field, 2));
    varint(value.size());
    out_.append(value);
  }

  /// Appends a nested message whose fields `fill` writes to this writer.
  template <class Fill>
  void message(int field, Fill fill) {
    varint(key(field, 2));
    const std::size_t length_at = out_.size();
    out_.push_back('\0');
    fill();
    put_length(length_at, out_.size() - length_at - 1);
  }

 private:
  static std::uint64_t key(int field, int wire_type) { return static_cast<std::uint64_t>(field << 3 | wire_type); }

  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) out_.push_back(static_cast<char>(value % 128 + 128));
    out_.push_back(static_cast<char>(value));
  }

  /// Writes a message's length into the byte reserved for it; a longer length first moves the message, which is rarely
  /// long.
  void put_length(std::size_t at, std::size_t length) {
    std::size_t spare = 0;
    for (std::size_t rest = length >> 7; rest > 0; rest >>= 7) ++spare;
    out_.insert(at, spare, '\0');
    for (; length >= 128; length >>= 7) out_[at++] = static_cast<char>(length % 128 + 128);
    out_[at] = static_cast<char>(length);
  }

  std::string& out_;
};

}  // namespace sim
