// flashscope serve: serves the built page to browsers of this machine only.
// Site answers requests; connections, their limits and timeouts are here.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <list>
#include <thread>

#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/child.h"
#include "viz/terminal/command.h"
#include "viz/terminal/site.h"

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

/// One thread serves all connections: a silent or slow client holds up no other. If there are too many, the oldest that
/// has not sent its head gives way, or else the oldest.
class Server {
 public:
  explicit Server(Site site)
      : site_(std::move(site)), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sim::require(socket_ >= 0, "serve: no socket: ", std::strerror(errno));
  }
  ~Server() { ::close(socket_); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds to the port of this machine, or to any free one if 0; returns it. Throws MissingCapability if it is in use.
  int bind(int port) const {
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const where = reinterpret_cast<sockaddr*>(&address);
    const bool bound = ::bind(socket_, where, size) == 0 && ::listen(socket_, SOMAXCONN) == 0 &&
                       ::getsockname(socket_, where, &size) == 0;
    if (bound) return ntohs(address.sin_port);
    throw MissingCapability(sim::text("serve: port ", port, " is not available (", std::strerror(errno),
                                      "): choose another with --port, or --port 0 for any that is free"));
  }

  /// Serves connections for ever.
  [[noreturn]] void serve() {
    while (true) {
      wait();
      connections_.remove_if([now = Clock::now()](const Connection& each) { return each.until <= now; });
    }
  }

 private:
  void take_new() {
    const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) return;  // the client has left again
    connections_.emplace_back(accepted);
    if (connections_.size() <= most_connections) return;
    const auto silent =
        std::find_if(connections_.begin(), connections_.end(), [](auto& each) { return !each.writes && !each.ends; });
    connections_.erase(silent == std::prev(connections_.end()) ? connections_.begin() : silent);
  }

  /// Waits until something can be done, and does it.
  void wait() {
    std::vector<pollfd> ready = {{socket_, POLLIN, 0}};
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
    if (ready[0].revents != 0) take_new();
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
    connection.answer =
        whole ? answer_to(std::string_view(connection.head).substr(0, end + 4)) : refusal(431, "the head is too long");
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

  std::string answer_to(std::string_view head) {
    try {
      return site_.answer(head);
    } catch (const std::bad_alloc&) {
      return refusal(503, "no memory for the file");
    } catch (const std::filesystem::filesystem_error&) {
      return refusal(404, "there is no such file");
    }
  }

  Site site_;
  const int socket_;
  std::list<Connection> connections_;  ///< oldest first
};

std::string built_site() {
  std::filesystem::path site;
  for (const char* place : {"../share/flashscope", "../../site"}) {  // installed, built
    site = program_beside(place).lexically_normal();
    if (std::filesystem::exists(site / "index.html") || std::filesystem::exists(site / one_file)) return site.string();
  }
  throw MissingCapability(sim::text("serve: there is no page in ", site.string(), ": flashscope build page makes it"));
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
  Server server{Site(built_site())};
  const std::string address = sim::text("http://", loopback, ":", server.bind(port), "/");
  print(address + "\n");
  tell("The manual is at " + address + "manual/docs/index.html. Ctrl-C ends this.");
  if (!arguments.find("no-open")) std::thread(open_browser, address).detach();
  server.serve();
}

}  // namespace terminal
