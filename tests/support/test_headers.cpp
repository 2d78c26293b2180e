// An object library needs a file; what is wanted of it is test_headers.h, precompiled.
