// The header that is compiled with this file is what counts: see VerneTargets.cmake.
