/// The scalars that formulations are compiled for. A file defines VERNE_INSTANTIATE(S) and calls what it needs of
/// VERNE_INSTANTIATE(double), VERNE_INSTANTIATE_COMPLEX and VERNE_INSTANTIATE(Counted).
#pragma once

#include <complex>

#include "formulations/counted.h"

// Complex steps check derivatives in the tests; without tests, nobody waits until they are compiled.
#ifdef VERNE_TESTS
#define VERNE_INSTANTIATE_COMPLEX VERNE_INSTANTIATE(std::complex<double>)
#else
#define VERNE_INSTANTIATE_COMPLEX
#endif
