// The main function of every test program, compiled once: it is the slow part of Catch2.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
