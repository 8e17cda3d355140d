#include "structures/pose_search.h"

#include <algorithm>
#include <cmath>

#include "base/decompositions.h"
#include "dynamics/dispatch.h"
#include "structures/closing.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/kinematics.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {
constexpr int kSearchSteps = 60;
constexpr double kRidge = 0.02, kLeastRidge = 1e-13;  ///< part of the squared miss
constexpr double kLongestTurn = 1;                    ///< rad, or lengths
/// So many steps that leave more than this part of the squared miss end a search.
constexpr int kPatience = 6;
constexpr double kStalled = 0.7;
constexpr double kExact = 1e-13;    ///< of the miss, rad or lengths: what is left is rounding
constexpr double kReached = 1e-9;   ///< m and rad
constexpr double kIsolated = 1e-6;  ///< least singular value, as part of the largest

/// x := A⁻¹ x for a symmetric positive A, whose lower half becomes its factor.
void solve_ridged(Eigen::MatrixXd& A, Eigen::VectorXd& x) {
  const Eigen::Index n = x.size();
  for (Eigen::Index j = 0; j < n; ++j) {
    double pivot = A(j, j);
    for (Eigen::Index k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k);
    pivot = std::sqrt(std::max(pivot, 1e-300));
    A(j, j) = pivot;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      double entry = A(i, j);
      for (Eigen::Index k = 0; k < j; ++k) entry -= A(i, k) * A(j, k);
      A(i, j) = entry / pivot;
    }
    double value = x[j];
    for (Eigen::Index k = 0; k < j; ++k) value -= A(j, k) * x[k];
    x[j] = value / pivot;
  }
  for (Eigen::Index j = n - 1; j >= 0; --j) {
    double value = x[j];
    for (Eigen::Index i = j + 1; i < n; ++i) value -= A(i, j) * x[i];
    x[j] = value / A(j, j);
  }
}

}  // namespace

PoseSearch::PoseSearch(const Mechanism& mechanism, int site)
    : mechanism_(mechanism),
      c_(mechanism_.contents()),
      model_(c_.model),
      site_(site),
      data_(model_),
      freedoms_(freedoms_of(model_)),
      J_site_(6, model_.nv()),
      velocity_(Eigen::VectorXd::Zero(model_.nv())),
      zero_(velocity_),
      moved_(model_.nq()) {
  if (!c_.layout.loops.empty()) {
    system_.emplace(model_, c_.layout);
    opening_.emplace(c_.layout, model_.nv());
  }
  find_free_and_length();
  for (const int v : free_) plain_ = plain_ && freedoms_[static_cast<std::size_t>(v)].q >= 0;
}

/// The length is the largest by which an angle moves the site, at a few postures.
void PoseSearch::find_free_and_length() {
  constexpr int kPostures = 4;
  std::mt19937_64 random(1);
  std::vector<bool> moves(static_cast<std::size_t>(model_.nv()), system_.has_value());
  double longest = 0;
  for (int k = 0; k < kPostures; ++k) {
    const Matrix6X<double> J = jacobian(model_, data_, random_configuration(model_, random), site_);
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      if (J.col(j).cwiseAbs().maxCoeff() > 0) moves[static_cast<std::size_t>(j)] = true;
      if (J.col(j).tail<3>().squaredNorm() > 0) longest = std::max(longest, J.col(j).head<3>().norm());
    }
  }
  for (int j = 0; j < model_.nv(); ++j) {
    if (moves[static_cast<std::size_t>(j)]) free_.push_back(j);
  }
  if (longest > 0) length_ = longest;
}

void PoseSearch::measure(const Eigen::VectorXd& q) {
  Inputs<double> in;
  in.q = q.data();
  single_kernels<double>().control_terms(
      model_.tree(), in, {&site_, 1, nullptr, 0, nullptr, J_site_.data(), nullptr, pose_}, data_.scratch());
  const Eigen::Index loops = c_.layout.equations, rows = pose_rows() + loops;
  const auto n = static_cast<Eigen::Index>(free_.size());
  if (r_.size() != rows || J_.cols() != n) r_.resize(rows), J_.resize(rows, n);
  put_pose_rows();
  if (!system_) return;
  system_->evaluate(model_, data_, q, zero_);
  opening_->measure(c_.layout, *system_);
  r_.tail(loops) = c_.row_scale.cwiseProduct(opening_->size);
  for (Eigen::Index j = 0; j < n; ++j) {
    J_.col(j).tail(loops) = c_.row_scale.cwiseProduct(opening_->J.col(free_[static_cast<std::size_t>(j)]));
  }
}

void PoseSearch::put_pose_rows() {
  p_miss_ = Vec3<double>::load(pose_) - goal_.position;
  const double scale = 1 / length_;
  (p_miss_ * scale).store(r_.data());
  const bool turns = goal_.rotation.has_value();
  if (turns) {
    Mat3<double> R;
    for (int i = 0; i < 9; ++i) R.m[i] = pose_[3 + i];
    turn_miss_ = rotation_vector_of(R * transpose(*goal_.rotation));
    turn_miss_.store(r_.data() + 3);
  }
  for (std::size_t j = 0; j < free_.size(); ++j) {
    const double* const from = J_site_.col(free_[j]).data();
    double* const to = J_.col(static_cast<Eigen::Index>(j)).data();
    for (int i = 0; i < 3; ++i) to[i] = scale * from[i];
    for (int i = 3; turns && i < 6; ++i) to[i] = from[i];
  }
}

/// Freedoms at a limit beyond which the miss leads them stay there.
void PoseSearch::hold_at_limits(const Eigen::VectorXd& q) {
  for (std::size_t j = 0; j < free_.size(); ++j) {
    const Freedom& freedom = freedoms_[static_cast<std::size_t>(free_[j])];
    if (freedom.q < 0) continue;
    const double x = q[freedom.q];
    if (x > freedom.lower && x < freedom.upper) continue;
    auto column = J_.col(static_cast<Eigen::Index>(j));
    const double slope = column.dot(r_);
    if (x <= freedom.lower ? slope > 0 : slope < 0) column.setZero();
  }
}

/// The step that minimizes |r + J x|² + damping |x|².
void PoseSearch::find_step(double damping) {
  const Eigen::Index m = J_.rows(), n = J_.cols();
  square_.resize(m, m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index k = 0; k <= i; ++k) {
      double sum = i == k ? damping : 0;
      for (Eigen::Index j = 0; j < n; ++j) sum += J_(i, j) * J_(k, j);
      square_(i, k) = sum;
    }
  }
  solved_ = r_;
  solve_ridged(square_, solved_);
  step_.resize(n);
  double longest = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    double sum = 0;
    for (Eigen::Index i = 0; i < m; ++i) sum += J_(i, j) * solved_[i];
    step_[j] = -sum;
    longest = std::max(longest, std::abs(sum));
  }
  if (longest > kLongestTurn) step_ *= kLongestTurn / longest;
}

void PoseSearch::take_step(Eigen::VectorXd& q, bool beyond_limits) {
  if (plain_) {
    for (std::size_t j = 0; j < free_.size(); ++j) {
      const Freedom& freedom = freedoms_[static_cast<std::size_t>(free_[j])];
      const double next = q[freedom.q] + step_[static_cast<Eigen::Index>(j)];
      q[freedom.q] = beyond_limits ? next : within(freedom, next);
    }
    return;
  }
  for (std::size_t j = 0; j < free_.size(); ++j) velocity_[free_[j]] = step_[static_cast<Eigen::Index>(j)];
  integrate(model_, data_, q, velocity_, moved_);
  q = moved_;
  for (const int v : free_) {
    const Freedom& freedom = freedoms_[static_cast<std::size_t>(v)];
    if (freedom.q >= 0 && !beyond_limits) q[freedom.q] = within(freedom, q[freedom.q]);
  }
}

bool PoseSearch::run(Eigen::VectorXd& q, bool beyond_limits) {
  double best = kInfinity, watched = kInfinity;
  int idle = 0;
  for (int k = 0; k < kSearchSteps; ++k) {
    measure(q);
    const double size = r_.squaredNorm();
    if (!(size < kInfinity)) return false;
    if (size < best) best = size, best_ = q;
    if (size < kExact * kExact) break;
    if (size < kStalled * watched) {
      watched = size, idle = 0;
    } else if (++idle >= kPatience) {
      break;
    }
    if (!beyond_limits) hold_at_limits(q);
    find_step(kRidge * size + kLeastRidge);
    take_step(q, beyond_limits);
  }
  q = best_;
  return best < kReached * kReached;
}

bool PoseSearch::keeps_limits(std::span<const double> q) const {
  return std::ranges::all_of(free_, [&](int v) {
    const Freedom& freedom = freedoms_[static_cast<std::size_t>(v)];
    if (freedom.q < 0) return true;
    const double x = q[static_cast<std::size_t>(freedom.q)];
    return x >= freedom.lower && x <= freedom.upper;
  });
}

Posture PoseSearch::judged(const Eigen::VectorXd& q) {
  measure(q);
  Posture posture{q, norm(p_miss_), goal_.rotation ? norm(turn_miss_) : 0, false};
  const bool closed = !system_ || !widest_gap(c_, *system_, closed_tolerance(c_));
  posture.reached =
      closed && keeps_limits(posture.q) && posture.position_error <= kReached && posture.angle_error <= kReached;
  return posture;
}

bool PoseSearch::is_isolated() {
  if (J_.cols() == 0) return true;  // nothing moves the site
  if (J_.cols() > J_.rows()) return false;
  const Eigen::VectorXd values = singular_values(J_).values;
  return values.size() == J_.cols() && values[values.size() - 1] > kIsolated * values[0];
}

}  // namespace verne
