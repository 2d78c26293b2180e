// flashscope serve: serves the built page to browsers of this machine only.
#include <httplib.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "viz/terminal/child.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

constexpr const char* loopback = "127.0.0.1";

std::string built_site() {
  std::filesystem::path site;
  for (const char* place : {"../share/flashscope/site", "../../site"}) {  // installed, built
    site = program_beside(place).lexically_normal();
    if (std::filesystem::exists(site / "index.html")) return site.string();
  }
  throw MissingCapability(sim::text("serve: there is no page in ", site.string(), ": flashscope build page makes it"));
}

/// Binds to the port, or to any free one if 0; returns it.
int bind(httplib::Server& server, int port) {
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

/// Opens the browser in a session of its own, so that Ctrl-C here does not end it; returns the reason if it fails.
std::string why_not_opened(const std::string& address) {
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return "there is no desktop here";
  try {
    Child opener({"/bin/sh", "-c", "exec setsid --wait xdg-open \"$1\"", "sh", address});
    opener.output();
    return opener.end();
  } catch (const sim::Error& error) {
    return error.what();
  }
}

void open_browser(const std::string& address) {
  const std::string reason = why_not_opened(address);
  if (!reason.empty()) tell("note: no browser was opened (" + reason + "): open the address in one");
}

}  // namespace

int run_serve(const Arguments& arguments) {
  const auto port = static_cast<int>(sim::parse_whole_number("port", arguments.value("port", "8000"), 0, 65535));
  httplib::Server server;
  server.set_mount_point("/", built_site());
  server.set_file_extension_and_mimetype_mapping("pack", "application/octet-stream");
  server.set_file_extension_and_mimetype_mapping("webmanifest", "application/manifest+json");
  const std::string address = sim::text("http://", loopback, ":", bind(server, port), "/");
  print(address + "\n");
  tell("The manual is at " + address + "manual/docs/index.html. Ctrl-C ends this.");
  std::thread opener;
  if (!arguments.find("no-open")) opener = std::thread(open_browser, address);
  const bool served = server.listen_after_bind();
  if (opener.joinable()) opener.join();
  sim::require(served, "serve: the connection of ", address, " broke");
  return exit_done;
}

}  // namespace terminal
