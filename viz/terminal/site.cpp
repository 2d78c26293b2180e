#include "viz/terminal/site.h"

#include <zlib.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "sim/base/text.h"
#include "viz/files/checksum.h"

namespace terminal {
namespace {

namespace http = boost::beast::http;
using http::field;
using Request = http::request<http::empty_body>;
using Head = http::response_header<>;

/// Types by the ends of names, and whether compression makes such a file smaller.
struct Type {
  std::string_view end, name;
  bool packs;
};
constexpr Type types[] = {{".html", "text/html", true},
                          {".css", "text/css", true},
                          {".js", "text/javascript", true},
                          {".wasm", "application/wasm", true},
                          {".pack", "application/octet-stream", true},
                          {".webmanifest", "application/manifest+json", true},
                          {".svg", "image/svg+xml", true},
                          {".png", "image/png", false},
                          {".gif", "image/gif", false},
                          {".bin", "application/octet-stream", false},
                          {".npy", "application/octet-stream", false},
                          {"", "text/plain; charset=utf-8", true}};  // the rest: sources that the manual links to

const Type& type_of(const std::string& name) {
  const auto* type = std::begin(types);
  while (!name.ends_with(type->end)) ++type;
  return *type;
}

std::string to_bytes(Head head, std::string_view body, bool with_body) {
  head.version(11);
  head.set("X-Content-Type-Options", "nosniff");  // browsers do not guess types
  head.set(field::connection, "close");
  if (head.result() != http::status::not_modified) head.set(field::content_length, std::to_string(body.size()));
  std::ostringstream out;
  out << head;
  if (with_body) out << body;
  return std::move(out).str();
}

std::optional<Request> parsed(std::string_view head) {
  http::request_parser<http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(head.size()) + 1);
  parser.skip(true);
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(head.data(), head.size()), error);
  if (error || !parser.is_header_done()) return std::nullopt;
  return parser.release();
}

std::string value_of(const Request& request, field name) {
  const auto value = request[name];
  return sim::in_lower_case(std::string(value.data(), value.size()));
}

/// True for the name of this machine that its own browsers use, with any port. Another name that leads here belongs to
/// a page elsewhere, which could read this one (DNS rebinding).
bool names_this_machine(std::string host) {
  const std::size_t colon = host.rfind(':');
  if (colon != std::string::npos && host.find(']', colon) == std::string::npos) host.resize(colon);
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

/// Why a request is refused; "" if it is not.
std::string refusal_of(const Request& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return refusal(405, "only GET and HEAD");
  const std::size_t hosts = request.count(field::host);
  const bool known = hosts == 1 && names_this_machine(value_of(request, field::host));
  const bool old = hosts == 0 && request.version() < 11;
  if (!known && !old) return refusal(403, "the host of a request must be 127.0.0.1 or localhost");
  const std::string range = value_of(request, field::range);
  if (request.count(field::range) > 1 || range.size() > 60 || range.find(',') != std::string::npos)
    return refusal(416, "one range at a time");
  return "";
}

/// The path of a target, without its query and with "%20" as a blank; empty if it leads out of the folder, or is none.
std::optional<std::filesystem::path> path_of(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  std::string text;
  for (std::size_t at = 0; at < target.size(); ++at) {
    unsigned char c = static_cast<unsigned char>(target[at]);
    if (c == '%') {
      if (at + 2 >= target.size()) return std::nullopt;
      const char* digits = target.data() + at + 1;
      if (std::from_chars(digits, digits + 2, c, 16).ptr != digits + 2) return std::nullopt;
      at += 2;
    }
    if (c < ' ') return std::nullopt;
    text += static_cast<char>(c);
  }
  if (!text.starts_with('/')) return std::nullopt;
  std::filesystem::path path(text.substr(1));
  for (const std::filesystem::path& part : path) {
    if (part == "..") return std::nullopt;
  }
  if (path.is_absolute()) return std::nullopt;
  return path;
}

std::string gzipped(const std::string& bytes) {
  z_stream stream = {};
  constexpr int gzip = 15 + 16, memory = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(done ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

/// The range "bytes=10-19", "bytes=10-" or "bytes=-10" of a file as its first byte and length; empty if it has none of
/// these bytes.
std::optional<std::pair<std::size_t, std::size_t>> range_of(std::string_view text, std::size_t size) {
  constexpr std::string_view unit = "bytes=";
  const std::size_t dash = text.find('-');
  if (!text.starts_with(unit) || dash == std::string_view::npos || size == 0) return std::nullopt;
  const std::string_view low = text.substr(unit.size(), dash - unit.size()), high = text.substr(dash + 1);
  const auto number = [](std::string_view digits, std::size_t& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size();
  };
  std::size_t first = 0, last = size - 1;
  if (low.empty()) {  // the last bytes
    std::size_t length = 0;
    if (!number(high, length) || length == 0) return std::nullopt;
    first = size - std::min(length, size);
  } else if (!number(low, first) || (!high.empty() && !number(high, last)) || first > last || first >= size) {
    return std::nullopt;
  }
  last = std::min(last, size - 1);
  return std::pair(first, last - first + 1);
}

}  // namespace

std::string refusal(unsigned status, const std::string& reason) {
  Head head;
  head.result(status);
  head.set(field::content_type, "text/plain");
  if (status == 405) head.set(field::allow, "GET, HEAD");
  return to_bytes(head, reason + "\n", true);
}

Site::Site(std::filesystem::path folder) : folder_(std::move(folder)) {}

const Site::File& Site::file(const std::filesystem::path& path) {
  const auto changed = std::filesystem::last_write_time(path);
  const auto found = files_.find(path);
  if (found != files_.end() && found->second.changed == changed) return found->second;
  std::ifstream in(path, std::ios::binary);
  File file{changed, std::string(std::istreambuf_iterator<char>(in), {}), "", ""};
  file.tag = sim::text("W/\"", files::checksum(0, file.bytes), "-", file.bytes.size(), "\"");
  if (type_of(path.string()).packs) file.zipped = gzipped(file.bytes);
  return files_[path] = std::move(file);
}

std::string Site::answer(std::string_view head) {
  const std::optional<Request> request = parsed(head);
  if (!request) return refusal(400, "this is no request of HTTP");
  if (std::string refused = refusal_of(*request); !refused.empty()) return refused;
  const auto target = request->target();
  const auto below = path_of({target.data(), target.size()});
  std::filesystem::path path = folder_ / below.value_or("");
  if (below && (below->empty() || below->filename().empty())) path /= "index.html";
  if (path == folder_ / "index.html" && !std::filesystem::exists(path)) path = folder_ / one_file;
  if (!below || !std::filesystem::is_regular_file(path)) return refusal(404, "there is no such file");

  const File& file = this->file(path);
  const bool whole = request->count(field::range) == 0;
  const bool zipped =
      whole && !file.zipped.empty() && value_of(*request, field::accept_encoding).find("gzip") != std::string::npos;
  Head answer;
  answer.result(http::status::ok);
  const std::string_view type = type_of(path.string()).name;
  answer.set(field::content_type, {type.data(), type.size()});
  answer.set(field::etag, file.tag);
  answer.set(field::cache_control, "no-cache");  // a browser asks whether its copy is still the file
  if (!file.zipped.empty()) answer.set(field::vary, "Accept-Encoding");
  if (zipped) answer.set(field::content_encoding, "gzip");
  std::string_view body = zipped ? file.zipped : file.bytes;
  if (const auto had = request->operator[](field::if_none_match);
      std::string_view(had.data(), had.size()).find(file.tag) != std::string_view::npos) {
    answer.result(http::status::not_modified);
    body = "";
  } else if (!whole) {
    const auto range = range_of(value_of(*request, field::range), file.bytes.size());
    if (!range) return refusal(416, "the file has none of these bytes");
    answer.result(http::status::partial_content);
    answer.set(field::content_range,
               sim::text("bytes ", range->first, "-", range->first + range->second - 1, "/", file.bytes.size()));
    body = body.substr(range->first, range->second);
  }
  return to_bytes(answer, body, request->method() == http::verb::get);
}

}  // namespace terminal
