#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "codegen/closed_trace.h"
#include "model/names_text.h"
#include "model/subject.h"
#include "structures/contact_parts.h"
#include "structures/mechanism_parts.h"
#include "verne/dynamics/configuration.h"
#include "verne/structures/system.h"

namespace verne::codegen {

namespace {

/// Places along the range of each independent coordinate, and from how small a condition number on the code is called
/// good: rows of J_rd in units of the mechanism's length.
constexpr int kPlaces = 48;
constexpr double kWorstOfCode = 1e4;
/// Of a slider without limits, to either side, in lengths of the mechanism.
constexpr double kSlide = 0.5;

/// The sign of a determinant, by Gaussian elimination.
int sign_of_determinant(Eigen::MatrixXd A) {
  int sign = 1;
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    Eigen::Index pivot = 0;
    A.col(k).tail(A.rows() - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (A(pivot, k) == 0) return 0;
    if (pivot != k) A.row(pivot).swap(A.row(k)), sign = -sign;
    if (A(k, k) < 0) sign = -sign;
    for (Eigen::Index i = k + 1; i < A.rows(); ++i) {
      const double factor = A(i, k) / A(k, k);
      for (Eigen::Index j = k; j < A.cols(); ++j) A(i, j) -= factor * A(k, j);
    }
  }
  return sign;
}

/// Walks along the range of one independent coordinate after the other, the others at home.
class RankWalk {
 public:
  explicit RankWalk(const Mechanism& mechanism) : mechanism_(mechanism), data_(mechanism), home_(mechanism.home()) {
    home_sign_ = sign(home_.eigen()).value_or(0);
  }

  void check() {
    for (int k = 0; k < mechanism_.nq(); ++k) {
      const int place = mechanism_.independent_positions()[static_cast<std::size_t>(k)];
      const Joint& joint = joint_of(place);
      if (joint.nq != joint.nv) continue;  // a quaternion has no range
      for (const double end : range(joint, place - joint.q)) walk(k, place, end);
    }
  }

 private:
  const Joint& joint_of(int place) const {
    return *std::ranges::find_if(mechanism_.model().joints(),
                                 [&](const Joint& j) { return place >= j.q && place < j.q + j.nq; });
  }
  std::array<double, 2> range(const Joint& joint, int k) const {
    const double home = home_[joint.q + k];
    const double reach = is_linear(joint.spec.type, k) ? kSlide * mechanism_.length() : std::numbers::pi;
    const DofSpec dof = joint.spec.dofs.empty() ? DofSpec{} : joint.spec.dofs[static_cast<std::size_t>(k)];
    const double lower = dof.lower, upper = dof.upper;
    return {std::max(std::isfinite(lower) ? lower : home - reach, home - 2 * reach),
            std::min(std::isfinite(upper) ? upper : home + reach, home + 2 * reach)};
  }
  void walk(int coordinate, int place, double end) {
    Eigen::VectorXd q = home_.eigen(), free = mechanism_.independent_home().eigen();
    const double begin = free[coordinate];
    for (int step = 1; step <= kPlaces; ++step) {
      const double before = free[coordinate];
      free[coordinate] = begin + (end - begin) * step / kPlaces;
      if (!follow(free, q)) {
        // Lengths of several legs go together: where one alone leaves the reach of the others there is no state.
        if (mechanism_.mobility() > 1) return;
        refuse(place, before, free[coordinate]);
      }
      const std::optional<int> now = sign(q);
      if (!now || *now != home_sign_) refuse(place, before, free[coordinate]);
    }
  }
  /// Moves q to the independent coordinates. False, with q as it was, where loops cannot be closed on the way.
  bool follow(const Eigen::VectorXd& free, Eigen::VectorXd& q) {
    Eigen::VectorXd next(q.size());
    try {
      if (!assemble<double>(mechanism_, data_, free, q, next)) return false;
    } catch (const InputError&) {
      return false;
    }
    q = next;
    return true;
  }
  /// Of the determinant of what is eliminated; none where it is singular.
  std::optional<int> sign(const Eigen::VectorXd& q) {
    auto& p = data_.parts();
    if (!p.told(q, p.zero_v, kWorstOfCode)) return std::nullopt;
    return sign_of_determinant(p.J_dependent);
  }
  [[noreturn]] void refuse(int place, double from, double to) const {
    const Joint& joint = joint_of(place);
    throw InputError(
        "codegen: the rank of the loops changes where '" + joint.spec.name + "' is between " + rounded_text(from) +
        " and " + rounded_text(to) +
        ", within its range: code has one order of elimination; narrow the joint's limits, or choose other joints as "
        "`independent`");
  }

  const Mechanism& mechanism_;
  MechanismData<double> data_;
  const Values& home_;
  int home_sign_ = 0;
};

}  // namespace

ClosedSubject closed_subject(const Model& model, const std::vector<std::string>& contacts) {
  if (model.coupled()) {
    throw InputError("codegen: there is no code for closed loops or held contacts beside joints that follow others");
  }
  std::vector<int> held;
  for (const std::string& name : contacts) {
    const auto found = std::ranges::find_if(model.contacts(), [&](const ContactSpec& c) { return c.name == name; });
    if (found == model.contacts().end()) {
      std::vector<std::string> names;
      for (const ContactSpec& c : model.contacts()) names.push_back(c.name);
      throw InputError("codegen: --contacts: the model has no contact '" + name + "'" + suggestion(name, names));
    }
    held.push_back(static_cast<int>(found - model.contacts().begin()));
  }
  const Mechanism open(model);
  if (!model.loops().empty()) RankWalk(open).check();
  if (held.empty()) return {model, held, open};
  return {model, held, Mechanism(build_model(with_held_contacts(model, held, open.home().eigen())))};
}

namespace {

Eigen::VectorXd random_vector(Eigen::Index count, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Eigen::VectorXd::NullaryExpr(count, [&] { return uniform(generator); });
}

/// Near home, as far as that is within reach.
Eigen::VectorXd closed_configuration(const Mechanism& mechanism, std::mt19937_64& generator) {
  constexpr double kStep = 0.02;
  const Model& model = mechanism.model();
  MechanismData<double> data(mechanism);
  Data<double> tree(model);
  const Eigen::VectorXd home = mechanism.home().eigen(), way = random_vector(mechanism.mobility(), generator);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model.nv()), free(mechanism.nq()), q(model.nq());
  for (Eigen::Index k = 0; k < way.size(); ++k) {
    step[mechanism.independent()[static_cast<std::size_t>(k)]] = kStep * way[k];
  }
  const Eigen::VectorXd moved = integrate<double>(model, tree, home, step);
  for (int k = 0; k < mechanism.nq(); ++k) {
    free[k] = moved[mechanism.independent_positions()[static_cast<std::size_t>(k)]];
  }
  try {
    assemble<double>(mechanism, data, free, home, q);
  } catch (const InputError&) {
    return home;
  }
  return q;
}

}  // namespace

ClosedTestState closed_test_state(const ClosedSubject& subject, unsigned seed) {
  constexpr double kStep = 0.1;
  std::mt19937_64 generator(seed);
  const Mechanism& mechanism = subject.mechanism;
  const Model& model = mechanism.model();
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  ClosedTestState s{mechanism.contents().reference, rest, rest,
                    random_vector(static_cast<Eigen::Index>(mechanism.actuated().size()), generator)};
  if (!subject.contacts.empty()) {
    Data<double> tree(model);
    const Eigen::VectorXd step = kStep * random_vector(model.nv(), generator);
    if (subject.open.loops().empty()) s.q = integrate<double>(model, tree, s.q, step);
    return s;
  }
  s.q = closed_configuration(mechanism, generator);
  MechanismData<double> data(mechanism);
  closed_motion<double>(mechanism, data, s.q, random_vector(mechanism.mobility(), generator),
                        random_vector(mechanism.mobility(), generator), s.v, s.a);
  return s;
}

std::vector<std::vector<double>> closed_reference(const ClosedSubject& subject, const Want& want,
                                                  const ClosedTestState& s) {
  const auto list = [](const Eigen::MatrixXd& x) { return std::vector<double>(x.data(), x.data() + x.size()); };
  const Mechanism& mechanism = subject.mechanism;
  if (!subject.contacts.empty()) {
    const System system(subject.open, {.contacts = subject.contacts});
    SystemData data(system);
    Eigen::VectorXd tau = s.tau;
    if (subject.open.loops().empty()) {  // then all velocities of the tree have one
      tau.setZero(subject.open.nv());
      for (Eigen::Index k = 0; k < s.tau.size(); ++k) {
        tau[mechanism.actuated()[static_cast<std::size_t>(k)]] = s.tau[k];
      }
    }
    const SystemDynamics out = forward_dynamics(system, data, s.q, s.v, tau, {.wrenches = true});
    if (want.quantity == Quantity::acceleration) return {list(out.a)};
    return {list(out.a), list(out.loop_wrenches)};
  }
  MechanismData<double> data(mechanism);
  switch (want.quantity) {
    case Quantity::tau:
      return {list(inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a))};
    case Quantity::joint_wrenches: {
      const auto out = inverse_dynamics_and_wrenches<double>(mechanism, data, s.q, s.v, s.a);
      return {list(out.tau), list(out.loop_wrenches), list(out.joint_wrenches)};
    }
    case Quantity::acceleration:
      return {list(forward_dynamics<double>(mechanism, data, s.q, s.v, s.tau))};
    default: {
      const auto out = forward_dynamics_and_wrenches<double>(mechanism, data, s.q, s.v, s.tau);
      return {list(out.a), list(out.loop_wrenches)};
    }
  }
}

}  // namespace verne::codegen
