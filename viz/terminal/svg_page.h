// Start of every chart: a stand-alone SVG page that follows the reader's light or dark theme.
#pragma once
#include <string>

namespace terminal {

/// Escapes text for an element or an attribute in double quotes: a device's title may contain any character.
std::string xml(const std::string& text);

/// The page, 800 wide, with title and subtitle (plain text, on two lines if it is too long) up to y = 70; the caller
/// appends the chart and "</svg>\n". `more_style`: CSS in addition to that of the text and the tensors' colours.
std::string svg_page(const std::string& title, const std::string& subtitle, double height,
                     const std::string& more_style = "");

}  // namespace terminal
