/// Random chains that are closed by joints of given kinds.
#pragma once

#include "structures/mechanism_support.h"

namespace verne::test {

/// What closes a chain: a joint from link `a` to link `b` nearer to the root, numbers of links.
struct Closing {
  LoopType type;
  int b, a;
};

/// A chain on the world, some links of which are joined where they happen to be.
inline ModelSpec closed_chain(std::mt19937_64& rng, const std::vector<Closing>& closings,
                              const RandomTreeOptions& tree) {
  const int last = closings.back().a;
  ModelSpec spec = random_tree(rng, last + 1, tree);
  spec.links.resize(std::size_t(last) + 1);  // link_0 to the last: a velocity each at least
  spec.frames.clear(), spec.contacts.clear();
  for (std::size_t k = 1; k < spec.links.size(); ++k) spec.links[k].joint.actuated = k % 2 == 1;
  // Joints are dependent as a whole: small ones must be there to fill up what large ones leave.
  for (const Closing& closing : closings) {
    for (const int k : {1, 2, 3}) {
      JointSpec& joint = spec.links[std::size_t(closing.b + k)].joint;
      joint.type = JointType::revolute;
      joint.dofs.resize(1);
    }
  }
  const Model plain = build_model(spec);
  Data<double> data(plain);
  Eigen::VectorXd q = random_configuration(plain, rng);
  const Kinematics<double> kinematics = forward_kinematics(plain, data, q);
  const auto pose = [&](const std::string& link) {
    const Eigen::Vector3d p = kinematics.position(plain.link(link));
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R = kinematics.rotation(plain.link(link));
    Transform<double> X;
    std::copy(R.data(), R.data() + 9, X.R.m);
    X.p = {p.x(), p.y(), p.z()};
    return X;
  };
  for (const Closing& closing : closings) {
    // What the joint leaves free: a's frame seen from b's.
    const double angle = random_number(rng, -1, 1), along = random_number(rng, -0.3, 0.3);
    Transform<double> X_BA = Transform<double>::identity();
    using T = LoopType;
    const T type = closing.type;
    if (type == T::revolute || type == T::cylindrical || type == T::planar) X_BA.R = rotation_z(angle);
    if (type == T::prismatic || type == T::cylindrical || type == T::point_on_line) X_BA.p = {0, 0, along};
    if (type == T::planar) X_BA.p = {along, 0.1, 0};
    if (type == T::spherical) X_BA.R = random_rotation(rng);
    if (type == T::universal) X_BA.R = rotation_y(angle) * rotation_x(along);
    const std::string a = "link_" + std::to_string(closing.a), b = "link_" + std::to_string(closing.b);
    const std::string name = closings.size() == 1 ? "closing" : "closing_" + std::to_string(spec.loops.size());
    const Transform<double> on_a = random_pose(rng, 0.3);
    const Transform<double> X_WB = pose(a) * on_a * inverse(X_BA);
    spec.loops.push_back({name, type, {a, on_a}, {b, inverse(pose(b)) * X_WB}, 0});
  }
  for (const Joint& joint : plain.joints()) {
    if (joint.nq == 0) continue;
    spec.home.push_back({joint.spec.name, {q.data() + joint.q, q.data() + joint.q + joint.nq}, 0});
  }
  return spec;
}

/// Near the end of a branch dependent velocities, and rounding with them, grow without bound, as torques do where
/// motors hardly hold some motion: such chains prove nothing.
constexpr double kSteepest = 30;
inline bool is_far_from_folds(const Model& model) {
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  Eigen::MatrixXd G(model.nv(), mechanism.mobility());
  closed_jacobian(mechanism, data, mechanism.home().eigen(), G);
  if (!(largest(G) < kSteepest)) return false;
  const Eigen::MatrixXd motors = G(mechanism.actuated(), Eigen::all);
  if (motors.rows() < motors.cols()) return true;  // has no torques
  const Eigen::VectorXd sizes = Eigen::JacobiSVD<Eigen::MatrixXd>(motors).singularValues();
  return sizes[sizes.size() - 1] * 10 * kSteepest > sizes[0];
}

/// The first of the random chains that is closed away from a fold.
inline Model sound_chain(std::mt19937_64& rng, const std::vector<Closing>& closings,
                         const RandomTreeOptions& tree = {.chain = true, .friction = true, .rotor_inertia = true}) {
  for (;;) {
    const Model model = build_model(closed_chain(rng, closings, tree));
    if (is_far_from_folds(model)) return model;
  }
}

}  // namespace verne::test
