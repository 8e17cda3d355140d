// Uses all of the installed library as a stranger would: consumer MODELS TASK CACHE, two folders and a file
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "neighbour.h"
#include "verne/codegen/base_parameters.h"
#include "verne/codegen/compile.h"
#include "verne/codegen/device_batch.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/control_terms.h"
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
#include "verne/quantities/evaluation.h"
#include "verne/report/live.h"
#include "verne/simulate/simulate.h"
#include "verne/structures/system_batch.h"

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

  const std::vector<int> sites{0, model.site_count() - 1};
  const verne::ControlTerms<> terms = verne::control_terms(model, data, q, v, sites);
  expect((terms.M - dtau.da).norm() < 1e-9 && terms.jacobian(1).allFinite(), "terms of a controller");
  const verne::System driven(model, {.given = verne::GivenAccelerations::of_all(model)});
  verne::SystemData driven_data(driven);
  const auto completed = verne::forward_dynamics(driven, driven_data, q, v, v, {.loads = &loads},
                                                 {a.data(), static_cast<std::size_t>(a.size())});
  expect((completed.tau - tau).norm() < 1e-9, "all accelerations given is inverse dynamics");

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

void use_structures(const std::string& models) {
  const verne::System bars(verne::load_model(models + "/four_bar.yaml"));
  verne::SystemData data(bars);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(bars.nv());
  const auto at = verne::assemble(bars, data, bars.mechanism().independent_home().eigen(), one, one);
  const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
  const auto inverse = verne::inverse_dynamics(bars, data, q, v, a, {.wrenches = true});
  expect(inverse.loop_wrenches.allFinite() && inverse.joint_wrenches.allFinite(), "wrenches of a mechanism");
  const Eigen::VectorXd tau = inverse.tau;
  expect((verne::forward_dynamics(bars, data, q, v, tau).a - a).norm() < 1e-8, "forward undoes inverse, with a loop");
  expect((verne::closed_jacobian(bars, data, q) * one - v).norm() < 1e-9, "velocities by the Jacobian");
  const Eigen::MatrixXd by_a = verne::inverse_dynamics_derivatives(bars, data, q, v, a).dx;
  const Eigen::MatrixXd by_tau = verne::forward_dynamics_derivatives(bars, data, q, v, tau).dx;
  expect((by_tau * by_a - Eigen::MatrixXd::Identity(bars.nv(), bars.nv())).norm() < 1e-8,
         "derivatives of a mechanism undo each other");

  const verne::TorqueLaw nothing = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};
  const verne::SimulatedMotion motion =
      verne::simulate(bars.mechanism(), q, v, nothing, {.duration = 0.1, .samples = 3});
  expect(motion.end == verne::SimulatedMotion::End::finished && motion.loop_drift < 1e-6, "a simulated mechanism");

  const verne::System platform(verne::load_model(models + "/gough_stewart.yaml"));
  verne::SystemBatch states(platform, 5);
  for (int k = 0; k < 5; ++k) states.v().set(k, Eigen::VectorXd::Constant(platform.nv(), 0.1 * k));
  verne::assemble(states);
  verne::inverse_dynamics(states);
  verne::inverse_dynamics_derivatives(states);
  expect(states.tau().column(4).allFinite() && states.d_tau.dx.column(4).allFinite() && states.singles() == 0,
         "a batch of a platform on legs");
}

void use_contacts(const std::string& models) {
  const verne::System walker(verne::load_model(models + "/quadruped.yaml"), {.contacts = {0, 1, 2, 3}});
  verne::SystemData data(walker);
  const Eigen::VectorXd q = walker.mechanism().home().eigen(), rest = Eigen::VectorXd::Zero(walker.nv());
  const auto found = verne::forward_dynamics(walker, data, q, rest, rest, {.wrenches = true});
  expect(found.a.allFinite() && found.loop_wrenches.cols() == 4 && found.joint_wrenches.allFinite(),
         "contacts that are held");
  expect(verne::forward_dynamics_derivatives(walker, data, q, rest, rest).dx.allFinite(),
         "derivatives while contacts are held");
  const verne::System lifted = walker.holding({0, 3});
  expect(verne::inverse_dynamics(lifted, data, q, rest, rest, {.wrenches = true}).loop_wrenches.cols() == 2,
         "other contacts");
}

void use_codegen(const verne::Model& model, const std::string& cache) {
  expect(verne::base_parameters(model).count() > 0, "base parameters");
  const verne::CompiledModel compiled = verne::compile(model, {.want = {"tau", "d_tau"}, .cache = cache});
  verne::Batch batch(model, 3);
  for (int k = 0; k < 3; ++k) batch.v.set(k, Eigen::VectorXd::Constant(model.nv(), 0.1 * k));
  verne::inverse_dynamics(model, batch);
  const Eigen::MatrixXd expected = batch.tau.matrix();
  compiled.inverse_dynamics(batch);
  expect((batch.tau.matrix() - expected).norm() < 1e-9 * (1 + expected.norm()), "compiled code");
  Eigen::VectorXd tau(model.nv());
  Eigen::MatrixXd dq(model.nv(), model.nv()), dv = dq, da = dq;
  compiled.inverse_dynamics(batch.q.get(2), batch.v.get(2), batch.a.get(2), tau);
  expect((tau - expected.col(2)).norm() < 1e-9 * (1 + tau.norm()), "compiled code of one state");
  compiled.inverse_dynamics_derivatives(batch.q.get(2), batch.v.get(2), batch.a.get(2), dq, dv, da);
  expect((da - da.transpose()).norm() < 1e-9 * (1 + da.norm()), "compiled derivatives");
  try {
    verne::DeviceBatch device(model, 3, {.want = {"tau"}, .cache = cache});
    device.inverse_dynamics();
    device.synchronize();
  } catch (const verne::EnvironmentError&) {  // there is no GPU
  }
}

/// Every quantity that is known of a system, of states with loads.
void use_quantities(const verne::System& system) {
  const verne::Model& model = system.model();
  const bool closed = !model.loops().empty();
  std::vector<std::string> wants;
  for (const verne::QuantityInfo& info : verne::quantities()) {
    if (!info.is_known(verne::kKnownArrays | (closed ? verne::kKnownLoops : verne::kKnownTrees))) continue;
    if (system.given() && closed && info.name[0] == 'd') continue;
    wants.push_back(info.name + std::string(info.of_frame ? ":" + model.site_name(0) : ""));
  }
  verne::Evaluation evaluation(system, wants, 3);
  const std::vector<verne::Loads<>> loads{{}, {{.frame = 0, .force = {1, 2, 3}}}};
  for (int k = 0; k < 3; ++k) evaluation.states().v().set(k, Eigen::VectorXd::Constant(system.nv(), 0.1 * k));
  evaluation.set_loads(loads);
  evaluation.compute();
  std::vector<double> numbers;
  for (std::size_t w = 0; w < wants.size(); ++w) {
    expect(!evaluation.arrays(w).empty(), wants[w].c_str());
    for (const verne::QuantityArray& array : evaluation.arrays(w)) {
      numbers.resize(static_cast<std::size_t>(3 * array.size()));
      array.copy(0, 3, numbers.data());
    }
  }
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
  const std::string models = argv[1];
  const verne::Model model = verne::load_model(models + "/puma560.yaml");
  const Eigen::MatrixXd neighbours = handed_out(9);
  use_dynamics(model);
  use_batches(model);
  use_structures(models);
  use_contacts(models);
  use_codegen(model, argv[3]);
  const std::vector<int> first{0};
  for (const char* const name : {"/arm7.yaml", "/five_bar.yaml"}) {
    const verne::Model other = verne::load_model(argv[1] + std::string(name));
    use_quantities(verne::System(other));
    use_quantities(verne::System(other, {.given = verne::GivenAccelerations::of_velocities(other, first)}));
  }
  use_quantities(
      verne::System(verne::load_model(argv[1] + std::string("/quadruped.yaml")), {.contacts = {0, 1, 2, 3}}));
  use_programs();
  use_prediction(argv[2]);
  const verne::LiveModel live(model);
  expect(live.configuration(Eigen::VectorXd::Zero(model.nv())).size() == model.nq(), "a live model");
  std::printf("%s: all of the library used, %g\n", model.name().c_str(), neighbours.trace());
  return 0;
}
