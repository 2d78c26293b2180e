// Catch2 version 3 by the header and the names of version 2, as tests write them. Only where version 2 is missing.
#pragma once
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace Catch::Matchers {
/// In version 3 a word for ranges.
inline StringContainsMatcher Contains(const std::string& text) { return ContainsSubstring(text); }
}  // namespace Catch::Matchers

namespace Catch {
using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::MatcherBase;
using Matchers::Matches;
using Matchers::StartsWith;
}  // namespace Catch

using Catch::Approx;
