#include "sim/base/npy.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "sim/base/check.h"
#include "sim/base/dtype.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Bytes8 = std::vector<std::byte>;

void append(Bytes8& bytes, const std::string& characters) {
  for (const char c : characters) bytes.push_back(static_cast<std::byte>(c));
}

/// A file of format `version` with the given header and bytes of values.
Bytes8 file(const std::string& header, const std::string& values, int version = 1) {
  Bytes8 bytes;
  append(bytes, "\x93NUMPY");
  append(bytes, {static_cast<char>(version), '\0'});
  append(bytes, {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  if (version > 1) append(bytes, {'\0', '\0'});
  append(bytes, header + values);
  return bytes;
}

std::string header_of(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

/// The bytes of the values in the native byte order, or each value reversed.
template <class Value>
std::string stored(const std::vector<Value>& values, bool swapped = false) {
  std::string result;
  for (const Value value : values) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    result += bytes;
  }
  return result;
}

/// The message that parsing throws.
std::string refusal(const Bytes8& bytes) {
  try {
    parse_npy(bytes, "x.npy");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal(const std::string& descr, const std::string& shape, std::size_t bytes) {
  return refusal(file(header_of(descr, shape), std::string(bytes, '\0')));
}

std::string format_refusal(std::vector<std::int64_t> shape, std::vector<float> values, const std::string& dtype) {
  try {
    format_npy(shape, values, dtype);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<float> every_half() {
  std::vector<std::uint16_t> bits(65536);
  for (std::size_t n = 0; n < bits.size(); ++n) bits[n] = static_cast<std::uint16_t>(n);
  return parse_npy(file(header_of("<f2", "(65536,)"), stored(bits)), "x.npy").values;
}

}  // namespace

TEST_CASE("a written file is what NumPy's save writes") {
  const std::vector<std::int64_t> shape{2, 1};
  const Bytes8 bytes = format_npy(shape, std::vector<float>{1.0f, -2.0f}, "f4");
  Bytes8 expected;
  append(expected, std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  append(expected, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }" + std::string(58, ' ') + "\n");
  append(expected, std::string("\0\0\x80\x3f\0\0\0\xc0", 8));
  CHECK(bytes == expected);
}

TEST_CASE("values come back from a file of every rank") {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3}, {1, 3, 2, 1}}) {
    const std::vector<float> values{1.0f, -0.5f, 0.0f, INFINITY, 1e-30f, 3.25f};
    const NpyArray array = parse_npy(format_npy(shape, values, "f4"), "x.npy");
    CHECK(array.shape == shape);
    CHECK(array.values == values);
    CHECK(array.dtype == "f4");
  }
}

TEST_CASE("all 65536 fp16 values are read exactly and written back") {
  const std::vector<float> values = every_half();
  CHECK(values[0x3c00] == 1.0f);
  CHECK(values[0x0001] == 0x1p-24f);
  CHECK(values[0x03ff] == 1023 * 0x1p-24f);
  CHECK(values[0x0400] == 0x1p-14f);
  CHECK(values[0x7bff] == 65504.0f);
  CHECK(values[0xfc00] == -INFINITY);
  CHECK(std::isnan(values[0x7c01]));
  CHECK((values[0x8000] == 0.0f && std::signbit(values[0x8000])));
  const std::vector<std::int64_t> shape{65536};
  const std::vector<float> again = parse_npy(format_npy(shape, values, "f2"), "x.npy").values;
  int different = 0;
  for (std::size_t n = 0; n < values.size(); ++n)
    different += std::isnan(values[n])
                     ? !std::isnan(again[n])
                     : __builtin_bit_cast(std::uint32_t, values[n]) != __builtin_bit_cast(std::uint32_t, again[n]);
  CHECK(different == 0);
}

TEST_CASE("writing f2 rounds to the nearest fp16 value") {
  std::mt19937 random(5);
  std::vector<float> values(4096);
  for (float& value : values) value = __builtin_bit_cast(float, static_cast<std::uint32_t>(random()) & 0xcfff'ffffu);
  const std::vector<std::int64_t> shape{4096};
  const std::vector<float> again = parse_npy(format_npy(shape, values, "f2"), "x.npy").values;
  round_all(Dtype::fp16, values);
  CHECK(again == values);
}

TEST_CASE("f8 is narrowed to float") {
  const NpyArray array = parse_npy(file(header_of("<f8", "(2, 1)"), stored<double>({0.1, 1e300})), "x.npy");
  CHECK(array.values == std::vector<float>{0.1f, INFINITY});
  CHECK(array.dtype == "f8");
}

TEST_CASE("byte orders are honoured") {
  const std::vector<float> values{1.5f, -3.0f};
  const std::string here = stored(values), swapped = stored(values, true);
  const bool little = std::endian::native == std::endian::little;
  CHECK(parse_npy(file(header_of("<f4", "(2,)"), little ? here : swapped), "x").values == values);
  CHECK(parse_npy(file(header_of(">f4", "(2,)"), little ? swapped : here), "x").values == values);
  for (const char* native : {"=f4", "|f4", "f4"})
    CHECK(parse_npy(file(header_of(native, "(2,)"), here), "x").values == values);
  CHECK(parse_npy(file(header_of(">f2", "(1,)"), "\x3c\x01"), "x").values[0] == 1.0f + 0x1p-10f);
  CHECK(parse_npy(file(header_of(">f8", "(1,)"), std::string("\x40\x09\0\0\0\0\0\0", 8)), "x").values[0] == 3.125f);
}

TEST_CASE("Fortran order is transposed to C order") {
  const auto matrix = parse_npy(file(header_of("<f4", "(2, 3)", "True"), stored<float>({1, 4, 2, 5, 3, 6})), "x");
  CHECK(matrix.values == std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto cube =
      parse_npy(file(header_of("<f4", "(2, 2, 2)", "True"), stored<float>({0, 4, 2, 6, 1, 5, 3, 7})), "x");
  CHECK(cube.values == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("formats 2 and 3, other key orders, double quotes and missing spaces are accepted") {
  const std::string value = stored<float>({7});
  CHECK(parse_npy(file(header_of("<f4", "(1,)"), value, 2), "x").values[0] == 7);
  CHECK(parse_npy(file(header_of("<f4", "(1,)"), value, 3), "x").values[0] == 7);
  CHECK(parse_npy(file("{\"shape\":(1,1),\"fortran_order\":False,\"descr\":\"<f4\"}", value), "x").values[0] == 7);
}

TEST_CASE("a file that is not an npy file is refused") {
  CHECK_THAT(refusal(Bytes8{}), Contains("not an npy file"));
  CHECK_THAT(refusal(Bytes8(100)), Contains("not an npy file"));
  Bytes8 begun;
  append(begun, std::string("\x93NUMPY\x01", 7));
  CHECK_THAT(refusal(begun), Contains("x.npy: 7 bytes, an npy file begins with at least 10"));
  CHECK_THAT(refusal(file(header_of("<f4", "(1,)"), "1234", 4)), Contains("npy format 4, allowed are 1, 2 and 3"));
  Bytes8 lying = file(header_of("<f4", "(1,)"), "1234");
  lying[9] = std::byte{0xff};
  CHECK_THAT(refusal(lying), Contains("the npy header claims 653") && Contains("are there"));
}

TEST_CASE("a wrong header is refused with the position and the expected text") {
  const auto refused = [](const std::string& header) { return refusal(file(header, "")); };
  CHECK_THAT(refused(""), Contains("character 0: expected '{'"));
  CHECK_THAT(refused("{'descr': '<f4', 'shape': (1,)}"), Contains("lacks one of the keys"));
  CHECK_THAT(refused("{'descr': '<f4', 'descr': '<f4'}"), Contains("key 'descr' appears twice"));
  CHECK_THAT(refused("{'order': 1}"), Contains("unknown key 'order'"));
  CHECK_THAT(refused("{'a\nb\x01': 1}"), Contains("unknown key 'a b\\x01'"));
  CHECK_THAT(refused("{'descr': [('x', '<f4')]}"), Contains("expected a string in quotes"));
  CHECK_THAT(refused("{'descr': '<f4"), Contains("expected a closing quote"));
  CHECK_THAT(refused("{'fortran_order': 1}"), Contains("expected True or False, found \"1}\""));
  CHECK_THAT(refused("{'shape': 5}"), Contains("expected '('"));
  CHECK_THAT(refused("{'shape': (,)}"), Contains("expected an integer"));
  CHECK_THAT(refused("{'shape': (99999999999999999999,)}"), Contains("expected an integer below 2^63"));
  CHECK_THAT(refused("{'shape': (1, 1"), Contains("expected ','"));
  CHECK_THAT(refused(header_of("<f4", "(1,)") + "more"), Contains("expected nothing after '}'"));
}

TEST_CASE("bfloat16, which NumPy saves as V2, is read exactly in either byte order") {
  const std::vector<std::uint16_t> bits{0x3f80, 0xc040, 0x7f80, 0x0001,
                                        0x7f7f};  // 1, -3, infinity, the lowest, the highest
  const std::vector<float> values{1.0f, -3.0f, INFINITY, 0x1p-133f, 0x1.fep127f};
  for (const char* descr : {"<V2", "|V2", ">V2"}) {
    const NpyArray array = parse_npy(file(header_of(descr, "(5,)"), stored(bits, descr[0] == '>')), "x.npy");
    CHECK(array.values == values);
    CHECK(array.dtype == "bf16");
  }
}

TEST_CASE("sizes may be longs of Python 2") {
  for (const char* shape : {"(2L, 1L)", "(2L, 1)", "(2L,1L,)"})
    CHECK(parse_npy(file(header_of("<f4", shape), std::string(8, '\0')), "x.npy").shape[0] == 2);
  CHECK_THAT(refusal("<f4", "(2LL, 1)", 8), Contains("expected ','"));
  CHECK_THAT(refusal("<f4", "(L, 1)", 8), Contains("expected an integer"));
}

TEST_CASE("a number of f8 that float cannot hold is noted, an infinite one is not") {
  const auto parsed = [](const std::vector<double>& values) {
    return parse_npy(file(header_of("<f8", "(3,)"), stored(values)), "x.npy");
  };
  CHECK(!parsed({1.0, INFINITY, NAN}).beyond_float);
  const NpyArray array = parsed({INFINITY, -1e39, 1e40});
  REQUIRE(array.beyond_float);
  CHECK((array.beyond_float->first == 1 && array.beyond_float->second == -1e39));
  CHECK(array.beyond_float_count == 2);
}

TEST_CASE("other dtypes are refused with the allowed ones") {
  for (const char* descr : {"<i4", "|V4", "<V1", "<c8", "f16", "<f", "", "<", "<<f4", "|O"})
    CHECK_THAT(refusal(descr, "(1,)", 4), Contains("allowed are f2, f4 and f8"));
}

TEST_CASE("impossible shapes are refused") {
  CHECK_THAT(refusal("<f4", "()", 4), Contains("0 dimensions, allowed are 1 to 4"));
  CHECK_THAT(refusal("<f4", "(1, 1, 1, 1, 1)", 4), Contains("more than 4 dimensions"));
  CHECK_THAT(refusal("<f4", "(2, 0)", 0), Contains("dimension 0, allowed are 1 and more"));
  CHECK_THAT(refusal("<f4", "(-1, -1)", 4), Contains("dimension -1"));
  CHECK_THAT(refusal("<f4", "(4294967296, 4294967296)", 0), Contains("passes 2^60"));
  CHECK_THAT(refusal("<f4", "(9223372036854775807,)", 0), Contains("passes 2^60"));
}

TEST_CASE("missing and trailing values are refused with both numbers") {
  CHECK_THAT(refusal("<f4", "(2, 3)", 23), Contains("the shape needs 24 bytes of values, 23 are there"));
  CHECK_THAT(refusal("<f2", "(2, 3)", 13), Contains("the shape needs 12 bytes of values, 13 are there"));
  CHECK_THAT(refusal("<f8", "(1000000000000,)", 8), Contains("the shape needs 8000000000000 bytes of values, 8 are"));
}

TEST_CASE("writing refuses what cannot be written") {
  CHECK_THAT(format_refusal({1}, {1}, "f8"), Contains("allowed are f2 and f4"));
  CHECK_THAT(format_refusal({2}, {1}, "f4"), Contains("needs 2 values, 1 are given"));
  CHECK_THAT(format_refusal({}, {}, "f4"), Contains("0 dimensions"));
  CHECK_THAT(format_refusal({0}, {}, "f4"), Contains("dimension 0"));
}

TEST_CASE("a damaged file is parsed or refused, never anything else") {
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::vector<std::int64_t> shape{3, 4};
  const Bytes8 original = format_npy(shape, std::vector<float>(12, 1.0f), "f2");
  const std::string likely = "{}()[],:'\"<>=|f2480123456789-TrueFalse \n";
  int parsed = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    Bytes8 bytes = original;
    for (std::size_t change = below(4); change > 0; --change) {
      const std::size_t at = below(2) == 0 ? below(bytes.size()) : below(72);
      bytes[at] =
          below(2) == 0 ? static_cast<std::byte>(below(256)) : static_cast<std::byte>(likely[below(likely.size())]);
    }
    if (below(3) == 0) bytes.resize(below(bytes.size() + 1));
    try {
      const NpyArray array = parse_npy(bytes, "x.npy");
      std::int64_t count = 1;
      for (const std::int64_t size : array.shape) count *= size;
      REQUIRE(static_cast<std::size_t>(count) == array.values.size());
      ++parsed;
    } catch (const Error& error) {
      REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
      ++refused;
    }
  }
  CHECK(parsed > 1'000);
  CHECK(refused > 1'000);
}

TEST_CASE("every truncation of a file is refused") {
  const std::vector<std::int64_t> shape{3};
  const Bytes8 original = format_npy(shape, std::vector<float>(3, 1.0f), "f4");
  for (std::size_t size = 0; size < original.size(); ++size)
    REQUIRE(refusal(Bytes8(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(size))) != "accepted");
}

TEST_CASE("files are read from disk, and paths that are not files are refused") {
  const auto path = std::filesystem::temp_directory_path() / text("flashscope_", std::random_device{}(), ".npy");
  const std::vector<std::int64_t> shape{2, 2};
  const Bytes8 bytes = format_npy(shape, std::vector<float>{1, 2, 3, 4}, "f2");
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  CHECK(read_npy(path).values == std::vector<float>{1, 2, 3, 4});
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(read_npy(path), Contains("no such file"));
  CHECK_THROWS_WITH(read_npy(std::filesystem::temp_directory_path()), Contains("not a regular file"));
}

}  // namespace sim
