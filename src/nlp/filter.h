/// Which points a line search may accept: [WB06] section 2.3.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace verne::nlp {

/// Pairs of infeasibility θ and barrier function φ; a new point must be better than each of them in one of the two.
class Filter {
 public:
  static constexpr double kThetaMargin = 1e-5, kPhiMargin = 1e-8;

  Filter() { corners_.reserve(1000); }
  void clear() { corners_.clear(); }
  void set_largest_theta(double theta) { largest_theta_ = theta; }
  bool accepts(double theta, double phi) const {
    if (!(theta <= largest_theta_) || !std::isfinite(phi)) return false;
    for (const Corner& corner : corners_) {
      if (theta > corner.theta && !not_above(phi, corner.phi)) return false;
    }
    return true;
  }
  /// Forbids what is not better than this point by a margin.
  void add(double theta, double phi) { corners_.push_back({(1 - kThetaMargin) * theta, phi - kPhiMargin * theta}); }
  /// a ≤ b but for rounding.
  static bool not_above(double a, double b) {
    return a - b <= 10 * std::numeric_limits<double>::epsilon() * std::abs(b);
  }

 private:
  struct Corner {
    double theta, phi;
  };
  std::vector<Corner> corners_;
  double largest_theta_ = std::numeric_limits<double>::infinity();
};

}  // namespace verne::nlp
