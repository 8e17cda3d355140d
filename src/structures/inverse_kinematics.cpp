#include "verne/structures/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include "dynamics/check.h"
#include "structures/pose_search.h"
#include "verne/dynamics/configuration.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Searches for a first posture, for one that is to be accepted, too, and for all of them.
constexpr int kFirstSearches = 200, kAcceptedSearches = 2000, kMostSearches = 4000;
/// So many searches in a row that find nothing new, and so many more for each posture that is known: all are found.
constexpr int kFruitless = 50, kFruitlessEach = 20;
/// Postures that are nearer to each other are the same, rad or m: isolated ones, and others.
constexpr double kSamePosture = 1e-5, kPosturesApart = 0.3;

}  // namespace

struct InverseKinematics::Parts {
  Parts(const Mechanism& mechanism, int site)
      : search(mechanism, site), step(Eigen::VectorXd::Zero(search.model().nv())), other(step.size()) {}

  /// Aims at a goal and returns where the first search starts. Throws InputError unless both are sound.
  Eigen::VectorXd prepared(const PoseGoal& goal, VectorIn<double> near) {
    constexpr double kUnit = 1e-6;  // as of quaternions
    if (!(std::isfinite(goal.position.x) && std::isfinite(goal.position.y) && std::isfinite(goal.position.z))) {
      throw InputError("position of a goal: an entry is not finite");
    }
    if (goal.rotation && !(orthonormality_error(*goal.rotation) < kUnit)) {
      throw InputError("rotation of a goal: the matrix is no rotation");
    }
    search.aim(goal);
    return checked_configuration(search.model(), near);
  }

  /// The posture of search k for a goal: the first goes out from `near`, the others from elsewhere; every second one of
  /// these takes no notice of limits on its way, since what is beyond them may lead back by a full turn.
  Posture tried(int k, const Eigen::VectorXd& near) {
    if (k == 1) random.seed(1);
    q = k == 0 ? near : started(near);
    const bool beyond_limits = k > 0 && k % 2 == 0;
    if (k == 0) clamp();
    search.run(q, beyond_limits);
    unwind(near);
    Posture posture = search.judged(q);
    posture.reached = posture.reached && (!accepts || accepts(posture.q));
    return posture;
  }

  /// Keeps what misses the goal least within the limits.
  void keep_closest(Posture&& posture, Posture& closest) const {
    const auto badness = [&](const Posture& x) { return x.position_error / search.length() + x.angle_error; };
    if (!search.keeps_limits(posture.q)) return;
    if (closest.q.size() == 0 || badness(posture) < badness(closest)) closest = std::move(posture);
  }

  /// How far two configurations are from each other.
  double distance(VectorIn<double> from, VectorIn<double> to) {
    difference(search.model(), search.data(), from, to, other);
    double sum = 0;
    for (const int v : search.free()) sum += other[v] * other[v];
    return std::sqrt(sum);
  }

  /// How far the most distant of their freedoms are from each other, up to full turns.
  double gap(VectorIn<double> from, VectorIn<double> to) {
    difference(search.model(), search.data(), from, to, other);
    double most = 0;
    for (const int v : search.free()) {
      const bool turns_round = search.freedoms()[static_cast<std::size_t>(v)].turns_round;
      most = std::max(most, std::abs(turns_round ? std::remainder(other[v], 2 * std::numbers::pi) : other[v]));
    }
    return most;
  }

  /// Sorts postures by how far they are from `from` and drops all but so many.
  void keep_nearest(const Eigen::VectorXd& from, std::size_t count, std::vector<Posture>& postures) {
    std::vector<std::pair<double, std::size_t>> order;
    for (const Posture& posture : postures) order.emplace_back(distance(from, posture.q.eigen()), order.size());
    std::sort(order.begin(), order.end());
    order.resize(std::min(count, order.size()));
    std::vector<Posture> nearest;
    for (const auto& [far, k] : order) nearest.push_back(std::move(postures[k]));
    postures = std::move(nearest);
  }

  /// Before it is clear that none is found.
  int first_searches() const { return accepts ? kAcceptedSearches : kFirstSearches; }

  std::function<bool(std::span<const double>)> accepts;
  PoseSearch search;
  Eigen::VectorXd q, step, other;

 private:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()));
  }

  /// Anywhere within the limits; where there are none, up to half a turn or one length from `near`.
  Eigen::VectorXd started(const Eigen::VectorXd& near) {
    const Model& model = search.model();
    step.setZero();
    for (const Joint& joint : model.joints()) {
      for (int k = 0; k < joint.nv; ++k) {
        const double far = is_linear(joint.spec.type, k) ? search.length() : std::numbers::pi;
        step[joint.v + k] = uniform(-far, far);
      }
    }
    Eigen::VectorXd start = near;
    for (const int v : search.free()) {
      const Freedom& freedom = search.freedoms()[static_cast<std::size_t>(v)];
      if (freedom.q >= 0) {
        const double low = std::isfinite(freedom.lower) ? freedom.lower : near[freedom.q] - std::abs(step[v]);
        const double high = std::isfinite(freedom.upper) ? freedom.upper : near[freedom.q] + std::abs(step[v]);
        start[freedom.q] = low <= high ? uniform(low, high) : low;
      }
    }
    if (search.has_quaternions()) put_turned(near, start);
    return start;
  }

  /// Positions of joints with quaternions, by the steps drawn for them.
  void put_turned(const Eigen::VectorXd& near, Eigen::VectorXd& start) {
    const Eigen::VectorXd turned = integrate(search.model(), search.data(), near, step);
    for (const Joint& joint : search.model().joints()) {
      if (joint.nq != joint.nv && search.is_free(joint.v)) {
        start.segment(joint.q, joint.nq) = turned.segment(joint.q, joint.nq);
      }
    }
  }

  void clamp() {
    for (const int v : search.free()) {
      const Freedom& freedom = search.freedoms()[static_cast<std::size_t>(v)];
      if (freedom.q >= 0) q[freedom.q] = within(freedom, q[freedom.q]);
    }
  }

  void unwind(const Eigen::VectorXd& near) {
    for (const int v : search.free()) {
      const Freedom& freedom = search.freedoms()[static_cast<std::size_t>(v)];
      if (freedom.q >= 0) q[freedom.q] = unwound(freedom, q[freedom.q], near[freedom.q]);
    }
  }

  std::minstd_rand random;
};

InverseKinematics::InverseKinematics(const Mechanism& mechanism, int site) {
  check_index("InverseKinematics", "site", site, mechanism.model().site_count());
  parts_ = std::make_unique<Parts>(mechanism, site);
}
InverseKinematics::InverseKinematics(InverseKinematics&&) noexcept = default;
InverseKinematics& InverseKinematics::operator=(InverseKinematics&&) noexcept = default;
InverseKinematics::~InverseKinematics() = default;

void InverseKinematics::accept_only(std::function<bool(std::span<const double> q)> accepts) {
  parts_->accepts = std::move(accepts);
}

Posture InverseKinematics::solve(const PoseGoal& goal, VectorIn<double> near) {
  Parts& parts = *parts_;
  const Eigen::VectorXd from = parts.prepared(goal, near);
  Posture closest;
  for (int k = 0; k < parts.first_searches(); ++k) {
    Posture posture = parts.tried(k, from);
    if (posture.reached) return posture;
    parts.keep_closest(std::move(posture), closest);
  }
  return closest;
}

int InverseKinematics::solve(std::span<const PoseGoal> goals, const Eigen::Ref<const Eigen::MatrixXd>& near,
                             MatrixOut<double> q, MatrixOut<double> errors) {
  const long count = static_cast<long>(goals.size());
  constexpr const char* kName = "InverseKinematics::solve";
  check_shape(kName, "near", parts_->search.model().nq(), near.cols() == 1 ? 1 : count, near.rows(), near.cols());
  check_shape(kName, "q", parts_->search.model().nq(), count, q.rows(), q.cols());
  check_shape(kName, "errors", 2, count, errors.rows(), errors.cols());
  int reached = 0;
  for (long k = 0; k < count; ++k) {
    const Posture posture = solve(goals[static_cast<std::size_t>(k)], near.col(near.cols() == 1 ? 0 : k));
    q.col(k) = posture.q.eigen();
    errors.col(k) << posture.position_error, posture.angle_error;
    reached += posture.reached ? 1 : 0;
  }
  return reached;
}

Postures InverseKinematics::solve_all(const PoseGoal& goal, VectorIn<double> near, std::optional<int> count) {
  Parts& parts = *parts_;
  if (count && *count < 1) throw std::invalid_argument("InverseKinematics::solve_all: count must be positive");
  const Eigen::VectorXd from = parts.prepared(goal, near);
  Postures all;
  const auto is_new = [&](const Posture& posture) {
    return std::none_of(all.found.begin(), all.found.end(), [&](const Posture& other) {
      return parts.gap(posture.q.eigen(), other.q.eigen()) < (all.isolated ? kSamePosture : kPosturesApart);
    });
  };
  const bool of_tree = parts.search.model().loops().empty();
  int fruitless = 0;
  const auto is_done = [&](int searches) {
    if (all.found.empty()) return searches >= parts.first_searches();
    const int known = static_cast<int>(all.found.size());
    return searches >= kMostSearches || fruitless >= kFruitless + kFruitlessEach * known ||
           (!(all.isolated && of_tree) && known >= count.value_or(1));
  };
  for (int k = 0; !is_done(k); ++k) {
    Posture posture = parts.tried(k, from);
    if (posture.reached && all.found.empty()) all.isolated = parts.search.is_isolated();
    if (posture.reached && is_new(posture)) {
      all.found.push_back(std::move(posture)), fruitless = 0;
    } else if (posture.reached) {
      ++fruitless;
    } else {
      parts.keep_closest(std::move(posture), all.closest);
    }
  }
  parts.keep_nearest(from, count ? static_cast<std::size_t>(*count) : all.found.size(), all.found);
  if (!all.found.empty()) all.closest = all.found.front();
  return all;
}

}  // namespace verne
