#include "sim/programs/recorded/fields.h"

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/questions.h"
#include "sim/programs/recorded/read_operand.h"
#include "sim/trace/tensors.h"

namespace sim::recorded {

const toml::node& Fields::need(std::string_view name) const {
  const toml::node* const node = find(name);
  require(node != nullptr, where_, name, " is missing");
  return *node;
}

std::string Fields::line(std::string_view name) const { return toml_text(&need(name), name, where_); }

std::string Fields::text_of(std::string_view name) const {
  const auto* const value = need(name).as_string();
  require(value != nullptr, where_, name, " must be text in quotes");
  const std::string& word = value->get();
  if (!word.starts_with('@')) return word;
  const std::size_t index = word.size() < 8 ? std::strtoul(word.c_str() + 1, nullptr, 10) : texts_.size();
  require(index < texts_.size(), where_, name, " must be text between \"\"\" and \"\"\"");
  return texts_[index];
}

bool Fields::flag(std::string_view name, bool otherwise) const {
  const toml::node* const node = find(name);
  require(node == nullptr || node->is_boolean(), where_, name, " must be true or false");
  return node == nullptr ? otherwise : node->as_boolean()->get();
}

std::int64_t Fields::whole(std::string_view name, std::int64_t otherwise, std::int64_t least, std::int64_t most) const {
  const toml::node* const node = find(name);
  return node == nullptr ? otherwise : whole(*node, name, least, most);
}

std::int64_t Fields::whole(const toml::node& node, std::string_view name, std::int64_t least, std::int64_t most) const {
  const auto* const number = node.as_integer();
  require(number != nullptr && number->get() >= least && number->get() <= most, where_, name,
          " must be a whole number from ", least, " to ", most);
  return number->get();
}

std::size_t Fields::word(std::string_view name, const std::vector<std::string>& known, std::size_t otherwise) const {
  if (find(name) == nullptr) return otherwise;
  const std::string given = line(name);
  const auto found = std::find(known.begin(), known.end(), given);
  require(found != known.end(), where_, name, ": ", quoted(given), " is none of ", joined(known));
  return static_cast<std::size_t>(found - known.begin());
}

std::vector<Tensor> Fields::tensors(std::string_view name) const {
  std::vector<Tensor> all;
  const toml::node* const node = find(name);
  if (node == nullptr) return all;
  require(node->is_array() && node->as_array()->size() <= hbm_tensors().size(), where_, name,
          " must be an array of names of tensors");
  for (const toml::node& one : *node->as_array()) {
    try {
      all.push_back(tensor_named(toml_text(&one, name, where_), true));
    } catch (const Error& error) {
      throw Error(where_, name, ": ", error);
    }
    require(std::count(all.begin(), all.end(), all.back()) == 1, where_, name, ": ", name_of(all.back()),
            " occurs twice");
  }
  return all;
}

std::vector<Answer> Fields::answers(bool of_cta) const {
  std::vector<Answer> all;
  const toml::node* const node = find("when");
  if (node == nullptr) return all;
  require(node->is_table(), where_, "when must be { \"dropout\" = true, ... }");
  for (auto&& [key, value] : *node->as_table()) all.push_back(answer(key.str(), value, of_cta));
  return all;
}

Answer Fields::answer(std::string_view name, const toml::node& value, bool of_cta) const {
  std::vector<std::string> known;
  for (std::size_t n = 0; n < questions().size(); ++n) {
    if (questions()[n].of_problem == nullptr && !of_cta) continue;
    known.emplace_back(questions()[n].name);
    if (name != known.back()) continue;
    require(value.is_boolean(), where_, "when: ", name, " must be true or false");
    return {n, value.as_boolean()->get()};
  }
  throw Error(where_, unknown_name_message("question of when", name, known));
}

}  // namespace sim::recorded
