// Logarithms, powers, sines and lengths with the same bits on every processor, compiler and C library, for values that
// determine which pixel is drawn or which number is written. Those of the C library differ in their last bit, with the
// library and with the processor's features. These use + - * / and square roots, which IEEE 754 rounds identically
// everywhere. tests/check_layers.sh keeps the others out of drawing code.
// Model: log by the series of atanh around a power of two, exp by that of Taylor, as the sine. Source: W. Cody and W.
// Waite, "Software manual for the elementary functions", 1980, chapters 5 and 6. Inaccuracies: log and exp are wrong by
// at most 2 in the last place; power(x, y) by |y log x| times that; the sine by at most 3e-16.
#pragma once

namespace draw::steady {

/// Natural logarithm of a positive, finite number.
double log(double x);
/// e^x for |x| <= 700.
double exp(double x);
/// x^y for positive x.
double power(double x, double y);

/// base^n of a whole base, if it is a number; the nearest double if the power, or that of -n, is exact.
double power_of(int base, int n);
/// Largest n with base^n <= x, for a base of at least 2 and a positive number.
int exponent_in(int base, double x);

/// Sine of an angle in turns, sin(2 pi x): that of a quarter is 1.
double sine_of_turns(double x);

/// Length of a vector.
double length(double x, double y);
float length(float x, float y);

}  // namespace draw::steady
