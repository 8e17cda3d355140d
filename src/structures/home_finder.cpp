#include "structures/home_finder.h"

#include <algorithm>
#include <cmath>

#include "structures/closing.h"
#include "structures/coordinate_choice.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

/// Starts besides home: zero, the middle of the limits, then random ones; and how many that close are compared.
constexpr int kStarts = 50;
constexpr int kCompared = 5;
/// How far random starts are from home on the way to a configuration anywhere within the limits, in turn.
constexpr double kSpreads[] = {0.25, 0.5, 0.75, 1};
/// A velocity that changes no equation by more moves no loop.
constexpr double kNoMotion = 1e-9;

}  // namespace

Eigen::VectorXd HomeFinder::closed(const Eigen::VectorXd& home) {
  Eigen::VectorXd q = home;
  if (closes(q)) return q;
  find_moving(home);
  Eigen::VectorXd nearest;
  double least = kInfinity;
  int found = 0, tried = 0;
  for (; tried < kStarts && found < kCompared; ++tried) {
    q = other_start(tried, home);
    if (!closes(q)) continue;
    ++found;
    if (const double d = distance(home, q); d < least) least = d, nearest = q;
  }
  if (found == 0) refuse();
  c_.notes.push_back({c_.model.spec().file, c_.model.loops()[0].line,
                      "the loops do not close from home: of " + std::to_string(found) +
                          (found == 1 ? " closed configuration" : " closed configurations") + " from " +
                          std::to_string(tried) +
                          " other starts (zero, middle of the limits, random) the nearest to home is taken"});
  return nearest;
}

bool HomeFinder::closes(Eigen::VectorXd& q) {
  const auto gap = close_loops(c_, data_, system_, without(c_.model.nv(), {}), q);
  if (is_closed_but_for_rounding(c_, gap)) return true;
  const double size = gap->size * c_.row_scale[gap->equation];
  if (size < smallest_) {
    smallest_ = size, gap_ = gap_text(c_, *gap);
    line_ = c_.model.loops()[static_cast<std::size_t>(c_.layout.loop_of(gap->equation))].line;
  }
  return false;
}

Eigen::VectorXd HomeFinder::other_start(int index, const Eigen::VectorXd& home) {
  if (index == 0) return neutral_configuration(c_.model);
  if (index == 1) return middle_of_limits(home);
  return random_start(kSpreads[static_cast<std::size_t>(index - 2) % std::size(kSpreads)], home);
}

void HomeFinder::find_moving(const Eigen::VectorXd& home) {
  moving_.assign(static_cast<std::size_t>(c_.model.nv()), true);
  const Eigen::VectorXd q = random_start(1, home);
  system_.evaluate(c_.model, data_, q, Eigen::VectorXd::Zero(c_.model.nv()));
  const Eigen::MatrixXd J = c_.row_scale.asDiagonal() * system_.J * c_.column_scale.asDiagonal();
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    moving_[static_cast<std::size_t>(k)] = J.rows() > 0 && J.col(k).lpNorm<Eigen::Infinity>() > kNoMotion;
  }
}

/// Joints without limits on both sides stay at home.
Eigen::VectorXd HomeFinder::middle_of_limits(const Eigen::VectorXd& home) const {
  Eigen::VectorXd q = home;
  for (const Joint& joint : c_.model.joints()) {
    for (int k = 0; k < joint.nv && joint.nq == joint.nv; ++k) {
      const DofSpec& dof = c_.model.dofs()[static_cast<std::size_t>(joint.v + k)];
      if (std::isfinite(dof.lower) && std::isfinite(dof.upper)) q[joint.q + k] = (dof.lower + dof.upper) / 2;
    }
  }
  return q;
}

/// Sliders without limits go as far as the mechanism is long.
Eigen::VectorXd HomeFinder::random_start(double spread, const Eigen::VectorXd& home) {
  Eigen::VectorXd anywhere(c_.model.nq());
  random_configuration(c_.model, generator_, anywhere);
  Eigen::VectorXd way = difference<double>(c_.model, data_, home, anywhere) * spread;
  for (Eigen::Index k = 0; k < way.size(); ++k) {
    const DofSpec& dof = c_.model.dofs()[static_cast<std::size_t>(k)];
    const bool limited = std::isfinite(dof.lower) && std::isfinite(dof.upper);
    if (!limited && c_.column_scale[k] != 1) way[k] *= c_.column_scale[k];
    if (!moving_[static_cast<std::size_t>(k)]) way[k] = 0;
  }
  return integrate<double>(c_.model, data_, home, way);
}

double HomeFinder::distance(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  return difference<double>(c_.model, data_, from, to).cwiseQuotient(c_.column_scale).norm();
}

void HomeFinder::refuse() const {
  throw InputError({{c_.model.spec().file, line_,
                     gap_ + ", whatever the joints near the home of the model; " + std::to_string(kStarts) +
                         " other starts do no better"}});
}

}  // namespace verne
