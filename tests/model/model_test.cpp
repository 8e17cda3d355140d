/// What a model tells about itself.
#include "verne/model/model.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "model/tree.h"
#include "support/random_model.h"
#include "verne/dynamics/data.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/mechanism.h"

namespace verne {
namespace {

using test::RandomTreeOptions;

/// One joint of each type on a fixed base.
ModelSpec single(JointType type) {
  std::mt19937_64 rng(7);
  RandomTreeOptions options;
  options.kinds = {type};
  ModelSpec spec = test::random_tree(rng, 1, options);
  spec.links[1].joint.axis = {0, 0, 1};
  spec.links[1].joint.axis2 = {0, 1, 0};
  return spec;
}

TEST(Model, CompoundJointsAreSplit) {
  const auto motions = [](JointType type) {
    const Model model = build_model(single(type));
    std::vector<JointKind> list;
    for (int i = 0; i < model.tree().body_count; ++i) {
      list.push_back(model.tree().bodies[i].kind);
      EXPECT_EQ(model.tree().bodies[i].massless, i + 1 < model.tree().body_count);
    }
    return list;
  };
  using enum JointKind;
  EXPECT_EQ(motions(JointType::cylindrical), (std::vector{prismatic, revolute}));
  EXPECT_EQ(motions(JointType::universal), (std::vector{revolute, revolute}));
  EXPECT_EQ(motions(JointType::planar), (std::vector{prismatic, prismatic, revolute}));
  EXPECT_EQ(motions(JointType::spherical), (std::vector{spherical}));
  EXPECT_EQ(motions(JointType::free), (std::vector{free}));
}

TEST(Model, CountsAndNamesOfVelocities) {
  const auto names = [](JointType type) {
    const Model model = build_model(single(type));
    EXPECT_EQ(model.nv(), velocity_count(type));
    EXPECT_EQ(model.nq(), position_count(type));
    return std::vector<std::string>(model.dof_names().begin(), model.dof_names().end());
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(JointType::revolute), (Names{"joint_1"}));
  EXPECT_EQ(names(JointType::cylindrical), (Names{"joint_1.distance", "joint_1.angle"}));
  EXPECT_EQ(names(JointType::universal), (Names{"joint_1.angle1", "joint_1.angle2"}));
  EXPECT_EQ(names(JointType::planar), (Names{"joint_1.x", "joint_1.y", "joint_1.angle"}));
  EXPECT_EQ(names(JointType::spherical), (Names{"joint_1.wx", "joint_1.wy", "joint_1.wz"}));
  EXPECT_EQ(names(JointType::free).back(), "joint_1.wz");
}

TEST(Model, AlignedJointsNeedNoTurn) {
  for (const JointType type : test::kMovingJointTypes) {
    const Model model = build_model(single(type));
    // A universal joint ends on its second axis.
    EXPECT_EQ(model.tree().joints[1].same_axes, type != JointType::universal) << to_string(type);
  }
}

TEST(Model, LinksAreSortedDepthFirstInFileOrder) {
  ModelSpec spec;
  const auto add = [&](const char* name, const char* parent) {
    LinkSpec link;
    link.name = name;
    link.parent = parent;
    link.joint.name = std::string(name) + "_joint";
    spec.links.push_back(link);
  };
  add("b1", "b");
  add("a", "root");
  add("b", "root");
  add("a1", "a");
  add("root", "");
  add("b2", "b");
  const Model model = build_model(spec);
  std::string order;
  for (const Link& link : model.links()) order += link.name + " ";
  EXPECT_EQ(order, "root a a1 b b1 b2 ");
  EXPECT_EQ(model.spec().links[3].name, "b");
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.link("b2"), 5);
  EXPECT_EQ(model.joint("a1_joint"), 2);
}

TEST(Model, UnknownNamesAreInputErrorsWithASuggestion) {
  const Model model = build_model(single(JointType::revolute));
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { model.joint("jont_1"); }), "error: there is no joint 'jont_1' (did you mean 'joint_1'?)");
  EXPECT_EQ(message([&] { model.link("zzz"); }), "error: there is no link 'zzz'");
  EXPECT_EQ(message([&] { model.site("fram_1"); }),
            "error: there is no link or frame 'fram_1' (did you mean 'frame_1'?)");
}

TEST(Model, AFollowerMayStandBeforeItsLeader) {
  std::mt19937_64 rng(8);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute};
  options.chain = true;
  ModelSpec spec = test::random_tree(rng, 3, options);
  spec.links[1].joint.mimic = MimicSpec{"joint_3", -2, 0.5};
  const Model model = build_model(spec);
  EXPECT_EQ(model.nv(), 2);
  EXPECT_TRUE(model.coupled());
  EXPECT_EQ(model.joints()[1].nv, 0);
  EXPECT_EQ(model.joints()[1].v, 1);
  const TreeCoupling& c = model.tree().q_coupling[0];
  EXPECT_EQ(c.source, 1);
  EXPECT_EQ(c.own, 0);
  EXPECT_EQ(c.ratio, -2);
  EXPECT_EQ(c.offset, 0.5);
}

TEST(Model, AMasslessLeaderMayDriveAMassiveFollower) {
  std::mt19937_64 rng(9);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute};
  ModelSpec spec = test::random_tree(rng, 2, options);
  for (int i : {1, 2}) spec.links[i].parent = "link_0";
  spec.links[1].mass = 0;
  spec.links[1].inertia = Sym3<double>::zero();
  EXPECT_EQ(build_model(spec).joints_without_inertia().size(), 1u);
  spec.links[2].joint.mimic = MimicSpec{"joint_1", 1, 0};
  EXPECT_TRUE(build_model(spec).joints_without_inertia().empty());
}

TEST(Model, FloatingBaseReplacesAFixedRootOnly) {
  ModelSpec spec = single(JointType::revolute);
  const Model model = build_model(with_floating_base(spec));
  EXPECT_EQ(model.nv(), 7);
  EXPECT_EQ(model.nq(), 8);
  EXPECT_EQ(model.joints()[0].spec.type, JointType::free);
  EXPECT_FALSE(model.joints()[0].spec.actuated);
  spec.links[0].joint.type = JointType::planar;
  EXPECT_THROW(with_floating_base(spec), InputError);
}

TEST(Model, AxesBecomeUnit) {
  ModelSpec spec = single(JointType::prismatic);
  spec.links[1].joint.axis = {0, 3, 4};
  const Model model = build_model(spec);
  EXPECT_NEAR(norm(model.joints()[1].spec.axis - Vec3<double>{0, 0.6, 0.8}), 0, 1e-15);
  EXPECT_EQ(model.joints()[1].spec.axis.y, model.spec().links[1].joint.axis.y);
}

TEST(Model, CopiesShareTheTree) {
  const Model model = build_model(single(JointType::revolute));
  const Model copy = model;
  EXPECT_EQ(copy.tree().bodies, model.tree().bodies);
}

TEST(JointType, NamesReturn) {
  for (const JointType type : test::kMovingJointTypes) EXPECT_EQ(joint_type_from(to_string(type)), type);
  EXPECT_EQ(joint_type_from("fixed"), JointType::fixed);
  EXPECT_EQ(joint_type_from("hinge"), std::nullopt);
}

TEST(Model, OneThatWasMovedFromIsACallersMistake) {
  Model model = build_model(single(JointType::revolute));
  const Model taken = std::move(model);
  EXPECT_EQ(taken.nv(), 1);
  EXPECT_THROW(model.nv(), std::invalid_argument);
  EXPECT_THROW(model.spec(), std::invalid_argument);
  EXPECT_THROW(Data<double>{model}, std::invalid_argument);
  Mechanism mechanism(taken);
  const Mechanism kept = std::move(mechanism);
  EXPECT_EQ(kept.mobility(), 1);
  EXPECT_THROW(mechanism.mobility(), std::invalid_argument);
  model = taken;
  EXPECT_EQ(model.nv(), 1);
}

}  // namespace
}  // namespace verne
