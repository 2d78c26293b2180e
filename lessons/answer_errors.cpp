#include "lessons/answer_errors.h"

namespace lessons {
namespace {

std::string with_values(std::string_view sentence, const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    const std::size_t place = sentence.find("{}");
    text += sentence.substr(0, place);
    text += value;
    sentence.remove_prefix(place + 2);
  }
  return text += sentence;
}

}  // namespace

Unclear::Unclear(const AnswerError& said, const std::vector<std::string>& values)
    : sim::Error(with_values(said.en, values)), zh(with_values(said.zh, values)) {}

}  // namespace lessons
