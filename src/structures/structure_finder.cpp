#include "structures/structure_finder.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/decompositions.h"
#include "structures/closing.h"
#include "structures/coordinate_choice.h"
#include "structures/home_finder.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

/// Configurations that are looked at besides home, and how far they are from it (radians, or lengths).
constexpr int kSamples = 5;
constexpr double kSampleDistance = 0.25;
/// Of singular values, below which part of the largest, and of the next larger one, they are those of equations that
/// repeat others up to a file's rounding.
constexpr double kRoundedRank = 1e-5, kRankGap = 1e-3;
/// Of a motion's own inertia, below which it has none.
constexpr double kNoInertia = 1e-11;

int rank_of(const Eigen::VectorXd& singular, double tolerance) {
  if (singular.size() == 0) return 0;
  return static_cast<int>((singular.array() > tolerance * singular[0]).count());
}

}  // namespace

StructureFinder::StructureFinder(Mechanism::Contents& contents)
    : c_(contents),
      data_(contents.model),
      system_(contents.layout.loops.empty() ? nullptr
                                            : std::make_unique<LoopSystem<double>>(contents.model, contents.layout)) {}

void StructureFinder::find() {
  close_at_home();
  if (c_.layout.loops.empty()) return take_whole_tree();
  gather_samples();
  choose_equations();
  close_exactly();
  choose_coordinates();
  settle_home();
  mark_determined();
  find_motion_without_inertia();
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
  home_ = system_ ? HomeFinder(c_, data_, *system_).closed(guess_) : guess_;
}

/// A tree is a mechanism all of whose coordinates are independent.
void StructureFinder::take_whole_tree() {
  c_.home = Values(home_), c_.reference = home_;
  c_.independent = without(c_.model.nv(), {});
  c_.independent_q = c_.exact_q = without(c_.model.nq(), {});
  c_.joint_determined.assign(c_.model.joints().size(), {true, true, true, true, true, true});
}

/// The length is the largest distance at home between the origin of a loop's frame, or a contact, and that of a link.
void StructureFinder::measure() {
  const Model& model = c_.model;
  if (system_) system_->evaluate(model, data_, guess_, Eigen::VectorXd::Zero(model.nv()));
  const Kinematics<double> kinematics = forward_kinematics(model, data_, guess_);
  double longest = 0;
  const auto reach_from = [&](const Eigen::Vector3d& p) {
    for (std::size_t k = 0; k < model.links().size(); ++k) {
      longest = std::max(longest, (kinematics.position(static_cast<int>(k)) - p).norm());
    }
  };
  for (std::size_t k = 0; k < c_.layout.loops.size(); ++k) {
    for (const auto* end : {&system_->a[k], &system_->b[k]}) reach_from({end->p.x, end->p.y, end->p.z});
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
  system_->evaluate(c_.model, data_, q, Eigen::VectorXd::Zero(c_.model.nv()));
  return c_.row_scale.asDiagonal() * system_->J * c_.column_scale.asDiagonal();
}

/// Home itself may be special (a symmetric position, say): also closed configurations in random directions from it.
void StructureFinder::gather_samples() {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Eigen::MatrixXd J = scaled_jacobian(home_);
  const SingularValues singular = singular_values(J);
  const Eigen::Index n = J.cols(), free = n - rank_of(singular.values, kRoundedRank);
  const Eigen::MatrixXd motions = singular.V.rightCols(free);
  samples_ = {home_};
  for (int k = 0; k < kSamples; ++k) {
    Eigen::VectorXd mix(free);
    for (double& x : mix) x = uniform(generator);
    if (free > 0) mix.normalize();
    const Eigen::VectorXd step = c_.column_scale.cwiseProduct(motions * mix) * kSampleDistance;
    Eigen::VectorXd q = integrate(c_.model, data_, home_, step);
    if (is_closed_but_for_rounding(c_, close_loops(c_, data_, *system_, without(c_.model.nv(), {}), q))) {
      samples_.push_back(q);
    }
  }
}

/// The rank is that of the largest singular values met, and the reference where the last of them is largest.
void StructureFinder::choose_equations() {
  std::vector<Eigen::VectorXd> singular;
  for (const Eigen::VectorXd& q : samples_) {
    singular.push_back(singular_values(scaled_jacobian(q)).values);
    if (singular.back().size() > 0 && singular.back()[0] > 0) singular.back() /= singular.back()[0];
  }
  Eigen::VectorXd largest = singular.front();
  for (const Eigen::VectorXd& values : singular) largest = largest.cwiseMax(values);
  rank_ = rank_by_gap(largest);
  c_.reference = samples_.front();
  double best = 0;
  for (std::size_t k = 0; k < samples_.size() && rank_ > 0; ++k) {
    if (singular[k][rank_ - 1] > best) best = singular[k][rank_ - 1], c_.reference = samples_[k];
  }
  const Eigen::MatrixXd J = scaled_jacobian(c_.reference);
  c_.rows = independent_columns(J.transpose(), rank_);
  std::sort(c_.rows.begin(), c_.rows.end());
  c_.redundant_rows = without(c_.layout.equations, c_.rows);
}

int StructureFinder::rank_by_gap(const Eigen::VectorXd& largest) {
  const int rank = rank_of(largest, kRankTolerance), rounded = rank_of(largest, kRoundedRank);
  if (rounded == rank || rounded == 0 || largest[rounded] > kRankGap * largest[rounded - 1]) return rank;
  c_.slack = kFileRounding;
  return rounded;
}

/// Where files are rounded, redundant equations contradict the others by that: those are closed, these stay open.
void StructureFinder::close_exactly() {
  double widest = 0;
  int equation = 0;
  const auto measure_gap = [&](const Eigen::VectorXd& q) {
    system_->evaluate(c_.model, data_, q, Eigen::VectorXd::Zero(c_.model.nv()));
    for (int k = 0; k < c_.layout.equations; ++k) {
      const double gap = std::abs(system_->phi[k]) * c_.row_scale[k];
      if (gap > widest) widest = gap, equation = k;
    }
  };
  for (const Eigen::VectorXd& q : samples_) measure_gap(q);
  if (c_.slack == 0 && widest <= closed_tolerance(c_) / c_.length) return;
  c_.slack = kFileRounding;
  const std::vector<int> all = without(c_.model.nv(), {});
  const auto& loops = c_.model.loops();
  if (const auto gap = close_loops(c_, data_, *system_, all, home_)) {
    const auto loop = static_cast<std::size_t>(c_.layout.loop_of(gap->equation));
    throw InputError({{c_.model.spec().file, loops[loop].line, gap_text(c_, *gap) + " at the home of the model"}});
  }
  if (close_loops(c_, data_, *system_, all, c_.reference)) c_.reference = home_;
  std::erase_if(samples_, [&](Eigen::VectorXd& q) { return close_loops(c_, data_, *system_, all, q).has_value(); });
  widest = 0;
  measure_gap(home_);
  const auto loop = static_cast<std::size_t>(c_.layout.loop_of(equation));
  c_.warnings.push_back({c_.model.spec().file, loops[loop].line,
                         gap_text(c_, {equation, std::abs(system_->phi[equation])}) +
                             " at home, as the file is rounded: " + std::to_string(c_.redundant_rows.size()) +
                             " redundant equations are not met exactly, the " + std::to_string(rank_) + " others are"});
}

void StructureFinder::choose_coordinates() {
  c_.independent = CoordinateChoice(c_, scaled_jacobian(c_.reference)(c_.rows, Eigen::all)).velocities();
  c_.dependent = without(c_.model.nv(), c_.independent);
  std::vector<const Joint*> joints;
  for (const Joint& joint : c_.model.joints()) joints.push_back(&joint);
  std::ranges::sort(joints, {}, [](const Joint* joint) { return joint->q; });
  for (const Joint* joint : joints) {
    std::vector<int> own;
    for (int k = 0; k < joint->nv; ++k) {
      if (std::ranges::binary_search(c_.independent, joint->v + k)) own.push_back(k);
    }
    const bool whole = static_cast<int>(own.size()) == joint->nv, by_one = joint->nq == joint->nv;
    if (own.empty()) continue;
    for (int k = 0; k < joint->nq; ++k) {
      if (by_one && !std::ranges::binary_search(own, k)) continue;
      c_.independent_q.push_back(joint->q + k);
      if (whole || by_one) c_.exact_q.push_back(joint->q + k);
    }
    for (const int k : own) {
      if (!whole && !by_one) c_.partial_v.push_back(joint->v + k);
    }
  }
}

/// Home has the independent coordinates as given, where that closes.
void StructureFinder::settle_home() {
  Eigen::VectorXd q = home_;
  for (const int k : c_.exact_q) q[k] = guess_[k];
  if (!close_loops(c_, data_, *system_, c_.dependent, q)) home_ = q;
  c_.home = Values(home_);
}

/// The mass matrix along the independent coordinates at the reference, of units that make its diagonal one: a motion
/// that needs no force has none.
void StructureFinder::find_motion_without_inertia() {
  const Eigen::MatrixXd J = scaled_jacobian(c_.reference)(c_.rows, Eigen::all);
  const auto free = static_cast<Eigen::Index>(c_.independent.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(J.cols(), free);
  for (Eigen::Index k = 0; k < free; ++k) G(c_.independent[static_cast<std::size_t>(k)], k) = 1;
  if (rank_ > 0) {
    const Eigen::MatrixXd of_rest = -solution(J(Eigen::all, c_.dependent), J(Eigen::all, c_.independent));
    for (Eigen::Index k = 0; k < of_rest.rows(); ++k) G.row(c_.dependent[static_cast<std::size_t>(k)]) = of_rest.row(k);
  }
  const Eigen::MatrixXd M = c_.column_scale.asDiagonal() * system_->terms.M * c_.column_scale.asDiagonal();
  const Eigen::MatrixXd mass = G.transpose() * M * G;
  std::string names;
  const auto add = [&](Eigen::Index k) {
    const auto velocity = static_cast<std::size_t>(c_.independent[static_cast<std::size_t>(k)]);
    names += (names.empty() ? "" : ", ") + c_.model.dof_names()[velocity];
  };
  const Eigen::VectorXd size = mass.diagonal().cwiseAbs();
  std::vector<Eigen::Index> with;
  for (Eigen::Index k = 0; k < free; ++k) {
    if (size[k] > kNoInertia * size.maxCoeff()) {
      with.push_back(k);
    } else {
      add(k);
    }
  }
  const Eigen::VectorXd scale = size(with).cwiseSqrt().cwiseInverse();
  const SingularValues values = singular_values(scale.asDiagonal() * mass(with, with) * scale.asDiagonal());
  if (names.empty() && !with.empty() && !(values.values.tail(1)[0] > kNoInertia)) {
    const Eigen::VectorXd motion = values.V.rightCols(1).cwiseAbs();
    for (Eigen::Index k = 0; k < motion.size(); ++k) {
      if (motion[k] > 1e-3 * motion.maxCoeff()) add(with[static_cast<std::size_t>(k)]);
    }
  }
  if (names.empty()) return;
  c_.without_inertia = "the mechanism moves along " + names + " without inertia, so that its acceleration is not known";
  c_.warnings.push_back({c_.model.spec().file, 0, c_.without_inertia});
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
    if (rank_of(singular_values(kept).values, kRankTolerance) < rank_) continue;
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
      loop_wrenches(c_.layout, *system_, lambda, loops);
      add_loop_loads(c_.layout, *system_, loops, loads);
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
