/// Eigen's decompositions, compiled in one file: they cost more time to compile than all that uses them.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace verne::formulations {

/// A matrix in factors, for systems with it: rows and columns pivoted where it is square, least squares where it has
/// more rows than columns. S is double or std::complex<double>.
template <class S>
class Factors {
 public:
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  explicit Factors(const Matrix& A);
  Factors(Factors&&) noexcept;
  ~Factors();

  /// Whether all columns count, so that solutions are unique.
  bool full_rank() const;
  Matrix solve(const Matrix& b) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace verne::formulations
