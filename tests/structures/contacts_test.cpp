/// Contacts against Lagrange's multipliers, and against loops to the world, which are found in another way.
#include "structures/contacts.h"

#include "structures/contact_derivatives.h"
#include "structures/contact_support.h"
#include "structures/mechanism_batch_derivatives.h"
#include "structures/mechanism_batch_support.h"
#include "support/allocation_guard.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

std::vector<int> named_contacts(const Model& model, const std::vector<std::string>& names) {
  std::vector<int> held;
  for (const std::string& name : names) {
    for (std::size_t k = 0; k < model.contacts().size(); ++k) {
      if (model.contacts()[k].name == name) held.push_back(int(k));
    }
  }
  return held;
}

/// Rows by which contacts accelerate, J a + drift, in world axes where a type holds whole vectors: by complex step of
/// the frame's velocity.
Openings contact_rows(const Model& model, const std::vector<int>& held, const Eigen::VectorXd& q,
                      const Eigen::VectorXd& v) {
  Data<double> data(model);
  Data<Complex> complex_data(model);
  const auto velocities = [&]<class S>(Data<S>& scratch, const Vector<S>& at, const Vector<S>& rate) {
    const Kinematics<S> k = forward_kinematics(model, scratch, at, rate, Vector<S>(Vector<S>::Zero(model.nv())));
    Vector<S> out(6 * held.size());
    for (std::size_t i = 0; i < held.size(); ++i) {
      const ContactSpec& contact = model.contacts()[std::size_t(held[i])];
      const WorldFrame<S> frame = world_frame(model, k, {contact.link, {contact.R_LC, contact.point}});
      out.segment(long(6 * i), 3) = frame.v, out.segment(long(6 * i) + 3, 3) = frame.omega;
    }
    return out;
  };
  Openings all;
  all.drift = derivative(velocities(complex_data, ComplexVector(stepped_configuration(model, complex_data, q, v)),
                                    ComplexVector(v.cast<Complex>())));
  all.J.resize(all.drift.size(), model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    all.J.col(k) = velocities(data, q, Eigen::VectorXd(Eigen::VectorXd::Unit(model.nv(), k)));
  }
  // In the axes of the frames, and what the type holds of them.
  const Kinematics<double> k = forward_kinematics(model, data, q);
  Openings some;
  std::vector<Eigen::VectorXd> rows;
  std::vector<double> drifts;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const ContactSpec& contact = model.contacts()[std::size_t(held[i])];
    const WorldFrame<double> frame = world_frame(model, k, {contact.link, {contact.R_LC, contact.point}});
    const int count = held_components(contact.type);
    for (int r = 0; r < count; ++r) {
      const long at = long(6 * i) + (r < 3 ? 0 : 3);
      rows.push_back(all.J.middleRows(at, 3).transpose() * frame.R.col(r % 3));
      drifts.push_back(all.drift.segment(at, 3).dot(frame.R.col(r % 3)));
    }
  }
  some.J.resize(long(rows.size()), model.nv());
  for (std::size_t r = 0; r < rows.size(); ++r) some.J.row(long(r)) = rows[r];
  some.drift = Eigen::Map<Eigen::VectorXd>(drifts.data(), long(drifts.size()));
  return some;
}

class Contacts : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64 rng_{std::mt19937_64::result_type(40 + GetParam()) + test_seed()};
  const Model model_ = build_model(chain_in_contact(rng_, GetParam() % 2 == 1));
  const Mechanism mechanism_{model_};
  ContactData data_{mechanism_};
  Data<double> tree_{model_};
  const State s_ = random_state(model_, rng_);
  const std::vector<int> held_ = GetParam() < 4 ? std::vector<int>{2, 0, 1} : std::vector<int>{GetParam() - 4};
  const int n_ = model_.nv();
};
INSTANTIATE_TEST_SUITE_P(Chains, Contacts, testing::Range(0, 7));

/// At velocities that the contacts do not stop, too.
TEST_P(Contacts, AccelerationsAsByLagrange) {
  const Loads<double> loads = random_loads(model_, rng_, 3);
  Eigen::VectorXd a(n_);
  Matrix6X<double> wrenches(6, long(held_.size())), joints(6, long(model_.joints().size()));
  forward_dynamics(mechanism_, data_, held_, s_.q, s_.v, s_.tau, a, &loads, &wrenches, &joints);
  const Openings c = contact_rows(model_, held_, s_.q, s_.v);
  const Eigen::Index m = c.J.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n_ + m, n_ + m);
  K.topLeftCorner(n_, n_) = mass_matrix(model_, tree_, s_.q);
  K.topRightCorner(n_, m) = -c.J.transpose();
  K.bottomLeftCorner(m, n_) = c.J;
  Eigen::VectorXd right(n_ + m);
  right << s_.tau - inverse_dynamics(model_, tree_, s_.q, s_.v, Eigen::VectorXd(Eigen::VectorXd::Zero(n_)), loads),
      -c.drift;
  const Eigen::VectorXd solved = K.fullPivLu().solve(right);
  EXPECT_TRUE(close(a, solved.head(n_), 1e-8));
  Eigen::Index row = n_;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const int count = held_components(model_.contacts()[std::size_t(held_[i])].type);
    EXPECT_TRUE(close(wrenches.col(long(i)).head(count), solved.segment(row, count), 1e-8, largest(solved.tail(m))));
    EXPECT_TRUE(wrenches.col(long(i)).tail(6 - count).isZero(0));
    row += count;
  }
  // Put on the tree as loads they leave the torques that were given.
  const Kinematics<double> k = forward_kinematics(model_, tree_, s_.q);
  Loads<double> all = loads;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const ContactSpec& contact = model_.contacts()[std::size_t(held_[i])];
    const WorldFrame<double> at = world_frame(model_, k, {contact.link, {contact.R_LC, contact.point}});
    all.add({model_.link(contact.link), at.R * wrenches.col(long(i)).head(3), at.R * wrenches.col(long(i)).tail(3),
             at.p, At::world});
  }
  const auto [torques, expected] = inverse_dynamics_and_wrenches(model_, tree_, s_.q, s_.v, a, all);
  EXPECT_TRUE(close(torques, s_.tau, 1e-8, largest(solved)));
  EXPECT_TRUE(close(joints, expected, 1e-9));
}

/// Held for good they are loops, which choose coordinates and rows of their own.
TEST_P(Contacts, AreLoopsToTheWorld) {
  const Openings c = contact_rows(model_, held_, s_.q, s_.v);
  const Eigen::VectorXd v = s_.v - c.J.completeOrthogonalDecomposition().solve(c.J * s_.v);
  const Mechanism closed(build_model(with_held_contacts(model_, held_, s_.q)));
  MechanismData<double> closed_data(closed);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(n_), motors(long(closed.actuated().size())), a(n_), expected(n_);
  for (long k = 0; k < motors.size(); ++k) motors[k] = tau[closed.actuated()[std::size_t(k)]] = s_.tau[k];
  Matrix6X<double> wrenches(6, long(held_.size())), loops = wrenches;
  forward_dynamics(mechanism_, data_, held_, s_.q, v, tau, a, nullptr, &wrenches);
  forward_dynamics(closed, closed_data, s_.q, v, motors, expected, nullptr, &loops);
  EXPECT_TRUE(close(a, expected, 1e-7));
  EXPECT_TRUE(close(wrenches, loops, 1e-7));

  // The least torques are those of the mechanism, if it has a motor for every freedom.
  if (closed.mobility() > motors.size()) return;
  Eigen::VectorXd found(n_), closed_tau(motors.size());
  inverse_dynamics(mechanism_, data_, held_, s_.q, v, a, found, nullptr, &wrenches);
  inverse_dynamics(closed, closed_data, s_.q, v, a, closed_tau, nullptr, &loops);
  for (long k = 0; k < motors.size(); ++k) {
    EXPECT_TRUE(close(found[closed.actuated()[std::size_t(k)]], closed_tau[k], 1e-6, largest(closed_tau)));
  }
  EXPECT_TRUE(close(wrenches, loops, 1e-6));
}

/// A loop and a contact at once: as two loops.
TEST(ContactsOnMechanisms, AreLoopsToo) {
  for (const char* const name : {"sr400", "gough_stewart", "five_bar"}) {
    ModelSpec spec = shipped_model(name).spec();
    const bool planar = std::string(name) == "five_bar";
    spec.contacts = {{"touch",
                      planar                         ? "left_rod"
                      : std::string(name) == "sr400" ? spec.links.back().name
                                                     : "platform",
                      {0.02, 0.03, 0.01},
                      0}};
    const Model model = build_model(spec);
    const Mechanism mechanism(model);
    ContactData data(mechanism);
    std::mt19937_64 rng(5);
    const ClosedState s = closed_state(mechanism, rng, 0.05);
    const Eigen::Index n = model.nv();
    const std::vector<int> held{0};
    const Mechanism closed(build_model(with_held_contacts(model, held, s.q)));
    MechanismData<double> closed_data(closed);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(n), a(n), expected(n), zero = Eigen::VectorXd::Zero(n);
    for (long k = 0; k < s.tau.size(); ++k) tau[mechanism.actuated()[std::size_t(k)]] = s.tau[k];
    const auto loops = long(model.loops().size());
    Matrix6X<double> wrenches(6, loops + 1), both(6, loops + 1), joints(6, long(model.joints().size())),
        same_joints = joints;
    forward_dynamics(mechanism, data, held, s.q, zero, tau, a, nullptr, &wrenches, &joints);
    forward_dynamics(closed, closed_data, s.q, zero, s.tau, expected, nullptr, &both, &same_joints);
    EXPECT_TRUE(close(a, expected, 1e-8, 1)) << name;  // the five-bar cannot move
    const DeterminedWrenches known = determined_wrenches(mechanism, data, held, s.q);
    for (int loop = 0; loop <= loops; ++loop) {
      for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(known.loops[std::size_t(loop)][std::size_t(i)], closed.loop_determined(loop, i)) << name << loop << i;
        if (!closed.loop_determined(loop, i)) continue;
        EXPECT_TRUE(close(wrenches(i, loop), both(i, loop), 1e-8, largest(both))) << name;
      }
    }
    for (int joint = 0; joint < joints.cols(); ++joint) {
      for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(known.joints[std::size_t(joint)][std::size_t(i)], closed.joint_determined(joint, i)) << name << joint;
        if (!closed.joint_determined(joint, i)) continue;
        EXPECT_TRUE(close(joints(i, joint), same_joints(i, joint), 1e-8, largest(same_joints))) << name;
      }
    }
  }
}

class Standing : public testing::Test {
 protected:
  const Model model_ = shipped_model("humanoid");
  const Mechanism mechanism_{model_};
  ContactData data_{mechanism_};
  const Eigen::VectorXd q_ = neutral_configuration(model_), zero_ = Eigen::VectorXd::Zero(model_.nv());
};

TEST_F(Standing, FeetCarryTheWeight) {
  const std::vector<int> held = named_contacts(model_, {"stance_l", "stance_r"});
  ASSERT_EQ(held.size(), 2u);
  Eigen::VectorXd tau(model_.nv()), a(model_.nv());
  Matrix6X<double> wrenches(6, 2);
  inverse_dynamics(mechanism_, data_, held, q_, zero_, zero_, tau, nullptr, &wrenches);
  EXPECT_TRUE(tau.head(6).isZero(0));  // nothing drives the pelvis
  EXPECT_NEAR(wrenches.row(2).sum(), 9.81 * model_.mass(), 1e-9);
  EXPECT_NEAR(wrenches.row(0).sum(), 0, 1e-9);
  EXPECT_NEAR(wrenches(2, 0), wrenches(2, 1), 1e-9);  // as it is symmetric
  forward_dynamics(mechanism_, data_, held, q_, zero_, tau, a);
  EXPECT_TRUE(close(a, zero_, 1e-9, 1));
  for (const auto& known : determined_wrenches(mechanism_, data_, held, q_).loops) {
    EXPECT_EQ(std::count(known.begin(), known.end(), true), 6);
  }
}

/// Four corners hold a foot as one rigid contact does, but do not tell who carries what.
TEST_F(Standing, CornersAreRedundant) {
  const std::vector<int> corners =
      named_contacts(model_, {"heel_outer_l", "heel_inner_l", "toe_outer_l", "toe_inner_l"});
  const std::vector<int> whole = named_contacts(model_, {"stance_l"});
  std::mt19937_64 rng(3);
  const State s = random_state(model_, rng);
  Eigen::VectorXd a(model_.nv()), expected(model_.nv());
  Matrix6X<double> forces(6, 4), wrench(6, 1), joints(6, long(model_.joints().size())), same_joints = joints;
  forward_dynamics(mechanism_, data_, corners, s.q, zero_, s.tau, a, nullptr, &forces, &joints);
  forward_dynamics(mechanism_, data_, whole, s.q, zero_, s.tau, expected, nullptr, &wrench, &same_joints);
  EXPECT_TRUE(close(a, expected, 1e-8));
  EXPECT_TRUE(close(forces.topRows(3).rowwise().sum(), wrench.col(0).head(3), 1e-8));
  EXPECT_TRUE(close(joints, same_joints, 1e-8));
  // Of the least: no pair of corners pulls against each other along the line between them.
  const auto point = [&](int k) {
    const Vec3<double>& p = model_.contacts()[std::size_t(corners[std::size_t(k)])].point;
    return Eigen::Vector3d(p.x, p.y, p.z);
  };
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      EXPECT_NEAR((forces.col(i) - forces.col(j)).head<3>().dot(point(i) - point(j)), 0, 1e-7 * largest(forces));
    }
  }
  for (const auto& known : determined_wrenches(mechanism_, data_, corners, s.q).loops) {
    EXPECT_EQ((std::array<bool, 3>{known[0], known[1], known[2]}), (std::array<bool, 3>{false, false, false}));
  }
}

TEST_F(Standing, WhatCannotBe) {
  const std::vector<int> point = named_contacts(model_, {"heel_outer_l"});
  Eigen::VectorXd tau(model_.nv());
  const auto refused = [&](const std::vector<int>& held) {
    return complaint<InputError>([&] { inverse_dynamics(mechanism_, data_, held, q_, zero_, zero_, tau); });
  };
  EXPECT_NE(refused(point).find("cannot give this motion: along pelvis_joint"), std::string::npos) << refused(point);
  EXPECT_EQ(refused(named_contacts(model_, {"stance_l"})), "none");
  const std::vector<int> unknown{99};
  EXPECT_THROW(inverse_dynamics(mechanism_, data_, unknown, q_, zero_, zero_, tau), std::invalid_argument);
}

/// Of the accelerations under tau, and of the wrenches of the contacts.
struct HeldDerivatives {
  HeldDerivatives(const Mechanism& mechanism, std::size_t contacts)
      : a(mechanism.model().nv()), dq(a.size(), a.size()), dv(dq), dtau(dq), wrenches(mechanism, a.size(), contacts) {}
  Eigen::VectorXd a;
  Eigen::MatrixXd dq, dv, dtau;
  LoopWrenchDerivatives wrenches;
};

void expect_close(const HeldDerivatives& given, const HeldDerivatives& expected, const std::string& where) {
  EXPECT_TRUE(close(given.a, expected.a, kSolve)) << where;
  EXPECT_TRUE(close(given.dq, expected.dq, kSolve)) << where;
  EXPECT_TRUE(close(given.dv, expected.dv, kSolve)) << where;
  EXPECT_TRUE(close(given.dtau, expected.dtau, kSolve)) << where;
  EXPECT_TRUE(close(given.wrenches.dq, expected.wrenches.dq, kSolve)) << where;
  EXPECT_TRUE(close(given.wrenches.dv, expected.wrenches.dv, kSolve)) << where;
  EXPECT_TRUE(close(given.wrenches.dx, expected.wrenches.dx, kSolve)) << where;
}

/// A chain, with springs and friction, or a person.
Model model_in_contact(int kind, std::mt19937_64& rng) {
  if (kind == 2) return shipped_model("humanoid");
  ModelSpec spec = chain_in_contact(rng, false);
  for (LinkSpec& link : spec.links) {
    if (kind != 1 || link.joint.type != JointType::revolute) continue;
    for (DofSpec& dof : link.joint.dofs) dof.stiffness = 20, dof.rest = 0.1;
  }
  return build_model(spec);
}

/// The kernels against the general method, which computes them where the wrenches of joints are wanted, too, and which
/// contact_derivatives_test.cpp compares with complex steps.
TEST(ContactsInKernels, DerivativesAreThoseOfTheGeneralMethod) {
  for (int kind = 0; kind < 3; ++kind) {
    std::mt19937_64 rng(std::mt19937_64::result_type(31 + kind) + test_seed());
    const Model model = model_in_contact(kind, rng);
    const Mechanism mechanism(model);
    const std::vector<int> held =
        kind == 2 ? named_contacts(model, {"stance_l", "stance_r"}) : std::vector<int>{2, 0, 1};
    ContactData data(mechanism);
    JointWrenchDerivatives joints(mechanism, model.nv());
    for (const int load_count : {0, 2}) {
      const Loads<double> loads = random_loads(model, rng, load_count);
      std::vector<State> states;
      std::vector<HeldDerivatives> expected;
      for (int k = 0; k < kBatchStates; ++k) {
        const State& s = states.emplace_back(random_state(model, rng));
        HeldDerivatives& e = expected.emplace_back(mechanism, held.size());
        forward_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.tau, e.a, e.dq, e.dv, e.dtau, &loads,
                                     &e.wrenches, &joints);
        HeldDerivatives d(mechanism, held.size());
        const long before = allocation_count();
        forward_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.tau, d.a, d.dq, d.dv, d.dtau, &loads,
                                     &d.wrenches);
        if (k > 0) {
          EXPECT_EQ(allocation_count(), before);
        }
        expect_close(d, e, "one state " + std::to_string(kind));
      }
      for (const BatchOptions& options : batch_options()) {
        MechanismBatch batch(mechanism, kBatchStates, options);
        batch.tree.set_loads(loads);
        for (int k = 0; k < kBatchStates; ++k) {
          const State& s = states[std::size_t(k)];
          batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.tau.set(k, s.tau);
        }
        BatchDerivatives of_a, of_wrenches;
        forward_dynamics_derivatives(batch, held, of_a, {&of_wrenches});
        EXPECT_EQ(batch.singles(), 0) << kind << options.instruction_set;
        for (int k = 0; k < kBatchStates; ++k) {
          HeldDerivatives d(mechanism, held.size());
          d.a = batch.tree.a.get(k);
          d.dq = of_a.dq.matrix(k, model.nv()), d.dv = of_a.dv.matrix(k, model.nv());
          d.dtau = of_a.dx.matrix(k, model.nv());
          d.wrenches.dq = of_wrenches.dq.matrix(k, 6), d.wrenches.dv = of_wrenches.dv.matrix(k, 6);
          d.wrenches.dx = of_wrenches.dx.matrix(k, 6);
          expect_close(d, expected[std::size_t(k)], "batch " + std::to_string(kind) + options.instruction_set);
        }
      }
    }
  }
}

}  // namespace
}  // namespace verne::test
