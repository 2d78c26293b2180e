// The main function of every test program. Compiled once, because it is the slow part of Catch2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
