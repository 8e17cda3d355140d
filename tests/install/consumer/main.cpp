// Uses all of the installed library as a stranger would: consumer MODEL TASK
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "neighbour.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/motion_derivatives.h"
#include "verne/dynamics/regressor.h"
#include "verne/dynamics/second_derivatives.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"
#include "verne/nlp/check_derivatives.h"
#include "verne/report/live.h"

namespace {

void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

/// (x − 1)² + (y − 2)² + (z − 3)²
class Distance : public verne::nlp::Function {
 public:
  int rows() const override { return 1; }
  std::vector<verne::nlp::Entry> jacobian_pattern() const override { return {{0, 0}, {0, 1}, {0, 2}}; }
  std::vector<verne::nlp::Entry> hessian_pattern() const override { return {{0, 0}, {1, 1}, {2, 2}}; }
  void evaluate(std::span<const double> x, std::span<double> values) override {
    values[0] = 0;
    for (int i = 0; i < 3; ++i) values[0] += (x[i] - i - 1) * (x[i] - i - 1);
  }
  void jacobian(std::span<const double> x, std::span<double> entries) override {
    for (int i = 0; i < 3; ++i) entries[i] = 2 * (x[i] - i - 1);
  }
  void hessian(std::span<const double>, std::span<const double> multipliers, std::span<double> entries) override {
    for (int i = 0; i < 3; ++i) entries[i] = 2 * multipliers[0];
  }
};

void use_dynamics(const verne::Model& model) {
  verne::Data data(model);
  std::mt19937_64 generator(1);
  const Eigen::VectorXd q = verne::random_configuration(model, generator), v = Eigen::VectorXd::Random(model.nv());
  Eigen::VectorXd a = Eigen::VectorXd::Random(model.nv());
  const verne::Loads<> loads{{.frame = 0, .force = {1, 2, 3}}};
  const auto [tau, wrenches] = verne::inverse_dynamics_and_wrenches(model, data, q, v, a, loads);
  expect((verne::forward_dynamics(model, data, q, v, tau, loads) - a).norm() < 1e-9, "forward undoes inverse dynamics");
  expect(wrenches.cols() == static_cast<long>(model.joints().size()), "a wrench for every joint");

  const auto dtau = verne::inverse_dynamics_derivatives(model, data, q, v, a);
  expect((dtau.da - verne::mass_matrix(model, data, q)).norm() < 1e-9, "dtau/da is M");
  const auto da = verne::forward_dynamics_derivatives(model, data, q, v, tau);
  expect((da.dtau * dtau.da - Eigen::MatrixXd::Identity(model.nv(), model.nv())).norm() < 1e-9, "da/dtau inverts it");
  expect(verne::joint_wrench_derivatives(model, data, q, v, a).dq.allFinite(), "wrench derivatives");
  expect(verne::inverse_dynamics_second_derivatives(model, data, q, v, a, v).qq.allFinite(), "second derivatives");
  expect((verne::regressor(model, data, q, v, a) * verne::parameters(model) -
          verne::inverse_dynamics(model, data, q, v, a))
                 .norm() < 1e-9,
         "the regressor gives the torques");
  expect(verne::jacobian_and_rate(model, data, q, v, 0).J.allFinite(), "a Jacobian and its rate");
  expect(verne::site_derivatives(model, data, q, v, a, 0).J.allFinite(), "site derivatives");
  expect(verne::centroidal_derivatives(model, data, q, v, a).com_dq.allFinite(), "centroidal derivatives");
  expect(verne::forward_kinematics(model, data, q, v, a).poses.allFinite(), "kinematics");
  expect(verne::whole_body_state(model, data, q, v, a).kinetic_energy >= 0, "kinetic energy");
  expect(verne::difference(model, data, q, verne::integrate(model, data, q, v)).isApprox(v, 1e-9), "q + v - q = v");

  // An output may be an input.
  const Eigen::VectorXd apart = verne::inverse_dynamics(model, data, q, v, a);
  verne::inverse_dynamics(model, data, q, v, a, a);
  expect(a == apart, "tau in the place of a");
}

void use_batches(const verne::Model& model) {
  verne::Batch batch(model, 7, {.threads = 2});
  for (int k = 0; k < 7; ++k) batch.v.set(k, Eigen::VectorXd::Constant(model.nv(), 0.1 * k));
  verne::Batch moved = std::move(batch);
  verne::BatchDerivatives dtau;
  verne::inverse_dynamics(model, moved);
  verne::inverse_dynamics_derivatives(model, moved, dtau);
  const Eigen::MatrixXd M = dtau.dx.matrix(3, model.nv()), all = moved.tau.matrix();
  expect((M - M.transpose()).norm() < 1e-9 && all.col(6) == moved.tau.column(6), "results of a batch");
}

void use_programs() {
  verne::nlp::Problem problem;
  problem.add_variables({"x", Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(-9), {9, 9, 2.5}});
  problem.add_cost({"distance", std::make_unique<Distance>()});
  const verne::nlp::Summary summary = verne::nlp::solve(problem);
  const verne::nlp::Point copy = summary.point;
  expect(summary.success() && (copy.x.eigen() - Eigen::Vector3d(1, 2, 2.5)).norm() < 1e-6, "the nearest point");
  expect(verne::nlp::check_derivatives(problem, copy.x).good(), "derivatives");
}

void use_prediction(const std::string& file) {
  const verne::Task task = verne::load_task(file);
  verne::Solution solution = verne::predict(task);
  const verne::Solution copy = solution;
  solution = verne::Solution(copy.trajectory.with_knot({0, 0.5}));
  expect(copy.success() && copy.trajectory.at(0.1).allFinite(), "a motion");
  const verne::SampledMotion motion = verne::sample_motion(task, copy, 11);
  expect(!verne::solution_json(task, copy, motion, "consumer", "").empty() && motion.tau.eigen().allFinite(),
         "samples");
}

}  // namespace

int main(int, char** argv) {
  const verne::Model model = verne::load_model(argv[1]);
  const Eigen::MatrixXd neighbours = handed_out(9);
  use_dynamics(model);
  use_batches(model);
  use_programs();
  use_prediction(argv[2]);
  const verne::LiveModel live(model);
  expect(live.configuration(Eigen::VectorXd::Zero(model.nv())).size() == model.nq(), "a live model");
  std::printf("%s: all of the library used, %g\n", model.name().c_str(), neighbours.trace());
  return 0;
}
