#include "verne/model/repair.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "support/random_model.h"
#include "verne/model/model.h"

namespace verne::test {
namespace {

/// The pseudo-inertia about the centre of mass, without its mass: ½ tr(I) 1 − I.
Eigen::Matrix3d second_moments(const Sym3<double>& I) {
  Eigen::Matrix3d M;
  M << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return 0.5 * M.trace() * Eigen::Matrix3d::Identity() - M;
}

ModelSpec one_link(double mass, const Sym3<double>& inertia) {
  ModelSpec spec;
  LinkSpec& link = spec.links.emplace_back();
  link.name = "body";
  link.joint.name = "joint";
  link.joint.type = JointType::revolute;
  link.joint.dofs.resize(1);
  link.joint.dofs[0].rotor_inertia = 1;
  link.has_inertial = true;
  link.mass = mass;
  link.com = {0.3, -0.2, 0.1};
  link.inertia = inertia;
  return spec;
}

Sym3<double> rotated(std::mt19937_64& rng, double a, double b, double c) {
  return rotate(random_rotation(rng), Sym3<double>{a, 0, 0, b, 0, c});
}

TEST(Repair, LeavesSoundInertiasAlone) {
  std::mt19937_64 rng(31);
  ModelSpec spec = random_tree(rng, 20, {});
  const ModelSpec before = spec;
  EXPECT_TRUE(repair_inertias(spec).empty());
  for (std::size_t i = 0; i < spec.links.size(); ++i) {
    EXPECT_EQ(spec.links[i].inertia.xy, before.links[i].inertia.xy);
    EXPECT_EQ(spec.links[i].mass, before.links[i].mass);
  }
}

TEST(Repair, MakesModelsWithoutDoubtsAndKeepsMassAndCentre) {
  std::mt19937_64 rng(32);
  for (const auto& J : {Vec3<double>{1, 2, 4}, {-1, 2, 3}, {-3, -2, -1}, {1e-9, 1e-9, 5}, {-1e-20, 0, 1e-20}}) {
    ModelSpec spec = one_link(2, rotated(rng, J.x, J.y, J.z));
    ASSERT_EQ(build_model(spec).plausibility_warnings().size(), 1u);
    const std::vector<InertiaRepair> repairs = repair_inertias(spec);
    ASSERT_EQ(repairs.size(), 1u);
    EXPECT_EQ(repairs[0].link, "body");
    EXPECT_EQ(repairs[0].mass_after, 2);
    EXPECT_EQ(spec.links[0].mass, 2);
    EXPECT_EQ(spec.links[0].com.x, 0.3);
    EXPECT_TRUE(build_model(spec).plausibility_warnings().empty()) << J.x << " " << J.y << " " << J.z;
    EXPECT_TRUE(repair_inertias(spec).empty()) << "once is enough";
  }
}

TEST(Repair, InertiaWithoutMassGetsAMass) {
  ModelSpec spec = one_link(0, {1, 0, 0, 2, 0, 3});
  const std::vector<InertiaRepair> repairs = repair_inertias(spec);
  ASSERT_EQ(repairs.size(), 1u);
  EXPECT_EQ(repairs[0].why, PlausibilityKind::inertia_without_mass);
  EXPECT_DOUBLE_EQ(spec.links[0].mass, 3.0 / 100);  // radius of gyration 10 m
  EXPECT_EQ(spec.links[0].inertia.zz, 3);
  EXPECT_TRUE(build_model(spec).plausibility_warnings().empty());
}

/// No body among many random ones, near and far, is nearer in the Frobenius norm.
TEST(Repair, NothingIsNearer) {
  std::mt19937_64 rng(33);
  for (int trial = 0; trial < 20; ++trial) {
    const Sym3<double> odd =
        rotated(rng, random_number(rng, -1, 1), random_number(rng, 0, 1), random_number(rng, 2, 4));
    ModelSpec spec = one_link(1, odd);
    ASSERT_EQ(repair_inertias(spec).size(), 1u);
    const Eigen::Matrix3d given = second_moments(odd), found = second_moments(spec.links[0].inertia);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(found).eigenvalues()[0], 0);
    const double distance = (found - given).norm();
    for (int k = 0; k < 2000; ++k) {
      const double reach = std::pow(10.0, random_number(rng, -6, 0.5));
      Eigen::Matrix3d root = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(found).operatorSqrt();
      for (double& entry : root.reshaped()) entry += random_number(rng, -reach, reach);
      const Eigen::Matrix3d other = root * root.transpose();  // some body's
      // The floor of a millionth keeps away from the boundary, where the nearest of all lies.
      EXPECT_GE((other - given).norm(), distance - 3e-6 * given.norm());
    }
  }
}

}  // namespace
}  // namespace verne::test
