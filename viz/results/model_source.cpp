#include "viz/results/model_source.h"

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace results {
namespace {

/// Spellings of one value: a default is not added if the file has another spelling of it.
constexpr std::initializer_list<const char*> spellings[] = {
    {"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads"},
    {"num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads"},
    {"hidden_size", "n_embd", "n_embed", "d_model"},
    {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers", "num_decoder_layers"},
    {"head_dim", "attention_head_dim", "kv_channels", "d_kv"}};

/// Python writes Infinity and NaN, which JSON does not have: returns the text with them in quotes.
std::string with_quoted_constants(std::string_view text) {
  std::string result;
  for (bool in_string = false; !text.empty();) {
    std::size_t length = in_string && text.front() == '\\' && text.size() > 1 ? 2 : 1;
    if (text.front() == '"') in_string = !in_string;
    bool constant = false;
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (in_string || !text.starts_with(word)) continue;
      constant = true;
      length = word.size();
      break;
    }
    if (constant) result += '"';
    result += text.substr(0, length);
    if (constant) result += '"';
    text.remove_prefix(length);
  }
  return result;
}

/// Name of the object of the text model in a config of several models; "" if it is the config itself.
std::string inner_name(const ConfigJson& config) {
  for (const char* name : {"text_config", "llm_config", "language_config", "lm_config", "thinker_config", "decoder"}) {
    const auto found = config.find(name);
    if (found != config.end() && found->is_object()) return name;
  }
  return "";
}

std::string type_in(const ConfigJson& config) {
  const auto found = config.find("model_type");
  return found != config.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string shown(const ConfigJson& value) {
  return sim::quoted(value.dump(-1, ' ', true, ConfigJson::error_handler_t::replace), 60);
}

std::string listed(ModelSource::Keys keys) {
  std::string names;
  for (const char* key : keys) names += (names.empty() ? "" : ", ") + std::string(key);
  return names;
}

}  // namespace

ModelSource::ModelSource(std::string_view json, const std::string& origin) : origin_(sim::shortened(origin, 1000)) {
  values_ = ConfigJson::parse(with_quoted_constants(json), nullptr, false);
  check(values_.is_object(), "is not a JSON object");
  type_ = type_in(values_);
  outer_ = ConfigJson::object();
  for (std::string inner = inner_name(values_); !inner.empty(); inner = inner_name(values_)) {
    ConfigJson found = values_.at(inner);
    values_.erase(inner);
    for (const auto& [key, value] : values_.items()) {
      if (!value.is_object()) outer_[key] = value;
    }
    values_ = std::move(found);
    origin_ += ": " + inner;
    if (const std::string type = type_in(values_); family_of(type) != nullptr || !type.empty()) type_ = type;
  }
  for (const char* nested : {"attn_config", "attention_config"}) {
    const auto found = values_.find(nested);
    if (found == values_.end() || !found->is_object()) continue;
    const ConfigJson attention = *found;
    for (const auto& [key, value] : attention.items()) {
      if (!values_.contains(key)) values_[key] = value;
    }
    known({nested});
  }
  family_ = family_of(type_);
  if (family_ != nullptr) add_defaults(ConfigJson::parse(family_->defaults));
}

void ModelSource::add_defaults(const ConfigJson& defaults) {
  const auto in_file = [this](const char* key) { return values_.contains(key); };
  std::vector<std::string> missing;
  for (const auto& [name, value] : defaults.items()) {
    const std::string& key = name;
    bool has = values_.contains(key);
    for (const auto& group : spellings) {
      if (std::find(group.begin(), group.end(), key) != group.end())
        has = has || std::any_of(group.begin(), group.end(), in_file);
    }
    if (!has) missing.push_back(key);
  }
  for (const std::string& key : missing) values_[key] = defaults.at(key);
  defaults_ = {missing.begin(), missing.end()};
}

const ConfigJson* ModelSource::find(Keys keys) const {
  known(keys);
  read_.insert(keys.begin(), keys.end());
  for (const char* key : keys) {
    const auto found = values_.find(key);
    if (found != values_.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

bool ModelSource::given(Keys keys) const {
  return std::any_of(keys.begin(), keys.end(), [this](const std::string& key) {
    const auto found = values_.find(key);
    return found != values_.end() && !found->is_null() && defaults_.count(key) == 0;
  });
}

std::int64_t ModelSource::number_of(const ConfigJson& value, std::string_view key, std::int64_t most) const {
  const bool fits =
      value.is_number_integer() && value.get<double>() >= 1 && value.get<double>() <= static_cast<double>(most);
  check(fits, key, " ", shown(value), " is not a whole number from 1 to ", most);
  return value.get<std::int64_t>();
}

const char* ModelSource::name_of(Keys keys) const {
  const auto* const found = std::find_if(keys.begin(), keys.end(), [this](const char* key) {
    return values_.contains(key) && !values_.at(key).is_null();
  });
  return found == keys.end() ? *keys.begin() : *found;
}

std::optional<std::int64_t> ModelSource::whole_number(Keys keys, std::int64_t most) const {
  const ConfigJson* value = find(keys);
  return value == nullptr ? std::nullopt : std::optional(number_of(*value, name_of(keys), most));
}

std::optional<double> ModelSource::positive_number(Keys keys) const {
  const ConfigJson* value = find(keys);
  if (value == nullptr) return std::nullopt;
  check(value->is_number() && value->get<double>() > 0 && std::isfinite(value->get<double>()), name_of(keys),
        " is not a number above 0");
  return value->get<double>();
}

std::int64_t ModelSource::needed(Keys keys) const {
  const auto value = whole_number(keys);
  check(value.has_value(), "has none of these keys: ", listed(keys),
        ": is it the config.json of a model with attention?");
  return *value;
}

std::string ModelSource::word(const char* key) const {
  const ConfigJson* value = find({key});
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool ModelSource::is(const char* key, bool wanted) const {
  const ConfigJson* value = find({key});
  return value != nullptr && value->is_boolean() && value->get<bool>() == wanted;
}

std::vector<std::string> ModelSource::unknown_keys() const {
  const std::string own = family_ == nullptr ? "" : " " + std::string(family_->known) + " ";
  std::vector<std::string> unknown;
  for (const ConfigJson* object : {&values_, &outer_}) {
    for (const auto& [key, value] : object->items()) {
      if (value.is_null() || key.starts_with('.') || known_.count(key) > 0 ||
          own.find(" " + key + " ") != std::string::npos)
        continue;
      if (may_change_attention(key)) unknown.push_back(sim::shortened(sim::printable(key), 60));
    }
  }
  return unknown;
}

std::vector<std::string> ModelSource::defaults_read() const {
  std::vector<std::string> texts;
  for (const std::string& key : defaults_) {
    const ConfigJson& value = values_.at(key);
    if (key.front() == '.' || read_.count(key) == 0 || value.is_null() || value.is_boolean()) continue;
    texts.push_back(key + " " + value.dump());
  }
  return texts;
}

}  // namespace results
