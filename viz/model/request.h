// Requests of the user that only a front end can fulfil: files, the clipboard, quitting the program.
#pragma once

namespace explorer {

enum class Request {
  copy_link,
  save_png,
  save_csv,
  save_json,
  save_perfetto,
  save_pattern,
  copy_verify_command,
  show_licences,
  close
};

}  // namespace explorer
