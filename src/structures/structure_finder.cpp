#include "structures/structure_finder.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/decompositions.h"
#include "structures/closing.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

/// Configurations that are looked at besides home, and how far they are from it (radians, or lengths).
constexpr int kSamples = 5;
constexpr double kSampleDistance = 0.25;
/// Choices of dependent joints that are looked at before the user is asked.
constexpr int kMostTries = 1000;
/// How far the columns of a dependent joint shall be from those of the others: as far as can be had.
constexpr double kMargins[] = {0.1, 1e-2, kRankTolerance};

int rank_of(const Eigen::VectorXd& singular) {
  if (singular.size() == 0) return 0;
  return static_cast<int>((singular.array() > kRankTolerance * singular[0]).count());
}

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& J, const std::vector<int>& columns) {
  return J(Eigen::all, columns);
}

std::vector<int> without(int count, const std::vector<int>& taken) {
  std::vector<int> rest;
  for (int k = 0; k < count; ++k) {
    if (std::find(taken.begin(), taken.end(), k) == taken.end()) rest.push_back(k);
  }
  return rest;
}

}  // namespace

StructureFinder::StructureFinder(Mechanism::Contents& contents)
    : c_(contents), data_(contents.model), system_(contents.model, contents.layout) {}

void StructureFinder::find() {
  close_at_home();
  if (c_.layout.loops.empty()) return take_whole_tree();
  gather_samples();
  choose_equations();
  choose_coordinates();
  settle_home();
  mark_determined();
}

void StructureFinder::close_at_home() {
  const Model& model = c_.model;
  guess_ = neutral_configuration(model);
  for (const HomeSpec& home : model.spec().home) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(model.joint(home.joint))];
    for (int k = 0; k < joint.nq; ++k) guess_[joint.q + k] = home.q[static_cast<std::size_t>(k)];
  }
  try {
    guess_ = checked_configuration(model, guess_);
  } catch (const InputError& error) {
    throw InputError({{model.spec().file, model.spec().home[0].line, std::string("home: ") + error.what()}});
  }
  measure();
  home_ = guess_;
  std::vector<int> all(static_cast<std::size_t>(model.nv()));
  std::iota(all.begin(), all.end(), 0);
  if (const auto gap = close_loops(c_, data_, system_, all, home_)) {
    const auto loop = static_cast<std::size_t>(c_.layout.loop_of(gap->equation));
    throw InputError({{model.spec().file, model.loops()[loop].line,
                       gap_text(c_, *gap) + ", whatever the joints near the home of the model"}});
  }
}

/// A tree is a mechanism all of whose coordinates are independent.
void StructureFinder::take_whole_tree() {
  c_.home = Values(home_), c_.reference = home_;
  c_.independent = without(c_.model.nv(), {});
  c_.independent_q = without(c_.model.nq(), {});
  c_.joint_determined.assign(c_.model.joints().size(), {true, true, true, true, true, true});
}

/// The length is the largest distance at home between the origin of a loop's frame, or a contact, and that of a link.
void StructureFinder::measure() {
  const Model& model = c_.model;
  system_.evaluate(model, data_, guess_, Eigen::VectorXd::Zero(model.nv()));
  const Kinematics<double> kinematics = forward_kinematics(model, data_, guess_);
  double longest = 0;
  const auto reach_from = [&](const Eigen::Vector3d& p) {
    for (std::size_t k = 0; k < model.links().size(); ++k) {
      longest = std::max(longest, (kinematics.position(static_cast<int>(k)) - p).norm());
    }
  };
  for (const auto* ends : {&system_.a, &system_.b}) {
    for (const FrameMotion<double>& end : *ends) reach_from({end.p.x, end.p.y, end.p.z});
  }
  for (const ContactSpec& contact : model.contacts()) {
    const int link = model.link(contact.link);
    const Eigen::Vector3d point(contact.point.x, contact.point.y, contact.point.z);
    reach_from(kinematics.position(link) + kinematics.rotation(link) * point);
  }
  c_.length = longest > 0 ? longest : 1;
  c_.row_scale.setOnes(c_.layout.equations);
  for (int i = 0; i < c_.layout.equations; ++i) {
    if (c_.layout.equation(i).length) c_.row_scale[i] = 1 / c_.length;
  }
  c_.column_scale.setOnes(model.nv());
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) {
      if (is_linear(joint.spec.type, k)) c_.column_scale[joint.v + k] = c_.length;
      if (joint.spec.actuated) c_.actuated.push_back(joint.v + k);
    }
  }
  std::sort(c_.actuated.begin(), c_.actuated.end());
}

Eigen::MatrixXd StructureFinder::scaled_jacobian(const Eigen::VectorXd& q) {
  system_.evaluate(c_.model, data_, q, Eigen::VectorXd::Zero(c_.model.nv()));
  return c_.row_scale.asDiagonal() * system_.J * c_.column_scale.asDiagonal();
}

/// Home itself may be special (a symmetric position, say): also closed configurations in random directions from it.
void StructureFinder::gather_samples() {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Eigen::MatrixXd J = scaled_jacobian(home_);
  const SingularValues singular = singular_values(J);
  const Eigen::Index n = J.cols(), free = n - rank_of(singular.values);
  const Eigen::MatrixXd motions = singular.V.rightCols(free);
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  samples_ = {home_};
  for (int k = 0; k < kSamples; ++k) {
    Eigen::VectorXd mix(free);
    for (double& x : mix) x = uniform(generator);
    if (free > 0) mix.normalize();
    const Eigen::VectorXd step = c_.column_scale.cwiseProduct(motions * mix) * kSampleDistance;
    Eigen::VectorXd q = integrate(c_.model, data_, home_, step);
    if (!close_loops(c_, data_, system_, all, q)) samples_.push_back(q);
  }
}

void StructureFinder::choose_equations() {
  double best = -1;
  for (const Eigen::VectorXd& q : samples_) {
    const Eigen::VectorXd singular = singular_values(scaled_jacobian(q)).values;
    const int rank = rank_of(singular);
    const double least = rank == 0 ? 0 : singular[rank - 1] / singular[0];
    if (rank < rank_ || (rank == rank_ && least <= best)) continue;
    rank_ = rank, best = least, c_.reference = q;
  }
  const Eigen::MatrixXd J = scaled_jacobian(c_.reference);
  c_.rows = independent_columns(J.transpose(), rank_);
  std::sort(c_.rows.begin(), c_.rows.end());
  c_.redundant_rows = without(c_.layout.equations, c_.rows);
}

std::vector<int> StructureFinder::velocities_of(const std::vector<int>& joints) const {
  std::vector<int> velocities;
  for (const int index : joints) {
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(index)];
    for (int k = 0; k < joint.nv; ++k) velocities.push_back(joint.v + k);
  }
  std::sort(velocities.begin(), velocities.end());
  return velocities;
}

bool StructureFinder::serves(const std::vector<int>& joints, const Eigen::MatrixXd& J) const {
  const std::vector<int> velocities = velocities_of(joints);
  if (static_cast<Eigen::Index>(velocities.size()) + rank_ != J.cols()) return false;
  const std::vector<int> rest = without(static_cast<int>(J.cols()), velocities);
  return rank_of(singular_values(columns_of(J, rest)).values) == rank_;
}

std::vector<int> StructureFinder::wished_joints() const {
  std::vector<int> joints;
  for (const std::string& name : c_.model.spec().independent) joints.push_back(c_.model.joint(name));
  return joints;
}

/// Joints become dependent one after the other: passive ones first, then those of most coordinates (small ones fill
/// what is left), or the other way round, then those whose columns are furthest from what the others span, by `margin`
/// at least. Where that leads nowhere the next best is tried. What remains in `left` is independent.
bool StructureFinder::make_dependent(const Eigen::MatrixXd& rest, int missing, const Preference& preference,
                                     std::vector<int>& left, int& tries) const {
  if (missing == 0) return true;
  struct Candidate {
    int joint;
    bool actuated;
    int size;
    double distance;
  };
  std::vector<Candidate> candidates;
  for (const int k : left) {
    const Joint& joint = c_.model.joints()[static_cast<std::size_t>(k)];
    if (joint.nv > missing) continue;
    const double distance = singular_values(rest.middleCols(joint.v, joint.nv)).values[joint.nv - 1];
    if (distance > preference.margin) candidates.push_back({k, joint.spec.actuated, joint.nv, distance});
  }
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

std::vector<int> StructureFinder::found_joints(const Eigen::MatrixXd& J, const Preference& preference) const {
  std::vector<int> left;
  for (int k = 0; k < static_cast<int>(c_.model.joints().size()); ++k) {
    if (c_.model.joints()[static_cast<std::size_t>(k)].nv > 0) left.push_back(k);
  }
  int tries = kMostTries;
  return make_dependent(J, rank_, preference, left, tries) ? left : std::vector<int>();
}

void StructureFinder::choose_coordinates() {
  const Model& model = c_.model;
  const ModelSpec& spec = model.spec();
  const Eigen::MatrixXd J = scaled_jacobian(c_.reference)(c_.rows, Eigen::all);
  const int mobility = model.nv() - rank_;
  std::vector<int> joints = wished_joints();
  const auto refuse = [&](int line, const std::string& text) { throw InputError({{spec.file, line, text}}); };
  if (!joints.empty()) {
    const auto count = velocities_of(joints).size();
    if (static_cast<int>(count) != mobility) {
      refuse(spec.independent_line, "independent: has " + std::to_string(count) +
                                        " coordinates, but the mechanism has " + std::to_string(mobility) + " (" +
                                        std::to_string(model.nv()) + " of the tree, less " + std::to_string(rank_) +
                                        " independent equations)");
    }
    if (!serves(joints, J))
      refuse(spec.independent_line, "independent: these joints do not tell the position of the others");
  } else {
    for (int k = 0; k < static_cast<int>(model.joints().size()); ++k) {
      const Joint& joint = model.joints()[static_cast<std::size_t>(k)];
      if (joint.spec.actuated && joint.nv > 0) joints.push_back(k);
    }
    // Where small passive joints leave gaps that no joint fits into, large ones must come first.
    for (const bool passive_first : {true, false}) {
      for (const double margin : kMargins) {
        if (!serves(joints, J)) joints = found_joints(J, {passive_first, margin});
      }
    }
    if (!serves(joints, J)) {
      refuse(0, "no joints could be found whose coordinates tell those of the others; name some by 'independent'");
    }
  }
  c_.independent = velocities_of(joints);
  c_.dependent = without(model.nv(), c_.independent);
  std::sort(joints.begin(), joints.end());
  for (const int index : joints) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(index)];
    for (int k = 0; k < joint.nq; ++k) c_.independent_q.push_back(joint.q + k);
  }
}

/// Home has the independent coordinates as given, where that closes.
void StructureFinder::settle_home() {
  Eigen::VectorXd q = home_;
  for (const int k : c_.independent_q) q[k] = guess_[k];
  if (!close_loops(c_, data_, system_, c_.dependent, q)) home_ = q;
  c_.home = Values(home_);
}

/// A component is determined when no self-stress (Jᵀ N = 0) reaches it, at any of the samples.
void StructureFinder::mark_determined() {
  const Model& model = c_.model;
  c_.loop_determined.assign(c_.layout.loops.size(), {true, true, true, true, true, true});
  c_.joint_determined.assign(model.joints().size(), {true, true, true, true, true, true});
  if (c_.redundant_rows.empty()) return;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  for (const Eigen::VectorXd& q : samples_) {
    const Eigen::MatrixXd J = scaled_jacobian(q);
    const Eigen::MatrixXd kept = J(c_.rows, Eigen::all);
    if (rank_of(singular_values(kept).values) < rank_) continue;
    const Eigen::MatrixXd C = least_norm(kept.transpose(), J(c_.redundant_rows, Eigen::all).transpose());
    const Matrix6X<double> at_rest = inverse_dynamics_and_wrenches(model, data_, q, zero, zero).wrenches;
    for (std::size_t k = 0; k < c_.redundant_rows.size(); ++k) {
      Eigen::VectorXd lambda = Eigen::VectorXd::Zero(c_.layout.equations);
      for (std::size_t i = 0; i < c_.rows.size(); ++i)
        lambda[c_.rows[i]] = -C(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
      lambda[c_.redundant_rows[k]] = 1;
      lambda = c_.row_scale.cwiseProduct(lambda).eval() * c_.length;
      Matrix6X<double> loops(6, static_cast<Eigen::Index>(c_.layout.loops.size()));
      Loads<double> loads;
      loop_wrenches(c_.layout, system_, lambda, loops);
      add_loop_loads(c_.layout, system_, loops, loads);
      const Matrix6X<double> joints =
          inverse_dynamics_and_wrenches(model, data_, q, zero, zero, loads).wrenches - at_rest;
      const double scale = std::max(loops.cwiseAbs().maxCoeff(), joints.cwiseAbs().maxCoeff());
      const auto mark = [&](const Matrix6X<double>& wrenches, std::vector<std::array<bool, 6>>& determined) {
        for (Eigen::Index j = 0; j < wrenches.cols(); ++j) {
          for (Eigen::Index i = 0; i < 6; ++i) {
            if (std::abs(wrenches(i, j)) > kRankTolerance * scale)
              determined[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = false;
          }
        }
      };
      mark(loops, c_.loop_determined);
      mark(joints, c_.joint_determined);
    }
  }
}

}  // namespace verne
