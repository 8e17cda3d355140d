/// Derivatives with contacts held, by complex step through assembly, kinematics and Lagrange's equations.
#include "structures/contact_derivatives.h"

#include "structures/contact_support.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

using ComplexMatrix = Matrix<Complex>;

struct HeldMotion {
  ComplexMatrix J;      ///< along the coordinates of the tree
  ComplexVector rates;  ///< accelerations of the contacts at the accelerations of the tree
};

/// The oracle: all of it in complex numbers, from poses and the equations of docs/theory/loops.md.
class HeldOracle {
 public:
  HeldOracle(const Mechanism& mechanism, std::vector<int> held)
      : mechanism_(mechanism), model_(mechanism.model()), held_(std::move(held)), closed_(mechanism), data_(model_) {}

  /// The tree at independent coordinates.
  struct State {
    ComplexVector q, v, a0;  ///< a0: at independent accelerations of zero
    ComplexMatrix G;
  };
  State at(const ComplexVector& q_tree_or_independent, const Eigen::VectorXd& guess, const ComplexVector& v) {
    State s;
    s.q.resize(model_.nq()), s.v.resize(model_.nv()), s.a0.resize(model_.nv());
    s.G.resize(model_.nv(), mechanism_.mobility());
    if (model_.loops().empty()) {
      s.q = q_tree_or_independent, s.v = v, s.a0.setZero(), s.G.setIdentity();
      return s;
    }
    assemble<Complex>(mechanism_, closed_, q_tree_or_independent, guess.cast<Complex>(), s.q);
    closed_motion<Complex>(mechanism_, closed_, s.q, v, ComplexVector::Zero(v.size()), s.v, s.a0);
    closed_jacobian<Complex>(mechanism_, closed_, s.q, s.G);
    return s;
  }

  HeldMotion motion(const State& s, const ComplexVector& a) {
    HeldMotion out;
    out.rates = rows(s.q, s.v, a, true);
    out.J.resize(out.rates.size(), model_.nv());
    for (int k = 0; k < model_.nv(); ++k) {
      out.J.col(k) =
          rows(s.q, ComplexVector(ComplexVector::Unit(model_.nv(), k)), ComplexVector::Zero(model_.nv()), false);
    }
    return out;
  }

  /// Independent accelerations, then λ.
  ComplexVector forward(const State& s, const ComplexVector& tau, const Loads<Complex>& loads) {
    const HeldMotion held = motion(s, s.a0);
    const ComplexMatrix P = held.J * s.G, M = mass_matrix(model_, data_, s.q);
    const Eigen::Index free = s.G.cols(), m = P.rows();
    ComplexMatrix K = ComplexMatrix::Zero(free + m, free + m);
    K.topLeftCorner(free, free) = s.G.transpose() * M * s.G;
    K.topRightCorner(free, m) = -P.transpose();
    K.bottomLeftCorner(m, free) = P;
    ComplexVector right(free + m);
    right << s.G.transpose() * (tau - inverse_dynamics(model_, data_, s.q, s.v, s.a0, loads)), -held.rates;
    return K.partialPivLu().solve(right);
  }

  /// The least Σ weight τ², from the conditions of the minimum, then λ.
  ComplexVector inverse(const State& s, const ComplexVector& free_a, const Loads<Complex>& loads,
                        const Eigen::VectorXd& weights) {
    const ComplexVector a = s.a0 + s.G * free_a;
    const ComplexMatrix P = motion(s, a).J * s.G;
    ComplexMatrix A(s.G.cols(), Eigen::Index(mechanism_.actuated().size()));
    for (Eigen::Index k = 0; k < A.cols(); ++k) A.col(k) = s.G.row(mechanism_.actuated()[std::size_t(k)]).transpose();
    const Eigen::Index free = s.G.cols(), m = P.rows();
    ComplexMatrix K = ComplexMatrix::Zero(free + m, free + m);
    const ComplexMatrix by_effort = weights.cwiseInverse().cast<Complex>().asDiagonal() * A.transpose();
    K.topLeftCorner(free, free) = A * by_effort;
    K.topRightCorner(free, m) = P.transpose();
    K.bottomLeftCorner(m, free) = P;
    ComplexVector right = ComplexVector::Zero(free + m);
    right.head(free) = s.G.transpose() * inverse_dynamics(model_, data_, s.q, s.v, a, loads);
    const ComplexVector solved = K.partialPivLu().solve(right), efforts = by_effort * solved.head(free);
    ComplexVector out = ComplexVector::Zero(model_.nv() + m);
    for (Eigen::Index k = 0; k < A.cols(); ++k) out[mechanism_.actuated()[std::size_t(k)]] = efforts[k];
    out.tail(m) = solved.tail(m);
    return out;
  }

  /// Of all loops, contacts and joints, with what the contacts exert as loads on the tree or on the mechanism alone.
  ComplexVector wrenches(const State& s, const ComplexVector& free_a, const ComplexVector& tau,
                         const ComplexVector& lambda, Loads<Complex> loads) {
    const Kinematics<Complex> k = forward_kinematics(model_, data_, s.q);
    const auto loop_count = Eigen::Index(model_.loops().size()), joint_count = Eigen::Index(model_.joints().size());
    Matrix6X<Complex> own = Matrix6X<Complex>::Zero(6, Eigen::Index(held_.size()));
    Eigen::Index row = 0, column = 0;
    for (const int index : held_) {
      const ContactSpec& contact = model_.contacts()[std::size_t(index)];
      const WorldFrame<Complex> frame = world_frame(model_, k, {contact.link, {contact.R_LC, contact.point}});
      const int count = held_components(contact.type);
      ComplexVector wrench = ComplexVector::Zero(6);
      wrench.head(count) = lambda.segment(row, count);
      own.col(column++) = wrench;
      row += count;
      loads.add({model_.link(contact.link), frame.R * wrench.head(3), frame.R * wrench.tail(3), frame.p, At::world});
    }
    Matrix6X<Complex> loops(6, loop_count), joints(6, joint_count);
    ComplexVector other(model_.nv());
    if (model_.loops().empty()) {
      inverse_dynamics<Complex>(model_, data_, s.q, s.v, s.a0 + s.G * free_a, other, &loads, &joints);
    } else {
      const ComplexVector efforts = tau(mechanism_.actuated());
      forward_dynamics<Complex>(mechanism_, closed_, s.q, s.v, efforts, other, &loads, &loops, &joints);
    }
    Matrix6X<Complex> all(6, loop_count + column + joint_count);
    all << loops, own, joints;
    return all.reshaped();
  }

 private:
  /// What the contacts hold of the velocities or accelerations of their frames, in their axes.
  ComplexVector rows(const ComplexVector& q, const ComplexVector& v, const ComplexVector& a, bool accelerations) {
    const Kinematics<Complex> k = forward_kinematics(model_, data_, q, v, a);
    std::vector<Complex> out;
    using V = Eigen::Matrix<Complex, 3, 1>;
    const auto cross = [](const V& x, const V& y) {
      return V(x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]);
    };
    for (const int index : held_) {
      const ContactSpec& contact = model_.contacts()[std::size_t(index)];
      const WorldFrame<Complex> frame = world_frame(model_, k, {contact.link, {contact.R_LC, contact.point}});
      V linear = frame.v, angular = frame.omega;
      if (accelerations) {
        const int site = model_.link(contact.link);
        const V r = frame.p - k.position(site);
        angular = k.accelerations.col(site).tail(3);
        linear = k.accelerations.col(site).head(3) + cross(angular, r) + cross(frame.omega, cross(frame.omega, r));
      }
      const int count = held_components(contact.type);
      for (int i = 0; i < count; ++i) {
        const V axis = frame.R.col(i % 3), &vector = i < 3 ? linear : angular;
        out.push_back(axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]);
      }
    }
    return Eigen::Map<ComplexVector>(out.data(), Eigen::Index(out.size()));
  }

  const Mechanism& mechanism_;
  const Model& model_;
  std::vector<int> held_;
  MechanismData<Complex> closed_;
  Data<Complex> data_;
};

/// A state of a tree or of a mechanism, the contacts and what is given.
struct Case {
  Mechanism mechanism;
  std::vector<int> held;
  Eigen::VectorXd q, v, a, tau;  ///< of the tree
  Eigen::VectorXd free_q, free_v, free_a;
  Loads<double> loads;
};

/// Positions as the oracle takes them.
ComplexVector given_positions(const Case& c) {
  return (c.mechanism.model().loops().empty() ? c.q : c.free_q).cast<Complex>();
}

/// Columns of the derivatives of f(q, v, x) along the independent coordinates; x is tau of the tree or free_a.
template <class Function>
std::array<Eigen::MatrixXd, 3> by_complex_step(const Case& c, const Eigen::VectorXd& x, Function&& f) {
  const Model& model = c.mechanism.model();
  Data<Complex> data(model);
  const auto free = Eigen::Index(c.mechanism.mobility());
  const bool tree = model.loops().empty();
  const ComplexVector v = c.free_v.cast<Complex>(), given = x.cast<Complex>();
  const ComplexVector q = given_positions(c);
  const auto columns = [](Eigen::Index count, auto&& value) {
    Eigen::MatrixXd out;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::VectorXd column = derivative(value(Eigen::VectorXd(Eigen::VectorXd::Unit(count, k))));
      if (k == 0) out.resize(column.size(), count);
      out.col(k) = column;
    }
    return out;
  };
  const auto moved = [&](const Eigen::VectorXd& dq) -> ComplexVector {
    return tree ? stepped_configuration(model, data, c.q, dq) : stepped(c.free_q, dq);
  };
  return {columns(free, [&](const Eigen::VectorXd& dq) { return f(moved(dq), v, given); }),
          columns(free, [&](const Eigen::VectorXd& dv) { return f(q, stepped(c.free_v, dv), given); }),
          columns(x.size(), [&](const Eigen::VectorXd& dx) { return f(q, v, stepped(x, dx)); })};
}

/// Of f(loads), a column for each of their nine numbers.
template <class Function>
Eigen::MatrixXd load_columns(const Case& c, Function&& f) {
  Eigen::MatrixXd out;
  for (int k = 0; k < 9 * c.loads.size(); ++k) {
    Loads<Complex> moved = complex_loads(c.loads);
    moved.values()[k] += Complex(0, kImaginaryStep);
    const Eigen::VectorXd column = derivative(f(moved));
    if (k == 0) out.resize(column.size(), 9 * c.loads.size());
    out.col(k) = column;
  }
  return out;
}

ComplexVector joined(const ComplexVector& one, const ComplexVector& other) {
  return (ComplexVector(one.size() + other.size()) << one, other).finished();
}

/// Of loops and contacts, then of joints: rows of `expected` are those of one after the other. `some` are the columns
/// that the oracle knows.
void expect_wrenches(const Case& c, const Matrix6X<double>& loops, const Matrix6X<double>& joints,
                     const Eigen::MatrixXd& expected, const std::string& where, std::span<const int> some = {}) {
  ContactData data(c.mechanism);
  const DeterminedWrenches of = determined_wrenches(c.mechanism, data, c.held, c.q);
  auto determined = of.loops;
  determined.insert(determined.end(), of.joints.begin(), of.joints.end());
  const Eigen::Index columns = expected.cols();
  Matrix6X<double> given(6, loops.cols() + joints.cols());
  given << loops, joints;
  ASSERT_EQ(given.cols() * 6, expected.size());
  EXPECT_GT(largest(expected), 0) << where;
  for (std::size_t k = 0; k < determined.size(); ++k) {
    for (std::size_t i = 0; i < 6; ++i) {
      const Eigen::VectorXd row = given.row(Eigen::Index(i)).segment(Eigen::Index(k) * columns, columns);
      EXPECT_EQ(determined[k][i], row.allFinite()) << where;
      if (!determined[k][i]) continue;
      const Eigen::VectorXd other = expected.row(Eigen::Index(6 * k + i)).transpose();
      const bool same = some.empty() ? close(row, other, 1e-7, largest(expected))
                                     : close(row(some), other(some), 1e-7, largest(expected));
      EXPECT_TRUE(same) << where << " wrench " << k << " component " << i;
    }
  }
}

void expect_forward(const Case& c, const std::string& where) {
  const Model& model = c.mechanism.model();
  const Eigen::Index n = model.nv(), free = c.mechanism.mobility();
  HeldOracle oracle(c.mechanism, c.held);
  ContactData data(c.mechanism);
  Eigen::VectorXd a(n), expected_a(n);
  Eigen::MatrixXd dq(free, free), dv(free, free), dtau(free, n);
  LoopWrenchDerivatives loops(c.mechanism, n, c.held.size());
  forward_dynamics(c.mechanism, data, c.held, c.q, c.v, c.tau, expected_a, &c.loads);
  JointWrenchDerivatives joints(c.mechanism, n);
  forward_dynamics_derivatives(c.mechanism, data, c.held, c.q, c.v, c.tau, a, dq, dv, dtau, &c.loads, &loops, &joints);
  EXPECT_TRUE(close(a, expected_a, 1e-11)) << where;
  const Loads<Complex> loads = complex_loads(c.loads);
  const auto [all_dq, all_dv, all_dtau] =
      by_complex_step(c, c.tau, [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& tau) {
        const HeldOracle::State s = oracle.at(q, c.q, v);
        const ComplexVector found = oracle.forward(s, tau, loads);
        return joined(found.head(free),
                      oracle.wrenches(s, found.head(free), tau, found.tail(found.size() - free), loads));
      });
  EXPECT_TRUE(close(dq, all_dq.topRows(free), 1e-7)) << where;
  EXPECT_TRUE(close(dv, all_dv.topRows(free), 1e-7)) << where;
  EXPECT_TRUE(close(dtau, all_dtau.topRows(free), 1e-7)) << where;
  const Eigen::Index rows = all_dq.rows() - free;
  expect_wrenches(c, loops.dq, joints.dq, all_dq.bottomRows(rows), where + " q");
  expect_wrenches(c, loops.dv, joints.dv, all_dv.bottomRows(rows), where + " v");
  // The mechanism alone, which tells the oracle what loops bear, knows of the actuators' torques only.
  expect_wrenches(c, loops.dx, joints.dx, all_dtau.bottomRows(rows), where + " tau",
                  model.loops().empty() ? std::span<const int>() : c.mechanism.actuated());
  // By loads, and λ as it is.
  Eigen::MatrixXd by_loads(free, 9 * c.loads.size());
  forward_load_derivatives(c.mechanism, data, c.held, c.q, c.loads, by_loads);
  const HeldOracle::State s = oracle.at(given_positions(c), c.q, c.free_v.cast<Complex>());
  const Eigen::MatrixXd expected = load_columns(c, [&](const Loads<Complex>& moved) {
    return ComplexVector(oracle.forward(s, c.tau.cast<Complex>(), moved).head(free));
  });
  EXPECT_TRUE(close(by_loads, expected, 1e-7, std::max(1.0, largest(expected))))
      << where;  // of a fixed link it is zero
}

void expect_inverse(const Case& c, const std::string& where, const Values* given_weights = nullptr) {
  const Eigen::Index n = c.mechanism.model().nv(), free = c.mechanism.mobility();
  HeldOracle oracle(c.mechanism, c.held);
  ContactData data(c.mechanism);
  Eigen::VectorXd tau(n), weights = Eigen::VectorXd::Ones(Eigen::Index(c.mechanism.actuated().size()));
  if (given_weights) weights = given_weights->eigen();
  inverse_dynamics(c.mechanism, data, c.held, c.q, c.v, c.a, tau, &c.loads, nullptr, nullptr, given_weights);
  Eigen::MatrixXd dq(n, free), dv(n, free), da(n, free);
  LoopWrenchDerivatives loops(c.mechanism, free, c.held.size());
  JointWrenchDerivatives joints(c.mechanism);
  inverse_dynamics_derivatives(c.mechanism, data, c.held, c.q, c.v, c.a, dq, dv, da, &c.loads, &loops, &joints,
                               given_weights);
  const Loads<Complex> loads = complex_loads(c.loads);
  const auto f = [&](const ComplexVector& q, const ComplexVector& v, const ComplexVector& a) {
    const HeldOracle::State s = oracle.at(q, c.q, v);
    const ComplexVector found = oracle.inverse(s, a, loads, weights), tau_found = found.head(n);
    return joined(tau_found, oracle.wrenches(s, a, tau_found, found.tail(found.size() - n), loads));
  };
  EXPECT_TRUE(
      close(tau, f(given_positions(c), c.free_v.cast<Complex>(), c.free_a.cast<Complex>()).real().head(n), 1e-7))
      << where;
  const auto [all_dq, all_dv, all_da] = by_complex_step(c, c.free_a, f);
  EXPECT_TRUE(close(dq, all_dq.topRows(n), 1e-6)) << where;
  EXPECT_TRUE(close(dv, all_dv.topRows(n), 1e-6)) << where;
  EXPECT_TRUE(close(da, all_da.topRows(n), 1e-6)) << where;
  expect_wrenches(c, loops.dq, joints.dq, all_dq.bottomRows(all_dq.rows() - n), where + " q, inverse");
  expect_wrenches(c, loops.dv, joints.dv, all_dv.bottomRows(all_dv.rows() - n), where + " v, inverse");
  expect_wrenches(c, loops.dx, joints.dx, all_da.bottomRows(all_da.rows() - n), where + " a, inverse");
  Eigen::MatrixXd by_loads(n, 9 * c.loads.size());
  load_derivatives(c.mechanism, data, c.held, c.q, c.loads, by_loads, given_weights);
  const HeldOracle::State s = oracle.at(given_positions(c), c.q, c.free_v.cast<Complex>());
  const Eigen::MatrixXd expected = load_columns(c, [&](const Loads<Complex>& moved) {
    return ComplexVector(oracle.inverse(s, c.free_a.cast<Complex>(), moved, weights).head(n));
  });
  EXPECT_TRUE(close(by_loads, expected, 1e-6, std::max(1.0, largest(expected)))) << where;
}

Eigen::VectorXd some_weights(const Case& c, std::mt19937_64& rng) {
  return random_values(rng, int(c.mechanism.actuated().size()), 0.8).array() + 1;
}

/// Torques that stress the mechanism move nothing, and there are as many as motors more than what is free to move.
void expect_idle(const Case& c) {
  ContactData data(c.mechanism);
  const Table basis = null_space_torques(c.mechanism, data, c.held, c.q);
  const auto actuated = c.mechanism.actuated();
  int held = 0;
  for (const int k : c.held) held += held_components(c.mechanism.model().contacts()[std::size_t(k)].type);
  ASSERT_EQ(basis.cols(), Eigen::Index(actuated.size()) - (c.mechanism.mobility() - held));
  EXPECT_TRUE(
      close(basis.eigen().transpose() * basis.eigen(), Eigen::MatrixXd::Identity(basis.cols(), basis.cols()), 1e-12));
  Eigen::VectorXd a(c.v.size()), same(c.v.size());
  forward_dynamics(c.mechanism, data, c.held, c.q, c.v, c.tau, a);
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    Eigen::VectorXd tau = c.tau;
    tau(actuated) += 10 * basis.eigen().col(k);
    forward_dynamics(c.mechanism, data, c.held, c.q, c.v, tau, same);
    EXPECT_TRUE(close(same, a, 1e-8, std::max(1.0, largest(a)))) << k;
  }
}

Case on_tree(const Model& model, std::vector<int> held, std::mt19937_64& rng) {
  const State s = random_state(model, rng);
  return {Mechanism(model), std::move(held), s.q, s.v, s.a, s.tau, s.q, s.v, s.a, random_loads(model, rng, 3)};
}

TEST(ContactDerivatives, ChainsByComplexStep) {
  for (int k = 0; k < 4; ++k) {
    std::mt19937_64 rng(std::mt19937_64::result_type(90 + k) + test_seed());
    const Model model = build_model(chain_in_contact(rng, k % 2 == 1));
    const Case c = on_tree(model, k < 2 ? std::vector<int>{2, 0, 1} : std::vector<int>{k - 1}, rng);
    expect_forward(c, "chain " + std::to_string(k));
    if (k != 2) expect_inverse(c, "chain " + std::to_string(k));  // a line alone does not hold a free base
  }
}

TEST(ContactDerivatives, HumanoidOnTwoFeet) {
  const Model model = shipped_model("humanoid");
  std::vector<int> feet;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    if (model.contacts()[k].type == ContactType::rigid) feet.push_back(int(k));
  }
  ASSERT_EQ(feet.size(), 2u);
  std::mt19937_64 rng(7 + test_seed());
  const Case c = on_tree(model, feet, rng);
  expect_forward(c, "humanoid");
  expect_inverse(c, "humanoid");  // 29 motors for 23 freedoms: the least torques
  const Values weights(some_weights(c, rng));
  expect_inverse(c, "humanoid, weighted", &weights);
  expect_idle(c);
}

TEST(ContactDerivatives, WithLoops) {
  for (const char* const name : {"sr400", "gough_stewart"}) {
    ModelSpec spec = shipped_model(name).spec();
    spec.contacts = {
        {"touch", std::string(name) == "sr400" ? spec.links.back().name : "platform", {0.02, 0.03, 0.01}, 0}};
    const Mechanism mechanism(build_model(spec));
    std::mt19937_64 rng(5 + test_seed());
    const ClosedState s = closed_state(mechanism, rng, 0.05);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(mechanism.model().nv());
    for (long k = 0; k < s.tau.size(); ++k) tau[mechanism.actuated()[std::size_t(k)]] = s.tau[k];
    const Case c{mechanism, {0},      s.q,      s.v,      s.a,
                 tau,       s.free_q, s.free_v, s.free_a, random_loads(mechanism.model(), rng, 2)};
    expect_forward(c, name);
    expect_inverse(c, name);  // more motors than freedoms
    const Values weights(some_weights(c, rng));
    expect_inverse(c, std::string(name) + ", weighted", &weights);
    expect_idle(c);
  }
}

/// Accelerations are known although forces are not: four corners are one foot.
TEST(ContactDerivatives, RedundantContacts) {
  const Model model = shipped_model("humanoid");
  const Mechanism mechanism(model);
  std::vector<int> corners, whole;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    const ContactSpec& contact = model.contacts()[k];
    if (contact.link != model.contacts()[0].link) continue;
    (contact.type == ContactType::rigid ? whole : corners).push_back(int(k));
  }
  ASSERT_EQ(whole.size(), 1u);
  ASSERT_GE(corners.size(), 3u);
  std::mt19937_64 rng(8 + test_seed());
  const State s = random_state(model, rng);
  const Eigen::Index n = model.nv();
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(n);
  ContactData data(mechanism);
  Eigen::VectorXd a(n);
  Eigen::MatrixXd dq(n, n), dv(n, n), dtau(n, n), same_dq(n, n), same_dv(n, n), same_dtau(n, n);
  LoopWrenchDerivatives forces(mechanism, n, corners.size());
  JointWrenchDerivatives joints(mechanism, n), same_joints(mechanism, n);
  forward_dynamics_derivatives(mechanism, data, corners, s.q, at_rest, s.tau, a, dq, dv, dtau, nullptr, &forces,
                               &joints);
  forward_dynamics_derivatives(mechanism, data, whole, s.q, at_rest, s.tau, a, same_dq, same_dv, same_dtau, nullptr,
                               nullptr, &same_joints);
  EXPECT_TRUE(close(dq, same_dq, 1e-7));
  EXPECT_TRUE(close(dv, same_dv, 1e-7, largest(same_dq)));
  EXPECT_TRUE(close(dtau, same_dtau, 1e-7));
  EXPECT_TRUE(std::isnan(forces.dq(0, 0)));
  EXPECT_TRUE(close(joints.dq, same_joints.dq, 1e-7));
  EXPECT_TRUE(close(joints.dx, same_joints.dx, 1e-7));
}

TEST(ContactDerivatives, WhatHasNone) {
  const Model model = shipped_model("humanoid");
  const Mechanism mechanism(model);
  ContactData data(mechanism);
  const Eigen::Index n = model.nv();
  Eigen::MatrixXd dq(n, n), dv(n, n), da(n, n), small(n, 2);
  const Eigen::VectorXd q = neutral_configuration(model), zero = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd a(n);
  const std::vector<int> held{0};
  EXPECT_THROW(forward_dynamics_derivatives(mechanism, data, held, q, zero, zero, a, small, dv, da),
               std::invalid_argument);
  // A point can carry the falling, but not every motion.
  forward_dynamics(mechanism, data, held, q, zero, zero, a);
  EXPECT_NE(complaint<InputError>([&] {
              inverse_dynamics_derivatives(mechanism, data, held, q, zero, a, dq, dv, da);
            }).find("only some motions"),
            std::string::npos);
}

}  // namespace
}  // namespace verne::test
