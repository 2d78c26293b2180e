// The number field, driven by the queue that real input uses.
#include "viz/ui/number_field.h"

#include <catch2/catch.hpp>

#include "viz/platform/driver.h"

namespace {

/// A window with one field, whose number is stored as in the top bar.
struct Window {
  explicit Window(std::string begin, ui::NumberField with = {}) : value(std::move(begin)), field(with) {}

  std::string value;
  ui::NumberField field;
  int changes = 0;
  platform::Driver driver{400, 300, 1, ui::dark_theme(), [this](ui::Ui& ui) { draw(ui); }};

  void draw(ui::Ui& ui) {
    field.value = value;
    const auto change = ui::number_field(ui, "n", {20, 20, 120, 32}, field);
    if (!change) return;
    ++changes;
    field.is_none = change->text.empty();
    if (!field.is_none) value = change->text;
  }
};

ui::NumberField doubling() {
  ui::NumberField field;
  field.stepping = ui::Stepping::doubling;
  field.most = 4096;
  return field;
}

}  // namespace

TEST_CASE("a typed number replaces the old one and is applied by enter") {
  Window window("1024");
  window.driver.click("n");
  window.driver.type("777");
  CHECK(window.value == "1024");
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.value == "777");
  CHECK(window.changes == 1);
}

TEST_CASE("escape restores the number and a wrong text is never applied") {
  Window window("1024");
  window.driver.click("n");
  window.driver.type("5");
  window.driver.key(ImGuiKey_Escape);
  CHECK(window.value == "1024");
  window.driver.click("n");
  window.driver.type("12x");
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.value == "1024");
  CHECK(window.driver.screen.state.open == "n");  // still being edited
  window.driver.key(ImGuiKey_Backspace);
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.value == "12");
}

TEST_CASE("the caret of a number moves, and characters are inserted and deleted at it") {
  Window window("1024");
  window.driver.click("n");
  window.driver.key(ImGuiKey_Home);
  window.driver.type("9");
  window.driver.key(ImGuiKey_RightArrow);
  window.driver.key(ImGuiKey_Delete);
  window.driver.key(ImGuiKey_End);
  window.driver.key(ImGuiKey_LeftArrow);
  window.driver.type("7");
  window.driver.key(ImGuiKey_Enter);
  CHECK(window.value == "91274");
}

TEST_CASE("the wheel and dragging step through powers of two and stop at the limits") {
  Window window("1000", doubling());
  window.driver.wheel("n", 1);
  CHECK(window.value == "1024");
  window.driver.wheel("n", -1);
  CHECK(window.value == "512");
  window.driver.drag("n", 0.2f, 0.6f);  // 48 pixels, six steps
  CHECK(window.value == "4096");
  CHECK(window.driver.screen.state.open.empty());  // dragging is not a click
}

TEST_CASE("an entry of the list next to a number sets it by one click, the first entry unsets it") {
  const std::array<std::string_view, 3> options = {"auto", "64", "128"};
  ui::NumberField field;
  field.none = "auto";
  field.options = options;
  Window window("32", field);
  window.driver.click("n");
  window.driver.click("n/128");
  CHECK(window.value == "128");
  CHECK(window.driver.screen.state.open.empty());
  window.driver.click("n");
  window.driver.click("n/auto");
  CHECK(window.field.is_none);
}

TEST_CASE("a number field accepts values between its limits") {
  ui::NumberField field;
  field.least = 16;
  field.most = 64;
  CHECK(ui::is_allowed(field, "16"));
  CHECK(ui::is_allowed(field, "64"));
  for (const char* wrong : {"15", "65", "-16", "1e1", "16.5", "", " 16", "nan", "99999999999999999999999"}) {
    INFO(wrong);
    CHECK_FALSE(ui::is_allowed(field, wrong));
  }
  field.whole = false;
  CHECK(ui::is_allowed(field, "16.5"));
  CHECK_FALSE(ui::is_allowed(field, "inf"));
}

TEST_CASE("a number field that takes pairs accepts -1 for a side, and steps change the left number") {
  ui::NumberField field;
  field.least = 0;
  CHECK_FALSE(ui::is_allowed(field, "5,7"));
  field.pair = true;
  for (const char* right : {"5", "5,7", "-1,7", "5,-1"}) CHECK(ui::is_allowed(field, right));
  for (const char* wrong : {"-1", "5,", ",5", "5,7,9", "5,-2"}) CHECK_FALSE(ui::is_allowed(field, wrong));
  field.value = "5,7";
  CHECK(ui::stepped(field, 1) == "6,7");
}
