#include "verne/dynamics/batch.h"

#include <algorithm>

#include "base/cache_line.h"
#include "base/past_caches.h"
#include "dynamics/batch_runner.h"
#include "dynamics/singular.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

double* allocate(std::size_t count) {
  auto* const p = static_cast<double*>(::operator new(std::max<std::size_t>(count, 1) * sizeof(double), kCacheLine));
  std::fill(p, p + count, 0.0);
  return p;
}

/// nv² rows of one result. Kernels write them here and there and read them again: where they do not stay in caches,
/// each block is made in a cache and then written once.
template <class Kernel>
void fill_squares(const BatchRunner& run, LaneArray& out, int nv, Kernel kernel) {
  run.room(out, nv * nv);
  const std::size_t block = static_cast<std::size_t>(nv) * nv * out.lanes();
  if (block / out.lanes() * out.count() * sizeof(double) <= kCacheBytes) {
    return run.for_each_block(
        [&](int b, double* scratch) { kernel(run.tree(), run.inputs(b), run.values(out, b), nv, scratch); });
  }
  std::vector<LaneArray> made;
  for (int k = 0; k < run.workers(); ++k) made.emplace_back(nv * nv, out.lanes(), out.lanes());
  run.for_each_block_of_workers([&](int b, double* scratch, int worker) {
    double* const results = run.values(made[static_cast<std::size_t>(worker)], 0);
    kernel(run.tree(), run.inputs(b), results, nv, scratch);
    write_past_caches(results, block, run.values(out, b));
  });
}

}  // namespace

void LaneArray::Free::operator()(double* p) const {
  ::operator delete(p, kCacheLine);
}

LaneArray::LaneArray(int rows, int count, int lanes)
    : rows_(rows),
      count_(count),
      lanes_(lanes),
      values_(allocate(static_cast<std::size_t>((count + lanes - 1) / lanes) * rows * lanes)) {}

void LaneArray::set(int state, const Eigen::Ref<const Eigen::VectorXd>& column) {
  check_size("LaneArray::set", "column", rows_, column.size());
  check_index("LaneArray::set", "state", state, count_);
  for (int row = 0; row < rows_; ++row) (*this)(row, state) = column[row];
}

double* LaneArray::checked(int state, int rows) const {
  check_index("LaneArray", "state", state, count_);
  if (rows < 1 || rows_ % rows != 0) {
    throw std::invalid_argument("LaneArray: " + std::to_string(rows_) + " values are no matrix with " +
                                std::to_string(rows) + " rows");
  }
  return values_.get() + offset(0, state);
}

void LaneArray::assign(const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  check_size("LaneArray::assign", "number of columns", count_, columns.cols());
  for (int k = 0; k < count_; ++k) set(k, columns.col(k));
}

Batch::Batch(const Model& model, int count, const BatchOptions& options)
    : count_(count), kernels_(&lane_kernels(options.instruction_set)) {
  if (count < 1) throw std::invalid_argument("Batch: needs at least one state, got " + std::to_string(count));
  if (options.threads < 1) throw std::invalid_argument("Batch: needs at least one thread");
  const int lanes = kernels_->lanes;
  workers_ = std::make_unique<Workers>(options.threads, static_cast<std::size_t>(scratch_size(model.tree())) * lanes);
  q = LaneArray(model.nq(), count, lanes);
  v = LaneArray(model.nv(), count, lanes);
  a = LaneArray(model.nv(), count, lanes);
  tau = LaneArray(model.nv(), count, lanes);
  const Eigen::VectorXd neutral = neutral_configuration(model);
  for (int k = 0; k < (count + lanes - 1) / lanes * lanes; ++k) {  // padding lanes are valid states too
    for (int row = 0; row < model.nq(); ++row) q(row, k) = neutral[row];
  }
}

Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

int Batch::lanes() const {
  return kernels_->lanes;
}
const char* Batch::instruction_set() const {
  return kernels_->name;
}

void Batch::set_loads(std::vector<LoadSite> sites) {
  load_sites_ = std::move(sites);
  load_values = LaneArray(kLoadRows * static_cast<int>(load_sites_.size()), count_, lanes());
}

void Batch::set_loads(const Loads<double>& loads) {
  set_loads(std::vector<LoadSite>(loads.sites(), loads.sites() + loads.size()));
  const Eigen::Map<const Eigen::VectorXd> values(loads.values(), load_values.rows());
  for (int k = 0; k < count_; ++k) load_values.set(k, values);
}

void inverse_dynamics(const Model& model, Batch& batch, bool want_wrenches) {
  const BatchRunner run("inverse_dynamics", model, batch);
  if (want_wrenches) run.room(batch.joint_wrenches, 6 * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().inverse_dynamics(run.tree(), run.loaded_inputs(b), run.values(batch.tau, b),
                                   want_wrenches ? run.values(batch.joint_wrenches, b) : nullptr, scratch);
  });
}

void bias_torques(const Model& model, Batch& batch) {
  const BatchRunner run("bias_torques", model, batch);
  run.room(batch.bias, model.nv());
  run.for_each_block([&](int b, double* scratch) {
    Inputs<double> in = run.inputs(b);
    in.a = nullptr;
    run.kernels().inverse_dynamics(run.tree(), in, run.values(batch.bias, b), nullptr, scratch);
  });
}

void gravity_torques(const Model& model, Batch& batch) {
  const BatchRunner run("gravity_torques", model, batch);
  run.room(batch.gravity, model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().gravity_torques(run.tree(), run.inputs(b), run.values(batch.gravity, b), scratch);
  });
}

void forward_dynamics(const Model& model, Batch& batch, bool want_wrenches) {
  const BatchRunner run("forward_dynamics", model, batch);
  require_invertible("forward_dynamics", model);
  if (want_wrenches) run.room(batch.joint_wrenches, 6 * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().forward_dynamics(run.tree(), run.loaded_inputs(b), run.values(batch.a, b),
                                   want_wrenches ? run.values(batch.joint_wrenches, b) : nullptr, scratch);
  });
}

void mass_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("mass_matrix", model, batch);
  fill_squares(run, batch.mass_matrix, model.nv(), run.kernels().mass_matrix);
}

void inverse_mass_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("inverse_mass_matrix", model, batch);
  require_invertible("inverse_mass_matrix", model);
  fill_squares(run, batch.inverse_mass_matrix, model.nv(), run.kernels().inverse_mass_matrix);
}

void coriolis_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("coriolis_matrix", model, batch);
  fill_squares(run, batch.coriolis_matrix, model.nv(), run.kernels().coriolis_matrix);
}

void forward_kinematics(const Model& model, Batch& batch, bool want_motion) {
  const BatchRunner run("forward_kinematics", model, batch);
  run.room(batch.poses, kPoseRows * model.site_count());
  if (want_motion) {
    run.room(batch.velocities, 6 * model.site_count());
    run.room(batch.accelerations, 6 * model.site_count());
  }
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().kinematics(run.tree(), run.inputs(b), run.values(batch.poses, b),
                             want_motion ? run.values(batch.velocities, b) : nullptr,
                             want_motion ? run.values(batch.accelerations, b) : nullptr, scratch);
  });
}

void jacobian(const Model& model, Batch& batch, int site, bool want_rate) {
  const BatchRunner run("jacobian", model, batch);
  check_index("jacobian", "site", site, model.site_count());
  run.room(batch.jacobian, 6 * model.nv());
  if (want_rate) run.room(batch.jacobian_rate, 6 * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().jacobian(run.tree(), run.inputs(b), site, run.values(batch.jacobian, b),
                           want_rate ? run.values(batch.jacobian_rate, b) : nullptr, 6, scratch);
  });
}

void whole_body_state(const Model& model, Batch& batch) {
  const BatchRunner run("whole_body_state", model, batch);
  run.room(batch.whole_body, kWholeBodyRows);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().whole_body(run.tree(), run.inputs(b), run.values(batch.whole_body, b), scratch);
  });
}

void centroidal_momentum_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("centroidal_momentum_matrix", model, batch);
  run.room(batch.centroidal_momentum_matrix, 6 * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().centroidal_momentum_matrix(run.tree(), run.inputs(b), run.values(batch.centroidal_momentum_matrix, b),
                                             6, scratch);
  });
}

void integrate(const Model& model, Batch& batch, const LaneArray& step) {
  const BatchRunner run("integrate", model, batch);
  run.check("step", step, model.nv());
  run.for_each_block([&](int b, double*) {
    run.kernels().integrate(run.tree(), run.values(batch.q, b), run.values(step, b), run.values(batch.q, b));
  });
}

void difference(const Model& model, Batch& batch, const LaneArray& from, LaneArray& step) {
  BatchRunner run("difference", model, batch);
  run.input("from", from, model.nq());
  run.output("step", step, model.nv(), BatchRunner::Holds::vectors);
  run.for_each_block([&](int b, double*) {
    run.kernels().difference(run.tree(), run.values(from, b), run.values(batch.q, b), run.values(step, b));
  });
}

void interpolate(const Model& model, Batch& batch, const LaneArray& from, double t, LaneArray& out) {
  BatchRunner run("interpolate", model, batch);
  run.input("from", from, model.nq());
  run.output("out", out, model.nq(), BatchRunner::Holds::vectors);
  const int lanes = batch.lanes();
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().difference(run.tree(), run.values(from, b), run.values(batch.q, b), scratch);
    for (int k = 0; k < model.nv() * lanes; ++k) scratch[k] *= t;
    run.kernels().integrate(run.tree(), run.values(from, b), scratch, run.values(out, b));
  });
}

}  // namespace verne
