#include "verne/dynamics/batch.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>

#include "dynamics/check.h"
#include "dynamics/dispatch.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr std::align_val_t kAlignment{64};

double* allocate(std::size_t count) {
  auto* const p = static_cast<double*>(::operator new(std::max<std::size_t>(count, 1) * sizeof(double), kAlignment));
  std::fill(p, p + count, 0.0);
  return p;
}

}  // namespace

void LaneArray::Free::operator()(double* p) const {
  ::operator delete(p, kAlignment);
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

Eigen::VectorXd LaneArray::get(int state) const {
  check_index("LaneArray::get", "state", state, count_);
  Eigen::VectorXd column(rows_);
  for (int row = 0; row < rows_; ++row) column[row] = (*this)(row, state);
  return column;
}

void LaneArray::assign(const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  check_size("LaneArray::assign", "number of columns", count_, columns.cols());
  for (int k = 0; k < count_; ++k) set(k, columns.col(k));
}

Eigen::MatrixXd LaneArray::matrix() const {
  Eigen::MatrixXd columns(rows_, count_);
  for (int k = 0; k < count_; ++k) columns.col(k) = get(k);
  return columns;
}

/// One scratch memory per thread, and the threads.
struct Batch::Workers {
  explicit Workers(int threads, std::size_t scratch_values) : arena(threads) {
    for (int k = 0; k < threads; ++k) scratch.emplace_back(static_cast<int>(scratch_values), 1, 1);
  }
  tbb::task_arena arena;
  std::vector<LaneArray> scratch;
};

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
  load_values = LaneArray(9 * static_cast<int>(load_sites_.size()), count_, lanes());
}

/// Runs a kernel over all blocks of a batch.
class BatchRunner {
 public:
  BatchRunner(const char* function, const Model& model, Batch& batch)
      : function_(function), batch_(batch), tree_(model.tree()) {
    check("batch.q", batch.q, model.nq());
    check("batch.v", batch.v, model.nv());
    check("batch.a", batch.a, model.nv());
    check("batch.tau", batch.tau, model.nv());
    check("batch.load_values", batch.load_values, 9 * static_cast<int>(batch.load_sites_.size()));
    // Coupled joints add bodies without adding coordinates: the scratch memory tells more than q and v do.
    check_scratch(scratch_size(tree_) * batch.lanes(), batch.workers_->scratch[0].rows());
    for (const LoadSite& site : batch.load_sites_) {
      check_index(function, "link of a load", site.link, tree_.link_count);
    }
  }

  const KernelTable<double>& kernels() const { return *batch_.kernels_; }
  const Tree& tree() const { return tree_; }

  /// An array of inputs: its rows, and a place for every state of the batch.
  void check(const char* name, const LaneArray& array, int rows) const {
    check_size(function_, name, rows, array.rows());
    if (rows == 0 || (array.count() == batch_.count() && array.lanes() == batch_.lanes())) return;
    const auto states = [](int count, int lanes) {
      return std::to_string(count) + " states in lanes of " + std::to_string(lanes);
    };
    throw std::invalid_argument(std::string(function_) + ": " + name + " holds " +
                                states(array.count(), array.lanes()) + ", expected " +
                                states(batch_.count(), batch_.lanes()));
  }

  /// Makes room for results.
  void room(LaneArray& array, int rows) const {
    if (array.rows() == rows && array.count() == batch_.count() && array.lanes() == batch_.lanes()) return;
    array = LaneArray(rows, batch_.count(), batch_.lanes());
  }

  /// Inputs of a block without loads; take away what is to be zero.
  Inputs<double> inputs(int block) const {
    return {batch_.q.block(block),
            batch_.v.block(block),
            batch_.a.block(block),
            batch_.tau.block(block),
            0,
            nullptr,
            nullptr};
  }
  Inputs<double> loaded_inputs(int block) const {
    Inputs<double> in = inputs(block);
    in.load_count = static_cast<int>(batch_.load_sites_.size());
    in.load_sites = batch_.load_sites_.data();
    in.load_values = batch_.load_values.block(block);
    return in;
  }

  /// kernel(block, scratch), the blocks split evenly among the threads.
  template <class F>
  void for_each_block(F&& kernel) const {
    const int blocks = (batch_.count() + batch_.lanes() - 1) / batch_.lanes();
    std::vector<LaneArray>& scratch = batch_.workers_->scratch;
    const int threads = std::min(static_cast<int>(scratch.size()), blocks);
    const auto run_share = [&](int k) {
      const int end = static_cast<int>(static_cast<long>(blocks) * (k + 1) / threads);
      for (int b = static_cast<int>(static_cast<long>(blocks) * k / threads); b < end; ++b)
        kernel(b, scratch[k].block(0));
    };
    if (threads == 1) {
      run_share(0);
    } else {
      batch_.workers_->arena.execute([&] { tbb::parallel_for(0, threads, run_share); });
    }
  }

 private:
  void check_scratch(long needed, long available) const {
    if (needed <= available) return;
    throw std::invalid_argument(std::string(function_) +
                                ": the batch was made for a smaller model, with scratch memory of " +
                                std::to_string(available) + " numbers; this one needs " + std::to_string(needed));
  }

  const char* function_;
  Batch& batch_;
  const Tree& tree_;
};

void inverse_dynamics(const Model& model, Batch& batch, bool want_wrenches) {
  const BatchRunner run("inverse_dynamics", model, batch);
  if (want_wrenches) run.room(batch.joint_wrenches, 6 * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().inverse_dynamics(run.tree(), run.loaded_inputs(b), batch.tau.block(b),
                                   want_wrenches ? batch.joint_wrenches.block(b) : nullptr, scratch);
  });
}

void bias_torques(const Model& model, Batch& batch) {
  const BatchRunner run("bias_torques", model, batch);
  run.room(batch.bias, model.nv());
  run.for_each_block([&](int b, double* scratch) {
    Inputs<double> in = run.inputs(b);
    in.a = nullptr;
    run.kernels().inverse_dynamics(run.tree(), in, batch.bias.block(b), nullptr, scratch);
  });
}

void gravity_torques(const Model& model, Batch& batch) {
  const BatchRunner run("gravity_torques", model, batch);
  run.room(batch.gravity, model.nv());
  run.for_each_block([&](int b, double* scratch) {
    Inputs<double> in = run.inputs(b);
    in.v = in.a = nullptr;
    run.kernels().inverse_dynamics(run.tree(), in, batch.gravity.block(b), nullptr, scratch);
  });
}

void forward_dynamics(const Model& model, Batch& batch, bool want_wrenches) {
  const BatchRunner run("forward_dynamics", model, batch);
  if (want_wrenches) run.room(batch.joint_wrenches, 6 * run.tree().joint_count);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().forward_dynamics(run.tree(), run.loaded_inputs(b), batch.a.block(b),
                                   want_wrenches ? batch.joint_wrenches.block(b) : nullptr, scratch);
  });
}

void mass_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("mass_matrix", model, batch);
  run.room(batch.mass_matrix, model.nv() * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().mass_matrix(run.tree(), run.inputs(b), batch.mass_matrix.block(b), model.nv(), scratch);
  });
}

void inverse_mass_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("inverse_mass_matrix", model, batch);
  run.room(batch.inverse_mass_matrix, model.nv() * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().inverse_mass_matrix(run.tree(), run.inputs(b), batch.inverse_mass_matrix.block(b), model.nv(),
                                      scratch);
  });
}

void coriolis_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("coriolis_matrix", model, batch);
  run.room(batch.coriolis_matrix, model.nv() * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().coriolis_matrix(run.tree(), run.inputs(b), batch.coriolis_matrix.block(b), model.nv(), scratch);
  });
}

void forward_kinematics(const Model& model, Batch& batch) {
  const BatchRunner run("forward_kinematics", model, batch);
  run.room(batch.poses, 12 * model.site_count());
  run.room(batch.velocities, 6 * model.site_count());
  run.room(batch.accelerations, 6 * model.site_count());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().kinematics(run.tree(), run.inputs(b), batch.poses.block(b), batch.velocities.block(b),
                             batch.accelerations.block(b), scratch);
  });
}

void jacobian(const Model& model, Batch& batch, int site) {
  const BatchRunner run("jacobian", model, batch);
  check_index("jacobian", "site", site, model.site_count());
  run.room(batch.jacobian, 6 * model.nv());
  run.room(batch.jacobian_rate, 6 * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().jacobian(run.tree(), run.inputs(b), site, batch.jacobian.block(b), batch.jacobian_rate.block(b), 6,
                           scratch);
  });
}

void whole_body_state(const Model& model, Batch& batch) {
  const BatchRunner run("whole_body_state", model, batch);
  run.room(batch.whole_body, 17);
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().whole_body(run.tree(), run.inputs(b), batch.whole_body.block(b), scratch);
  });
}

void centroidal_momentum_matrix(const Model& model, Batch& batch) {
  const BatchRunner run("centroidal_momentum_matrix", model, batch);
  run.room(batch.centroidal_momentum_matrix, 6 * model.nv());
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().centroidal_momentum_matrix(run.tree(), run.inputs(b), batch.centroidal_momentum_matrix.block(b), 6,
                                             scratch);
  });
}

void integrate(const Model& model, Batch& batch, LaneArray& step) {
  const BatchRunner run("integrate", model, batch);
  run.check("step", step, model.nv());
  run.for_each_block(
      [&](int b, double*) { run.kernels().integrate(run.tree(), batch.q.block(b), step.block(b), batch.q.block(b)); });
}

void difference(const Model& model, Batch& batch, LaneArray& from, LaneArray& step) {
  const BatchRunner run("difference", model, batch);
  run.check("from", from, model.nq());
  run.room(step, model.nv());
  run.for_each_block(
      [&](int b, double*) { run.kernels().difference(run.tree(), from.block(b), batch.q.block(b), step.block(b)); });
}

void interpolate(const Model& model, Batch& batch, LaneArray& from, double t, LaneArray& out) {
  const BatchRunner run("interpolate", model, batch);
  run.check("from", from, model.nq());
  run.room(out, model.nq());
  const int lanes = batch.lanes();
  run.for_each_block([&](int b, double* scratch) {
    run.kernels().difference(run.tree(), from.block(b), batch.q.block(b), scratch);
    for (int k = 0; k < model.nv() * lanes; ++k) scratch[k] *= t;
    run.kernels().integrate(run.tree(), from.block(b), scratch, out.block(b));
  });
}

}  // namespace verne
