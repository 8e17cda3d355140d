/// The formulations for robots under a free joint, in the terms of `verne check`: section 7 of Khalil.
#include "formulations/khalil_moving_base.h"
#include "model/tree.h"
#include "reproduce/comparison.h"
#include "verne/dynamics/kinematics.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// A state in Khalil's terms.
struct BaseAndJoints {
  Eigen::VectorXd q, v, a, tau;  ///< of the joints
  fm::KhalilMovingBase<double> base;

  BaseAndJoints(const CheckState& s, const Mat3<double>& R_w0, int joints)
      : q(s.q.tail(joints)),
        v(s.v.tail(joints)),
        a(s.a.tail(joints)),
        tau(s.tau.tail(joints)),
        base{R_w0, {s.v[3], s.v[4], s.v[5]}} {}
  fm::KhalilState<double> state() const { return {span_of(q), span_of(v)}; }
};

std::vector<int> all_but_base(const Model& model) {
  std::vector<int> joints;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const JointType type = model.joints()[i].spec.type;
    if (type != JointType::fixed && type != JointType::free) joints.push_back(static_cast<int>(i));
  }
  return joints;
}

class MovingBase : public Formulation {
 public:
  MovingBase(const Model& model, fm::MdhTree tree, bool inverse, bool recursive)
      : library_(without(model, {.springs = true})),
        joints_(library_.model(), all_but_base(model)),
        tree_(std::move(tree)),
        inverse_(inverse),
        recursive_(recursive) {}

  Differences compare(const CheckState& s) override {
    const BaseAndJoints split(s, rotation(s), tree_.variables);
    const auto found = motion(split);
    // The base is driven by nothing, whatever else is given.
    CheckState given = s;
    given.tau.head(6).setZero();
    const HybridMotion<double> expected = library_.completed(given, inverse_ ? joints_ : none_);
    Differences out;
    out[kAccelerations] = relative_difference(accelerations(s, found), expected.a);
    if (inverse_) out[kTorques] = relative_difference(vector_of(found.torque), expected.tau.tail(tree_.variables));
    if (recursive_) {
      out[kInternalForces] = wrench_difference(library_.model(), expected.wrenches,
                                               [&](int body) { return found.wrench[static_cast<std::size_t>(body)]; });
    }
    return out;
  }
  void run(const CheckState& s) const override { motion(BaseAndJoints(s, Mat3<double>::identity(), tree_.variables)); }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    if (!recursive_) return std::nullopt;
    const int n = tree_.variables;
    const auto q = counted(s.q.tail(n)), v = counted(s.v.tail(n)), x = counted(inverse_ ? s.a.tail(n) : s.tau.tail(n));
    const auto omega = counted(s.v.segment(3, 3));
    fm::KhalilMovingBase<fm::Counted> base{Mat3<fm::Counted>::zero(), {omega[0], omega[1], omega[2]}};
    for (fm::Counted& entry : base.R_w0.m) entry = fm::Counted::variable(0.5);
    return fm::Counted::count([&] {
      inverse_ ? fm::khalil_moving_inverse<fm::Counted>(tree_, {q, v}, base, x)
               : fm::khalil_moving_direct<fm::Counted>(tree_, {q, v}, base, x);
    });
  }

 private:
  fm::KhalilMovingBaseMotion<double> motion(const BaseAndJoints& s) const {
    if (inverse_) {
      return recursive_ ? fm::khalil_moving_inverse<double>(tree_, s.state(), s.base, span_of(s.a))
                        : fm::khalil_moving_inverse_by_matrices<double>(tree_, s.state(), s.base, span_of(s.a));
    }
    return recursive_ ? fm::khalil_moving_direct<double>(tree_, s.state(), s.base, span_of(s.tau))
                      : fm::khalil_moving_direct_by_matrices<double>(tree_, s.state(), s.base, span_of(s.tau));
  }

  /// Of the free body's frame in the world, from any link on it.
  Mat3<double> rotation(const CheckState& s) {
    const Model& model = library_.model();
    Kinematics<double> poses(model);
    forward_kinematics(model, library_.data(), s.q, poses);
    for (int link = 0; link < model.tree().link_count; ++link) {
      const TreeSite& site = model.tree().sites[link];
      if (site.body != 0) continue;
      Mat3<double> R_WS, R_BS;
      const Eigen::Matrix3d R = poses.rotation(link);
      for (int k = 0; k < 9; ++k) R_WS.m[k] = R(k / 3, k % 3), R_BS.m[k] = site.R[k];
      return R_WS * transpose(R_BS);
    }
    return Mat3<double>::identity();
  }

  /// V̇_0 is the acceleration of the origin, `a` has the rates of v (docs/conventions.md, eq. 4).
  Eigen::VectorXd accelerations(const CheckState& s, const fm::KhalilMovingBaseMotion<double>& found) const {
    Eigen::VectorXd a(s.v.size());
    a << vector_of(found.base), vector_of(found.qdd);
    const Vec3<double> turned = cross(Vec3<double>::load(s.v.data() + 3), Vec3<double>::load(s.v.data()));
    for (int k = 0; k < 3; ++k) a[k] -= turned[k];
    return a;
  }

  Library library_;
  GivenAccelerations joints_, none_{library_.model()};
  fm::MdhTree tree_;
  bool inverse_, recursive_;
};

}  // namespace

std::vector<CheckedFormulation> moving_base_formulations(const Model& model) {
  const auto mdh = fm::mdh_tree_of(model);
  std::vector<CheckedFormulation> rows;
  if (!mdh || !mdh->moving_base) return rows;
  const auto add = [&](const char* name, bool inverse, bool recursive) {
    rows.push_back({name, "mdh", lacking(model, {.springs = true}),
                    std::make_unique<MovingBase>(model, *mdh, inverse, recursive), ""});
  };
  add("Khalil, inverse by matrices", true, false);
  add("Khalil, inverse", true, true);
  add("Khalil, direct by matrices", false, false);
  add("Khalil, direct", false, true);
  return rows;
}

}  // namespace verne::reproduce
