// Runs another program and captures its output.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace terminal {

/// Started by the constructor; ends with the object. Throws sim::Error if it cannot be started.
class Child {
 public:
  /// Descriptors of this program that the child gets as its standard input and as its descriptor 3; -1: none.
  struct Gets {
    int input = -1, third = -1;
  };
  explicit Child(std::vector<std::string> words, Gets gets = {-1, -1});  ///< a name without a slash is searched in PATH
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  std::string output();                                ///< all its standard output
  std::string end();                                   ///< waits for it; "" or a line with the reason of its failure
  bool lacks_something() const { return code_ == 3; }  ///< exit code of a missing capability

 private:
  void start(std::vector<std::string>& words, int output, Gets gets);
  void close();
  std::string said() const;  ///< first line of its standard error, without "error: "
  std::string name_;
  pid_t process_ = -1;
  int output_ = -1, errors_ = -1, code_ = 0;
};

}  // namespace terminal
