/// Many states at once: the same kernels on SIMD lanes, and threads when asked.
///
///   Batch batch(model, 1000);
///   batch.q.set(k, q); ...                  // or batch.q.assign(matrix with one column per state)
///   inverse_dynamics(model, batch);         // reads q, v, a and loads, writes tau
///   batch.tau.get(k)
///
/// A state's result does not depend on its neighbours, its place, the batch size or the number of threads.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne {

/// Names of the instruction sets that this machine can run, narrowest first ("baseline", "avx2", "avx512").
std::vector<std::string> instruction_sets();

/// `rows` numbers for each of `count` states, stored in blocks of `lanes` states: [block][row][lane].
class LaneArray {
 public:
  LaneArray() = default;
  LaneArray(int rows, int count, int lanes);

  int rows() const { return rows_; }
  int count() const { return count_; }
  int lanes() const { return lanes_; }
  bool empty() const { return rows_ == 0; }
  /// May be written to until the next call that fills the array.
  double& operator()(int row, int state) { return forget_zeros(), values_[offset(row, state)]; }
  double operator()(int row, int state) const { return values_[offset(row, state)]; }
  void set(int state, const Eigen::Ref<const Eigen::VectorXd>& column);
  Eigen::VectorXd get(int state) const;
  /// One column per state.
  void assign(const Eigen::Ref<const Eigen::MatrixXd>& columns);
  Eigen::MatrixXd matrix() const;
  /// First value of a block; null when empty. May be written to until the next call that fills the array.
  double* block(int b) { return forget_zeros(), values_at(b); }

 private:
  friend class BatchRunner;
  double* values_at(int b) { return values_ ? values_.get() + static_cast<std::size_t>(b) * rows_ * lanes_ : nullptr; }
  void forget_zeros() {  // several threads may read a result through operator()
    const std::atomic_ref<unsigned long long> model(zeros_of_);
    if (model.load(std::memory_order_relaxed) != 0) model.store(0, std::memory_order_relaxed);
  }
  std::size_t offset(int row, int state) const {
    return (static_cast<std::size_t>(state / lanes_) * rows_ + row) * lanes_ + state % lanes_;
  }
  struct Free {
    void operator()(double* p) const;
  };
  int rows_ = 0, count_ = 0, lanes_ = 1;
  /// The model for which zeros stand wherever two freedoms do not support each other, so that a call need not write
  /// them again; 0 when that is not known.
  unsigned long long zeros_of_ = 0;
  std::unique_ptr<double[], Free> values_;
};

template <class T>
struct KernelTable;

struct BatchOptions {
  int threads = 1;
  std::string instruction_set{};  ///< "" takes the widest that the machine has
};

/// N states of a model with room for what is computed from them. Arrays of results get their memory at the first call
/// that fills them and keep it. Matrices are column-major in the rows of their array.
class Batch {
 public:
  Batch(const Model& model, int count, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  int count() const { return count_; }
  int lanes() const;
  const char* instruction_set() const;

  LaneArray q, v, a, tau;  ///< q starts as the neutral configuration, the rest as zero
  /// Where loads act; `load_values` has nine rows a load: force, moment, point.
  void set_loads(std::vector<LoadSite> sites);
  LaneArray load_values;

  LaneArray bias, gravity;
  LaneArray joint_wrenches;  ///< 6 rows a joint
  LaneArray mass_matrix, inverse_mass_matrix, coriolis_matrix;
  LaneArray poses, velocities, accelerations;  ///< 12, 6, 6 rows a site
  LaneArray jacobian, jacobian_rate;
  LaneArray whole_body;  ///< 17 rows: kinetic, potential; momentum, angular; com, its velocity, its acceleration
  LaneArray centroidal_momentum_matrix;

 private:
  friend class BatchRunner;
  struct Workers;
  int count_;
  const KernelTable<double>* kernels_;
  std::vector<LoadSite> load_sites_;
  std::unique_ptr<Workers> workers_;
};

/// q, v, a, loads → tau, and joint_wrenches when wanted
void inverse_dynamics(const Model& model, Batch& batch, bool want_wrenches = false);
/// q, v → bias;  q → gravity (no loads)
void bias_torques(const Model& model, Batch& batch);
void gravity_torques(const Model& model, Batch& batch);
/// q, v, tau, loads → a, and joint_wrenches when wanted
void forward_dynamics(const Model& model, Batch& batch, bool want_wrenches = false);
void mass_matrix(const Model& model, Batch& batch);
void inverse_mass_matrix(const Model& model, Batch& batch);
void coriolis_matrix(const Model& model, Batch& batch);
/// q, v, a → poses, velocities, accelerations
void forward_kinematics(const Model& model, Batch& batch);
/// q, v → jacobian and its rate
void jacobian(const Model& model, Batch& batch, int site);
void whole_body_state(const Model& model, Batch& batch);
void centroidal_momentum_matrix(const Model& model, Batch& batch);
/// q := q ⊕ step;  step := q ⊖ from (nv rows);  out := from ⊕ t (q ⊖ from)
void integrate(const Model& model, Batch& batch, LaneArray& step);
void difference(const Model& model, Batch& batch, LaneArray& from, LaneArray& step);
void interpolate(const Model& model, Batch& batch, LaneArray& from, double t, LaneArray& out);

}  // namespace verne
