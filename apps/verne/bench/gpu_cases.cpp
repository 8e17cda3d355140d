#include "gpu_cases.h"

#include <Eigen/Core>
#include <memory>
#include <random>

#include "verne/codegen/device_batch.h"
#include "verne/dynamics/configuration.h"

namespace verne::cli {

namespace {

constexpr int kMostStates = 1 << 22;
/// Different ones; the rest repeats them.
constexpr int kDifferent = 1 << 12;
/// Matrices and accelerations of larger models are not timed: they take minutes to compile.
constexpr int kMostVelocitiesOfMatrices = 16;
/// Of results, bytes: there have to be fewer states where each has large matrices.
constexpr double kMostMemory = 16e9;

int states_for(const Model& model, const std::string& want) {
  int states = kMostStates;
  const double of_one = want.starts_with("d_") ? 3.0 * sizeof(double) * model.nv() * model.nv() : 0;
  while (states > kDifferent && states * of_one > kMostMemory) states /= 2;
  return states;
}

/// Rows x states of what random(generator) gives for a state.
template <class Random>
std::vector<double> rows_of_states(int states, Random&& random) {
  std::vector<Eigen::VectorXd> columns;
  for (int k = 0; k < kDifferent; ++k) columns.push_back(random());
  const Eigen::Index rows = columns[0].size();
  std::vector<double> out(static_cast<std::size_t>(rows) * static_cast<std::size_t>(states));
  double* next = out.data();
  for (Eigen::Index r = 0; r < rows; ++r) {
    for (int s = 0; s < states; ++s) *next++ = columns[static_cast<std::size_t>(s % kDifferent)][r];
  }
  return out;
}

/// A batch with random states, and the same on this side.
struct OnDevice {
  OnDevice(const Model& model, const std::string& want, int states) : batch(model, states, {.want = {want}}) {
    std::mt19937_64 generator(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] {
      return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(model.nv(), [&] { return uniform(generator); }));
    };
    q = rows_of_states(states, [&] { return Eigen::VectorXd(random_configuration(model, generator)); });
    v = rows_of_states(states, random), a = rows_of_states(states, random);
    tau.resize(a.size());
    upload();
    batch.upload(DeviceArray::tau, a.data());
  }
  void upload() {
    batch.upload(DeviceArray::q, q.data());
    batch.upload(DeviceArray::v, v.data());
    batch.upload(DeviceArray::a, a.data());
  }

  std::vector<double> q, v, a, tau;
  DeviceBatch batch;
};

struct GpuAlgorithm {
  const char *want, *name;
  void (*run)(OnDevice&);
};

const GpuAlgorithm kGpuAlgorithms[]{
    {"tau", "inverse_dynamics_gpu", [](OnDevice& x) { x.batch.inverse_dynamics(); }},
    {"tau", "inverse_dynamics_gpu_with_transfers",
     [](OnDevice& x) {
       x.upload();
       x.batch.inverse_dynamics();
       x.batch.download(DeviceArray::tau, x.tau.data());
     }},
    {"mass_matrix", "mass_matrix_gpu", [](OnDevice& x) { x.batch.mass_matrix(); }},
    {"acceleration", "forward_dynamics_gpu", [](OnDevice& x) { x.batch.forward_dynamics(); }},
    {"d_tau", "inverse_dynamics_derivatives_gpu", [](OnDevice& x) { x.batch.inverse_dynamics_derivatives(); }},
    {"d_acceleration", "forward_dynamics_derivatives_gpu", [](OnDevice& x) { x.batch.forward_dynamics_derivatives(); }},
};

}  // namespace

void add_gpu_cases(const Model& model, std::vector<BenchCase>& cases) {
  for (const GpuAlgorithm& algorithm : kGpuAlgorithms) {
    const std::string want = algorithm.want;
    const bool accelerations = want.ends_with("acceleration");
    if (want != "tau" && want != "d_tau" && model.nv() > kMostVelocitiesOfMatrices) continue;
    if (accelerations && !model.joints_without_inertia().empty()) continue;
    const int states = states_for(model, want);
    cases.push_back({algorithm.name, "Verne", true, "gpu", states, [=]() -> std::function<void(int)> {
                       const auto work = std::make_shared<OnDevice>(model, want, states);
                       return [=](int calls) {
                         for (int i = 0; i < calls; ++i) algorithm.run(*work);
                         work->batch.synchronize();
                       };
                     }});
  }
}

}  // namespace verne::cli
