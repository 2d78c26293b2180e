// Logarithms, powers and lengths that have the same bits on every processor, with every compiler and C library: where a
// value decides which pixel is drawn or which number is written. Those of the C library differ in their last bit, with
// the library and with what the processor can do. Here they are made of + - * / and square roots, which IEEE 754 rounds
// alike everywhere. tests/check_layers.sh keeps the others out of what is drawn.
// Model: log by the series of atanh around a power of two, exp by that of Taylor. Source: W. Cody and W. Waite,
// "Software manual for the elementary functions", 1980, chapters 5 and 6.
// Inaccuracies: log and exp are wrong by at most 2 in the last place; power(x, y) by |y log x| times that.
#pragma once

namespace ui::steady {

/// Natural logarithm of a positive, finite number.
double log(double x);
/// e^x for |x| <= 700.
double exp(double x);
/// x^y for positive x.
double power(double x, double y);

/// base^n of a whole base, where it is a number; the double nearest to it where the power, or that of -n, is exact.
double power_of(int base, int n);
/// The largest n with base^n <= x, of a base of at least 2 and a positive number.
int exponent_in(int base, double x);

/// The length of a vector.
double length(double x, double y);
float length(float x, float y);

}  // namespace ui::steady
