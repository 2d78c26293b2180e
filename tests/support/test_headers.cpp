// Empty: an object library needs a source file, and this one exists to precompile test_headers.h.
