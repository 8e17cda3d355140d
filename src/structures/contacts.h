/// Rigid contacts with the world that are switched on and off from call to call (ModelSpec::contacts), beside the loops
/// of a mechanism or on a tree alone. Equations: docs/theory/loops.md, section 6.
///
/// Contacts never change the coordinates. While held, the frame of a contact is not accelerated, as far as its type
/// holds it; velocities are the caller's, and positions are not looked at. Each exerts on its link a wrench at its
/// point and in the axes of its frame. They only hold: nothing here asks whether the ground would have to pull.
///
/// q, v, a are those of the tree and satisfy the loops; tau has an entry for every velocity of the tree. Wrenches are
/// those of the loops, then those of the contacts that are held, in the order of the call.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "structures/closed_dynamics.h"
#include "verne/structures/system.h"

namespace verne {

/// Scratch memory for one thread; holds no results.
class VERNE_API ContactData {
 public:
  /// Room for the algorithms on this mechanism.
  explicit ContactData(const Mechanism& mechanism);
  ContactData(ContactData&&) noexcept;
  ContactData& operator=(ContactData&&) noexcept;
  ~ContactData();

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Accelerations under tau with the contacts held (indices of Model::contacts()). Where their wrenches are not
/// determined, as of four points under one foot, those of the least sum of f² + (m / length)² are given.
VERNE_API void forward_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                LoadsIn<double> loads = nullptr, WrenchesOut<double> loop_wrenches = nullptr,
                                WrenchesOut<double> joint_wrenches = nullptr);

/// The least tau (Σ weight tau² over the actuators, all 1 unless given; zero where no actuator is) that gives the
/// motion with the help of the contacts, and the least wrenches that go with it. Throws InputError when actuators and
/// contacts cannot give it.
VERNE_API void inverse_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, VectorOut<double> tau,
                                LoadsIn<double> loads = nullptr, WrenchesOut<double> loop_wrenches = nullptr,
                                WrenchesOut<double> joint_wrenches = nullptr, const Values* weights = nullptr);

/// The torques that do nothing but stress the mechanism and the contacts that are held: orthonormal columns, a row for
/// each actuator.
VERNE_API Table null_space_torques(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                   VectorIn<double> q);

/// Which components are determined at q while these contacts are held.
VERNE_API DeterminedWrenches determined_wrenches(const Mechanism& mechanism, ContactData& data,
                                                 std::span<const int> contacts, VectorIn<double> q);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

/// Accelerations under tau, and the wrenches of loops, contacts and joints.
inline ClosedAccelerations<double> forward_dynamics_and_wrenches(const Mechanism& mechanism, ContactData& data,
                                                                 std::span<const int> contacts, VectorIn<double> q,
                                                                 VectorIn<double> v, VectorIn<double> tau,
                                                                 const Loads<double>& loads = {}) {
  const Model& model = mechanism.model();
  ClosedAccelerations<double> out{Eigen::VectorXd(model.nv()),
                                  Matrix6X<double>(6, model.loops().size() + contacts.size()),
                                  Matrix6X<double>(6, model.joints().size())};
  forward_dynamics(mechanism, data, contacts, q, v, tau, out.a, &loads, &out.loop_wrenches, &out.joint_wrenches);
  return out;
}
/// Accelerations under tau.
inline Eigen::VectorXd forward_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                        VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                                        const Loads<double>& loads = {}) {
  Eigen::VectorXd a(mechanism.model().nv());
  forward_dynamics(mechanism, data, contacts, q, v, tau, a, &loads);
  return a;
}
/// The least torques of a motion, and the wrenches of loops, contacts and joints.
inline ClosedTorques<double> inverse_dynamics_and_wrenches(const Mechanism& mechanism, ContactData& data,
                                                           std::span<const int> contacts, VectorIn<double> q,
                                                           VectorIn<double> v, VectorIn<double> a,
                                                           const Loads<double>& loads = {}) {
  const Model& model = mechanism.model();
  ClosedTorques<double> out{Eigen::VectorXd(model.nv()), Matrix6X<double>(6, model.loops().size() + contacts.size()),
                            Matrix6X<double>(6, model.joints().size())};
  inverse_dynamics(mechanism, data, contacts, q, v, a, out.tau, &loads, &out.loop_wrenches, &out.joint_wrenches);
  return out;
}
/// The least torques of a motion.
inline Eigen::VectorXd inverse_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                        VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                        const Loads<double>& loads = {}) {
  Eigen::VectorXd tau(mechanism.model().nv());
  inverse_dynamics(mechanism, data, contacts, q, v, a, tau, &loads);
  return tau;
}

}  // namespace verne
