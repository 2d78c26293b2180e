// flashscope serve: serves the built page to browsers of this machine only.
// The library parses requests and finds files; connections, their limits and timeouts are here.
#include <fcntl.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>
#include <thread>

#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/child.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

constexpr const char* loopback = "127.0.0.1";
using Clock = std::chrono::steady_clock;

// Limits of the server. Browsers send heads of some 500 bytes and open six connections to a server.
constexpr std::size_t longest_head = std::size_t{16} << 10;  ///< bytes of a request line and its headers
constexpr std::size_t most_connections = 32;
constexpr std::chrono::seconds head_time(5);                ///< for a whole head, however it is split
constexpr std::chrono::seconds answer_time(10);             ///< without the client taking a byte
constexpr std::size_t most_ignored = std::size_t{1} << 20;  ///< bytes after the head

std::string refusal(const char* status, const std::string& reason) {
  return sim::text("HTTP/1.1 ", status, "\r\nX-Content-Type-Options: nosniff\r\nContent-Type: text/plain\r\n",
                   "Connection: close\r\nContent-Length: ", reason.size() + 1, "\r\n\r\n", reason, "\n");
}

/// The value of a header in lower case; those of several lines are separated by commas.
std::string header_of(std::string_view head, std::string_view name) {
  std::string values;
  for (const std::string_view line : sim::split(head, "\r\n")) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || sim::in_lower_case(std::string(line.substr(0, colon))) != name) continue;
    values += (values.empty() ? "" : ",") + sim::in_lower_case(std::string(sim::trimmed(line.substr(colon + 1))));
  }
  return values;
}

/// True for the name of this machine that its own browsers use, with any port. Another name that leads here belongs to
/// a page elsewhere, which could read this one (DNS rebinding).
bool names_this_machine(std::string host) {
  const std::size_t colon = host.rfind(':');
  if (colon != std::string::npos && host.find(']', colon) == std::string::npos) host.resize(colon);
  return host == loopback || host == "localhost" || host == "[::1]";
}

/// The answer to a request that the library is not to see; "" if it is.
std::string refusal_of(std::string_view head) {
  if (!head.starts_with("GET ") && !head.starts_with("HEAD "))
    return refusal("405 Method Not Allowed\r\nAllow: GET, HEAD", "only GET and HEAD");
  const std::string host = header_of(head, "host");
  const bool old = head.substr(0, head.find("\r\n")).ends_with(" HTTP/1.0");
  if (host.empty() ? !old : !names_this_machine(host))
    return refusal("403 Forbidden", sim::text("the host of a request must be ", loopback, " or localhost"));
  const std::string range = header_of(head, "range");
  if (range.size() > 60 || range.find(',') != std::string::npos)
    return refusal("416 Range Not Satisfiable", "one range at a time");
  return "";
}

/// A request in memory and its answer, as the library reads and writes them.
class Exchange : public httplib::Stream {
 public:
  std::string answer;
  Exchange(std::string_view head, socket_t socket) : head_(head), socket_(socket) {}
  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  socket_t socket() const override { return socket_; }
  ssize_t read(char* out, std::size_t size) override {
    const std::size_t length = head_.copy(out, size);
    head_.remove_prefix(length);
    return static_cast<ssize_t>(length);
  }
  ssize_t write(const char* bytes, std::size_t size) override {
    answer.append(bytes, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = loopback, port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip = loopback, port = 0; }
  // Later versions of the library have these too.
  bool wait_readable() const { return true; }  // NOLINT(modernize-use-override)
  bool wait_writable() const { return true; }  // NOLINT(modernize-use-override)
  time_t duration() const { return 0; }        // NOLINT(modernize-use-override)

 private:
  std::string_view head_;
  socket_t socket_;
};

/// A client: first its head is read, then the answer is sent, then what else it sends is ignored until it closes.
struct Connection {
  const int socket;
  Clock::time_point until = Clock::now() + head_time;  ///< closed then
  std::string head = {}, answer = {};
  std::size_t sent = 0, ignored = 0;
  bool writes = false, ends = false;
  explicit Connection(int accepted) : socket(accepted) {}
  ~Connection() { ::close(socket); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
};

/// The library's server of files, with one thread that serves all connections: a silent or slow client holds up no
/// other. If there are too many, the oldest that has not sent its head gives way, or else the oldest.
class Server : public httplib::Server {
 public:
  Server() {
    const int pipe = ::pipe2(wake_, O_CLOEXEC | O_NONBLOCK);
    sim::require(pipe == 0, "serve: no pipe: ", std::strerror(errno));
    new_task_queue = [] { return new httplib::ThreadPool(1); };    // accepted connections are only passed on
    set_default_headers({{"X-Content-Type-Options", "nosniff"}});  // browsers do not guess types
  }

  /// Serves connections for ever.
  [[noreturn]] void serve() {
    ::listen(svr_sock_, SOMAXCONN);  // beyond the library's 5 waiting clients, one would try again after a second
    while (true) {
      take_new();
      wait();
      connections_.remove_if([now = Clock::now()](const Connection& each) { return each.until <= now; });
    }
  }

 private:
  // NOLINTNEXTLINE(modernize-use-override)
  bool process_and_close_socket(socket_t socket) {
    {
      const std::lock_guard guard(mutex_);
      accepted_.push_back(socket);
    }
    [[maybe_unused]] const ssize_t written = ::write(wake_[1], "", 1);  // a full pipe wakes as well
    return true;
  }

  void take_new() {
    char bytes[64];
    while (::read(wake_[0], bytes, sizeof bytes) > 0) {
    }
    const std::lock_guard guard(mutex_);
    for (const int socket : std::exchange(accepted_, {})) {
      connections_.emplace_back(socket);
      if (connections_.size() <= most_connections) continue;
      const auto silent =
          std::find_if(connections_.begin(), connections_.end(), [](auto& each) { return !each.writes && !each.ends; });
      connections_.erase(silent == std::prev(connections_.end()) ? connections_.begin() : silent);
    }
  }

  /// Waits until something can be done, and does it.
  void wait() {
    std::vector<pollfd> ready = {{wake_[0], POLLIN, 0}};
    Clock::time_point until = Clock::now() + head_time;
    for (const Connection& each : connections_) {
      ready.push_back({each.socket, static_cast<short>(each.writes ? POLLOUT : POLLIN), 0});
      until = std::min(until, each.until);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (::poll(ready.data(), ready.size(), static_cast<int>(std::max<std::int64_t>(left, 0))) <= 0) return;
    std::size_t n = 1;
    for (Connection& each : connections_) {
      if (ready[n++].revents == 0 || (each.writes ? send(each) : receive(each))) continue;
      each.until = {};  // over
    }
  }

  /// Reads the head, then what is ignored; false if the connection is over.
  bool receive(Connection& connection) {
    char bytes[4096];
    const ssize_t length = ::recv(connection.socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (length <= 0) return length < 0 && (errno == EAGAIN || errno == EINTR);
    if (connection.ends) return (connection.ignored += static_cast<std::size_t>(length)) < most_ignored;
    connection.head.append(bytes, static_cast<std::size_t>(length));
    const std::size_t end = connection.head.find("\r\n\r\n");
    const bool whole = end != std::string::npos && end <= longest_head;
    if (!whole && connection.head.size() <= longest_head) return true;
    connection.answer = whole ? answer_to(connection.head.substr(0, end + 4), connection.socket)
                              : refusal("431 Request Header Fields Too Large", "the head is too long");
    connection.writes = true;
    connection.until = Clock::now() + answer_time;
    return send(connection);
  }

  bool send(Connection& connection) {
    while (connection.sent < connection.answer.size()) {
      const ssize_t length = ::send(connection.socket, connection.answer.data() + connection.sent,
                                    connection.answer.size() - connection.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) return errno == EAGAIN;
      connection.sent += static_cast<std::size_t>(length);
      connection.until = Clock::now() + answer_time;
    }
    ::shutdown(connection.socket, SHUT_WR);
    connection.writes = false;
    connection.ends = true;  // closing with unread bytes would discard the answer
    connection.until = Clock::now() + head_time;
    connection.answer = {};
    return true;
  }

  std::string answer_to(const std::string& head, socket_t socket) {
    if (std::string refused = refusal_of(head); !refused.empty()) return refused;
    Exchange exchange(head, socket);
    try {
      process(*this, exchange);
    } catch (const std::bad_alloc&) {
      return refusal("503 Service Unavailable", "no memory for the file");
    }
    return std::move(exchange.answer);
  }

  /// Has the library answer. Its later versions are given the addresses of both ends too.
  template <class Any>
  static void process(Any& server, Exchange& exchange) {
    bool closed = false;
    if constexpr (requires { server.process_request(exchange, true, closed, nullptr); })
      server.process_request(exchange, true, closed, nullptr);
    else
      server.process_request(exchange, loopback, 0, loopback, 0, true, closed, nullptr);
  }

  int wake_[2] = {-1, -1};
  std::mutex mutex_;
  std::vector<int> accepted_;          ///< guarded by mutex_
  std::list<Connection> connections_;  ///< oldest first
};

std::string built_site() {
  std::filesystem::path site;
  for (const char* place : {"../share/flashscope/site", "../../site"}) {  // installed, built
    site = program_beside(place).lexically_normal();
    if (std::filesystem::exists(site / "index.html")) return site.string();
  }
  throw MissingCapability(sim::text("serve: there is no page in ", site.string(), ": flashscope build page makes it"));
}

/// Binds to the port, or to any free one if 0; returns it.
int bind(Server& server, int port) {
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;  // the library's default options would share a port in use
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  errno = 0;
  const int bound = port == 0 ? server.bind_to_any_port(loopback) : server.bind_to_port(loopback, port) ? port : -1;
  if (bound > 0) return bound;
  throw MissingCapability(sim::text("serve: port ", port, " is not available (", std::strerror(errno),
                                    "): choose another with --port, or --port 0 for any that is free"));
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Opens the browser in a session of its own, so that Ctrl-C here does not end it; prints the reason if it fails.
void open_browser(const std::string& address) {
  std::string reason;
  try {
    sim::require(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"), "there is no desktop here");
    Child opener({"/bin/sh", "-c", "exec setsid --wait xdg-open \"$1\"", "sh", address});
    opener.output();
    reason = opener.end();
  } catch (const sim::Error& error) {
    reason = error.what();
  }
  if (!reason.empty()) tell("note: no browser was opened (" + reason + "): open the address in one");
}

}  // namespace

int run_serve(const Arguments& arguments) {
  const auto port = static_cast<int>(sim::typed_whole_number("port", arguments.value("port", "8000"), 0, 65535));
  Server server;
  server.set_mount_point("/", built_site());
  server.set_file_extension_and_mimetype_mapping("pack", "application/octet-stream");
  server.set_file_extension_and_mimetype_mapping("webmanifest", "application/manifest+json");
  const std::string address = sim::text("http://", loopback, ":", bind(server, port), "/");
  print(address + "\n");
  tell("The manual is at " + address + "manual/docs/index.html. Ctrl-C ends this.");
  std::thread opener;
  if (!arguments.find("no-open")) opener = std::thread(open_browser, address);
  std::thread([&server] { server.serve(); }).detach();
  const bool served = server.listen_after_bind();
  if (opener.joinable()) opener.join();
  sim::require(served, "serve: the connection of ", address, " broke");
  return exit_done;
}

}  // namespace terminal
