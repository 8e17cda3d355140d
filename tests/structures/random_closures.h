/// Random mechanisms that are written as files write them: closed at a configuration that nobody tells, with home at
/// zero. And a second way to close them, which shares nothing with the library's.
#pragma once

#include "structures/mechanism_support.h"

namespace verne::test {

/// What a joint leaves free: a's frame seen from b's.
inline Transform<double> random_freedom(std::mt19937_64& rng, LoopType type) {
  const double angle = random_number(rng, -1, 1), along = random_number(rng, -0.3, 0.3);
  Transform<double> X_BA = Transform<double>::identity();
  using T = LoopType;
  if (type == T::revolute || type == T::cylindrical || type == T::planar) X_BA.R = rotation_z(angle);
  if (type == T::prismatic || type == T::cylindrical || type == T::point_on_line) X_BA.p = {0, 0, along};
  if (type == T::planar) X_BA.p = {along, 0.1, 0};
  if (type == T::spherical) X_BA.R = random_rotation(rng);
  if (type == T::universal) X_BA.R = rotation_y(angle) * rotation_x(along);
  return X_BA;
}

inline Transform<double> pose_of(const Model& model, const Kinematics<double>& kinematics, const std::string& link) {
  if (link == "world") return Transform<double>::identity();
  const Eigen::Vector3d p = kinematics.position(model.link(link));
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> R = kinematics.rotation(model.link(link));
  Transform<double> X;
  std::copy(R.data(), R.data() + 9, X.R.m);
  X.p = {p.x(), p.y(), p.z()};
  return X;
}

/// A loop from link a to link b, closed at the configuration of the kinematics.
inline void add_loop(ModelSpec& spec, std::mt19937_64& rng, const Model& tree, const Kinematics<double>& kinematics,
                     LoopType type, const std::string& a, const std::string& b, const Transform<double>& on_a) {
  const Transform<double> X_WB = pose_of(tree, kinematics, a) * on_a * inverse(random_freedom(rng, type));
  const std::string name = "closing_" + std::to_string(spec.loops.size());
  spec.loops.push_back({name, type, {a, on_a}, {b, inverse(pose_of(tree, kinematics, b)) * X_WB}, 0});
}

/// A chain with one to three velocities more than its loop has equations, closed to the world at a random
/// configuration, angles up to `far`.
inline ModelSpec random_closed_chain(std::mt19937_64& rng, LoopType type, double far) {
  const int equations = std::array{5, 5, 4, 3, 2, 4, 3, 6}[std::size_t(type)];
  const std::vector<JointType> kinds{JointType::revolute, JointType::revolute, JointType::universal,
                                     JointType::prismatic, JointType::spherical};
  for (;;) {
    const int joints = std::uniform_int_distribution(2, equations + 2)(rng);
    ModelSpec spec = random_tree(rng, joints, {.kinds = kinds, .chain = true});
    spec.frames.clear(), spec.contacts.clear();
    const Model tree = build_model(spec);
    if (tree.nv() <= equations || tree.nv() > equations + 3) continue;
    Data<double> data(tree);
    Eigen::VectorXd step = random_values(rng, tree.nv(), far);
    for (const Joint& joint : tree.joints()) {
      if (joint.spec.type == JointType::prismatic) step[joint.v] *= 0.3 / far;
    }
    const Eigen::VectorXd q = integrate(tree, data, neutral_configuration(tree), step);
    const std::string last = spec.links.back().name;
    add_loop(spec, rng, tree, forward_kinematics(tree, data, q), type, last, "world", random_pose(rng, 0.3));
    return spec;
  }
}

/// Links in a plane, as planar machines are written: two arms on the world whose ends are one, joined by a rigid or a
/// revolute loop, of whose equations most repeat each other. Its dimensions are wrong by about `error`.
inline ModelSpec random_planar_loop(std::mt19937_64& rng, LoopType type, double error) {
  ModelSpec spec;
  spec.name = "planar";
  const auto link = [&](const std::string& name, const std::string& parent, double x) {
    LinkSpec one;
    one.name = name, one.parent = parent;
    one.joint.name = name + "_joint", one.joint.type = JointType::revolute, one.joint.dofs.resize(1);
    const Vec3<double> off = random_vector(rng, error), turn = random_vector(rng, error);
    one.X_PJ = {rotation_rpy(turn), Vec3<double>{x, 0, 0} + off};
    one.has_inertial = true, one.mass = 1, one.com = {0.1, 0, 0}, one.inertia = {0.01, 0, 0, 0.01, 0, 0.01};
    spec.links.push_back(one);
  };
  LinkSpec base;
  base.name = "base", base.joint.name = "base_joint";
  spec.links.push_back(base);
  const double lengths[] = {random_number(rng, 0.2, 0.4), random_number(rng, 0.2, 0.4), random_number(rng, 0.2, 0.4)};
  link("left", "base", 0), link("left_rod", "left", lengths[0]);
  link("right", "base", random_number(rng, 0.1, 0.3)), link("right_rod", "right", lengths[1]);
  if (type == LoopType::rigid) link("tool", "right_rod", lengths[2]);
  const Model tree = build_model(spec);
  Data<double> data(tree);
  const Eigen::VectorXd q = random_values(rng, tree.nv(), 1.5);
  const std::string end = spec.links.back().name;
  const Transform<double> tip{rotation_z(type == LoopType::rigid ? random_number(rng, -3, 3) : 0.0), {0.25, 0, 0}};
  add_loop(spec, rng, tree, forward_kinematics(tree, data, q), type, end, "left_rod", tip);
  return spec;
}

/// A humanoid on a free joint, whose legs have rods as those of Digit: a knee, a tarsus that an Achilles rod holds, and
/// an ankle with two freedoms that two motors move by a rod each. Rods hang on balls and end in balls, about whose axes
/// they spin.
inline ModelSpec random_rod_humanoid(std::mt19937_64& rng, int arm_joints) {
  ModelSpec spec;
  spec.name = "rods";
  const auto link = [&](const std::string& name, const std::string& parent, JointType type, Vec3<double> axis,
                        Vec3<double> at, bool actuated) {
    LinkSpec one;
    one.name = name, one.parent = parent;
    one.joint.name = name + "_joint", one.joint.type = type;
    one.joint.axis = axis, one.joint.actuated = actuated;
    one.joint.dofs.resize(std::size_t(velocity_count(type)));
    one.X_PJ.p = at;
    one.has_inertial = true, one.mass = random_number(rng, 0.2, 2);
    one.com = random_vector(rng, 0.05), one.inertia = random_inertia(rng, one.mass, 0.1);
    spec.links.push_back(one);
  };
  const auto jitter = [&](Vec3<double> p) { return p + random_vector(rng, 0.01); };
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const auto R = JointType::revolute;
  link("torso", "", JointType::free, z, {0, 0, 0}, false);
  for (int k = 0; k < arm_joints; ++k) {
    const std::string side = k % 2 ? "_r" : "_l", before = k < 2 ? "torso" : "arm" + std::to_string(k / 2 - 1) + side;
    link("arm" + std::to_string(k / 2) + side, before, R, random_vector(rng, 1), jitter({0, k % 2 ? -0.2 : 0.2, 0.2}),
         true);
  }
  for (const std::string side : {"_l", "_r"}) {
    const double s = side == "_l" ? 1 : -1;
    link("roll" + side, "torso", R, x, jitter({0, 0.1 * s, 0}), true);
    link("yaw" + side, "roll" + side, R, z, jitter({0, 0, -0.05}), true);
    link("hip" + side, "yaw" + side, R, y, jitter({0, 0, -0.05}), true);
    link("knee" + side, "hip" + side, R, y, jitter({0, 0, -0.4}), true);
    link("shin" + side, "knee" + side, R, y, jitter({0.05, 0, -0.05}), false);
    link("tarsus" + side, "shin" + side, R, y, jitter({0, 0, -0.4}), false);
    link("heel" + side, "tarsus" + side, R, y, jitter({-0.1, 0, 0.02}), false);
    link("achilles" + side, "hip" + side, JointType::spherical, z, jitter({0.02, 0.04 * s, 0}), false);
    link("pitch" + side, "tarsus" + side, R, y, jitter({0, 0, -0.3}), false);
    link("foot" + side, "pitch" + side, R, x, {0, 0, 0}, false);
    for (const std::string toe : {"a", "b"}) {
      const double t = toe == "a" ? 1 : -1;
      link("toe_" + toe + side, "tarsus" + side, R, y, jitter({0.02, 0.05 * t, -0.05}), true);
      link("rod_" + toe + side, "toe_" + toe + side, JointType::spherical, z, jitter({-0.06, 0, 0}), false);
    }
  }
  const Model tree = build_model(spec);
  Data<double> data(tree);
  Eigen::VectorXd step = random_values(rng, tree.nv(), 0.25);
  step.head(6).setZero();
  const Kinematics<double> k = forward_kinematics(tree, data, integrate(tree, data, neutral_configuration(tree), step));
  // Rods end where the balls of what they hold are then: their lengths come of that.
  const auto hold = [&](const std::string& rod, const std::string& held, Vec3<double> ball) {
    const Transform<double> X_RB = inverse(pose_of(tree, k, rod)) * pose_of(tree, k, held);
    const Transform<double> on_rod{Mat3<double>::identity(), X_RB * ball};
    spec.loops.push_back(
        {rod + "_end", LoopType::spherical, {rod, on_rod}, {held, {Mat3<double>::identity(), ball}}, 0});
  };
  for (const std::string side : {"_l", "_r"}) {
    hold("achilles" + side, "heel" + side, jitter({-0.05, 0, 0}));
    hold("rod_a" + side, "foot" + side, jitter({-0.06, 0.05, 0}));
    hold("rod_b" + side, "foot" + side, jitter({-0.06, -0.05, 0}));
  }
  return spec;
}

/// By how much all loops are open: metres, and angles of the shortest turns.
inline Eigen::VectorXd loop_gaps(const Model& model, Data<double>& data, const Eigen::VectorXd& q) {
  const Kinematics<double> k = forward_kinematics(model, data, q);
  std::vector<double> gaps;
  for (const LoopSpec& loop : model.loops()) {
    const WorldFrame<double> a = world_frame(model, k, loop.a), b = world_frame(model, k, loop.b);
    const Eigen::Vector3d d = a.R.transpose() * (a.p - b.p);
    const Eigen::Matrix3d R = a.R.transpose() * b.R;
    using T = LoopType;
    const T type = loop.type;
    if (type != T::planar) gaps.push_back(d.x()), gaps.push_back(d.y());
    if (type == T::revolute || type == T::universal || type == T::spherical || type == T::rigid || type == T::planar)
      gaps.push_back(d.z());
    const auto put = [&](const Eigen::AngleAxisd& turn, int count) {
      const Eigen::Vector3d r = turn.angle() * turn.axis();
      gaps.insert(gaps.end(), r.data(), r.data() + count);
    };
    if (type == T::rigid || type == T::prismatic) put(Eigen::AngleAxisd(R), 3);
    if (type == T::revolute || type == T::cylindrical || type == T::planar) {
      put(Eigen::AngleAxisd(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), R.col(2))), 2);
    }
    if (type == T::universal) gaps.push_back(R(0, 1));
  }
  return Eigen::Map<const Eigen::VectorXd>(gaps.data(), Eigen::Index(gaps.size()));
}

/// Levenberg's and Marquardt's method on the gaps, differentiated numerically: whether it closes all of them from q.
inline bool closes_from(const Model& model, const Eigen::VectorXd& start) {
  Data<double> data(model);
  Eigen::VectorXd q = start, r = loop_gaps(model, data, q);
  double damping = 1e-3;
  for (int step = 0; step < 100 && r.lpNorm<Eigen::Infinity>() > 1e-10; ++step) {
    constexpr double kStep = 1e-6;
    Eigen::MatrixXd J(r.size(), model.nv());
    for (int k = 0; k < model.nv(); ++k) {
      const auto at = [&](double h) {
        return loop_gaps(model, data,
                         integrate(model, data, q, Eigen::VectorXd(Eigen::VectorXd::Unit(model.nv(), k) * h)));
      };
      J.col(k) = (at(kStep) - at(-kStep)) / (2 * kStep);
    }
    const Eigen::MatrixXd square = J.transpose() * J;
    for (; damping < 1e6; damping *= 10) {
      const Eigen::MatrixXd damped = square + damping * Eigen::MatrixXd::Identity(model.nv(), model.nv());
      const Eigen::VectorXd trial = integrate(model, data, q, Eigen::VectorXd(-damped.ldlt().solve(J.transpose() * r)));
      const Eigen::VectorXd gaps = loop_gaps(model, data, trial);
      if (!(gaps.norm() < r.norm())) continue;
      q = trial, r = gaps, damping = std::max(damping / 10, 1e-12);
      break;
    }
    if (damping >= 1e6) break;
  }
  return r.lpNorm<Eigen::Infinity>() < 1e-9;
}

}  // namespace verne::test
