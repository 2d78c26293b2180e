// Matcher of errors by words of their template and by their values: the rest of a sentence may change.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/check.h"

/// Matches an error whose template contains `words`, {} included, and whose values are these, in order; any values if
/// none is given. The template and the values are those of the whole sentence, with its inner sentences filled in.
class Says : public Catch::MatcherBase<sim::Error> {
 public:
  template <class... Value>
  explicit Says(std::string words, const Value&... values) : words_(std::move(words)), values_{sim::text(values)...} {}

  bool match(const sim::Error& error) const override {
    std::vector<std::string> values;
    const std::string words = words_of(error.sentence(), values);
    return words.find(words_) != std::string::npos && (values_.empty() || values == values_);
  }

 protected:
  std::string describe() const override {
    return "says \"" + words_ + "\"" + (values_.empty() ? "" : " with " + sim::joined(values_, " | "));
  }

 private:
  static std::string words_of(const sim::Sentence& sentence, std::vector<std::string>& values) {
    if (sentence.is_name()) {
      values.push_back(sentence.words());
      return "{}";
    }
    return sim::Sentence::filled(sentence.words(), sentence.values(),
                                 [&](const sim::Sentence& value) { return words_of(value, values); });
  }

  std::string words_;
  std::vector<std::string> values_;
};
