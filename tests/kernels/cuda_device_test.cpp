#include <catch2/catch.hpp>
#include <iostream>

#include "kernels/dev/open.h"

TEST_CASE("opening a GPU where there is none fails with one line: what is missing and how to get it") {
  try {
    const auto device = dev::open_cuda();
    std::cout << "skipped: there is a GPU here: " << device->description() << "\n";
  } catch (const dev::DeviceError& error) {
    CHECK(error.kind == dev::DeviceError::Kind::missing);
    CHECK_THAT(error.what(), Catch::StartsWith("device cuda: ") && Catch::EndsWith("take --device emulated"));
    CHECK_THAT(error.what(), !Catch::Contains("\n"));
  }
}
