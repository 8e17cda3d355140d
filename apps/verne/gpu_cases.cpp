#include "gpu_cases.h"

#include <Eigen/Core>
#include <memory>
#include <random>

#include "verne/codegen/device_batch.h"
#include "verne/dynamics/configuration.h"

namespace verne::cli {

namespace {

constexpr int kStates = 1 << 22;
/// Different ones; the rest repeats them.
constexpr int kDifferent = 1 << 12;
/// Mass matrices of larger models would fill the memory.
constexpr int kMostVelocitiesOfMatrices = 16;

/// Rows x states of what random(generator) gives for a state.
template <class Random>
std::vector<double> rows_of_states(Random&& random) {
  std::vector<Eigen::VectorXd> columns;
  for (int k = 0; k < kDifferent; ++k) columns.push_back(random());
  const Eigen::Index rows = columns[0].size();
  std::vector<double> out(static_cast<std::size_t>(rows) * kStates);
  for (Eigen::Index r = 0; r < rows; ++r) {
    for (std::size_t s = 0; s < kStates; ++s)
      out[static_cast<std::size_t>(r) * kStates + s] = columns[s % kDifferent][r];
  }
  return out;
}

/// A batch with random states, and the same on this side.
struct OnDevice {
  OnDevice(const Model& model, const std::string& want) : batch(model, kStates, {.want = {want}}) {
    std::mt19937_64 generator(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] {
      return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(model.nv(), [&] { return uniform(generator); }));
    };
    q = rows_of_states([&] { return Eigen::VectorXd(random_configuration(model, generator)); });
    v = rows_of_states(random), a = rows_of_states(random);
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
};

}  // namespace

void add_gpu_cases(const Model& model, std::vector<BenchCase>& cases) {
  for (const GpuAlgorithm& algorithm : kGpuAlgorithms) {
    if (algorithm.want != std::string("tau") && model.nv() > kMostVelocitiesOfMatrices) continue;
    if (algorithm.want == std::string("acceleration") && !model.joints_without_inertia().empty()) continue;
    cases.push_back({algorithm.name, "Verne", true, "gpu", kStates, [=]() -> std::function<void(int)> {
                       const auto work = std::make_shared<OnDevice>(model, algorithm.want);
                       return [=](int calls) {
                         for (int i = 0; i < calls; ++i) algorithm.run(*work);
                         work->batch.synchronize();
                       };
                     }});
  }
}

}  // namespace verne::cli
