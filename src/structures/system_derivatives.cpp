// Derivatives of one state of a system.
#include <algorithm>

#include "dynamics/hybrid.h"
#include "structures/contact_derivatives.h"
#include "structures/system_parts.h"
#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

/// Rows, and columns by a or tau, of results; `all` tells that torques are those of the tree.
class DerivativeRoom {
 public:
  DerivativeRoom(const System& system, SystemData::Parts& p, bool forward, const DynamicsOptions& options)
      : c_(system.contents()), p_(p), forward_(forward) {
    const Eigen::Index free = system.nv();
    // Beside contacts torques are those of all velocities of the tree.
    const Eigen::Index torques = c_.contacts.empty() ? system.torques() : c_.model.nv();
    inputs_ = forward ? torques : free;
    const Eigen::Index rows = forward ? free : torques;
    p.derivatives.dq.setZero(rows, free), p.derivatives.dv.setZero(rows, free);
    p.derivatives.dx.setZero(rows, inputs_);
    loads_ = options.loads ? options.loads->size() : 0;
    p.by_loads.setZero(rows, 9 * loads_);
    p.d_loops = {}, p.d_joints = {}, p.d_tree = {};
    if (options.tree && c_.closed()) tree.emplace(c_.mechanism, inputs_);
    if (!options.wrenches || !c_.joined()) return;
    loops.emplace(c_.mechanism, inputs_, c_.contacts.size());
    joints.emplace(c_.mechanism, inputs_);
  }

  bool loaded() const { return loads_ > 0; }
  LoopWrenchDerivatives* of_loops() { return loops ? &*loops : nullptr; }
  JointWrenchDerivatives* of_joints() { return joints ? &*joints : nullptr; }
  TreeAccelerationDerivatives* of_tree() { return tree ? &*tree : nullptr; }

  SystemDerivatives results() {
    if (loops) keep(*loops, p_.d_loops), keep(*joints, p_.d_joints);
    if (tree) keep(*tree, p_.d_tree);
    if (c_.closed() && !c_.contacts.empty()) keep_motors_alone();
    SystemDerivatives out{p_.derivatives.views(), matrix_view_of(p_.by_loads), p_.d_loops.views(), p_.d_joints.views(),
                          p_.d_tree.views()};
    return out;
  }

 private:
  template <class Of>
  static void keep(const Of& of, DerivativeMemory& memory) {
    memory.dq = of.dq, memory.dv = of.dv, memory.dx = of.dx;
  }
  void keep_motors_alone() {
    const auto actuated = c_.mechanism.actuated();
    const auto rows = [&](Eigen::MatrixXd& of) { of = Eigen::MatrixXd(of(actuated, Eigen::all)); };
    if (!forward_) {
      rows(p_.derivatives.dq), rows(p_.derivatives.dv), rows(p_.derivatives.dx), rows(p_.by_loads);
      return;
    }
    const Eigen::Index n = inputs_, motors = static_cast<Eigen::Index>(actuated.size());
    for (Eigen::MatrixXd* of : {&p_.derivatives.dx, &p_.d_loops.dx, &p_.d_joints.dx, &p_.d_tree.dx}) {
      const Eigen::MatrixXd all = *of;
      const Eigen::Index count = all.cols() / n;
      of->resize(all.rows(), count * motors);
      for (Eigen::Index k = 0; k < count; ++k)
        of->middleCols(k * motors, motors) = all.middleCols(k * n, n)(Eigen::all, actuated);
    }
  }

  const System::Contents& c_;
  SystemData::Parts& p_;
  bool forward_;
  Eigen::Index inputs_ = 0;
  int loads_ = 0;
  std::optional<LoopWrenchDerivatives> loops;
  std::optional<JointWrenchDerivatives> joints;
  std::optional<TreeAccelerationDerivatives> tree;
};

/// Null unless wanted.
WrenchDerivatives<double>* tree_wrenches(const System::Contents& c, SystemData::Parts& p, bool wanted) {
  if (!wanted) return nullptr;
  if (!p.tree_wrenches) p.tree_wrenches.emplace(c.model);
  return &*p.tree_wrenches;
}
void keep_tree_wrenches(SystemData::Parts& p, bool wanted) {
  if (wanted) p.d_joints = {p.tree_wrenches->dq, p.tree_wrenches->dv, p.tree_wrenches->dx};
}

}  // namespace

SystemDerivatives inverse_dynamics_derivatives(const System& system, SystemData& data, VectorIn<double> q,
                                               VectorIn<double> v, VectorIn<double> a, const DynamicsOptions& options) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  DerivativeRoom room(system, p, false, options);
  DerivativeMemory& d = p.derivatives;
  if (!c.joined()) {
    inverse_dynamics_derivatives<double>(c.model, p.tree, q, v, a, d.dq, d.dv, d.dx, options.loads,
                                         tree_wrenches(c, p, options.wrenches));
    keep_tree_wrenches(p, options.wrenches);
    if (room.loaded()) load_derivatives<double>(c.model, p.tree, q, *options.loads, p.by_loads);
    return room.results();
  }
  const std::optional<Values> weights = actuator_weights(c, options.weights);
  const Values* const weighing = weights ? &*weights : nullptr;
  if (c.contacts.empty()) {
    inverse_dynamics_derivatives(c.mechanism, p.closed(), q, v, a, d.dq, d.dv, d.dx, options.loads, room.of_loops(),
                                 room.of_joints(), weighing, room.of_tree());
    if (room.loaded()) load_derivatives(c.mechanism, p.closed(), q, *options.loads, p.by_loads, weighing);
  } else {
    inverse_dynamics_derivatives(c.mechanism, *p.held, c.contacts, q, v, a, d.dq, d.dv, d.dx, options.loads,
                                 room.of_loops(), room.of_joints(), weighing, room.of_tree());
    if (room.loaded()) load_derivatives(c.mechanism, *p.held, c.contacts, q, *options.loads, p.by_loads, weighing);
  }
  return room.results();
}

SystemDerivatives forward_dynamics_derivatives(const System& system, SystemData& data, VectorIn<double> q,
                                               VectorIn<double> v, VectorIn<double> tau, const DynamicsOptions& options,
                                               std::span<const double> given_a) {
  const System::Contents& c = system.contents();
  SystemData::Parts& p = data.parts();
  require_size("forward_dynamics_derivatives", "tau", system.torques(), tau.size());
  DerivativeRoom room(system, p, true, options);
  DerivativeMemory& d = p.derivatives;
  Eigen::VectorXd a(c.model.nv());
  if (c.given) {
    if (c.closed()) {
      throw InputError("derivatives of a model with closed loops are not known together with given accelerations");
    }
    require_size("forward_dynamics_derivatives", "given accelerations", a.size(),
                 static_cast<Eigen::Index>(given_a.size()));
    std::ranges::copy(given_a, a.begin());
    Eigen::VectorXd torques = tau;
    hybrid_dynamics_derivatives<double>(c.model, p.tree, *c.given, q, v, a, torques, d.dq, d.dv, d.dx, options.loads,
                                        tree_wrenches(c, p, options.wrenches));
    keep_tree_wrenches(p, options.wrenches);
    if (room.loaded()) hybrid_load_derivatives<double>(c.model, p.tree, *c.given, q, *options.loads, p.by_loads);
  } else if (!c.joined()) {
    forward_dynamics_derivatives<double>(c.model, p.tree, q, v, tau, a, d.dq, d.dv, d.dx, options.loads,
                                         tree_wrenches(c, p, options.wrenches));
    keep_tree_wrenches(p, options.wrenches);
    if (room.loaded()) forward_load_derivatives<double>(c.model, p.tree, q, *options.loads, p.by_loads);
  } else if (c.contacts.empty()) {
    forward_dynamics_derivatives(c.mechanism, p.closed(), q, v, tau, a, d.dq, d.dv, d.dx, options.loads,
                                 room.of_loops(), room.of_joints(), room.of_tree());
    if (room.loaded()) forward_load_derivatives(c.mechanism, p.closed(), q, *options.loads, p.by_loads);
  } else {
    forward_dynamics_derivatives(c.mechanism, *p.held, c.contacts, q, v, all_torques(c, tau), a, d.dq, d.dv, d.dx,
                                 options.loads, room.of_loops(), room.of_joints(), room.of_tree());
    if (room.loaded()) forward_load_derivatives(c.mechanism, *p.held, c.contacts, q, *options.loads, p.by_loads);
  }
  return room.results();
}

}  // namespace verne
