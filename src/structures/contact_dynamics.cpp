#include "base/decompositions.h"
#include "dynamics/singular.h"
#include "structures/contact_parts.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

/// Of the largest entry: what rounding leaves of forces that are balanced, and of columns that repeat others.
constexpr double kBalanced = 1e-8, kRepeated = 1e-10;

void require_contact_call(const char* function, const Mechanism& mechanism, std::size_t contacts, VectorIn<double> q,
                          VectorIn<double> v, VectorIn<double> a, VectorIn<double> tau,
                          const Matrix6X<double>* wrenches) {
  const Model& model = mechanism.model();
  require_size(function, "q", model.nq(), q.size());
  require_size(function, "v", model.nv(), v.size());
  require_size(function, "a", model.nv(), a.size());
  require_size(function, "tau", model.nv(), tau.size());
  if (!wrenches) return;
  require_size(function, "loop_wrenches", static_cast<Eigen::Index>(model.loops().size() + contacts), wrenches->cols());
}

/// The independent part of forces along all velocities.
Eigen::VectorXd reduced(const ContactData::Parts& s, const Eigen::VectorXd& forces) {
  return s.tree ? forces : Eigen::VectorXd(s.p.G.transpose() * forces);
}

/// The rows of the contacts along the independent coordinates, after gather().
Eigen::MatrixXd independent_rows(const ContactData::Parts& s) {
  const Eigen::MatrixXd own = s.J.topRows(s.equations);
  return s.tree ? own : Eigen::MatrixXd(own * s.p.G);
}

/// What each actuator does along the independent coordinates, Gᵀ B.
Eigen::MatrixXd actuators_of(const ContactData::Parts& s) {
  const Eigen::Index n = s.model.nv();
  Eigen::MatrixXd actuators(s.tree ? n : s.p.G.cols(), static_cast<Eigen::Index>(s.c.actuated.size()));
  for (Eigen::Index k = 0; k < actuators.cols(); ++k)
    actuators.col(k) = reduced(s, Eigen::VectorXd::Unit(n, s.c.actuated[static_cast<std::size_t>(k)]));
  return actuators;
}

/// (15): tau of the actuators, then λ.
void solve_inverse(ContactData::Parts& s, const Eigen::VectorXd& torques, const Eigen::VectorXd& scales,
                   VectorOut<double> tau) {
  const Eigen::MatrixXd rows = independent_rows(s), actuators = actuators_of(s);
  const Eigen::VectorXd needed = reduced(s, torques);
  const Eigen::MatrixXd free = null_space(rows, kRepeated);
  Eigen::VectorXd efforts = Eigen::VectorXd::Zero(actuators.cols());
  if (actuators.size() > 0) {
    const Eigen::MatrixXd scaled = free.transpose() * actuators * scales.asDiagonal();
    efforts = scales.cwiseProduct(solve_least(scaled, free.transpose() * needed));
  }
  const Eigen::VectorXd left = free.transpose() * (needed - actuators * efforts);
  if (left.size() > 0 && !(left.norm() <= kBalanced * std::max(1.0, needed.norm()))) {
    Eigen::Index worst = 0;
    const Eigen::VectorXd along = free * left;
    along.cwiseAbs().maxCoeff(&worst);
    const int velocity = s.c.independent[static_cast<std::size_t>(worst)];
    throw InputError("the actuators and the contacts that are held cannot give this motion: along " +
                     s.model.dof_names()[static_cast<std::size_t>(velocity)] + " nothing exerts " +
                     std::to_string(along[worst]));
  }
  tau.setZero();
  for (Eigen::Index k = 0; k < efforts.size(); ++k) tau[s.c.actuated[static_cast<std::size_t>(k)]] = efforts[k];
  if (s.equations > 0) s.lambda.head(s.equations) = solve_least(rows.transpose(), needed - actuators * efforts);
}

}  // namespace

void forward_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts, VectorIn<double> q,
                      VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a, LoadsIn<double> loads,
                      WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches) {
  auto& s = data.parts();
  require_contact_call("forward_dynamics", mechanism, contacts.size(), q, v, a, tau, loop_wrenches);
  if (s.tree) require_invertible("forward_dynamics", s.model);
  if (s.tree && !s.model.coupled()) {
    s.solve_articulated(contacts, q, v, tau, loads);
  } else if (s.tree) {
    s.gather(contacts, q, v);
    if (loads) {
      s.torques.setZero();
      verne::inverse_dynamics<double>(s.model, s.p.data, q, v, s.torques, s.bias, loads);
    }
    s.x = tau - s.bias;
    s.solve(s.tree_way.data(), false, s.mass, s.J, s.x);
  } else {
    s.gather(contacts, q, v);
    s.p.evaluate(q, v);
    s.p.motion.setZero();
    s.p.complete(s.p.system.drift, s.p.motion);
    s.p.tree_torques(q, v, s.p.motion, loads);
    s.reduced_mass.noalias() = s.p.G.transpose() * s.p.system.terms.M * s.p.G;
    s.reduced_J.topRows(s.equations).noalias() = s.J.topRows(s.equations) * s.p.G;
    s.drift.head(s.equations) += s.J.topRows(s.equations) * s.p.motion;
    s.reduced_x.noalias() = s.p.G.transpose() * tau - s.p.forces;
    s.solve(s.dense_way.data(), true, s.reduced_mass, s.reduced_J, s.reduced_x);
    s.x = s.p.motion + s.p.G * s.reduced_x;
  }
  if (!s.x.allFinite()) throw InputError("some motion of the mechanism has no inertia: its acceleration is not known");
  s.torques = tau;  // may be the memory of a
  a = s.x;
  if (!loop_wrenches && !joint_wrenches) return;
  s.wrenches.resize(6, static_cast<Eigen::Index>(s.c.layout.loops.size() + contacts.size()));
  s.write_wrenches(s.wrenches);
  s.complete_wrenches(q, v, Eigen::VectorXd(a), s.torques, loads, s.wrenches, joint_wrenches);
  if (loop_wrenches) *loop_wrenches = s.wrenches;
}

void inverse_dynamics(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts, VectorIn<double> q,
                      VectorIn<double> v, VectorIn<double> a, VectorOut<double> tau, LoadsIn<double> loads,
                      WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches, const Values* weights) {
  auto& s = data.parts();
  require_contact_call("inverse_dynamics", mechanism, contacts.size(), q, v, a, tau, loop_wrenches);
  const Eigen::VectorXd motion = a;  // may be the memory of tau
  s.gather(contacts, q, v);
  if (!s.tree) s.p.evaluate(q, v);
  verne::inverse_dynamics<double>(s.model, s.p.data, q, v, motion, s.torques, loads);
  Eigen::VectorXd found(tau.size());  // tau may be the memory of q or v
  solve_inverse(s, s.torques, torque_scales("inverse_dynamics", s.c, weights), found);
  if (!loop_wrenches && !joint_wrenches) {
    tau = found;
    return;
  }
  s.wrenches.resize(6, static_cast<Eigen::Index>(s.c.layout.loops.size() + contacts.size()));
  s.write_wrenches(s.wrenches);
  s.complete_wrenches(q, v, motion, found, loads, s.wrenches, joint_wrenches);
  if (loop_wrenches) *loop_wrenches = s.wrenches;
  tau = found;
}

Table null_space_torques(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                         VectorIn<double> q) {
  auto& s = data.parts();
  require_size("null_space_torques", "q", mechanism.model().nq(), q.size());
  s.gather(contacts, q, s.p.zero_v);
  if (!s.tree) s.p.evaluate(q, s.p.zero_v);
  return null_space(null_space(independent_rows(s), kRepeated).transpose() * actuators_of(s), kRepeated);
}

DeterminedWrenches determined_wrenches(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                       VectorIn<double> q) {
  auto& s = data.parts();
  require_size("determined_wrenches", "q", mechanism.model().nq(), q.size());
  constexpr std::array<bool, 6> kAll{true, true, true, true, true, true};
  DeterminedWrenches out{s.c.loop_determined, s.c.joint_determined};
  out.loops.resize(s.c.layout.loops.size() + contacts.size(), kAll);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(s.model.nv());
  s.gather(contacts, q, zero);
  if (!s.tree) s.p.evaluate(q, zero);
  const Eigen::MatrixXd stresses = null_space(independent_rows(s).transpose(), kRepeated);
  const auto joints = static_cast<Eigen::Index>(s.model.joints().size());
  Matrix6X<double> loops(6, static_cast<Eigen::Index>(out.loops.size())), of_joints(6, joints);
  const auto wrenches_of = [&](const Eigen::VectorXd& lambda) {
    s.lambda.head(s.equations) = lambda;
    s.write_wrenches(loops);
    s.complete_wrenches(q, zero, zero, zero, nullptr, loops, &of_joints);
    return std::pair(loops, of_joints);
  };
  const auto at_rest = wrenches_of(Eigen::VectorXd::Zero(s.equations));
  for (Eigen::Index k = 0; k < stresses.cols(); ++k) {
    const auto stressed = wrenches_of(stresses.col(k));
    const Matrix6X<double> by_loops = stressed.first - at_rest.first, by_joints = stressed.second - at_rest.second;
    const double scale = std::max(by_loops.cwiseAbs().maxCoeff(), by_joints.cwiseAbs().maxCoeff());
    const auto mark = [&](const Matrix6X<double>& by, std::vector<std::array<bool, 6>>& determined) {
      for (Eigen::Index j = 0; j < by.cols(); ++j) {
        for (Eigen::Index i = 0; i < 6; ++i) {
          if (std::abs(by(i, j)) > kBalanced * scale)
            determined[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = false;
        }
      }
    };
    mark(by_loops, out.loops);
    mark(by_joints, out.joints);
  }
  return out;
}

ModelSpec with_held_contacts(const Model& model, std::span<const int> contacts, VectorIn<double> q) {
  require_size("with_held_contacts", "q", model.nq(), q.size());
  constexpr std::array kLoops{LoopType::spherical, LoopType::revolute, LoopType::rigid};  // in the order of ContactType
  Data<double> data(model);
  const Kinematics<double> kinematics = forward_kinematics(model, data, q);
  ModelSpec spec = model.spec();
  for (const int k : contacts) {
    const ContactSpec contact = model.contacts()[static_cast<std::size_t>(k)];
    const int link = model.link(contact.link);
    Transform<double> X_WL;
    X_WL.p = Vec3<double>::load(kinematics.poses.col(link).data());
    std::copy_n(kinematics.poses.col(link).data() + 3, 9, X_WL.R.m);
    const Transform<double> X_LC{contact.R_LC, contact.point};
    std::erase_if(spec.contacts, [&](const ContactSpec& any) { return any.name == contact.name; });
    spec.loops.push_back({contact.name,
                          kLoops[static_cast<std::size_t>(contact.type)],
                          {contact.link, X_LC},
                          {"world", X_WL * X_LC},
                          contact.line});
  }
  if (spec.loops.empty()) return spec;
  spec.independent.clear();
  spec.home.clear();
  for (const Joint& joint : model.joints()) {
    if (joint.nq == 0) continue;
    spec.home.push_back({joint.spec.name, {q.data() + joint.q, q.data() + joint.q + joint.nq}, 0});
  }
  return spec;
}

ContactData::ContactData(const Mechanism& mechanism) : parts_(std::make_unique<Parts>(mechanism)) {}
ContactData::ContactData(ContactData&&) noexcept = default;
ContactData& ContactData::operator=(ContactData&&) noexcept = default;
ContactData::~ContactData() = default;

}  // namespace verne
