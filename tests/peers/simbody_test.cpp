/// Accelerations of mechanisms with closed loops against Simbody, which takes multipliers and a QR factorization.
#include <gtest/gtest.h>

#include "model/one_axis_joints.h"
#include "structures/random_mechanisms.h"

#ifdef VERNE_HAVE_SIMBODY
#include "peers/simbody_mechanism.h"
#endif

namespace verne::test {
namespace {

#ifdef VERNE_HAVE_SIMBODY

peers::SimbodyPose simbody_pose(const Transform<double>& X) {
  peers::SimbodyPose pose;
  std::copy_n(X.R.m, 9, pose.begin());
  pose[9] = X.p.x, pose[10] = X.p.y, pose[11] = X.p.z;
  return pose;
}

/// Without rotors, friction and springs, and with one-axis joints, as Simbody gets it.
ModelSpec simbody_spec(const std::string& name) {
  ModelSpec spec = shipped_model(name).spec();
  for (LinkSpec& link : spec.links) link.joint.dofs.clear();
  return with_one_axis_joints(std::move(spec));
}

peers::SimbodyMechanism simbody_mechanism(const Model& model) {
  using Link = peers::SimbodyLink;
  const ModelSpec& spec = model.spec();
  std::vector<Link> links;
  std::map<std::string, int> known{{"", -1}, {"world", -1}};
  const auto three = [](const Vec3<double>& v) { return std::array<double, 3>{v.x, v.y, v.z}; };
  const auto put = [&](const LinkSpec& link) {
    const JointSpec& joint = link.joint;
    const auto entry = std::find_if(model.joints().begin(), model.joints().end(),
                                    [&](const Joint& j) { return j.spec.name == joint.name; });
    const auto none = simbody_pose(Transform<double>::identity());
    const auto kind = joint.type == JointType::prismatic ? Link::Joint::prismatic
                      : joint.type == JointType::fixed   ? Link::Joint::fixed
                                                         : Link::Joint::revolute;
    Link out{known.at(link.parent),
             kind,
             three(joint.axis),
             simbody_pose(link.X_PJ),
             simbody_pose(inverse(link.X_JL)),
             link.mass,
             three(link.com),
             {link.inertia.xx, link.inertia.yy, link.inertia.zz, link.inertia.xy, link.inertia.xz, link.inertia.yz},
             kind == Link::Joint::fixed ? -1 : entry->v};
    if (joint.type == JointType::universal) {  // two, with a link without mass between them
      links.push_back({out.parent, kind, out.axis, out.X_PJ, none, 0, {}, {}, out.velocity});
      out.parent = int(links.size()) - 1, out.X_PJ = none, out.axis = three(joint.axis2), ++out.velocity;
    } else {
      ASSERT_TRUE(joint.type == JointType::revolute || kind != Link::Joint::revolute) << to_string(joint.type);
    }
    links.push_back(out);
    known[link.name] = int(links.size()) - 1;
  };
  while (known.size() < spec.links.size() + 2) {
    for (const LinkSpec& link : spec.links) {
      if (!known.contains(link.name) && known.contains(link.parent)) put(link);
    }
  }
  using Kind = peers::SimbodyLoop::Kind;
  const std::map<LoopType, Kind> kinds{
      {LoopType::revolute, Kind::revolute},           {LoopType::prismatic, Kind::prismatic},
      {LoopType::cylindrical, Kind::cylindrical},     {LoopType::planar, Kind::planar},
      {LoopType::point_on_line, Kind::point_on_line}, {LoopType::universal, Kind::universal},
      {LoopType::spherical, Kind::spherical},         {LoopType::rigid, Kind::rigid}};
  std::vector<peers::SimbodyLoop> loops;
  for (const LoopSpec& loop : spec.loops) {
    loops.push_back({kinds.at(loop.type), known.at(loop.a.link), known.at(loop.b.link), simbody_pose(loop.a.X_LF),
                     simbody_pose(loop.b.X_LF)});
  }
  return peers::SimbodyMechanism(links, loops, three(spec.gravity));
}

class SimbodyOnLoops : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Peers, SimbodyOnLoops,
                         testing::Values("four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart",
                                         "hybrid"),
                         [](const auto& test) { return std::string(test.param); });

void expect_agreement(const Mechanism& mechanism, std::mt19937_64& rng, double step) {
  peers::SimbodyMechanism peer = simbody_mechanism(mechanism.model());
  MechanismData<double> data(mechanism);
  const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  for (int k = 0; k < 5; ++k) {
    const ClosedState s = closed_state(mechanism, rng, step);
    Eigen::VectorXd forces = Eigen::VectorXd::Zero(s.v.size()), a(s.v.size());
    for (long i = 0; i < s.tau.size(); ++i) forces[mechanism.actuated()[std::size_t(i)]] = s.tau[i];
    forward_dynamics<double>(mechanism, data, s.q, s.v, s.tau, a);
    const std::vector<double> expected = peer.accelerations(list(s.q), list(s.v), list(forces));
    EXPECT_TRUE(close(a, Eigen::Map<const Eigen::VectorXd>(expected.data(), a.size()), 1e-8)) << k;
  }
}

TEST_P(SimbodyOnLoops, Agrees) {
  std::mt19937_64 rng(31 + test_seed());
  expect_agreement(Mechanism(build_model(simbody_spec(GetParam()))), rng, 0.05);
}

/// Chains that joints of all kinds close, alone and two at a time.
TEST(SimbodyOnChains, Agrees) {
  const RandomTreeOptions tree{.kinds = {JointType::revolute, JointType::prismatic}, .chain = true};
  for (int k = 0; k < 16; ++k) {
    std::mt19937_64 rng(std::mt19937_64::result_type(40 + k) + test_seed());
    const auto first = static_cast<LoopType>(k % 8), second = static_cast<LoopType>((3 * k + 2) % 8);
    std::vector<Closing> closings{{first, 1, 7}};
    if (k >= 8) closings.push_back({second, 5, 14});
    SCOPED_TRACE(std::string(to_string(first)) + (k >= 8 ? std::string(" and ") + to_string(second) : ""));
    ModelSpec spec = sound_chain(rng, closings, tree).spec();
    for (LinkSpec& link : spec.links) link.joint.dofs.clear();
    expect_agreement(Mechanism(build_model(spec)), rng, 0.01);
  }
}

#else

TEST(SimbodyOnLoops, Agrees) {
  GTEST_SKIP() << "Simbody is not installed";
}

#endif

}  // namespace
}  // namespace verne::test
