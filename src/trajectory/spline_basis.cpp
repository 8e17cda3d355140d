#include "verne/trajectory/spline_basis.h"

#include <numeric>
#include <string>

#include "trajectory/basis_at.h"
#include "trajectory/basis_functions.h"
#include "trajectory/jet.h"
#include "trajectory/refuse.h"

namespace verne {
namespace {

using Lengths = Eigen::Ref<const Eigen::VectorXd>;
using Want = SplineBasis::Want;

std::vector<int> simple_knots(int spans) {
  if (spans < 1) refuse("SplineBasis", "there must be at least one span, not " + std::to_string(spans));
  return std::vector<int>(spans - 1, 1);
}

/// A place on the basis, with the knots around it.
struct Surroundings {
  int degree, span, first_length;
  double fraction;
  KnotNeighbours knots;
};

void write(double function, int d, int j, BasisAt& out) {
  out.value(d, j) = function;
}
template <int N, int Order>
void write(const Jet<N, Order>& function, int d, int j, BasisAt& out) {
  const auto n = static_cast<int>(out.by_length.size());
  out.value(d, j) = function.value;
  for (int k = 0; k < n; ++k) out.by_length[k](d, j) = function.gradient[k];
  if constexpr (Order == 2) {
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) out.by_lengths[k * n + l](d, j) = function.hessian[k][l];
    }
  }
}

/// For degrees up to D. `length(s)`: that of span s.
template <class S, int D, class LengthOf>
void evaluate_as(const Surroundings& at, const LengthOf& length, BasisAt& out) {
  const auto beside = [&](int k) { return length(at.span + k); };
  BasisFunctions<S, D> functions;
  basis_functions<S, D>(at.degree, knot_distances<S, D>(at.degree, at.fraction, at.knots, beside), functions);
  for (int d = 0; d < kSplineOrders; ++d) {
    for (int j = 0; j <= at.degree; ++j) write(functions[d][j], d, j, out);
  }
}

/// For degrees up to D, of whose spans each has at most 2 D − 1 lengths around it.
template <int D, int Order>
void evaluate_by_lengths(const Surroundings& at, const Lengths& lengths, BasisAt& out) {
  using S = Jet<2 * D - 1, Order>;
  const auto length = [&](int s) {
    S value(lengths[s]);
    value.gradient[s - at.first_length] = 1;
    return value;
  };
  evaluate_as<S, D>(at, length, out);
}
/// Three sizes of jets serve all degrees, the usual ones closely.
template <int Order>
void evaluate_by_lengths(const Surroundings& at, const Lengths& lengths, BasisAt& out) {
  if (at.degree <= 3) return evaluate_by_lengths<3, Order>(at, lengths, out);
  if (at.degree <= 5) return evaluate_by_lengths<5, Order>(at, lengths, out);
  evaluate_by_lengths<kMaxSplineDegree, Order>(at, lengths, out);
}

template <int Order>
void evaluate_by_two(const Surroundings& at, const Lengths& lengths, const Eigen::MatrixX2d& multiples, BasisAt& out) {
  using S = Jet<2, Order>;
  const auto length = [&](int s) {
    S value(lengths[s]);
    value.gradient = {multiples(s, 0), multiples(s, 1)};
    return value;
  };
  evaluate_as<S, kMaxSplineDegree>(at, length, out);
}

void resize(std::vector<Eigen::MatrixXd>& matrices, int count, int columns) {
  matrices.resize(count);
  for (Eigen::MatrixXd& matrix : matrices) matrix.resize(kSplineOrders, columns);
}

}  // namespace

SplineBasis::SplineBasis(int degree, int spans) : SplineBasis(degree, simple_knots(spans)) {}

SplineBasis::SplineBasis(int degree, std::vector<int> multiplicities)
    : degree_(degree), multiplicities_(std::move(multiplicities)) {
  if (degree < 1 || degree > kMaxSplineDegree) {
    refuse("SplineBasis",
           "the degree must be 1 to " + std::to_string(kMaxSplineDegree) + ", not " + std::to_string(degree));
  }
  breakpoint_of_knot_.assign(degree + 1, 0);
  last_knot_of_span_.push_back(degree);
  for (int k = 0; k < static_cast<int>(multiplicities_.size()); ++k) {
    if (multiplicities_[k] < 1 || multiplicities_[k] > degree) {
      refuse("SplineBasis", "a breakpoint must count as 1 to " + std::to_string(degree) + " knots, not " +
                                std::to_string(multiplicities_[k]));
    }
    breakpoint_of_knot_.insert(breakpoint_of_knot_.end(), multiplicities_[k], k + 1);
    last_knot_of_span_.push_back(static_cast<int>(breakpoint_of_knot_.size()) - 1);
  }
  breakpoint_of_knot_.insert(breakpoint_of_knot_.end(), degree + 1, spans());
}

int SplineBasis::control_points() const {
  return static_cast<int>(breakpoint_of_knot_.size()) - degree_ - 1;
}

int SplineBasis::first_control_point(int span) const {
  return last_knot_of_span_[span] - degree_;
}

int SplineBasis::first_length(int span) const {
  return breakpoint_of_knot_[last_knot_of_span_[span] - degree_ + 1];
}

int SplineBasis::last_length(int span) const {
  return breakpoint_of_knot_[last_knot_of_span_[span] + degree_] - 1;
}

std::vector<double> SplineBasis::knots(const Lengths& lengths) const {
  check_lengths(lengths);
  std::vector<double> breakpoints(spans() + 1, 0.0);
  std::partial_sum(lengths.begin(), lengths.end(), breakpoints.begin() + 1);
  std::vector<double> knots;
  for (const int breakpoint : breakpoint_of_knot_) knots.push_back(breakpoints[breakpoint]);
  return knots;
}

void BasisAt::evaluate(const SplineBasis& basis, int span, double fraction, const Lengths& span_lengths, Want want,
                       const Eigen::MatrixX2d* multiples) {
  basis.check_lengths(span_lengths);
  if (span < 0 || span >= basis.spans()) {
    refuse("SplineBasis", "there is no span " + std::to_string(span) + " among " + std::to_string(basis.spans()));
  }
  const int degree = basis.degree_, knot = basis.last_knot_of_span_[span];
  Surroundings at{degree, span, basis.first_length(span), fraction, {}};
  for (int j = 0; j < degree; ++j) {
    at.knots.left[j] = span - basis.breakpoint_of_knot_[knot - j];
    at.knots.right[j] = basis.breakpoint_of_knot_[knot + 1 + j] - (span + 1);
  }
  first_control_point = basis.first_control_point(span);
  first_length = at.first_length;
  lengths = basis.last_length(span) - at.first_length + 1;
  value.resize(kSplineOrders, degree + 1);
  const int variables = multiples ? 2 : lengths;
  resize(by_length, want == Want::values ? 0 : variables, degree + 1);
  resize(by_lengths, want == Want::second_derivatives ? variables * variables : 0, degree + 1);
  switch (want) {
    case Want::values:
      return evaluate_as<double, kMaxSplineDegree>(
          at, [&](int s) { return span_lengths[s]; }, *this);
    case Want::first_derivatives:
      return multiples ? evaluate_by_two<1>(at, span_lengths, *multiples, *this)
                       : evaluate_by_lengths<1>(at, span_lengths, *this);
    case Want::second_derivatives:
      return multiples ? evaluate_by_two<2>(at, span_lengths, *multiples, *this)
                       : evaluate_by_lengths<2>(at, span_lengths, *this);
  }
}

void SplineBasis::check_lengths(const Lengths& lengths) const {
  if (lengths.size() != spans()) {
    refuse("SplineBasis", std::to_string(lengths.size()) + " lengths for " + std::to_string(spans()) + " spans");
  }
}

}  // namespace verne
