// A state folder of its own for each run of a test program, however it is started: no test reads or writes the notebook
// of its user. Tests that are scripts get theirs from tests/CMakeLists.txt.
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace {

class OwnState {
 public:
  OwnState() : folder_((std::filesystem::temp_directory_path() / "flashscope-state-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) folder_ = "/dev/null";  // then nothing is kept
    ::setenv("XDG_STATE_HOME", folder_.c_str(), 1);
  }
  ~OwnState() {
    std::error_code ignored;
    if (folder_ != "/dev/null") std::filesystem::remove_all(folder_, ignored);
  }
  OwnState(const OwnState&) = delete;
  OwnState& operator=(const OwnState&) = delete;

 private:
  std::string folder_;
};

const OwnState own_state;

}  // namespace
