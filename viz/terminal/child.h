// Another program of FlashScope that is run, with what it prints.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace terminal {

/// Started by the constructor; ends with the object. Throws sim::Error if it cannot be started.
class Child {
 public:
  explicit Child(std::vector<std::string> words);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  std::string output();                                ///< all of its standard output
  std::string end();                                   ///< waits for it; "" or why it failed, in a line
  bool lacks_something() const { return code_ == 3; }  ///< exit code of a capability that is missing

 private:
  void start(std::vector<std::string>& words, int output);
  void close();
  std::string said() const;  ///< the first line of its standard error, without "error: "
  pid_t process_ = -1;
  int output_ = -1, errors_ = -1, code_ = 0;
};

}  // namespace terminal
