// Bytes of the files that exporters write. Their decoding is tested by perfetto_test.sh and the terminal's tests.
#include <catch2/catch.hpp>
#include <set>
#include <sstream>

#include "sim/model/replayed_timeline.h"
#include "sim/trace/chrome_json.h"
#include "sim/trace/decimal.h"
#include "sim/trace/line_comment.h"
#include "sim/trace/perfetto.h"
#include "sim/trace/protobuf.h"
#include "sim/trace/trace_csv.h"
#include "tests/support/random_scenario.h"

using namespace sim;

namespace {

using Format = void (*)(const Timeline&, const Sink&);

std::string written(Format format, const Timeline& timeline) {
  std::string all;
  format(timeline, [&](std::string_view piece) { all += piece; });
  return all;
}

Timeline small(const std::string& algorithm, std::int64_t seqlen_k = 120) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = all_passes(s.algorithm);
  s.shape = {2, 4, 2, 100, seqlen_k, 16, {}};
  s.br = 32;
  s.bc = 16;
  return replay_timeline(make_plan(within_limits(s)), {});
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields{""};
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    rows.push_back(fields);
  }
  return rows;
}

std::string protobuf(void (*fill)(ProtobufWriter&)) {
  std::string out;
  ProtobufWriter wire(out);
  fill(wire);
  return out;
}

}  // namespace

TEST_CASE("protobuf fields have the bytes of the encoding's definition") {
  CHECK(protobuf([](ProtobufWriter& w) { w.number(1, 150); }) == "\x08\x96\x01");
  CHECK(protobuf([](ProtobufWriter& w) { w.number(30, 0); }) == std::string("\xf0\x01\x00", 3));
  CHECK(protobuf([](ProtobufWriter& w) { w.number(1, -2); }) == "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  CHECK(protobuf([](ProtobufWriter& w) { w.text(2, "testing"); }) == "\x12\x07testing");
  CHECK(protobuf([](ProtobufWriter& w) { w.text(2, "\xff"); }) == "\x12\x04\\xff");  // strings are UTF-8
  CHECK(protobuf([](ProtobufWriter& w) { w.message(3, [&] { w.number(1, 150); }); }) == "\x1a\x03\x08\x96\x01");
}

TEST_CASE("nested protobuf messages of any length carry their length") {
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 124, 125, 126, 127, 128, 16380, 16381, 16384, 2097152}) {
    std::string inner, outer;
    ProtobufWriter inner_wire(inner), wire(outer);
    inner_wire.text(2, std::string(size, 'x'));
    wire.message(1, [&] { wire.message(1, [&] { wire.text(2, std::string(size, 'x')); }); });
    std::string once, expected;
    ProtobufWriter(once).bytes(1, inner);
    ProtobufWriter(expected).bytes(1, once);
    const bool same = outer == expected;  // a bool: otherwise Catch prints both texts
    INFO(size << " bytes");
    CHECK(same);
  }
}

TEST_CASE("JSON strings escape quotes, backslashes and invisible characters and keep the rest") {
  const auto escaped = [](std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  };
  CHECK(escaped("a") == "\"a\"");
  CHECK(escaped("say \"a\\b\"") == R"("say \"a\\b\"")");
  CHECK(escaped(std::string_view("\n\t\0\x1f", 4)) == R"("\u000a\u0009\u0000\u001f")");
  CHECK(escaped("\xc3\xa9 \x7f") == "\"\xc3\xa9 \\u007f\"");
}

TEST_CASE("decimals are exact") {
  const auto cycles = [](std::int64_t ticks) {
    std::string out;
    append_cycles(out, Cycles(ticks));
    return out;
  };
  CHECK(cycles(0) == "0");
  CHECK(cycles(1) == "0.00390625");
  CHECK(cycles(255) == "0.99609375");
  CHECK(cycles(256 * 7 + 128) == "7.5");
  const auto thousandths = [](std::int64_t n) {
    std::string out;
    append_thousandths(out, n);
    return out;
  };
  CHECK(thousandths(0) == "0.000");
  CHECK(thousandths(12345) == "12.345");
  CHECK(thousandths(1002) == "1.002");
}

TEST_CASE("the CSV has one row per event and one per wait, in order, and its bytes add up to the totals") {
  for (const std::string& name : names_with_queries()) {
    const Timeline timeline = small(name);
    const auto rows = rows_of(written(write_trace_csv, timeline));
    std::size_t row = 1;
    for (const TimelineKernel& kernel : timeline.kernels) {
      Totals totals;
      add_to(totals, kernel.trace);
      std::int64_t bytes = 0;
      for (std::size_t event = 0; event < kernel.trace.events.size(); ++event, ++row) {
        REQUIRE(row < rows.size());
        REQUIRE(rows[row].size() == rows[0].size());
        CHECK(rows[row][0] == kernel.trace.kernel);
        CHECK(rows[row][1] == std::to_string(event));
        const Event& e = kernel.trace.events[event];
        bytes += std::stoll(rows[row][11]);
        if (e.engine == Engine::barrier) CHECK(rows[row][22].empty());
        const bool meets = e.sync.barrier >= 0;
        CHECK(rows[row][24] == (meets ? text_of(kernel.trace.barriers[static_cast<std::size_t>(e.sync.barrier)]) : ""));
        CHECK(rows[row][25] == (meets ? std::to_string(e.sync.phase) : ""));
      }
      for (const WaitSpan& wait : kernel.trace.waits) {
        REQUIRE(row < rows.size());
        REQUIRE(rows[row].size() == rows[0].size());
        CHECK(rows[row][1] == std::to_string(wait.event));
        CHECK(rows[row][3] == "wait");
        CHECK(rows[row][11] == "0");
        CHECK(rows[row++][22] == name_of(wait.cause));
      }
      CHECK(rows[0][11] == "bytes");
      CHECK(rows[0][22] == "cause");
      CHECK(rows[0][24] == "barrier");
      CHECK(bytes + totals.atomic.count() == totals.total.total().count());  // reductions count in both directions
    }
    CHECK(row == rows.size());
  }
}

TEST_CASE("a CSV field with commas or quotes is quoted") {
  Timeline timeline = small("flash2");
  timeline.kernels[0].trace.kernel = "a \"b\", c";
  timeline.kernels[0].trace.events.resize(1);
  timeline.kernels[0].trace.waits.clear();
  const std::string csv = written(write_trace_csv, timeline);
  CHECK(csv.substr(csv.find('\n') + 1, 15) == "\"a \"\"b\"\", c\",0,");
}

TEST_CASE("a file is written in pieces of limited size") {
  const Timeline timeline = small("flash2", 16 * 2000);
  for (const Format format : {write_perfetto, write_chrome_json, write_trace_csv}) {
    std::size_t pieces = 0, largest = 0;
    format(timeline, [&](std::string_view piece) {
      ++pieces;
      largest = std::max(largest, piece.size());
    });
    CHECK(pieces > 5);
    CHECK(largest < 2 * piece_size);
  }
}

TEST_CASE("the pieces of a trace concatenate to its text") {
  const Timeline timeline = small("flash2", 16 * 2000);
  const Trace& trace = timeline.kernels[0].trace;
  std::string all;
  std::size_t pieces = 0;
  write_text(trace, [&](std::string_view piece) {
    all += piece;
    ++pieces;
  });
  CHECK(pieces > 5);
  const std::size_t lines = 1 + trace.events.size() + trace.waits.size() + trace.delays.size();
  CHECK(std::count(all.begin(), all.end(), '\n') == static_cast<std::ptrdiff_t>(lines));
  const bool same = all == to_text(trace);
  CHECK(same);
}

TEST_CASE("a name that many events share is written once, and later by its number") {
  const std::string trace = written(write_perfetto, small("flash2"));
  for (const std::string name : {"exp alpha", "direction", "cta.row_max(S, m)"}) {
    std::size_t times = 0;
    for (std::size_t at = trace.find(name); at != std::string::npos; at = trace.find(name, at + 1)) ++times;
    INFO(name);
    CHECK(times == 1);
  }
}

namespace {

/// The fields of one protobuf message: number and value, or bytes.
struct Field {
  std::uint64_t number = 0, value = 0;
  std::string_view bytes;
};

std::vector<Field> fields_of(std::string_view message) {
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(message.front());
      message.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  };
  std::vector<Field> fields;
  while (!message.empty()) {
    const std::uint64_t tag = varint(), value = varint();
    REQUIRE((tag % 8 == 0 || tag % 8 == 2));  // a number, or bytes
    fields.push_back({tag / 8, value, {}});
    if (tag % 8 == 0) continue;
    fields.back().bytes = message.substr(0, value);
    message.remove_prefix(value);
  }
  return fields;
}

}  // namespace

// perfetto/trace/trace_packet.proto: 12 interned_data, 13 sequence_flags. interned_data.proto: 1 event_categories,
// 2 event_names, 3 debug_annotation_names, 29 debug_annotation_string_values.
TEST_CASE("the first packet clears the state that later ones need, and interned strings are in the defined fields") {
  const std::string trace = written(write_perfetto, small("flash2"));
  std::set<std::uint64_t> words;
  bool first = true;
  for (const Field& packet : fields_of(trace)) {
    CHECK(packet.number == 1);
    std::vector<std::uint64_t> flags;
    for (const Field& field : fields_of(packet.bytes)) {
      if (field.number == 13) flags.push_back(field.value);
      if (field.number != 12) continue;
      CHECK_FALSE(field.bytes.empty());
      for (const Field& word : fields_of(field.bytes)) words.insert(word.number);
    }
    CHECK(flags == std::vector<std::uint64_t>{first ? 1u : 2u});
    first = false;
  }
  CHECK(words == std::set<std::uint64_t>{1, 2, 3, 29});
}

TEST_CASE("a sink that fails stops the export") {
  const Timeline timeline = small("flash2");
  for (const Format format : {write_perfetto, write_chrome_json, write_trace_csv}) {
    CHECK_THROWS_WITH(format(timeline, [](std::string_view) { throw Error("disk full"); }), "disk full");
  }
}

TEST_CASE("the same scenario gives the same file, byte for byte") {
  for (const Format format : {write_perfetto, write_chrome_json, write_trace_csv}) {
    const bool same = written(format, small("flash1")) == written(format, small("flash1"));
    CHECK(same);
  }
}

TEST_CASE("a timeline without kernels is a file without events") {
  const Timeline none{"nothing", 1'000'000'000, {}};
  CHECK(rows_of(written(write_trace_csv, none)).size() == 1);
  CHECK(written(write_chrome_json, none).ends_with("]}\n"));
  CHECK(!written(write_perfetto, none).empty());
}

TEST_CASE("the comment of a listing line is split into equation, shape and reference") {
  const LineComment all = comment_of("S = f();  // S = Q K^T    (Br, Bc) line 9"), words = read_comment("nothing more"),
                    referred = read_comment("S = Q K^T    line 9");
  CHECK(all.equation == "S = Q K^T");
  CHECK(all.shape == "(Br, Bc)");
  CHECK(all.reference == "line 9");
  CHECK(words.equation == "nothing more");
  CHECK((words.shape + words.reference).empty());
  CHECK(referred.equation == "S = Q K^T");
  CHECK(referred.reference == "line 9");
  CHECK(comment_of("S = f();").equation.empty());
}
