/// Models and conversions that the tests of the formulations share.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "formulations/joint_wrench.h"
#include "formulations/tree_reading.h"
#include "model/tree.h"
#include "support/compare.h"
#include "support/complex_step.h"

namespace verne::test {

using Complex = std::complex<double>;
namespace fm = formulations;

/// The agreement that is asked of formulations, relative to the largest entry.
inline constexpr double kAgreement = 1e-10;

struct Case {
  std::string name;
  int joints;
  bool chain;
  bool losses;  ///< friction and rotor inertia
};
inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// Chains and trees of revolute and prismatic joints up to twenty links.
inline std::vector<Case> one_axis_cases(bool losses = false) {
  return {{"chain_1", 1, true, losses},   {"chain_2", 2, true, losses}, {"chain_7", 7, true, losses},
          {"chain_20", 20, true, losses}, {"tree_5", 5, false, losses}, {"tree_12", 12, false, losses},
          {"tree_20", 20, false, losses}};
}
inline Model one_axis_model(const Case& c, std::vector<JointType> kinds = {JointType::revolute, JointType::prismatic},
                            JointType root = JointType::fixed) {
  std::mt19937_64 rng(17 + static_cast<unsigned>(c.joints));
  ModelSpec spec = random_tree(rng, c.joints,
                               {.kinds = std::move(kinds),
                                .root = root,
                                .chain = c.chain,
                                .fixed_joints = true,
                                .friction = c.losses,
                                .rotor_inertia = c.losses});
  if (root == JointType::free) spec.links[0].joint.dofs.clear();  // no document has a base with friction
  return build_model(std::move(spec));
}

template <class S>
std::span<const S> span_of(const Vector<S>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline Eigen::VectorXd eigen(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
inline Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
inline Eigen::Matrix<double, 6, 1> eigen(const fm::Vec6<double>& v) {
  Eigen::Matrix<double, 6, 1> out;
  for (int i = 0; i < 6; ++i) out[i] = v[i];
  return out;
}
inline Vec3<double> vec3(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

using fm::pose_in_body;

/// The joints of the model that move, with the wrench that `of(body)` gives in the frame of their body, beside the
/// library's columns.
template <class Of>
void expect_wrenches(const Model& model, const Matrix6X<double>& expected, double tolerance, Of&& of) {
  Matrix6X<double> found = expected;
  for (int k = 0; k < model.tree().joint_count; ++k) {
    const TreeJoint& joint = model.tree().joints[k];
    if (!joint.fixed && joint.body >= 0) found.col(k) = eigen(fm::in_joint_frame(joint, of(joint.body)));
  }
  EXPECT_TRUE(close(found, expected, tolerance));
}

}  // namespace verne::test
