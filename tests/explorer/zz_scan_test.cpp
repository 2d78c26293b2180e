#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include "viz/explorer/headless.h"
#include "viz/explorer/native_verifier.h"
TEST_CASE("scan") {
  std::string line;
  std::filesystem::create_directories("/tmp/pic-center/scan");
  while (std::getline(std::cin, line)) {
    // name width height dpr link hover click
    std::istringstream in(line);
    std::string name, link, hover; int w, h; float dpr;
    in >> name >> w >> h >> dpr >> link >> hover;
    std::cout << name << std::endl;
    explorer::Headless window(link, {w, h, dpr});
    window.explorer.model.verifier = explorer::make_native_verifier(2);
    window.driver.settle();
    while (window.explorer.update(0)) {}
    window.driver.settle();
    std::string click;
    if (!hover.empty() && hover != "-") { float at = 0.5f; auto p = hover.find('@'); if (p != std::string::npos) { at = std::stof(hover.substr(p+1)); hover = hover.substr(0,p);} window.driver.hover(hover, at); }
    while (in >> click) { window.driver.click(click); while (window.explorer.update(0)) {} window.driver.settle(); while (window.explorer.update(0)) {} window.driver.settle(); }
    window.driver.screenshot("/tmp/pic-center/scan/" + name + ".png");
  }
}
