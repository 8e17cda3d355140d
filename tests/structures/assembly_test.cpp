/// Whether mechanisms open that nobody made up for this library: closed somewhere, with home at zero.
#include <cstdlib>
#include <iostream>

#include "structures/random_closures.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

constexpr double kClosedGap = 1e-9;

std::string opens(const Model& model) {
  return complaint<InputError>([&] { Mechanism mechanism(model); });
}

double largest_gap(const Mechanism& mechanism) {
  Data<double> data(mechanism.model());
  return loop_gaps(mechanism.model(), data, mechanism.home().eigen()).lpNorm<Eigen::Infinity>();
}

/// What an ordinary least-squares solver closes from zero opens, and is closed by angles, not by their sines.
TEST(Assembly, WhatLeastSquaresWouldClose) {
  std::mt19937_64 rng(91 + test_seed());
  int compared = 0;
  for (const LoopType type : {LoopType::rigid, LoopType::revolute, LoopType::prismatic, LoopType::universal,
                              LoopType::spherical, LoopType::cylindrical, LoopType::planar}) {
    for (int k = 0; k < 12; ++k) {
      SCOPED_TRACE(std::string(to_string(type)) + " " + std::to_string(k));
      const Model model = build_model(random_closed_chain(rng, type, 2));
      if (!closes_from(model, neutral_configuration(model))) continue;
      ++compared;
      const std::string refusal = opens(model);
      ASSERT_EQ(refusal, "none");
      EXPECT_LT(largest_gap(Mechanism(model)), kClosedGap);
    }
  }
  EXPECT_GT(compared, 30);
}

/// Planar machines closed by a rigid joint, which a solver of sines leads to half a turn.
TEST(Assembly, RigidLoopsInThePlane) {
  std::mt19937_64 rng(92 + test_seed());
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE(k);
    const Model model = build_model(random_planar_loop(rng, LoopType::rigid, 0));
    ASSERT_EQ(opens(model), "none");
    const Mechanism mechanism(model);
    EXPECT_EQ(mechanism.mobility(), 2);
    EXPECT_LT(largest_gap(mechanism), kClosedGap);
    EXPECT_TRUE(mechanism.warnings().empty());
  }
}

/// Where no way leads from home to a closed configuration, other starts find some, and a note says so.
TEST(Assembly, OtherStartsAreSaid) {
  std::mt19937_64 rng(93);
  int elsewhere = 0;
  for (int k = 0; k < 250 && elsewhere < 2; ++k) {
    const Model model = build_model(random_closed_chain(rng, LoopType::revolute, 3));
    if (opens(model) != "none") continue;
    const Mechanism mechanism(model);
    EXPECT_LT(largest_gap(mechanism), kClosedGap);
    if (mechanism.notes().empty()) continue;
    ++elsewhere;
    EXPECT_NE(mechanism.notes()[0].text.find("do not close from home"), std::string::npos);
    const Mechanism again(model);
    EXPECT_EQ((again.home().eigen() - mechanism.home().eigen()).norm(), 0) << "the same every time";
  }
  EXPECT_EQ(elsewhere, 2);
}

/// Dimensions that a file rounds make redundant equations contradict each other: what moves is what moves without.
TEST(Assembly, RoundedFiles) {
  std::mt19937_64 rng(94 + test_seed());
  for (const LoopType type : {LoopType::rigid, LoopType::revolute}) {
    for (int k = 0; k < 10; ++k) {
      SCOPED_TRACE(k);
      std::mt19937_64 same = rng;
      const Model rounded = build_model(random_planar_loop(rng, type, 1e-8));
      ASSERT_EQ(opens(rounded), "none");
      const Mechanism mechanism(rounded);
      ModelSpec exact = random_planar_loop(same, type, 0);
      for (const int velocity : mechanism.independent()) {
        exact.independent.push_back(rounded.dof_names()[std::size_t(velocity)]);
      }
      const Mechanism other(build_model(exact));
      EXPECT_EQ(mechanism.mobility(), 2);
      ASSERT_EQ(mechanism.warnings().size(), 1u);
      EXPECT_NE(mechanism.warnings()[0].text.find("as the file is rounded"), std::string::npos);
      MechanismData<double> data(mechanism), other_data(other);
      const ClosedState s = closed_state(mechanism, rng, 0.1);
      EXPECT_EQ(complaint<InputError>([&] { require_closed(mechanism, data, s.q, 1e-9); }), "none");
      const Eigen::VectorXd q = assemble(other, other_data, s.free_q, other.home().eigen());
      EXPECT_LT((closed_jacobian(mechanism, data, s.q) - closed_jacobian(other, other_data, q)).norm(), 1e-4);
    }
  }
  // Out of the plane by so much; a hundredth of a millimetre is no rounding.
  ModelSpec shifted = random_planar_loop(rng, LoopType::rigid, 0);
  shifted.loops[0].a.X_LF.p.z += 1.2e-8;
  const Mechanism mechanism(build_model(shifted));
  ASSERT_EQ(mechanism.warnings().size(), 1u);
  EXPECT_NE(mechanism.warnings()[0].text.find("stays open by 1.2e-08 m (d_z)"), std::string::npos)
      << mechanism.warnings()[0].text;
  shifted.loops[0].a.X_LF.p.z += 1e-5;
  EXPECT_NE(opens(build_model(shifted)).find("stays open by"), std::string::npos);
}

/// Of a rod's ball two velocities follow from the rest and one, its spin, does not: no choice of whole joints serves.
TEST(Assembly, RodsBetweenBalls) {
  std::mt19937_64 rng(95 + test_seed());
  const Model model = build_model(random_rod_humanoid(rng, 8));
  const Mechanism mechanism(model);
  EXPECT_EQ(mechanism.mobility(), 36);
  EXPECT_EQ(mechanism.rank(), 18);
  EXPECT_LT(largest_gap(mechanism), kClosedGap);
  for (const int k : mechanism.actuated()) {
    EXPECT_TRUE(std::ranges::binary_search(mechanism.independent(), k)) << model.dof_names()[std::size_t(k)];
  }
  MechanismData<double> data(mechanism);
  const ClosedState s = closed_state(mechanism, rng, 0.15);
  Data<double> tree(model);
  EXPECT_LT(loop_gaps(model, tree, s.q).lpNorm<Eigen::Infinity>(), kClosedGap);
  const Openings open = openings(model, s.q, s.v);
  EXPECT_LT((open.J * s.v).norm(), 1e-10);
  EXPECT_LT((open.J * s.a + open.drift).norm(), 1e-9);
  for (std::size_t k = 0; k < mechanism.independent().size(); ++k) {
    EXPECT_DOUBLE_EQ(s.v[mechanism.independent()[k]], s.free_v[Eigen::Index(k)]);
  }
  const Eigen::VectorXd a = forward_dynamics(mechanism, data, s.q, s.v, s.tau),
                        expected = lagrange_accelerations(mechanism, s);
  EXPECT_LT((a - expected).norm(), 1e-8 * expected.norm());
  // Given back what it has, it stays; and from home it comes to where the rods' turns have the wanted parts.
  const auto own = [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    const auto places = mechanism.independent_positions();
    return q(std::vector<int>(places.begin(), places.end()));
  };
  EXPECT_LT((assemble(mechanism, data, own(s.q), s.q) - s.q).norm(), 1e-12);
  const Eigen::VectorXd come = assemble(mechanism, data, own(s.q), mechanism.home().eigen());
  EXPECT_LT((come - s.q).norm(), 1e-9);
}

/// A massless coupler turns with the crank, which has inertia; a rod without moments spins freely, and nothing tells
/// how.
TEST(Assembly, LinksWithoutInertia) {
  ModelSpec spec = shipped_model("four_bar").spec();
  for (LinkSpec& link : spec.links) {
    if (link.name == "coupler" || link.name == "rocker") link.mass = 0, link.inertia = Sym3<double>::zero();
  }
  const Model model = build_model(spec);
  EXPECT_TRUE(model.plausibility_warnings().empty()) << model.plausibility_warnings()[0].problem.text;
  const Mechanism mechanism(model);
  EXPECT_TRUE(mechanism.warnings().empty());
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(96 + test_seed());
  const ClosedState s = closed_state(mechanism, rng, 0.3);
  const Eigen::VectorXd a = forward_dynamics(mechanism, data, s.q, s.v, s.tau);
  EXPECT_LT((a - lagrange_accelerations(mechanism, s)).norm(), 1e-8 * a.norm());
  // The tree by itself still has no accelerations.
  Data<double> tree(model);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  EXPECT_NE(complaint<InputError>([&] { forward_dynamics(model, tree, s.q, zero, zero); }).find("without its loops"),
            std::string::npos);

  ModelSpec rods = random_rod_humanoid(rng, 0);
  for (LinkSpec& link : rods.links) {
    if (link.name == "rod_a_l") link.mass = 0, link.inertia = Sym3<double>::zero();
  }
  const Mechanism spinning(build_model(rods));
  ASSERT_EQ(spinning.warnings().size(), 1u);
  EXPECT_NE(spinning.warnings()[0].text.find("rod_a_l_joint"), std::string::npos) << spinning.warnings()[0].text;
  MechanismData<double> spinning_data(spinning);
  const Eigen::VectorXd q = spinning.home().eigen(), still = Eigen::VectorXd::Zero(spinning.model().nv());
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(Eigen::Index(spinning.actuated().size()));
  EXPECT_NE(
      complaint<InputError>([&] { forward_dynamics(spinning, spinning_data, q, still, tau); }).find("without inertia"),
      std::string::npos);
}

/// By hand: VERNE_MECHANISMS=1000 counts how many of so many mechanisms of each kind open.
TEST(Assembly, Campaign) {
  const char* const count = std::getenv("VERNE_MECHANISMS");
  if (!count) GTEST_SKIP() << "VERNE_MECHANISMS is not set";
  const auto run = [&](const std::string& name, const std::function<ModelSpec(std::mt19937_64&)>& make, bool compare) {
    std::mt19937_64 rng(97 + test_seed());
    int all = 0, opened = 0, reference = 0, both = 0, noted = 0;
    for (; all < std::atoi(count); ++all) {
      const Model model = build_model(make(rng));
      bool open = false;
      try {
        const Mechanism mechanism(model);
        open = largest_gap(mechanism) < 1e-6;
        noted += mechanism.notes().empty() ? 0 : 1;
      } catch (const InputError&) {
      }
      const bool closes = compare && closes_from(model, neutral_configuration(model));
      opened += open, reference += closes, both += open && closes;
    }
    std::cout << name << ": " << opened << " of " << all << " open (" << noted << " from other starts), and " << both
              << " of the " << reference << " that least squares closes from zero" << std::endl;
  };
  for (const LoopType type : {LoopType::rigid, LoopType::revolute, LoopType::prismatic, LoopType::universal,
                              LoopType::spherical, LoopType::cylindrical, LoopType::planar}) {
    run(
        to_string(type), [&](std::mt19937_64& rng) { return random_closed_chain(rng, type, 2); }, true);
  }
  run(
      "planar, rigid", [](std::mt19937_64& rng) { return random_planar_loop(rng, LoopType::rigid, 0); }, true);
  run(
      "planar, rounded", [](std::mt19937_64& rng) { return random_planar_loop(rng, LoopType::rigid, 1e-8); }, false);
  run(
      "rods", [](std::mt19937_64& rng) { return random_rod_humanoid(rng, 8); }, false);
}

}  // namespace
}  // namespace verne::test
