// What every chart begins with: the page of an SVG that stands alone and follows the reader's light or dark theme.
#pragma once
#include <string>

namespace terminal {

/// Text for an element or an attribute in double quotes: a device's title may hold anything.
std::string xml(const std::string& text);

/// The page, 800 wide, with title and subtitle (plain text, on two lines where one is too short) up to y = 70; the
/// caller adds the chart and "</svg>\n". `more_style`: CSS beside that of the text and the tensors' colours.
std::string svg_page(const std::string& title, const std::string& subtitle, double height,
                     const std::string& more_style = "");

}  // namespace terminal
