/// How many reachable places inverse kinematics finds a posture for, and how fast.
///   ik_rate [--count 10000] MODEL:FRAME...
/// Places are those of random postures within limits. Seconds are processor time of this process.
#include <fmt/core.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <random>

#include "verne/dynamics/kinematics.h"
#include "verne/io/model_io.h"
#include "verne/structures/inverse_kinematics.h"

namespace verne::bench {
namespace {

double seconds_used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void measure(const std::string& file, const std::string& frame, int count) {
  const Model model = load_model(file);
  const Mechanism mechanism(model);
  InverseKinematics ik(mechanism, model.site(frame));
  std::mt19937_64 random(1);
  Data<double> data(model);
  Kinematics<double> at(model);
  std::vector<PoseGoal> goals;
  for (int k = 0; k < count; ++k) {
    Eigen::VectorXd q(model.nq());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const DofSpec& dof = model.dofs()[static_cast<std::size_t>(i)];
      const double low = std::isfinite(dof.lower) ? dof.lower : -M_PI,
                   high = std::isfinite(dof.upper) ? dof.upper : M_PI;
      q[i] = low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    }
    forward_kinematics<double>(model, data, q, at);
    const double* const pose = at.poses.col(model.site(frame)).data();
    PoseGoal goal{Vec3<double>::load(pose), Mat3<double>{}};
    std::copy_n(pose + 3, 9, goal.rotation->m);
    goals.push_back(goal);
  }
  Eigen::MatrixXd q(model.nq(), count), errors(2, count);
  const Eigen::MatrixXd home = mechanism.home().eigen();
  const double before = seconds_used();
  const int reached = ik.solve(goals, home, q, errors);
  const double seconds = seconds_used() - before;
  fmt::print("{:24} {:2} joints: {} of {} reached ({:.3f} %), {:.4f} ms each, {:.0f} a second\n", model.name(),
             model.nv(), reached, count, 100.0 * reached / count, 1e3 * seconds / count, count / seconds);
}

}  // namespace
}  // namespace verne::bench

int main(int argc, char** argv) {
  CLI::App app{"Inverse kinematics of reachable places"};
  int count = 10000;
  std::vector<std::string> arms;
  app.add_option("--count", count, "places of each arm");
  app.add_option("arms", arms, "MODEL:FRAME")->required();
  CLI11_PARSE(app, argc, argv);
  for (const std::string& arm : arms) {
    const std::size_t colon = arm.rfind(':');
    verne::bench::measure(arm.substr(0, colon), arm.substr(colon + 1), count);
  }
}
