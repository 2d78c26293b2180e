// Text on an event: the tensor with its block, or the product, as markup of viz/ui/rich_text.h.
#pragma once
#include <string>
#include <string_view>

#include "sim/trace/trace.h"

namespace explorer {

/// The letter that determines a tensor's colour: Q K V S P O, also for gradients and copies; 0 for statistics.
char letter_of(sim::Tensor tensor);

/// The equation in the comment of a line, as written: "P = exp(S - m')"; empty if there is none.
std::string equation_of(std::string_view listing, int line);

/// The factors of a product: "S = S + Q_ic K_jc^T" gives "QK^T". Empty if the equation is not a product.
std::string product_in(std::string_view equation);

/// A tensor's name, with the event's block of it: "K_3", "S_{2,5}", "dQ_7", "m".
std::string label_of(sim::Tensor tensor);
std::string label_of(const sim::Event& event);

/// Label of an event's bar: its product, or else its tensor.
std::string bar_label(const sim::Event& event, std::string_view listing);

}  // namespace explorer
