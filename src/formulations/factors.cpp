#include "formulations/factors.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <variant>

#include "formulations/instances.h"

namespace verne::formulations {

template <class S>
struct Factors<S>::Parts {
  std::variant<Eigen::FullPivLU<Matrix>, Eigen::CompleteOrthogonalDecomposition<Matrix>> factors;
  Eigen::Index columns;
};

template <class S>
Factors<S>::Factors(const Matrix& A) : parts_(std::make_unique<Parts>()) {
  parts_->columns = A.cols();
  if (A.rows() == A.cols()) {
    parts_->factors = Eigen::FullPivLU<Matrix>(A);
  } else {
    parts_->factors = Eigen::CompleteOrthogonalDecomposition<Matrix>(A);
  }
}
template <class S>
Factors<S>::Factors(Factors&&) noexcept = default;
template <class S>
Factors<S>::~Factors() = default;

template <class S>
bool Factors<S>::full_rank() const {
  return std::visit([](const auto& factors) { return factors.rank(); }, parts_->factors) == parts_->columns;
}

template <class S>
typename Factors<S>::Matrix Factors<S>::solve(const Matrix& b) const {
  return std::visit([&](const auto& factors) -> Matrix { return factors.solve(b); }, parts_->factors);
}

#define VERNE_INSTANTIATE(S) template class Factors<S>;
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
