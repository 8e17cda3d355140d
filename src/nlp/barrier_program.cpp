#include "nlp/barrier_program.h"

#include <cmath>

namespace verne::nlp {

BarrierProgram::BarrierProgram(ScaledProgram& program, Aim aim)
    : program_(program), aim_(aim), n_(program.variables()), m_(program.rows()), x_(n_), gradient_x_(n_) {
  const int size = elastic() ? n_ + 3 * m_ : n_ + m_;
  lower_ = Vector::Zero(size), upper_ = Vector::Constant(size, kInfinity);
  lower_.head(n_) = program.x_lower(), upper_.head(n_) = program.x_upper();
  for (int row = 0; row < m_; ++row) {  // an equation's s does not move: it needs no bounds
    lower_[s(row)] = program.equation()[row] ? -kInfinity : program.g_lower()[row];
    upper_[s(row)] = program.equation()[row] ? kInfinity : program.g_upper()[row];
  }
  drift_.resize(size);
  for (int i = 0; i < size; ++i) {
    bounds_ += has_lower(i) + has_upper(i);
    drift_[i] = kDrift * (has_lower(i) - has_upper(i));
  }
}

bool BarrierProgram::evaluate(const Vector& v, Values& out) {
  x_ = v.head(n_);
  out.g.resize(m_);
  if (!program_.evaluate(x_, out.cost, out.g)) return false;
  out.residual = out.g - v.segment(n_, m_);
  out.F = out.cost;
  if (elastic()) {
    out.residual += v.tail(m_) - v.segment(n_ + m_, m_);
    out.F = kRowPrice * v.tail(2 * m_).sum();
    for (int i = 0; i < n_; ++i) out.F += 0.5 * nearness_ * std::pow(weight(i) * (x_[i] - reference_[i]), 2);
  }
  out.theta = out.residual.lpNorm<1>();
  return std::isfinite(out.theta) && std::isfinite(out.F);
}

double BarrierProgram::barrier_function(const Vector& v, double F, double mu) const {
  // The logarithm of a product costs a fraction of the sum of logarithms; it is taken before the product overflows. Two
  // products do not wait for each other.
  double logarithms = 0, product_above = 1, product_below = 1, drift = 0;
  const auto multiply = [&](double& product, double distance) {
    product *= distance;
    if (product > 1e-200 && product < 1e200) return;
    logarithms += std::log(product);
    product = 1;
  };
  for (int i = 0; i < size(); ++i) {
    const bool lower = has_lower(i), upper = has_upper(i);
    if (lower) multiply(product_above, above(v, i));
    if (upper) multiply(product_below, below(v, i));
    if (lower != upper) drift += drift_[i] * (v[i] - (lower ? lower_[i] : upper_[i]));
  }
  logarithms += std::log(product_above) + std::log(product_below);
  return F - mu * logarithms + mu * drift;
}

void BarrierProgram::gradient(const Vector& v, Vector& out) {
  x_ = v.head(n_);
  if (!elastic()) {
    program_.gradient(x_, gradient_x_);
    out.head(n_) = gradient_x_;
    out.tail(m_).setZero();
    return;
  }
  for (int i = 0; i < n_; ++i) out[i] = nearness_ * weight(i) * weight(i) * (x_[i] - reference_[i]);
  out.segment(n_, m_).setZero();
  out.tail(2 * m_).setConstant(kRowPrice);
}

void BarrierProgram::hessian(const Vector& v, const Vector& y, std::vector<double>& entries) {
  x_ = v.head(n_);
  program_.hessian(x_, elastic() ? 0 : 1, y, entries);
}

}  // namespace verne::nlp
