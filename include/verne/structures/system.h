/// What moves, as one thing: a model with its closed loops, the contacts that are held, and the joints whose
/// accelerations are given in place of their torques.
///
///   const System robot(model);
///   SystemData data(robot);                                    // memory for one thread
///   const auto [q, v, a, connected] = assemble(robot, data, independent_q, independent_v, independent_a);
///   const Eigen::VectorXd tau = inverse_dynamics(robot, data, q, v, a).tau;
///
/// How it is computed is chosen inside: by the recursions of a tree, leg by leg, by sparse elimination, on articulated
/// bodies with contacts (System::method()). States are those of the tree, with loops closed ones; without loops
/// assemble() has nothing to do. Many states at once: system_batch.h. Results are in the memory of the SystemData until
/// its next call of the same function: what is to stay is copied, as `tau` above. Conventions: docs/conventions.md.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verne/dynamics/data.h"
#include "verne/dynamics/given_accelerations.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// What is held, and what is given, beside the model and its loops.
struct SystemOptions {
  std::vector<int> contacts{};                ///< that are held (Model::contacts())
  std::optional<GivenAccelerations> given{};  ///< what forward dynamics is given in place of torques
};

/// Immutable; may be shared by threads. Copies are cheap (shared contents).
class VERNE_API System {
 public:
  /// Throws InputError when loops cannot be closed, when their independent coordinates cannot be given as asked for, or
  /// when contacts are held beside given accelerations; std::invalid_argument for a contact that does not exist.
  explicit System(const Model& model, const SystemOptions& options = {});
  /// The same with other contacts held.
  System holding(std::vector<int> contacts) const;

  /// The tree, and the loops that close it.
  const Model& model() const;
  /// Which coordinates are independent, and what its loops determine.
  const Mechanism& mechanism() const;
  /// That are held: indices of Model::contacts().
  std::span<const int> contacts() const;
  /// Null where none are given.
  const GivenAccelerations* given() const;

  /// Entries of a configuration: the independent positions of a mechanism, or all of a tree.
  int nq() const;
  /// Entries of a velocity or an acceleration: the mobility of a mechanism, or all of a tree.
  int nv() const;
  /// Entries of tau: the actuated velocities of a mechanism, or all of a tree.
  int torques() const;
  /// Loops, and behind them the contacts that are held: columns of `loop_wrenches`.
  int closures() const;
  /// How dynamics are computed, for people: `leg by leg, 6 legs`.
  std::string method() const;

  struct Contents;
  /// For the library.
  const Contents& contents() const { return *contents_; }

 private:
  explicit System(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  std::shared_ptr<const Contents> contents_;
};

/// Scratch memory for one thread, and its results.
class VERNE_API SystemData {
 public:
  /// Room for this system, and for the same model with other contacts held.
  explicit SystemData(const System& system);
  SystemData(SystemData&&) noexcept;
  SystemData& operator=(SystemData&&) noexcept;
  ~SystemData();

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// A vector among the results.
using VectorView = Eigen::Map<const Eigen::VectorXd>;
/// A matrix among the results.
using MatrixView = Eigen::Map<const Eigen::MatrixXd>;

/// A state of the tree, whose loops are closed.
struct TreeState {
  VectorView q, v, a;  ///< of the tree
  bool connected;      ///< whether the way from the guess leads there; else it is closed on whatever branch was near
};
/// The closed state that has these independent coordinates, from `guess`, a configuration of the tree, or from home:
/// never from a state before it. Throws InputError when there is none.
VERNE_API TreeState assemble(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v,
                             VectorIn<double> a, std::span<const double> guess = {});

/// Velocities of the tree by those of the system: Model::nv() x System::nv(), the identity without loops.
VERNE_API MatrixView closed_jacobian(const System& system, SystemData& data, VectorIn<double> q);

/// What a call takes into account, and what it finds beside torques or accelerations.
struct DynamicsOptions {
  const Loads<double>* loads = nullptr;  ///< null: none
  const Values* weights = nullptr;       ///< of Σ weight tau², where torques are not unique; null: 1 each
  bool wrenches = false;                 ///< those of loops, contacts and joints are wanted
  bool tree = false;                     ///< with loops: derivatives of all accelerations of the tree are wanted
};
/// Torques and accelerations that go together, and unless not wanted the wrenches: 6 x closures, and 6 x joints.
struct SystemDynamics {
  VectorView tau, a;                         ///< of the system, and of the tree
  MatrixView loop_wrenches, joint_wrenches;  ///< a column for every loop and contact, and for every joint
};
/// The torques of a motion: the least Σ weight tau² where there are more of them than the motion needs.
VERNE_API SystemDynamics inverse_dynamics(const System& system, SystemData& data, VectorIn<double> q,
                                          VectorIn<double> v, VectorIn<double> a, const DynamicsOptions& options = {});
/// The accelerations under tau. Where accelerations are given, `given_a` (of the tree) has them: those of the others
/// are found, and of tau the given joints' entries, which are not read.
VERNE_API SystemDynamics forward_dynamics(const System& system, SystemData& data, VectorIn<double> q,
                                          VectorIn<double> v, VectorIn<double> tau, const DynamicsOptions& options = {},
                                          std::span<const double> given_a = {});

/// Forces along the coordinates of the system that the velocities and gravity cause at accelerations of zero.
VERNE_API VectorView bias_torques(const System& system, SystemData& data, VectorIn<double> q, VectorIn<double> v);
/// The same at rest.
VERNE_API VectorView gravity_torques(const System& system, SystemData& data, VectorIn<double> q);
/// Along the coordinates of the system.
VERNE_API MatrixView mass_matrix(const System& system, SystemData& data, VectorIn<double> q);
/// The torques that do nothing but stress the system, as orthonormal columns.
VERNE_API MatrixView null_space_torques(const System& system, SystemData& data, VectorIn<double> q);

/// Which components of wrenches motion and torques tell, at one configuration.
struct DeterminedWrenches {
  std::vector<std::array<bool, 6>> loops, joints;  ///< of loops and held contacts; of joints
};
/// Which components are determined at q.
VERNE_API DeterminedWrenches determined_wrenches(const System& system, SystemData& data, VectorIn<double> q);
/// The model with contacts as loops to the world that hold them where they are at q, which becomes home: what they are
/// while nobody switches them off. Its loops are those of the model, then the contacts.
VERNE_API ModelSpec with_held_contacts(const Model& model, std::span<const int> contacts, VectorIn<double> q);

/// Derivatives by q, by v, and by a or tau, along the coordinates of the system.
struct DerivativeViews {
  MatrixView dq, dv, dx;  ///< dx: by a or tau, or by what is given in their place
};
/// Derivatives of torques or accelerations, by nine numbers of each load, and unless not wanted of wrenches: 6 rows,
/// and one wrench's columns after another's, NaN where motion and torques do not determine a component.
struct SystemDerivatives : DerivativeViews {
  MatrixView by_loads;                            ///< force, moment and point of each load
  DerivativeViews loop_wrenches, joint_wrenches;  ///< of loops and contacts, and of joints
  DerivativeViews tree;                           ///< where wanted: of all accelerations of the tree, nv rows
};
/// Of the torques of a motion.
VERNE_API SystemDerivatives inverse_dynamics_derivatives(const System& system, SystemData& data, VectorIn<double> q,
                                                         VectorIn<double> v, VectorIn<double> a,
                                                         const DynamicsOptions& options = {});
/// Of the accelerations under tau. Where accelerations are given, of a tree alone: row k differentiates
/// the unknown of joint velocity k, tau_k if a_k is given, else a_k; column k of dx is by what is given of it.
VERNE_API SystemDerivatives forward_dynamics_derivatives(const System& system, SystemData& data, VectorIn<double> q,
                                                         VectorIn<double> v, VectorIn<double> tau,
                                                         const DynamicsOptions& options = {},
                                                         std::span<const double> given_a = {});

}  // namespace verne
