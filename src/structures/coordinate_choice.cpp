#include "structures/coordinate_choice.h"

#include <algorithm>
#include <tuple>

#include "base/decompositions.h"

namespace verne {

namespace {

/// Choices of dependent joints that are looked at before their velocities are chosen one by one.
constexpr int kMostTries = 1000;
/// How far the columns of what is dependent shall be from those of the others: as far as can be had.
constexpr double kMargins[] = {0.1, 1e-2, kRankTolerance};
/// At the reference: states near it may be ten times worse and are not singular yet.
constexpr double kWorstAtReference = kWorstCondition / 10;

}  // namespace

std::vector<int> without(int count, const std::vector<int>& taken) {
  std::vector<int> rest;
  for (int k = 0; k < count; ++k) {
    if (std::find(taken.begin(), taken.end(), k) == taken.end()) rest.push_back(k);
  }
  return rest;
}

std::vector<int> CoordinateChoice::velocities() const {
  if (!c_.model.spec().independent.empty()) return wished();
  std::vector<int> found = velocities_of(actuated_joints());
  if (serves(found, kWorstAtReference)) return found;
  // Where small passive joints leave gaps that no joint fits into, large ones must come first.
  for (const bool passive_first : {true, false}) {
    for (const double margin : kMargins) {
      found = velocities_of(by_joints({passive_first, margin}));
      if (serves(found, kWorstAtReference)) return found;
    }
  }
  return one_by_one();
}

std::vector<int> CoordinateChoice::wished() const {
  const ModelSpec& spec = c_.model.spec();
  const int mobility = c_.model.nv() - rank_;
  std::vector<int> joints;
  for (const std::string& name : spec.independent) joints.push_back(c_.model.joint(name));
  const std::vector<int> found = velocities_of(joints);
  const auto refuse = [&](const std::string& text) { throw InputError({{spec.file, spec.independent_line, text}}); };
  if (static_cast<int>(found.size()) != mobility) {
    refuse("independent: has " + std::to_string(found.size()) + " coordinates, but the mechanism has " +
           std::to_string(mobility) + " (" + std::to_string(c_.model.nv()) + " of the tree, less " +
           std::to_string(rank_) + " independent equations)");
  }
  if (!serves(found, 1 / kRankTolerance)) refuse("independent: these joints do not tell the position of the others");
  return found;
}

std::vector<int> CoordinateChoice::actuated_joints() const {
  std::vector<int> joints;
  for (int k = 0; k < static_cast<int>(c_.model.joints().size()); ++k) {
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(k)];
    if (joint.spec.actuated && joint.nv > 0) joints.push_back(k);
  }
  return joints;
}

std::vector<int> CoordinateChoice::velocities_of(const std::vector<int>& joints) const {
  std::vector<int> velocities;
  for (const int index : joints) {
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(index)];
    for (int k = 0; k < joint.nv; ++k) velocities.push_back(joint.v + k);
  }
  std::sort(velocities.begin(), velocities.end());
  return velocities;
}

bool CoordinateChoice::serves(const std::vector<int>& velocities, double worst) const {
  return condition_without(velocities) < worst;
}

double CoordinateChoice::condition_without(const std::vector<int>& velocities) const {
  if (static_cast<Eigen::Index>(velocities.size()) + rank_ != J_.cols()) return kInfinity;
  if (rank_ == 0) return 1;
  const Eigen::MatrixXd columns = J_(Eigen::all, without(static_cast<int>(J_.cols()), velocities));
  const Eigen::VectorXd singular = singular_values(columns).values;
  const double least = singular[rank_ - 1];
  return least > 0 ? singular[0] / least : kInfinity;
}

/// Joints become dependent one after the other: passive ones first, then those of most coordinates (small ones fill
/// what is left), or the other way round, then those whose columns are furthest from what the others span, by `margin`
/// at least. Where that leads nowhere the next best is tried. What remains in `left` is independent.
bool CoordinateChoice::make_dependent(const Eigen::MatrixXd& rest, int missing, const Preference& preference,
                                      std::vector<int>& left, int& tries) const {
  if (missing == 0) return true;
  struct Candidate {
    int joint;
    bool actuated;
    int size;
    double distance;
  };
  std::vector<Candidate> candidates;
  int available = 0;
  for (const int k : left) {
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(k)];
    if (joint.nv > missing) continue;
    const double distance = singular_values(rest.middleCols(joint.v, joint.nv)).values[joint.nv - 1];
    if (!(distance > preference.margin)) continue;
    candidates.push_back({k, joint.spec.actuated, joint.nv, distance});
    available += joint.nv;
  }
  if (available < missing) return false;
  const auto rank = [&](const Candidate& x) {
    const int drive = x.actuated ? 1 : 0;
    return preference.passive_first ? std::tuple(drive, -x.size, -x.distance) : std::tuple(-x.size, drive, -x.distance);
  };
  std::ranges::sort(candidates, [&](const Candidate& x, const Candidate& y) { return rank(x) < rank(y); });
  for (const Candidate& candidate : candidates) {
    if (--tries < 0) return false;
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(candidate.joint)];
    const Eigen::MatrixXd own = rest.middleCols(joint.v, joint.nv);
    const Eigen::MatrixXd basis = orthonormal(own).leftCols(joint.nv);
    std::vector<int> others = left;
    std::erase(others, candidate.joint);
    if (!make_dependent(rest - basis * (basis.transpose() * rest), missing - joint.nv, preference, others, tries))
      continue;
    left = others;
    return true;
  }
  return false;
}

std::vector<int> CoordinateChoice::by_joints(const Preference& preference) const {
  std::vector<int> left;
  for (int k = 0; k < static_cast<int>(c_.model.joints().size()); ++k) {
    if (c_.model.joints()[static_cast<std::size_t>(k)].nv > 0) left.push_back(k);
  }
  int tries = kMostTries;
  return make_dependent(J_, rank_, preference, left, tries) ? left : std::vector<int>();
}

/// A rod between two balls turns about itself, which no other joint tells: of a ball's velocities two are dependent.
/// Of the margins that give columns well enough conditioned the one that leaves most motors independent, the largest of
/// those that leave as many; else what is conditioned best.
std::vector<int> CoordinateChoice::one_by_one() const {
  const auto motors = [&](const std::vector<int>& velocities) {
    return std::ranges::count_if(velocities, [&](int k) { return std::ranges::binary_search(c_.actuated, k); });
  };
  std::vector<int> best = pivoted(kInfinity);
  for (const double margin : kMargins) {
    const std::vector<int> found = pivoted(margin);
    if (serves(found, kWorstAtReference) && motors(found) > motors(best)) best = found;
  }
  return best;
}

/// Pivoting on columns: of passive joints as long as some is further than `margin` from what those taken span, then of
/// all. Each velocity that is taken becomes dependent.
std::vector<int> CoordinateChoice::pivoted(double margin) const {
  std::vector<bool> passive(static_cast<std::size_t>(J_.cols()), true);
  for (const int k : c_.actuated) passive[static_cast<std::size_t>(k)] = false;
  Eigen::MatrixXd rest = J_;
  std::vector<int> dependent;
  for (int step = 0; step < rank_; ++step) {
    const Eigen::VectorXd distance = rest.colwise().norm();
    Eigen::Index taken = 0;
    distance.maxCoeff(&taken);
    Eigen::Index of_passive = -1;
    for (Eigen::Index k = 0; k < distance.size(); ++k) {
      if (!passive[static_cast<std::size_t>(k)] || !(distance[k] > margin)) continue;
      if (of_passive < 0 || distance[k] > distance[of_passive]) of_passive = k;
    }
    if (of_passive >= 0) taken = of_passive;
    const Eigen::VectorXd direction = rest.col(taken) / distance[taken];
    rest -= (direction * (direction.transpose() * rest)).eval();
    rest.col(taken).setZero();
    dependent.push_back(static_cast<int>(taken));
  }
  return without(static_cast<int>(J_.cols()), dependent);
}

}  // namespace verne
