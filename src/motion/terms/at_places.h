/// A term from code at many places: one call finds its values, gradients or second derivatives at all of them.
#pragma once

#include <vector>

#include "verne/motion/term.h"

namespace verne {

/// Finds nothing before it is asked. What it is asked at a place that nobody announced, it finds there alone.
class TermAtPlaces {
 public:
  explicit TermAtPlaces(const Term& term);

  /// The places that are next, u of one behind that of the other.
  void announce(const double* u, int count);
  /// These stay valid until the next call.
  ///@{
  double value(const double* u) { return *at(u, values_); }
  const double* gradient(const double* u) { return at(u, gradients_); }
  const double* hessian(const double* u) { return at(u, hessians_); }
  ///@}

 private:
  /// What is found for each place.
  struct Found {
    void (Term::*find)(const double* u, int count, double* to) const;
    std::size_t size;  // numbers of a place
    bool known = false;
    std::vector<double> all{}, alone{};
  };
  const double* at(const double* u, Found& found);

  const Term& term_;
  std::size_t size_;
  int count_ = 0, next_ = 0;  // places; where the one that was asked for last is followed
  std::vector<double> u_;
  Found values_, gradients_, hessians_;
};

}  // namespace verne
