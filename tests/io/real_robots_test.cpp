/// Robots of other people open as they are, and survive being written and read again.
#include <gtest/gtest.h>

#include <random>

#include "io/io_support.h"
#include "support/random_model.h"
#include "support/real_robots.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/model/repair.h"

namespace verne::test {
namespace {

/// Relative to the largest entry: the same numbers, but for poses that pass through angles twice.
constexpr double kTwoConversions = 1e-11;

void expect_same_robot(const Model& a, const Model& b) {
  ASSERT_EQ(a.nv(), b.nv());
  ASSERT_EQ(a.plausibility_warnings().size(), b.plausibility_warnings().size());
  std::mt19937_64 rng(51);
  Data data_a(a), data_b(b);
  const int n = a.nv();
  for (int state = 0; state < 3; ++state) {
    const Eigen::VectorXd q = random_configuration(a, rng);
    Eigen::VectorXd v(n), acceleration(n), tau_a(n), tau_b(n);
    for (int i = 0; i < n; ++i) v[i] = random_number(rng, -2, 2), acceleration[i] = random_number(rng, -2, 2);
    inverse_dynamics(a, data_a, q, v, acceleration, tau_a);
    inverse_dynamics(b, data_b, q, v, acceleration, tau_b);
    EXPECT_LE((tau_a - tau_b).cwiseAbs().maxCoeff(), kTwoConversions * tau_a.cwiseAbs().maxCoeff());
    Eigen::MatrixXd M_a(n, n), M_b(n, n);
    mass_matrix(a, data_a, q, M_a);
    mass_matrix(b, data_b, q, M_b);
    EXPECT_LE((M_a - M_b).cwiseAbs().maxCoeff(), kTwoConversions * M_a.cwiseAbs().maxCoeff());
  }
}

TEST(RealRobots, OpenAndSurviveARoundTrip) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  EXPECT_EQ(files.size(), 16u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const Model model = load_model(file);
    EXPECT_GT(model.nv(), 0);
    const ModelSpec yaml = read_sound(read_yaml, write_yaml(model.spec()));
    const ModelSpec urdf = read_sound(read_urdf, write_urdf(yaml));
    expect_same_robot(model, build_model(yaml));
    expect_same_robot(model, build_model(urdf));
  }
}

TEST(RealRobots, ALinkThatIsNotDefinedIsAnError) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  const std::string falcon =
      source_dir() + "/../shared/robots/example-robot-data/robots/falcon_description/urdf/falcon.urdf";
  EXPECT_NE(input_error([&] { load_model(falcon); }).find("unknown link 'Z_propeller'"), std::string::npos);
}

TEST(RealRobots, AreWithoutDoubtsAfterRepair) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  std::size_t repaired = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    ModelSpec spec = load_spec(file);
    repaired += repair_inertias(spec).size();
    const Model model = build_model(spec);
    for (const PlausibilityWarning& warning : model.plausibility_warnings())
      EXPECT_EQ(warning.kind, PlausibilityKind::nothing_to_move);
  }
  EXPECT_GT(repaired, 40u);
}

}  // namespace
}  // namespace verne::test
