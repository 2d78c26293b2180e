// Fields of one table of an .fscope file, each checked as it is read.
#pragma once
#include "sim/base/toml_file.h"
#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

class Fields {
 public:
  /// `where` begins errors: "mine.fscope: kernel forward: "; `texts` are the multi-line texts (long_texts.h).
  Fields(const toml::table& table, std::string where, const std::vector<std::string>& texts)
      : table_(table), where_(std::move(where)), texts_(texts) {}

  const std::string& where() const { return where_; }
  const toml::node* find(std::string_view name) const { return table_.get(name); }
  const toml::node& need(std::string_view name) const;

  std::string line(std::string_view name) const;
  std::string text_of(std::string_view name) const;  ///< text of any number of lines
  bool flag(std::string_view name, bool otherwise) const;
  std::int64_t whole(std::string_view name, std::int64_t otherwise, std::int64_t least, std::int64_t most) const;
  std::int64_t whole(const toml::node& node, std::string_view name, std::int64_t least, std::int64_t most) const;
  /// Returns the index of the field's value among `known`.
  std::size_t word(std::string_view name, const std::vector<std::string>& known, std::size_t otherwise) const;
  std::vector<Tensor> tensors(std::string_view name) const;
  std::vector<Answer> answers(bool of_cta) const;  ///< answers in `when`

 private:
  Answer answer(std::string_view name, const toml::node& value, bool of_cta) const;

  const toml::table& table_;
  std::string where_;
  const std::vector<std::string>& texts_;
};

}  // namespace sim::recorded
