#include "motion/values/undetermined.h"

#include <gtest/gtest.h>

#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/motion/write_simulation.h"

namespace verne::test {
namespace {

Model shipped_file(const char* name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

/// Forces across the plane of a mechanism, and moments about its axes.
TEST(UndeterminedText, JointsWithTheSameComponentsAreTogether) {
  const std::string text =
      "reactions that the motion does not tell; the least are given\n"
      "  fz, mx, my of crank_joint, coupler_joint, rocker_joint, closing\n";
  const Model four_bar = shipped_file("four_bar");
  EXPECT_EQ(undetermined_text({Mechanism(four_bar)}), text);
  const SimulatedMotion still =
      simulate(Mechanism(four_bar), Mechanism(four_bar).home(), Values(Eigen::Vector3d::Zero()),
               [](double, auto, auto, auto) {}, {.duration = 0.01, .samples = 2});
  EXPECT_TRUE(simulation_summary({{Mechanism(four_bar), {}}}, still,
                                 {.name = "four_bar", .torques = "zero", .tolerance = 1e-9, .asked_duration = 0.01})
                  .ends_with(text));
}

TEST(UndeterminedText, NothingWhereAllIsTold) {
  EXPECT_EQ(undetermined_text({Mechanism(shipped_file("two_link"))}), "");
  EXPECT_EQ(undetermined_text({Mechanism(shipped_file("gough_stewart"))}), "");
}

}  // namespace
}  // namespace verne::test
