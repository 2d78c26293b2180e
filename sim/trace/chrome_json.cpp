#include "sim/trace/chrome_json.h"

#include "sim/base/printable.h"
#include "sim/trace/decimal.h"

namespace sim {

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  std::string plain;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ') {
      plain.append("\\u00");
      plain += hex[code / 16];
      plain += hex[code % 16];
      continue;
    }
    if (c == '"' || c == '\\') plain += '\\';
    plain += c;
  }
  out += printable_json(plain) + '"';
}

namespace {

class ChromeWriter : public TimelineWriter {
 public:
  explicit ChromeWriter(const Sink& sink) : pieces_(sink), out_(pieces_.text()) {}
  void begin(std::string_view title);
  void track(const Track& track) override;
  void slice(const Slice& slice) override;
  void sample(const CounterSample& sample) override;
  void finish();

 private:
  void start(char phase, const Track& track);  ///< writes the fields that start every event
  void end(std::string_view brackets);
  void string(std::string_view key, std::string_view value);
  void number(std::string_view key, std::int64_t value);
  void microseconds(std::string_view key, std::int64_t nanoseconds);

  Pieces pieces_;
  std::string& out_;
  bool first_ = true;
};

void ChromeWriter::begin(std::string_view title) {
  out_ += "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"title\":";
  append_json_string(out_, title);
  out_ += "},\"traceEvents\":[";
}

void ChromeWriter::start(char phase, const Track& track) {
  out_ += first_ ? "\n" : ",\n";
  first_ = false;
  out_.append("{\"ph\":\"").append(1, phase).append("\"");
  number(",\"pid\":", track.process);
  if (track.kind == Track::Kind::slices) number(",\"tid\":", track.id());
}

void ChromeWriter::end(std::string_view brackets) {
  out_ += brackets;
  pieces_.next();
}

void ChromeWriter::string(std::string_view key, std::string_view value) {
  out_ += key;
  append_json_string(out_, value);
}

void ChromeWriter::number(std::string_view key, std::int64_t value) {
  out_ += key;
  append_number(out_, value);
}

void ChromeWriter::microseconds(std::string_view key, std::int64_t nanoseconds) {
  out_ += key;
  append_thousandths(out_, nanoseconds);
}

void ChromeWriter::track(const Track& track) {
  if (track.kind == Track::Kind::byte_counter) return;  // named by its samples
  const std::string of = track.kind == Track::Kind::process ? "process" : "thread";
  start('M', track);
  string(",\"name\":", of + "_name");
  string(",\"args\":{\"name\":", track.name);
  end("}}");
  start('M', track);
  string(",\"name\":", of + "_sort_index");
  number(",\"args\":{\"sort_index\":", track.id());
  end("}}");
}

void ChromeWriter::slice(const Slice& slice) {
  start('X', slice.track);
  microseconds(",\"ts\":", slice.begin);
  microseconds(",\"dur\":", slice.end - slice.begin);
  string(",\"cat\":", slice.category);
  string(",\"name\":", slice.name);
  out_ += ",\"args\":";
  char separator = '{';
  for (const Argument& argument : slice.arguments) {
    out_ += separator;
    separator = ',';
    append_json_string(out_, argument.name);
    if (argument.kind == Argument::Kind::number) {
      number(":", argument.number);
    } else {
      string(":", argument.text);
    }
  }
  end(separator == '{' ? "{}}" : "}}");
}

void ChromeWriter::sample(const CounterSample& sample) {
  start('C', sample.track);
  microseconds(",\"ts\":", sample.at);
  string(",\"name\":", sample.track.name);
  number(",\"args\":{\"bytes\":", sample.bytes);
  end("}}");
}

void ChromeWriter::finish() {
  out_ += "\n]}\n";
  pieces_.finish();
}

}  // namespace

void write_chrome_json(const Timeline& timeline, const Sink& sink) {
  ChromeWriter writer(sink);
  writer.begin(timeline.title);
  walk(timeline, writer);
  writer.finish();
}

}  // namespace sim
