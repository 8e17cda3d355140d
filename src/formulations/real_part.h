/// The number behind a scalar, where a decision has to be taken.
#pragma once

#include <complex>

#include "formulations/counted.h"

namespace verne::formulations {

inline double real_part(double x) {
  return x;
}
inline double real_part(const std::complex<double>& x) {
  return x.real();
}
inline double real_part(const Counted& x) {
  return x.value();
}

}  // namespace verne::formulations
