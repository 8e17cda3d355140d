/// The scalars that formulations are compiled for. A file defines VERNE_INSTANTIATE(S) and calls what it needs of
/// VERNE_INSTANTIATE(double), VERNE_INSTANTIATE(std::complex<double>) and VERNE_INSTANTIATE(Counted).
#pragma once

#include <complex>

#include "formulations/counted.h"
