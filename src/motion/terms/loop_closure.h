/// The term of closed loops: their equations at each node.
#pragma once

#include <algorithm>

#include "motion/terms/node_term.h"
#include "verne/base/small_matrix.h"

namespace verne {

/// An equation of a loop: a sum of products of vectors that are fixed in links or in the world is zero.
class LoopClosure : public LimitTerm {
 public:
  struct Arrow {
    int input = -1;  ///< of its first coordinate, among the term's; −1: it is constant
    Vec3<double> constant{0, 0, 0};
  };
  struct Product {
    Arrow x, y;
    double coefficient;
  };
  LoopClosure(LimitName name, std::vector<int> inputs, std::vector<Product> products)
      : LimitTerm(std::move(name), std::move(inputs)), products_(std::move(products)) {}

  void value(const double* u, double* rows) const override {
    rows[0] = 0;
    for (const Product& p : products_) rows[0] += p.coefficient * dot(at(p.x, u), at(p.y, u));
  }
  void jacobian(const double* u, double* J) const override {
    std::fill_n(J, inputs().size(), 0.0);
    for (const Product& p : products_) {
      const Vec3<double> x = at(p.x, u), y = at(p.y, u);
      for (int i = 0; i < 3; ++i) {
        if (p.x.input >= 0) J[p.x.input + i] += p.coefficient * y[i];
        if (p.y.input >= 0) J[p.y.input + i] += p.coefficient * x[i];
      }
    }
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    const auto size = static_cast<int>(inputs().size());
    for (const Product& p : products_) {
      if (p.x.input < 0 || p.y.input < 0) continue;
      for (int i = 0; i < 3; ++i) {
        const int x = p.x.input + i, y = p.y.input + i;
        H[x * size + y] += multipliers[0] * p.coefficient;
        H[y * size + x] += multipliers[0] * p.coefficient;
      }
    }
  }
  Interval bounds(int) const override { return {0, 0}; }
  double measured(const double* u) const override {
    double row;
    value(u, &row);
    return row;
  }
  Interval measured_bounds() const override { return {0, 0}; }

 private:
  static Vec3<double> at(const Arrow& arrow, const double* u) {
    return arrow.input < 0 ? arrow.constant : Vec3<double>::load(u + arrow.input);
  }
  std::vector<Product> products_;
};

}  // namespace verne
