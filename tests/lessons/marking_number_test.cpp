// Numbers as learners type them, and the marking of rounded and wrong ones.
#include <catch2/catch.hpp>

#include "tests/lessons/example.h"

using Catch::Contains;
using example::Ready;
using lessons::Verdict;

namespace {

double value_of(const std::string& typed, const std::string& unit) { return lessons::read_number(typed, unit).value; }
std::string error_of(const std::string& typed, const std::string& unit) {
  return example::error_of([&] { lessons::read_number(typed, unit); });
}

/// Marks an answer to the first step of the example, with another right answer.
Verdict verdict_of(const std::string& answer, const std::string& typed, const std::string& tolerance = "0 %") {
  const std::string right = "answer = \"tile_traffic.by_tensor.O.write_bytes\"";
  const Ready ready(
      "count", {example::with(example::toml, right, "answer = \"" + answer + "\"\ntolerance = \"" + tolerance + "\"")});
  return ready.mark("written", typed);
}

}  // namespace

TEST_CASE("a number is understood in all common notations") {
  for (const std::string typed :
       {"4456448",       "4,456,448", "4_456_448",   "4456448 B",          "4456448B",     "4456.448 kB", "4.456448e6",
        "4352 KiB",      "4.25 MiB",  "4.25MiB",     "4.25 * 1024 * 1024", "4.25*1024^2",  "(17 * 2^18)", "  4456448  ",
        "4456448 bytes", "4 456 448", "4 456 448 B", "4.25 mib",           "4456448 byte", "4456448 字节"}) {
    INFO(typed);
    CHECK(value_of(typed, "bytes") == 4456448);
  }
  CHECK(value_of("3*1024", "bytes") == 3072);
  CHECK(value_of("4.46 MB", "bytes") == 4.46e6);
  CHECK(value_of("4.46e6", "bytes") == 4.46e6);
  CHECK(value_of("-5", "number") == -5);
  CHECK(value_of("0", "bytes") == 0);
  CHECK(value_of("1e308", "number") == 1e308);
  CHECK(value_of("40", "percent") == 0.4);
  CHECK(value_of("40 %", "percent") == 0.4);
  CHECK(value_of("64", "kibibytes") == 64 * 1024);
  CHECK(value_of("64 KiB", "kibibytes") == 64 * 1024);
  CHECK(value_of("65,536 B", "kibibytes") == 64 * 1024);
  CHECK(value_of("1.5 ms", "microseconds") == 1500);
  CHECK(value_of("90.4 µs", "microseconds") == 90.4);
  CHECK(value_of("90.4 us", "microseconds") == 90.4);
  CHECK(value_of("1.5 TB/s", "byte_rate") == 1.5e12);
  CHECK(value_of("201 FLOP/B", "intensity") == 201);
  CHECK(value_of("12 GFLOP", "flops") == 12e9);
  CHECK(value_of("3.88x", "ratio") == 3.88);
  CHECK(value_of("3.88 x", "number") == 3.88);
  CHECK(value_of("2 M", "number") == 2e6);
  CHECK(value_of("5 mb", "bytes") == 5e6);
  CHECK(value_of("201 FLOPs/byte", "intensity") == 201);
  CHECK(value_of("12 gflops", "flops") == 12e9);
  CHECK(value_of("1.5 毫秒", "microseconds") == 1500);
  CHECK(value_of("90.4 \u03bcs", "microseconds") == 90.4);  // the Greek letter
}

TEST_CASE("a unit that does not fit is refused, and not guessed") {
  for (const auto& [typed, unit] : {std::pair("5 us", "bytes"),
                                    {"5 B", "microseconds"},
                                    {"5 GB/s", "bytes"},
                                    {"5 %", "bytes"},
                                    {"5 FLOP", "bytes"},
                                    {"5 B", "number"},
                                    {"5 parsec", "number"},
                                    {"5 MBB", "bytes"},
                                    {"5 bits", "bytes"},
                                    {"5 B", "percent"}}) {
    INFO(typed << " for " << unit);
    CHECK_THAT(error_of(typed, unit), Contains("is not a unit of this number"));
  }
  CHECK_THAT(error_of("5 bits", "bytes"), Contains("it has B, kB, MB"));
}

TEST_CASE("a comma is read as a separator of three digits or as a decimal point, whichever is right") {
  CHECK(value_of("0,368", "number") == 0.368);  // no group begins with 0
  CHECK(value_of("0,36", "number") == 0.36);
  CHECK(value_of("12,5 %", "percent") == 0.125);
  CHECK(value_of("1,5 * 2,5", "number") == 3.75);
  CHECK(value_of("1,5 MiB", "bytes") == 1.5 * 1024 * 1024);
  CHECK(value_of("4,456", "number") == 4456);
  CHECK(value_of("4,456,448", "number") == 4456448);
  CHECK(value_of("1,048.5", "number") == 1048.5);
  CHECK(value_of("(1,024 + 2) * 3", "number") == 3078);
  CHECK(verdict_of("0.368 | number", "0,368").right);
  CHECK(verdict_of("4.456 | number", "4,456").right);
  CHECK(verdict_of("4456 | number", "4,456").right);
  CHECK(verdict_of("1.456 | bytes", "1,456 B").right);
  CHECK_FALSE(verdict_of("5 | number", "4,456").right);
  for (const std::string typed :
       {"1,2,3", "1,23,456", "0,368,2", "1,0.5", "(1,0)", "(0, 1)", "(1,024)", "1,,2", ",5"}) {
    INFO(typed);
    CHECK_THAT(error_of(typed, "number"), Contains("is not a number"));
  }
}

TEST_CASE("text that is not a number is rejected with a message") {
  CHECK_THAT(error_of("many", "bytes"), Contains("\"many\" is not a number: type one, such as 2.5 or 3*1024"));
  CHECK_THAT(error_of("", "bytes"), Contains("is not a number"));
  CHECK_THAT(error_of("B", "bytes"), Contains("is not a number"));
  for (const std::string typed : {"nan", "NaN", "inf", "-inf", "infinity", "1e309", "1/0", "sqrt(-1)", "log(0)", "x5",
                                  "1 2", "1..2", "5 B 3", "0x10", "1,2,3,", "((1)", "1e", "--", "O * 2"}) {
    INFO(typed);
    CHECK_FALSE(error_of(typed, "bytes").empty());
  }
  for (const std::string typed : {"5 to 7", "1..5", "8 388 60", "1 2"})
    CHECK_THAT(error_of(typed, "bytes"), Contains("\"" + typed + "\" is not a number: type one"));
  CHECK_THAT(error_of("3*(1024", "bytes"), Contains("\"3*(1024\" cannot be calculated: a number, a sign or a bracket"));
  CHECK_THAT(error_of("1e400", "bytes"), Contains("is too large"));
  CHECK_FALSE(error_of(std::string(10'000, '9'), "bytes").empty());
  CHECK_FALSE(error_of(std::string(3000, '('), "bytes").empty());
}

TEST_CASE("an answer that is not understood costs nothing and never throws") {
  const Ready ready("count");
  for (const std::string& typed :
       {std::string(), std::string("   "), std::string("many"), std::string("nan"), std::string("1/0"),
        std::string(10'000, '9'), std::string("5 us"), std::string("\x1b[31m5"), std::string("\xff"),
        std::string("5\0", 2), std::string("5\xe2\x80\xae"), std::string(5000, 'x')}) {
    const Verdict verdict = ready.mark("written", typed);
    CHECK_FALSE(verdict.understood);
    CHECK_FALSE(verdict.right);
    CHECK_FALSE(verdict.error.empty());
    CHECK(sim::printable(verdict.error.text()) == verdict.error.text());
  }
  for (const std::string typed : {"1e308", "-1e308", "-307200", "1e-300", "0"}) {
    INFO(typed);
    const Verdict verdict = ready.mark("written", typed);
    CHECK(verdict.understood);
    CHECK_FALSE(verdict.right);
    CHECK_FALSE(verdict.given.empty());
  }
}

TEST_CASE("a range, and the right digits without their unit, do not count as a try") {
  const Ready ready("count");
  for (const std::string typed : {"5-7", "300-310", "0-1", "307.2", "0.3072", "307"}) {
    INFO(typed);
    CHECK_FALSE(ready.mark("written", typed).understood);
  }
  CHECK_THAT(ready.mark("written", "300-310").error.text(), Contains("not a range"));
  CHECK_THAT(ready.mark("written", "0.3072").error.text(), Contains("type its unit as well, one of B, kB"));
  const sim::Sentence range = ready.mark("written", "300-310").error;
  CHECK(range.words() == "{} is read as a difference, {}: type one number, not a range");
  REQUIRE(range.values().size() == 2);
  CHECK(range.values()[0].is_name());  // the same in every language
  CHECK(range.values()[0].text() == "\"300-310\"");
  CHECK(ready.mark("written", "301").understood);  // other digits are another number
  CHECK(ready.mark("written", "307 MB").understood);
  CHECK(ready.mark("written", "-307200").understood);
}

TEST_CASE("full-width characters and symbols copied from pages are read as their ASCII equivalents") {
  const Ready ready("count");
  for (const std::string typed :
       {"３０７２００", "307，200", "３００×１０２４", "300·1024", "307200　Ｂ", "614400÷2", "300*1024 字节"}) {
    INFO(typed);
    CHECK(ready.mark("written", typed).right);
  }
  CHECK(Ready("lines").mark("next", "（３，０）").right);
}

TEST_CASE("a number beyond the range of counts is read and printed") {
  const Verdict verdict = verdict_of("4456448 | bytes", "99999999999999999999999");
  CHECK(verdict.given == "1e+23 B");
  CHECK_FALSE(verdict.right);
  CHECK(lessons::written(1e300, "number") == "1e+300");
  CHECK(lessons::written(2368.4, "number") == "2,368");
}

TEST_CASE("the right number is right however it is typed") {
  const Ready ready("count");
  for (const std::string typed :
       {"307200", "307,200", "307,200 B", "300 KiB", "300*1024", "307 kB", "0.3072 MB", "5*61440", "307e3 + 200"}) {
    INFO(typed);
    const Verdict verdict = ready.mark("written", typed);
    CHECK(verdict.right);
    CHECK(verdict.expected == "307,200 B");
    CHECK(verdict.why.empty());
    CHECK(verdict.reason.empty());
  }
}

TEST_CASE("three digits are enough, two are not unless the question is tolerant") {
  CHECK(verdict_of("4456448 | bytes", "4.46 MB").right);
  CHECK_FALSE(verdict_of("4456448 | bytes", "4.5 MB").right);
  CHECK_FALSE(verdict_of("4456448 | bytes", "4.45 MB").right);
  CHECK_FALSE(verdict_of("4456448 | bytes", "4.47 MB").right);
  CHECK(verdict_of("4456448 | bytes", "4.456 MB").right);
  CHECK_FALSE(verdict_of("4456448 | bytes", "4.457 MB").right);
  CHECK(verdict_of("4456448 | bytes", "4.5 MB", "1 %").right);
  CHECK_FALSE(verdict_of("4456448 | bytes", "4.5 MB", "0.5 %").right);
  CHECK(verdict_of("1 / 3 | number", "0.333").right);
  CHECK_FALSE(verdict_of("1 / 3 | number", "0.33").right);
  CHECK_FALSE(verdict_of("1 / 3 | number", "0.03").right);
  CHECK(verdict_of("1 / 3 | percent", "33.3 %").right);
  CHECK(verdict_of("1 / 3 | percent", "33.3").right);
  CHECK_FALSE(verdict_of("1 / 3 | percent", "33 %").right);
  CHECK_FALSE(verdict_of("100.4 | number", "101").right);
  CHECK(verdict_of("100.4 | number", "100").right);
  CHECK_FALSE(verdict_of("-5 | number", "5").right);
  CHECK(verdict_of("0 - 5 | number", "-5").right);
  CHECK(verdict_of("0 | number", "0").right);
  CHECK_FALSE(verdict_of("0 | number", "1").right);
}

TEST_CASE("the digits of an exponent count as those of another number") {
  CHECK(verdict_of("9126805504 | bytes", "9.13e9").right);
  CHECK(verdict_of("9126805504 | bytes", "9.13E+9 B").right);
  CHECK(verdict_of("307200 | number", "307e3").right);
  CHECK(verdict_of("0.000123 | number", "1.23e-4").right);
  CHECK_FALSE(verdict_of("9126805504 | bytes", "9.1e9").right);
  CHECK_FALSE(verdict_of("9126805504 | bytes", "9.14e9").right);
  CHECK_FALSE(verdict_of("9126805504 | bytes", "9.13e8").right);
}

TEST_CASE("a count is exact, unless it is written as a rounded number") {
  for (const auto& [count, typed] : {std::pair("131", "131"),
                                     {"131", "1.31e2"},
                                     {"3718", "3,718"},
                                     {"3718", "3.72e3"},
                                     {"3718", "3.72 k"},
                                     {"131072", "131,000"},
                                     {"131072", "131100"},
                                     {"65536", "65,500"},
                                     {"100352", "100 k"},
                                     {"81", "81"}}) {
    INFO(typed << " for " << count);
    CHECK(verdict_of(std::string(count) + " | number", typed).right);
  }
  for (const auto& [count, typed] : {std::pair("131", "130"),
                                     {"131", "132"},
                                     {"131", "1.3e2"},
                                     {"131", "131.4"},
                                     {"3718", "3,720"},
                                     {"3718", "3,700"},
                                     {"3718", "3.7e3"},
                                     {"131072", "130,000"},
                                     {"131072", "131071"},
                                     {"65536", "65,600"},
                                     {"81", "80"},
                                     {"81", "82"},
                                     {"99999", "100,001"}}) {
    INFO(typed << " for " << count);
    CHECK_FALSE(verdict_of(std::string(count) + " | number", typed).right);
  }
}

TEST_CASE("e is Euler's number where a number has no unit of bytes") {
  for (const std::string typed : {"1/e", "e^-1", "exp(-1)", "1 / e", "e^(-1)", "0.368", "36.8 %"}) {
    INFO(typed);
    CHECK(verdict_of("exp(0 - 1) | percent", typed).right);
  }
  CHECK(verdict_of("2 * exp(0 - 1) | number", "2e^-1").right);
  CHECK(verdict_of("2 * exp(0 - 1) | number", "2/e").right);
  CHECK(verdict_of("exp(1) | ratio", "e").right);
  CHECK(verdict_of("exp(1) | ratio", "e x").right);
  CHECK(verdict_of("0.2 | number", "2e-1").right);  // an exponent
  CHECK_FALSE(error_of("4*e", "bytes").empty());    // here it would be bytes per element
  for (const std::string typed : {"e", "me", "1/he", "ee", "1/e2"}) {
    INFO(typed);
    CHECK_FALSE(error_of(typed, "bytes").empty());
    if (typed != "e") CHECK_FALSE(error_of(typed, "number").empty());
  }
}

TEST_CASE("a share is typed in percent or as a fraction") {
  for (const std::string typed : {"26.9", "26.9 %", "0.269", "0,269", "26,9"}) {
    INFO(typed);
    const Verdict verdict = verdict_of("0.2687 | percent", typed);
    CHECK(verdict.right);
    CHECK(verdict.given == "26.9 %");
  }
  CHECK_FALSE(verdict_of("0.2687 | percent", "0.269 %").right);
  CHECK_FALSE(verdict_of("0.2687 | percent", "0.27").right);
  CHECK(verdict_of("0.2687 | percent", "0.35").given == "35.0 %");  // the closer reading is shown
}

TEST_CASE("of two readings, the one that is right counts, then the one that was anticipated") {
  const auto marked = [](const std::string& answer, const std::string& wrong, const std::string& typed) {
    std::string toml = example::with(example::toml, "answer = \"tile_traffic.by_tensor.O.write_bytes\"",
                                     "answer = \"" + answer + " | number\"");
    toml = example::with(toml, "{ when = \"tile_traffic.by_tensor.O.read_bytes\", why = \"reads\" }",
                         "{ when = \"" + wrong + "\", why = \"reads\" }");
    return Ready("count", {toml}).mark("written", typed);
  };
  CHECK(marked("3718", "3.718", "3,718").right);
  CHECK(marked("3.718", "3718", "3,718").right);
  CHECK(marked("5", "3.718", "3,718").why == "reads");
  CHECK(marked("5", "3718", "3,718").why == "reads");
  CHECK(marked("5", "7", "3,718").given == "3.72");            // the closer one
  CHECK(marked("100352", "100000", "100000").why == "reads");  // exactly wrong, before right if rounded
  CHECK(marked("100352", "100001", "100000").right);
}

TEST_CASE("a wrong number that was expected has its reason") {
  const Ready ready("count");
  const Verdict reads = ready.mark("written", "245,760 B"), once = ready.mark("written", "61.4 kB");
  CHECK_FALSE(reads.right);
  CHECK(reads.why == "reads");
  CHECK(reads.reason.empty());
  CHECK(once.why == "once");
  CHECK(once.given == "61,400 B");
  CHECK(once.expected == "307,200 B");
}

TEST_CASE("other wrong numbers are explained by their ratio") {
  const auto reason = [](const std::string& factor) {
    const Verdict verdict = verdict_of("tile_traffic.by_tensor.O.write_bytes", "307200 * " + factor);
    CHECK_FALSE(verdict.right);
    CHECK(verdict.why.empty());
    return verdict.reason.text();
  };
  for (const char* unit : {"number", "microseconds", "percent", "ratio", "intensity", "byte_rate"}) {
    for (const char* factor : {"2", "0.5", "0.25", "3", "5", "1/15", "1.024"}) {
      const Verdict verdict = verdict_of(std::string("tile_traffic.total | ") + unit, std::string("8 * ") + factor);
      INFO(unit << ", " << factor);
      CHECK(verdict.reason.empty());  // the unit has no bytes, heads or batch entries
    }
  }
  CHECK_THAT(reason("2"), Contains("Twice as much"));
  CHECK_THAT(reason("0.5"), Contains("Half of it"));
  CHECK_THAT(reason("0.25"), Contains("These are elements"));
  CHECK_THAT(reason("3"), Contains("number of batch entries"));
  CHECK_THAT(reason("5"), Contains("number of heads"));
  CHECK_THAT(reason("1/3"), Contains("number of batch entries"));
  CHECK_THAT(reason("1/15"), Contains("one head of one batch"));
  CHECK_THAT(reason("1.024"), Contains("1,024 for 1,000"));
  CHECK_THAT(reason("1/1.024"), Contains("1,024 for 1,000"));
  CHECK_THAT(reason("1.024^2"), Contains("1,024 for 1,000"));
  CHECK_THAT(reason("1/1.024^3"), Contains("1,024 for 1,000"));
  CHECK(reason("1.7").empty());
  CHECK(reason("-1").empty());
  CHECK(reason("1e300").empty());
}

TEST_CASE("the reason of a ratio needs no more digits than were typed, and no two ratios fit them") {
  const auto reason = [](const std::string& typed) {
    const Verdict verdict = verdict_of("9126805504 + 0 * hbm_traffic | bytes", typed);
    CHECK_FALSE(verdict.right);
    return verdict.reason.text();
  };
  for (const std::string typed : {"18253611008", "18.25 GB", "18.3 GB", "18.3e9", "17 GiB", "18 GB"}) {
    INFO(typed);
    CHECK_THAT(reason(typed), Contains("Twice as much"));
  }
  for (const std::string typed : {"18.4 GB", "18.2 GB", "2e10"}) {
    INFO(typed);
    CHECK(reason(typed).empty());
  }
  CHECK_THAT(reason("9.35 GB"), Contains("1,024 for 1,000"));
  CHECK(reason("9.1 GB") == "Close: write three digits or more.");
  CHECK(reason("9.8 GB").find("1,024") != std::string::npos);  // 1.024^3, alone
  CHECK(reason("9e9").empty());
}

TEST_CASE("a term of the total that is missing is named as a reader would") {
  const auto reason = [](const std::string& name) {
    const Ready ready("count");
    const double total = ready.scene.facts().value("tile_traffic.total"),
                 part = ready.scene.facts().value("tile_traffic." + name);
    return verdict_of("tile_traffic.total", sim::text(std::llround(total - part))).reason.text();
  };
  CHECK(reason("statistics") == "This is missing: the traffic of the statistics, K or V.");
  CHECK(reason("initialisation") == "This is missing: the traffic of the initialisation.");
  CHECK(reason("by_tensor.Q") == "This is missing: the traffic of Q.");
  CHECK(reason("by_tensor.O") == "This is missing: the traffic of O.");
}
