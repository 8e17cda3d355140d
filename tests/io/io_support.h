/// Shared by the tests of the readers and writers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/io/model_io.h"
#include "verne/spatial/inertia.h"

namespace verne::test {

using Reader = ModelSpec (*)(const std::string&, const std::string&, Diagnostics&);

/// All messages of reading `text` from a file "m", errors or warnings, one a line.
inline std::string messages(const std::vector<Diagnostic>& problems, const char* severity) {
  std::string lines;
  for (const Diagnostic& problem : problems) lines += to_string(problem, severity) + "\n";
  return lines;
}
inline std::string errors_of(Reader read, const std::string& text) {
  Diagnostics diagnostics("m");
  read(text, "m", diagnostics);
  return messages(diagnostics.errors(), "error");
}
inline std::string warnings_of(Reader read, const std::string& text) {
  Diagnostics diagnostics("m");
  read(text, "m", diagnostics);
  EXPECT_EQ(messages(diagnostics.errors(), "error"), "");
  return messages(diagnostics.warnings(), "warning");
}
inline ModelSpec read_sound(Reader read, const std::string& text) {
  Diagnostics diagnostics("m");
  ModelSpec spec = read(text, "m", diagnostics);
  EXPECT_EQ(messages(diagnostics.errors(), "error"), "");
  return spec;
}

/// The message of the InputError that `call` throws; a failure when it throws none.
inline std::string input_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

inline void expect_near(const Vec3<double>& a, const Vec3<double>& b, double tolerance, const std::string& what) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << "[" << i << "]";
}
inline void expect_near(const Transform<double>& X, const Transform<double>& Y, double tolerance,
                        const std::string& what) {
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(X.R.m[i], Y.R.m[i], tolerance) << what << " R[" << i << "]";
  expect_near(X.p, Y.p, tolerance, what + " p");
}
inline void expect_near(const Sym3<double>& a, const Sym3<double>& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a.xx, b.xx, tolerance) << what;
  EXPECT_NEAR(a.xy, b.xy, tolerance) << what;
  EXPECT_NEAR(a.xz, b.xz, tolerance) << what;
  EXPECT_NEAR(a.yy, b.yy, tolerance) << what;
  EXPECT_NEAR(a.yz, b.yz, tolerance) << what;
  EXPECT_NEAR(a.zz, b.zz, tolerance) << what;
}
inline void expect_same(double a, double b, const std::string& what) {
  EXPECT_TRUE(a == b) << what << ": " << a << " and " << b;
}
inline void expect_same(const DofSpec& a, const DofSpec& b, const std::string& what) {
  expect_same(a.lower, b.lower, what + " lower");
  expect_same(a.upper, b.upper, what + " upper");
  expect_same(a.velocity, b.velocity, what + " velocity");
  expect_same(a.effort_lower, b.effort_lower, what + " effort_lower");
  expect_same(a.effort_upper, b.effort_upper, what + " effort_upper");
  expect_same(a.coulomb, b.coulomb, what + " coulomb");
  expect_same(a.viscous, b.viscous, what + " viscous");
  expect_same(a.friction_width, b.friction_width, what + " friction_width");
  expect_same(a.rotor_inertia, b.rotor_inertia, what + " rotor_inertia");
  expect_same(a.stiffness, b.stiffness, what + " stiffness");
  expect_same(a.rest, b.rest, what + " rest");
  expect_same(a.ligament, b.ligament, what + " ligament");
  expect_same(a.slack_lower, b.slack_lower, what + " slack_lower");
  expect_same(a.slack_upper, b.slack_upper, what + " slack_upper");
}

/// A link seen from outside, with all joints at zero: what decides how the model moves.
struct HomeLink {
  Transform<double> X_WJ, X_WL;
  RigidInertia<double> inertia_W;
  Vec3<double> axis_W;
};

inline std::map<std::string, HomeLink> home_links(const ModelSpec& spec) {
  std::map<std::string, const LinkSpec*> by_name;
  for (const LinkSpec& link : spec.links) by_name[link.name] = &link;
  std::map<std::string, HomeLink> homes;
  const std::function<const HomeLink&(const LinkSpec&)> place = [&](const LinkSpec& link) -> const HomeLink& {
    if (homes.count(link.name)) return homes[link.name];
    const auto X_WP = link.parent.empty() ? Transform<double>::identity() : place(*by_name.at(link.parent)).X_WL;
    HomeLink home;
    home.X_WJ = X_WP * link.X_PJ;
    home.X_WL = home.X_WJ * link.X_JL;
    home.inertia_W = home.X_WL * inertia_from_com(link.mass, link.com, link.inertia);
    home.axis_W = home.X_WJ.R * link.joint.axis;
    return homes[link.name] = home;
  };
  for (const LinkSpec& link : spec.links) place(link);
  return homes;
}

}  // namespace verne::test
