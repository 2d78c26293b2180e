#include "sim/base/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/dtype.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/units.h"

namespace sim {
namespace {

// Header of an .npy file. Source: numpy.lib.format.

/// Largest rank that is read or written; the smallest is 1.
constexpr std::size_t largest_npy_rank = 4;

/// A parsed header; a field is empty if its key is missing.
struct NpyHeader {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Returns text from a file, shortened for a one-line message.
std::string shown_of_npy(std::string_view found) { return shortened(found, 32); }

class HeaderParser {
 public:
  HeaderParser(std::string_view header, const std::string& name) : rest_(header), size_(header.size()), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      read_entry(header);
      if (accept('}')) break;
      expect(',');
    }
    skip_space();
    check(rest_.empty(), "nothing after '}'");
    return header;
  }

 private:
  void read_entry(NpyHeader& header) {
    const std::string key = quoted();
    expect(':');
    if (key == "descr") {
      set(header.descr, key, quoted());
    } else if (key == "fortran_order") {
      set(header.fortran_order, key, boolean());
    } else if (key == "shape") {
      set(header.shape, key, tuple());
    } else {
      throw Error(name_, ": unknown key '", shown_of_npy(key),
                  "' in the npy header, allowed are descr, fortran_order, shape");
    }
  }

  template <class Value>
  void set(std::optional<Value>& field, const std::string& key, Value value) {
    require(!field, name_, ": key '", key, "' appears twice in the npy header");
    field = std::move(value);
  }

  std::string quoted() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    check(quote == '\'' || quote == '"', "a string in quotes");
    const std::size_t end = rest_.find(quote, 1);
    check(end != std::string_view::npos, "a closing quote");
    std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  bool boolean() {
    if (accept("True")) return true;
    check(accept("False"), "True or False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(integer());
      require(result.size() <= largest_npy_rank, name_, ": more than ", largest_npy_rank,
              " dimensions, allowed are 1 to 4");
      if (accept(')')) break;
      expect(',');
    }
    return result;
  }

  std::int64_t integer() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    check(error == std::errc{}, "an integer below 2^63");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // a long of Python 2
    return value;
  }

  bool accept(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) { check(accept(c), std::string{'\'', c, '\''}); }
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  void check(bool condition, std::string_view expected) const {
    require(condition, name_, ": npy header, character ", size_ - rest_.size(), ": expected ", expected, ", found \"",
            shown_of_npy(rest_), "\"");
  }

  std::string_view rest_;
  std::size_t size_;
  const std::string& name_;
};

/// Parses the Python dict literal {'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }, including Python 2
/// longs: (4L, 2L). Throws Error that begins with `name` and gives the unexpected character and what was expected.
NpyHeader parse_npy_header(std::string_view header, const std::string& name) {
  return HeaderParser(header, name).parse();
}

// The file.

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t largest_file = std::uint64_t{16} << 30;  // 16 GiB

/// Storage format of a value: size in bytes, byte order, and whether two bytes are bfloat16.
struct Storage {
  std::size_t bytes;
  bool big_endian;
  bool bfloat16;
  std::string name() const { return bfloat16 ? "bf16" : text('f', bytes); }
};

/// Parses "<f4" and the like. '=', '|' and no prefix mean the byte order of this machine. NumPy has no native bfloat16:
/// that of ml_dtypes (JAX, and PyTorch through it) is saved as two bytes without a type, V2.
Storage parse_descr(std::string_view descr, const std::string& name) {
  std::string_view type = descr;
  const bool has_order = !type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos;
  if (has_order) type.remove_prefix(1);
  require(type == "f2" || type == "f4" || type == "f8" || type == "V2", name, ": dtype '", shown_of_npy(descr),
          "', allowed are f2, f4 and f8 as in '<f2', '<f4', '>f8', and V2 for bfloat16");
  const bool native = !has_order || descr.front() == '=' || descr.front() == '|';
  const bool big = native ? std::endian::native == std::endian::big : descr.front() == '>';
  return {static_cast<std::size_t>(type[1] - '0'), big, type == "V2"};
}

/// Loads an unsigned integer of sizeof(Bits) bytes, byte by byte, independent of the byte order of this machine.
template <class Bits>
Bits load(const std::byte* at, bool big_endian) {
  Bits bits = 0;
  for (std::size_t n = 0; n < sizeof(Bits); ++n) {
    const auto byte = static_cast<Bits>(at[big_endian ? sizeof(Bits) - 1 - n : n]);
    bits = static_cast<Bits>(bits | static_cast<Bits>(byte << (8 * n)));
  }
  return bits;
}

template <class Bits>
void append(std::vector<std::byte>& out, Bits bits) {
  for (std::size_t n = 0; n < sizeof(Bits); ++n) out.push_back(static_cast<std::byte>((bits >> (8 * n)) & 0xff));
}

/// The value of fp16 bits, exact. fp16 biases its exponent by 15, fp32 by 127.
float from_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  std::uint32_t bits = (magnitude << 13) + (112u << 23);
  if (magnitude >= 0x7c00u) bits = 0x7f80'0000u | (magnitude & 0x3ffu) << 13;  // infinity, NaN
  if (magnitude < 0x400u)
    bits = __builtin_bit_cast(std::uint32_t, static_cast<float>(magnitude) * 0x1p-24f);  // subnormal
  return __builtin_bit_cast(float, bits | sign);
}

/// The fp16 bits of the nearest fp16 value.
std::uint16_t to_half(float value) {
  const auto bits = __builtin_bit_cast(std::uint32_t, round_to(Dtype::fp16, value));
  const float magnitude = std::fabs(__builtin_bit_cast(float, bits));
  std::uint32_t half = ((bits & 0x7fff'ffffu) - (112u << 23)) >> 13;
  if (!std::isfinite(magnitude)) half = std::isnan(magnitude) ? 0x7e00u : 0x7c00u;
  if (magnitude < 0x1p-14f) half = static_cast<std::uint32_t>(magnitude * 0x1p24f);
  return static_cast<std::uint16_t>(half | (bits >> 31) << 15);
}

double load_value(const std::byte* at, Storage storage) {
  const auto as_float = [](std::uint32_t bits) { return static_cast<double>(__builtin_bit_cast(float, bits)); };
  if (storage.bfloat16) return as_float(std::uint32_t{load<std::uint16_t>(at, storage.big_endian)} << 16);
  if (storage.bytes == 2) return static_cast<double>(from_half(load<std::uint16_t>(at, storage.big_endian)));
  if (storage.bytes == 4) return as_float(load<std::uint32_t>(at, storage.big_endian));
  return __builtin_bit_cast(double, load<std::uint64_t>(at, storage.big_endian));
}

/// Narrows a value to float; records values that are finite in the file and infinite as float.
float narrowed(double value, std::size_t n, NpyArray& array) {
  const auto result = static_cast<float>(value);
  if (!std::isinf(result) || !std::isfinite(value)) return result;
  if (++array.beyond_float_count == 1) array.beyond_float = {n, value};
  return result;
}

/// The number of elements of a shape of allowed rank and sizes.
std::int64_t element_count(std::span<const std::int64_t> shape, const std::string& name) {
  require(!shape.empty() && shape.size() <= largest_npy_rank, name, ": ", shape.size(),
          " dimensions, allowed are 1 to ", largest_npy_rank);
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    require(size >= 1, name, ": dimension ", size, ", allowed are 1 and more");
    require(size <= std::numeric_limits<std::int64_t>::max() / 8 / count, name, ": the product of the dimensions, ",
            count, " x ", size, " ..., passes 2^60");
    count *= size;
  }
  return count;
}

/// Position in Fortran order (first index fastest) of element n in C order (last index fastest).
std::int64_t fortran_position(std::int64_t n, std::span<const std::int64_t> shape) {
  std::int64_t position = 0;
  for (std::size_t axis = shape.size(); axis-- > 0; n /= shape[axis]) {
    std::int64_t stride = 1;
    for (std::size_t before = 0; before < axis; ++before) stride *= shape[before];
    position += n % shape[axis] * stride;
  }
  return position;
}

/// Splits a file into the text of its header and the values after it.
auto split(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view characters(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  require(characters.starts_with(magic), name, ": not an npy file: it does not begin with \\x93NUMPY");
  require(bytes.size() >= 10, name, ": ", bytes.size(), " bytes, an npy file begins with at least 10");
  const int version = static_cast<int>(bytes[6]);
  require(version >= 1 && version <= 3, name, ": npy format ", version, ", allowed are 1, 2 and 3");
  const std::size_t start = version == 1 ? 10 : 12;
  require(bytes.size() >= start, name, ": ", bytes.size(), " bytes, npy format ", version, " begins with ", start);
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(&bytes[8], false) : load<std::uint32_t>(&bytes[8], false);
  require(length <= bytes.size() - start, name, ": the npy header claims ", length, " bytes, ", bytes.size() - start,
          " are there");
  return std::pair(characters.substr(start, length), bytes.subspan(start + length));
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name) {
  const auto [header_text, data] = split(bytes, name);
  const NpyHeader header = parse_npy_header(header_text, name);
  require(header.descr && header.fortran_order && header.shape, name,
          ": the npy header lacks one of the keys descr, fortran_order, shape");
  const Storage storage = parse_descr(*header.descr, name);
  const std::int64_t count = element_count(*header.shape, name);
  const auto needed = static_cast<std::uint64_t>(count) * storage.bytes;
  require(data.size() == needed, name, ": the shape needs ", needed, " bytes of values, ", data.size(), " are there");

  NpyArray array{*header.shape, std::vector<float>(data.size() / storage.bytes), storage.name()};
  for (std::size_t n = 0; n < array.values.size(); ++n) {
    const auto position = *header.fortran_order ? fortran_position(static_cast<std::int64_t>(n), array.shape)
                                                : static_cast<std::int64_t>(n);
    array.values[n] =
        narrowed(load_value(&data[static_cast<std::size_t>(position) * storage.bytes], storage), n, array);
  }
  return array;
}

NpyArray read_npy(const std::filesystem::path& path) {
  constexpr std::uint64_t limit = std::min<std::uint64_t>(largest_file, std::numeric_limits<std::ptrdiff_t>::max());
  const std::string bytes = read_file(path.string(), static_cast<std::int64_t>(limit));
  return parse_npy(std::as_bytes(std::span(bytes)), path.string());
}

std::vector<std::byte> format_npy(std::span<const std::int64_t> shape, std::span<const float> values,
                                  const std::string& dtype) {
  require(dtype == "f2" || dtype == "f4", "format_npy: dtype '", dtype, "', allowed are f2 and f4");
  const std::int64_t count = element_count(shape, "format_npy");
  require(static_cast<std::uint64_t>(count) == values.size(), "format_npy: the shape needs ", count, " values, ",
          values.size(), " are given");
  std::string sizes;
  for (const std::int64_t size : shape) sizes += text(sizes.empty() ? "" : ", ", size);
  if (shape.size() == 1) sizes += ',';
  std::string header = text("{'descr': '<", dtype, "', 'fortran_order': False, 'shape': (", sizes, "), }");
  header.append(128 - magic.size() - 4 - header.size() - 1, ' ');  // numpy aligns the values to 64 bytes
  header += '\n';

  std::vector<std::byte> bytes;
  bytes.reserve(128 + values.size() * (dtype == "f2" ? 2 : 4));
  for (const char c : magic) bytes.push_back(static_cast<std::byte>(c));
  append<std::uint16_t>(bytes, 0x0001);  // format 1.0
  append(bytes, static_cast<std::uint16_t>(header.size()));
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  for (const float value : values)
    dtype == "f2" ? append(bytes, to_half(value)) : append(bytes, __builtin_bit_cast(std::uint32_t, value));
  return bytes;
}

}  // namespace sim
