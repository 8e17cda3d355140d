/// Every way in which a model can be wrong, and what the user is told about it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "support/random_model.h"
#include "verne/model/model.h"

namespace verne {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// base (fixed), upper on 'shoulder', lower on 'elbow', hand on the fixed 'wrist'; links at lines 10, 20, 30, 40, their
/// joints one line later.
ModelSpec arm() {
  ModelSpec spec;
  spec.name = "arm";
  spec.file = "arm.yaml";
  const auto add = [&](const char* name, const char* parent, const char* joint, JointType type) {
    LinkSpec link;
    link.name = name;
    link.parent = parent;
    link.joint.name = joint;
    link.joint.type = type;
    link.line = 10 * (static_cast<int>(spec.links.size()) + 1);
    link.joint.line = link.line + 1;
    link.has_inertial = true;
    link.mass = 2;
    link.com = {0.1, 0, 0};
    link.inertia = {0.02, 0, 0, 0.03, 0, 0.04};
    link.joint.dofs.resize(velocity_count(type), DofSpec{-1, 1, 2, -3, 3, 0, 0, 0, 0});
    spec.links.push_back(link);
  };
  add("base", "", "root", JointType::fixed);
  add("upper", "base", "shoulder", JointType::revolute);
  add("lower", "upper", "elbow", JointType::revolute);
  add("hand", "lower", "wrist", JointType::fixed);
  spec.links[0].mass = 0;
  spec.links[0].inertia = Sym3<double>::zero();
  spec.frames.push_back({"tool", "hand", Transform<double>::identity(), 50});
  spec.contacts.push_back({"tip", "hand", {0, 0, 0}, 60});
  return spec;
}

using Change = std::function<void(ModelSpec&)>;

std::string text_of(const std::vector<Diagnostic>& problems, const char* severity) {
  std::string text;
  for (const Diagnostic& problem : problems) text += to_string(problem, severity) + "\n";
  return text;
}

std::string errors_after(const Change& change) {
  ModelSpec spec = arm();
  change(spec);
  try {
    build_model(spec);
  } catch (const InputError& error) {
    return text_of(error.problems(), "error");
  }
  return "";
}

std::string notes_after(const Change& change) {
  ModelSpec spec = arm();
  change(spec);
  std::vector<Diagnostic> notes;
  build_model(spec, &notes);
  return text_of(notes, "note");
}

std::string warnings_after(const Change& change) {
  ModelSpec spec = arm();
  change(spec);
  const Model model = build_model(spec);
  std::string text;
  for (const PlausibilityWarning& warning : model.plausibility_warnings()) {
    text += std::string(to_string(warning.kind)) + " " + to_string(warning.problem, "warning") + "\n";
  }
  return text;
}

/// The only error is this one.
void expect_error(const Change& change, const std::string& expected) {
  EXPECT_EQ(errors_after(change), "arm.yaml:" + expected + "\n");
}

/// The model is built, with this warning alone; a strict reader refuses it with the same words.
void expect_warning(const Change& change, const std::string& kind, const std::string& where, const std::string& text) {
  EXPECT_EQ(warnings_after(change), kind + " arm.yaml:" + where + ": warning: " + text + "\n");
  ModelSpec spec = arm();
  change(spec);
  try {
    build_model(spec, nullptr, {.strict = true});
    ADD_FAILURE() << "strict, and no error";
  } catch (const InputError& error) {
    EXPECT_EQ(text_of(error.problems(), "error"), "arm.yaml:" + where + ": error: " + text + "\n");
  }
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(Validate, AcceptsASoundModelSilently) {
  EXPECT_EQ(errors_after([](ModelSpec&) {}), "");
  EXPECT_EQ(notes_after([](ModelSpec&) {}), "");
  EXPECT_EQ(warnings_after([](ModelSpec&) {}), "");
}

TEST(Validate, Names) {
  expect_error([](ModelSpec& s) { s.links[3].name = "upper", s.frames.clear(), s.contacts.clear(); },
               "40: error: link 'upper': the name is taken already by a link (line 20)");
  expect_error([](ModelSpec& s) { s.links[2].joint.name = "shoulder"; },
               "31: error: joint 'shoulder': the name is taken already by a joint (line 21)");
  expect_error([](ModelSpec& s) { s.frames[0].name = "upper"; },
               "50: error: frame 'upper': the name is taken already by a link (line 20)");
  expect_error([](ModelSpec& s) { s.contacts.push_back(s.contacts[0]); },
               "60: error: contact 'tip': the name is taken already by a contact (line 60)");
  expect_error([](ModelSpec& s) { s.links[3].name = "", s.frames.clear(), s.contacts.clear(); },
               "40: error: a link has an empty name");
  expect_error([](ModelSpec& s) { s.links[3].joint.name = ""; }, "41: error: a joint has an empty name");
}

TEST(Validate, UnknownLinksComeWithASuggestion) {
  expect_error([](ModelSpec& s) { s.links[2].parent = "uper"; },
               "30: error: link 'lower': parent 'uper' does not exist (did you mean 'upper'?)");
  expect_error([](ModelSpec& s) { s.frames[0].link = "hands"; },
               "50: error: frame 'tool': link 'hands' does not exist (did you mean 'hand'?)");
  expect_error([](ModelSpec& s) { s.contacts[0].link = "spaceship"; },
               "60: error: contact 'tip': link 'spaceship' does not exist");
}

TEST(Validate, Roots) {
  expect_error([](ModelSpec& s) { s.links[2].parent = ""; },
               "30: error: link 'lower': has no parent, but neither has 'base': there can be one root only");
  EXPECT_EQ(errors_after([](ModelSpec& s) { s.links.clear(), s.frames.clear(), s.contacts.clear(); }),
            "arm.yaml: error: the model has no links\n");
}

TEST(Validate, Cycles) {
  expect_error([](ModelSpec& s) { s.links[2].parent = "hand"; },
               "30: error: link 'lower': hangs on itself: its parents form the cycle 'lower', 'hand'");
  expect_error([](ModelSpec& s) { s.links[3].parent = "hand"; },
               "40: error: link 'hand': hangs on itself: its parents form the cycle 'hand'");
  const std::string text = errors_after([](ModelSpec& s) { s.links[0].parent = "hand"; });
  expect_part(text, "arm.yaml: error: no link is the root: all have a parent\n");
  expect_part(text, "arm.yaml:10: error: link 'base': hangs on itself");
}

TEST(Validate, Axes) {
  expect_error(
      [](ModelSpec& s) {
        s.links[1].joint.axis = {0, 0, 0};
      },
      "21: error: joint 'shoulder': axis is zero: expected a direction such as [0, 0, 1]");
  expect_error(
      [](ModelSpec& s) {
        s.links[1].joint.axis = {0, kNan, 0};
      },
      "21: error: joint 'shoulder': axis: expected a finite number, found nan");
  EXPECT_EQ(notes_after([](ModelSpec& s) {
              s.links[1].joint.axis = {0, 3, 4};
            }),
            "arm.yaml:21: note: joint 'shoulder': axis has length 5; it was scaled to 1\n");
  EXPECT_EQ(errors_after([](ModelSpec& s) { s.links[3].joint.axis = {0, 0, 0}; }), "") << "a fixed joint needs no axis";
  const auto universal = [](const Vec3<double>& axis2) {
    return [axis2](ModelSpec& s) {
      s.links[1].joint.type = JointType::universal;
      s.links[1].joint.dofs.clear();
      s.links[1].joint.axis2 = axis2;
    };
  };
  expect_error(universal({0, 0, -2}), "21: error: joint 'shoulder': axis and axis2 of a universal joint are parallel");
  expect_error(universal({0, 0, 0}),
               "21: error: joint 'shoulder': axis2 is zero: expected a direction such as [0, 0, 1]");
}

TEST(Validate, Mass) {
  expect_error([](ModelSpec& s) { s.links[2].mass = -1; },
               "30: error: link 'lower': mass: expected a number that is not negative, found -1");
  expect_error([](ModelSpec& s) { s.links[2].mass = kNan; },
               "30: error: link 'lower': mass: expected a number that is not negative, found nan");
  expect_error([](ModelSpec& s) { s.links[2].mass = 1e40; },
               "30: error: link 'lower': mass: expected a number below 1e30, found 1e+40");
  expect_error([](ModelSpec& s) { s.links[2].com.y = kInfinity; },
               "30: error: link 'lower': com: expected a finite number, found inf");
  expect_warning([](ModelSpec& s) { s.links[2].mass = 0; }, "inertia_without_mass", "30",
                 "link 'lower': inertia without mass: give both, or neither for a massless link");
}

TEST(Validate, Inertia) {
  expect_warning([](ModelSpec& s) { s.links[2].inertia.zz = 0.06; }, "triangle_inequality", "30",
                 "link 'lower': inertia breaks the triangle inequality: of its principal moments 0.02, 0.03, 0.06 the "
                 "largest exceeds the sum of the others, which no mass distribution has");
  expect_part(warnings_after([](ModelSpec& s) { s.links[2].inertia.xy = 0.1; }),
              "link 'lower': inertia is not positive");
  expect_warning([](ModelSpec& s) { s.links[2].inertia.xx = -0.01; }, "negative_moment", "30",
                 "link 'lower': inertia is not positive: its principal moments are -0.01, 0.03, 0.04");
  expect_error([](ModelSpec& s) { s.links[2].inertia.yz = kNan; },
               "30: error: link 'lower': inertia: expected a finite number, found nan");
  EXPECT_EQ(warnings_after([](ModelSpec& s) { s.links[2].inertia = {0.02, 0, 0, 0.03, 0, 0.05 + 1e-9}; }), "")
      << "a flat plate, rounded";
}

TEST(Validate, SuspiciousInertia) {
  expect_part(notes_after([](ModelSpec& s) { s.links[2].inertia = Sym3<double>::zero(); }),
              "arm.yaml: note: suspicious inertia: zero, though there is mass: 1 link ('lower')");
  expect_part(notes_after([](ModelSpec& s) { s.links[2].inertia = {500, 0, 0, 500, 0, 500}; }),
              "radius of gyration is above 10 m: 1 link ('lower')");
  expect_part(notes_after([](ModelSpec& s) { s.links[2].inertia = {1e-6, 0, 0, 1e-6, 0, 1e-6}; }),
              "denser than any metal");
  expect_part(notes_after([](ModelSpec& s) { s.links[2].inertia = {0.02, 0, 0, 0.02, 0, 1e-9}; }),
              "differ by more than 1e6 times");
}

TEST(Validate, JointsThatCarryNothing) {
  const auto massless = [](ModelSpec& s, int link) {
    s.links[link].mass = 0;
    s.links[link].inertia = Sym3<double>::zero();
  };
  expect_warning(
      [&](ModelSpec& s) { massless(s, 2), massless(s, 3); }, "nothing_to_move", "31",
      "joint 'elbow': moves but carries no mass: give link 'lower' or one beyond it a mass, or make the joint "
      "fixed");
  EXPECT_EQ(warnings_after([&](ModelSpec& s) { massless(s, 2); }), "") << "the hand on the fixed wrist has mass";
  const auto point_on_axis = [&](ModelSpec& s) {
    massless(s, 2);
    s.links[3].com = {0, 0, 0.2};
    s.links[3].inertia = Sym3<double>::zero();
  };
  expect_warning(point_on_axis, "nothing_to_move", "31",
                 "joint 'elbow': carries too little inertia to move: give link 'lower' an inertia (or a mass away from "
                 "the axis), or the joint a rotor inertia");
  EXPECT_EQ(warnings_after([&](ModelSpec& s) { point_on_axis(s), s.links[2].joint.dofs[0].rotor_inertia = 0.1; }), "");
  EXPECT_EQ(warnings_after([&](ModelSpec& s) { point_on_axis(s), s.links[2].joint.axis = {1, 0, 0}; }), "");
}

TEST(Validate, CoincidentAxesWithNothingBetween) {
  // The elbow turns about the shoulder's own axis, and the upper arm has no mass: one of them is free to spin.
  const Change change = [](ModelSpec& s) { s.links[1].mass = 0, s.links[1].inertia = Sym3<double>::zero(); };
  expect_part(warnings_after(change), "arm.yaml:21: warning: joint 'shoulder': carries too little inertia to move");
  EXPECT_EQ(warnings_after([&](ModelSpec& s) { change(s), s.links[2].X_PJ.p.x = 0.3; }), "");
}

TEST(Validate, Mimic) {
  const auto mimic = [](const std::string& joint, double ratio = 1, double offset = 0) {
    return [=](ModelSpec& s) { s.links[2].joint.mimic = MimicSpec{joint, ratio, offset}; };
  };
  EXPECT_EQ(errors_after(mimic("shoulder")), "");
  expect_error(mimic("elbow"), "31: error: joint 'elbow': mimic: a joint cannot follow itself");
  expect_error(mimic("sholder"),
               "31: error: joint 'elbow': mimic: joint 'sholder' does not exist (did you mean 'shoulder'?)");
  expect_error(mimic("wrist"),
               "31: error: joint 'elbow': mimic: 'wrist' is fixed; expected a joint with one degree of freedom");
  expect_error(mimic("shoulder", 0),
               "31: error: joint 'elbow': mimic: ratio is zero; use a fixed joint for one that does not move");
  expect_error(mimic("shoulder", kNan), "31: error: joint 'elbow': mimic: ratio: expected a finite number, found nan");
  expect_error(mimic("shoulder", 1, kInfinity),
               "31: error: joint 'elbow': mimic: offset: expected a finite number, found inf");
  EXPECT_EQ(errors_after([&](ModelSpec& s) {
              mimic("shoulder")(s);
              s.links[1].joint.mimic = MimicSpec{"elbow", 1, 0};
            }),
            "arm.yaml:21: error: joint 'shoulder': mimic: 'elbow' follows this joint in turn\n"
            "arm.yaml:31: error: joint 'elbow': mimic: 'shoulder' follows this joint in turn\n");
  expect_error(
      [&](ModelSpec& s) {
        mimic("shoulder")(s);
        s.links[2].joint.type = JointType::planar;
        s.links[2].joint.dofs.clear();
      },
      "31: error: joint 'elbow': mimic: only a joint with one degree of freedom can follow another, this is planar");
}

TEST(Validate, AFollowerOfAFollowerFollowsItsLeader) {
  ModelSpec spec = arm();
  spec.links[2].joint.mimic = MimicSpec{"shoulder", 2, 0.1};
  spec.links[3].joint.type = JointType::revolute;
  spec.links[3].joint.mimic = MimicSpec{"elbow", -3, 0.5};
  const Model model = build_model(spec);
  EXPECT_EQ(model.nv(), 1);
  const MimicSpec& mimic = *model.joints()[3].spec.mimic;  // -3 (2 q + 0.1) + 0.5
  EXPECT_EQ(mimic.joint, "shoulder");
  EXPECT_DOUBLE_EQ(mimic.ratio, -6);
  EXPECT_DOUBLE_EQ(mimic.offset, 0.2);
}

TEST(Validate, DoubtsAreGrouped) {
  ModelSpec spec = arm();
  spec.links[1].inertia.zz = spec.links[2].inertia.zz = spec.links[3].inertia.zz = 0.06;
  spec.links[2].joint.dofs[0].lower = 2;
  spec.links[2].joint.dofs[0].velocity = -1;  // a name stands once, however much is wrong with it
  const Model model = build_model(spec);
  const std::string triangle = "inertia beyond the triangle inequality, as no mass distribution has it: 3 links ";
  const std::string limits = "limits that nothing can meet: 1 joint ('elbow')";
  EXPECT_EQ(grouped(model.plausibility_warnings()),
            (std::vector<std::string>{triangle + "('upper', 'lower', 'hand')", limits}));
  EXPECT_EQ(grouped(model.plausibility_warnings(), 1),
            (std::vector<std::string>{triangle + "('upper' and 2 more)", limits}));
}

TEST(Validate, Limits) {
  const auto with = [](const std::function<void(DofSpec&)>& change) {
    return [change](ModelSpec& s) { change(s.links[2].joint.dofs[0]); };
  };
  expect_warning(with([](DofSpec& dof) { dof.lower = 2; }), "empty_limits", "31",
                 "joint 'elbow': position limits: expected lower <= upper, found [2, 1]");
  expect_error(with([](DofSpec& dof) { dof.upper = kNan; }),
               "31: error: joint 'elbow': position limits: expected lower <= upper, found [-1, nan]");
  expect_error(with([](DofSpec& dof) { dof.lower = dof.upper = kInfinity; }),
               "31: error: joint 'elbow': position limits: expected lower <= upper, found [inf, inf]");
  expect_warning(with([](DofSpec& dof) { dof.effort_upper = -4; }), "empty_limits", "31",
                 "joint 'elbow': effort limits: expected lower <= upper, found [-3, -4]");
  expect_warning(with([](DofSpec& dof) { dof.velocity = -2; }), "empty_limits", "31",
                 "joint 'elbow': velocity limit: expected a number that is not negative, found -2");
  expect_error(with([](DofSpec& dof) { dof.velocity = kNan; }),
               "31: error: joint 'elbow': velocity limit: expected a number that is not negative, found nan");
  const std::string tail = ": expected a number that is not negative, found -0.5";
  expect_warning(with([](DofSpec& dof) { dof.coulomb = -0.5; }), "negative_friction", "31",
                 "joint 'elbow': coulomb friction" + tail);
  expect_warning(with([](DofSpec& dof) { dof.viscous = -0.5; }), "negative_friction", "31",
                 "joint 'elbow': viscous friction" + tail);
  expect_error(with([](DofSpec& dof) { dof.friction_width = -0.5; }),
               "31: error: joint 'elbow': friction width" + tail);
  expect_error(with([](DofSpec& dof) { dof.rotor_inertia = -0.5; }), "31: error: joint 'elbow': rotor inertia" + tail);
  expect_error(with([](DofSpec& dof) { dof.stiffness = -0.5; }), "31: error: joint 'elbow': stiffness" + tail);
  expect_error(with([](DofSpec& dof) { dof.ligament = -0.5; }),
               "31: error: joint 'elbow': ligaments: stiffness" + tail);
  expect_error(with([](DofSpec& dof) { dof.slack_lower = 1, dof.slack_upper = -1; }),
               "31: error: joint 'elbow': ligaments: slack: expected lower <= upper, found [1, -1]");
  expect_error([](ModelSpec& s) { s.links[2].joint.dofs.resize(2); },
               "31: error: joint 'elbow': expected limits and friction for 1 degrees of freedom (revolute), found 2");
}

TEST(Validate, NumbersEverywhere) {
  expect_error([](ModelSpec& s) { s.links[1].X_PJ.p.x = kNan; },
               "20: error: link 'upper': joint pose: expected a finite number, found nan");
  expect_error([](ModelSpec& s) { s.links[1].X_PJ.R.m[0] = 1.5; },
               "20: error: link 'upper': joint pose: the matrix is not a rotation (RᵀR differs from 1 by 1.25)");
  expect_error([](ModelSpec& s) { s.links[1].X_JL.R.m[0] = -1; },
               "20: error: link 'upper': link frame: the matrix is not a rotation");
  expect_error([](ModelSpec& s) { s.frames[0].X_LF.R.m[8] = kNan; },
               "50: error: frame 'tool': pose: the matrix is not a rotation");
  expect_error([](ModelSpec& s) { s.contacts[0].point.z = kNan; },
               "60: error: contact 'tip': point: expected a finite number, found nan");
  expect_error([](ModelSpec& s) { s.links[1].visuals.emplace_back().size.y = -1; },
               "20: error: link 'upper': visual size: expected a number that is not negative, found -1");
  expect_error([](ModelSpec& s) { s.links[1].joint.type = JointType::helical, s.links[1].joint.pitch = kInfinity; },
               "21: error: joint 'shoulder': pitch: expected a finite number, found inf");
  EXPECT_EQ(errors_after([](ModelSpec& s) { s.gravity.x = kNan; }),
            "arm.yaml: error: gravity: expected three finite numbers\n");
}

TEST(Validate, GathersAllProblems) {
  const std::string text = errors_after([](ModelSpec& s) {
    s.links[1].mass = -1;
    s.links[2].joint.axis = {0, 0, 0};
    s.frames[0].link = "nowhere";
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(Validate, JointWithoutLineUsesItsLinks) {
  expect_part(errors_after([](ModelSpec& s) {
                s.links[2].joint.line = 0, s.links[2].joint.axis = {0, 0, 0};
              }),
              "arm.yaml:30: error: joint 'elbow'");
}

TEST(Validate, AdviceIsOneLinePerKind) {
  const std::string text = notes_after([](ModelSpec& s) {
    s.links[0].mass = 7;
    s.links[1].joint.dofs.clear();
    s.links[2].joint.dofs.clear();
    s.links[3].has_inertial = false;
  });
  expect_part(text, "arm.yaml: note: no position limits: 2 joints ('shoulder', 'elbow')\n");
  expect_part(text, "arm.yaml: note: no velocity limits: 2 joints ('shoulder', 'elbow')\n");
  expect_part(text, "arm.yaml: note: no effort limits: 2 joints ('shoulder', 'elbow')\n");
  expect_part(text, "arm.yaml: note: no mass is given, taken as massless: 1 link ('hand')\n");
  expect_part(text, "arm.yaml: note: mass that never moves, as it is fixed to the world: 1 link ('base')\n");
}

TEST(Validate, AcceptsRandomTrees) {
  std::mt19937_64 rng(5);
  test::RandomTreeOptions options;
  options.fixed_joints = options.coupled_joints = options.friction = true;
  options.rotor_inertia = options.springs = true;
  for (int i = 0; i < 100; ++i) EXPECT_NO_THROW(build_model(test::random_tree(rng, 1 + i % 30, options)));
}

TEST(Validate, AcceptsAVeryLongChain) {
  std::mt19937_64 rng(6);
  test::RandomTreeOptions options;
  options.chain = true;
  options.kinds = {JointType::revolute};
  EXPECT_NO_THROW(build_model(test::random_tree(rng, 3000, options)));
}

}  // namespace
}  // namespace verne
