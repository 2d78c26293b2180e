#include "viz/model/event_label.h"

#include "sim/base/text.h"
#include "sim/programs/program.h"
#include "sim/trace/line_comment.h"
#include "sim/trace/tensors.h"
#include "viz/model/listing/equation.h"
#include "viz/model/tiles/tile_layers.h"

namespace explorer {
namespace {

using sim::Origin;
using sim::Tensor;

/// Length of the subscript or superscript ("_ic", "^T") at the front of a text.
std::size_t script_size(std::string_view text) {
  std::size_t n = 1;
  while (n < text.size() && (sim::is_letter(text[n]) || sim::is_digit(text[n]))) ++n;
  return n;
}

bool is_block(const sim::Axis& axis) { return axis.origin != Origin::whole; }

}  // namespace

char letter_of(Tensor tensor) {
  const Tensor family = facts_of(tensor).family;
  return family == Tensor::none ? '\0' : name_of(family)[0];
}

std::string equation_of(std::string_view listing, int line) {
  return sim::comment_of(sim::listing_line(listing, line)).equation;
}

std::string product_in(std::string_view equation) {
  const std::size_t equals = equation.find(" = ");
  if (equals == std::string_view::npos) return {};
  std::string_view product = equation.substr(equals + 3);
  const std::size_t plus = product.find(" + ");
  if (plus != std::string_view::npos) product.remove_prefix(plus + 3);
  std::string out;
  while (!product.empty()) {
    std::size_t size = 1;
    if (product[0] == '_') {
      size = script_size(product);
    } else if (product[0] != ' ') {
      out += product[0];
    }
    product.remove_prefix(size);
  }
  return out;
}

std::string label_of(Tensor tensor) {
  const std::string stem(stem_of(tensor));
  if (!stage_of(tensor).empty()) return stem + "_{" + std::string(stage_of(tensor)) + "}";
  return equation_markup(stem);
}

std::string label_of(const sim::Event& event) {
  std::string place;
  if (is_block(event.rows)) place = std::to_string(event.rows.index);
  if (is_block(event.cols) && holds_matrix(event.tensor))
    place += (place.empty() ? "" : ",") + std::to_string(event.cols.index);
  const std::string label = label_of(event.tensor);
  return place.empty() || label.back() == '}' ? label : label + "_{" + place + "}";
}

std::string bar_label(const sim::Event& event, std::string_view listing) {
  if (event.verb == sim::Verb::gemm) {
    std::string product = product_in(equation_of(listing, event.line));
    if (!product.empty()) return equation_markup(product);
  }
  return event.direction == sim::Direction::none ? label_of(event.tensor) : label_of(event);
}

}  // namespace explorer
