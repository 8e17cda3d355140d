/// Many states of a tree at once: the same kernels on SIMD lanes, and threads when asked; of loops, structures/.
///
///   Batch batch(model, 1000);
///   batch.q.set(k, q); ...                  // or batch.q.assign(matrix with one column per state)
///   inverse_dynamics(model, batch);         // reads q, v, a and loads, writes tau
///   batch.tau.get(k)
///
/// Shared memory is as for one state (data.h): an array of output vectors may be one of input vectors of the same size,
/// as in interpolate(model, batch, from, 0.5, from) or difference(model, batch, from, batch.v). Any other array given
/// for two arguments, q, v, a, tau and load_values of the batch among them, is std::invalid_argument.
///
/// A state's result does not depend on its neighbours, its place, the batch size or the number of threads.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Names of the instruction sets that this machine can run, narrowest first ("baseline", "avx2", "avx512").
VERNE_API std::vector<std::string> instruction_sets();

/// `rows` numbers for each of `count` states, stored in blocks of `lanes` states: [block][row][lane].
class LaneArray {
 public:
  LaneArray() = default;
  /// Zeros. `lanes` is that of the batch which it is used with.
  VERNE_API LaneArray(int rows, int count, int lanes);

  /// Numbers for each state.
  int rows() const { return rows_; }
  /// Number of states.
  int count() const { return count_; }
  /// States in a block.
  int lanes() const { return lanes_; }
  /// Whether there are no rows, as before the first call that fills it.
  bool empty() const { return rows_ == 0; }
  /// May be written to until the next call that fills the array.
  double& operator()(int row, int state) { return forget_zeros(), values_[offset(row, state)]; }
  /// One number of one state.
  double operator()(int row, int state) const { return values_[offset(row, state)]; }
  /// Writes all rows of a state.
  VERNE_API void set(int state, const Eigen::Ref<const Eigen::VectorXd>& column);
  /// A copy of all rows of a state.
  Eigen::VectorXd get(int state) const { return column(state); }
  /// One column per state.
  VERNE_API void assign(const Eigen::Ref<const Eigen::MatrixXd>& columns);
  /// A copy of everything, one column per state.
  Eigen::MatrixXd matrix() const {
    Eigen::MatrixXd columns(rows_, count_);
    for (int k = 0; k < count_; ++k) columns.col(k) = column(k);
    return columns;
  }

  // The rows of a state in place, as a vector and as a column-major matrix with so many rows: of ∂tau/∂q,
  // matrix(k, nv)(i, j) is ∂tau_i/∂q_j of state k. As with block(), a map that can be written to holds until the next
  // call that fills the array.
  /// A state's rows in place, as a vector to read.
  using ConstColumn = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;
  /// A state's rows in place, as a vector to write.
  using Column = Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>>;
  /// A state's rows in place, as a matrix to read.
  using ConstMatrix = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  /// A state's rows in place, as a matrix to write.
  using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
  /// The rows of a state as a vector.
  ConstColumn column(int state) const { return ConstColumn(checked(state), rows_, Eigen::InnerStride<>(lanes_)); }
  /// The rows of a state as a vector to write.
  Column column(int state) {
    forget_zeros();
    return Column(checked(state), rows_, Eigen::InnerStride<>(lanes_));
  }
  /// The rows of a state as a matrix with so many rows.
  ConstMatrix matrix(int state, int rows) const {
    return ConstMatrix(checked(state, rows), rows, rows_ / rows, {static_cast<long>(rows) * lanes_, lanes_});
  }
  /// The rows of a state as a matrix to write.
  Matrix matrix(int state, int rows) {
    forget_zeros();
    return Matrix(checked(state, rows), rows, rows_ / rows, {static_cast<long>(rows) * lanes_, lanes_});
  }
  /// First value of a block; null when empty. May be written to until the next call that fills the array.
  double* block(int b) { return forget_zeros(), values_at(b); }

 private:
  friend class BatchRunner;
  /// The first value of a state. Throws std::invalid_argument for a state or a number of rows that does not fit.
  VERNE_API double* checked(int state, int rows = 1) const;
  double* values_at(int b) const {
    return values_ ? values_.get() + static_cast<std::size_t>(b) * rows_ * lanes_ : nullptr;
  }
  void forget_zeros() {  // several threads may read a result through operator()
    const std::atomic_ref<unsigned long long> model(zeros_of_);
    if (model.load(std::memory_order_relaxed) != 0) model.store(0, std::memory_order_relaxed);
  }
  std::size_t offset(int row, int state) const {
    return (static_cast<std::size_t>(state / lanes_) * rows_ + row) * lanes_ + state % lanes_;
  }
  struct Free {
    VERNE_API void operator()(double* p) const;
  };
  int rows_ = 0, count_ = 0, lanes_ = 1;
  /// The model for which zeros stand wherever two freedoms do not support each other, so that a call need not write
  /// them again; 0 when that is not known.
  unsigned long long zeros_of_ = 0;
  std::unique_ptr<double[], Free> values_;
};

/// The kernels of one instruction set; private.
template <class T>
struct KernelTable;

/// How a batch is computed.
struct BatchOptions {
  int threads = 1;                ///< that share the blocks
  std::string instruction_set{};  ///< "" takes the widest that the machine has
};

/// Rows of Batch::load_values for one load, each the first of three.
enum LoadRow : int { kLoadForce = 0, kLoadMoment = 3, kLoadPoint = 6, kLoadRows = 9 };
/// Rows of Batch::poses for one site: three of the position, then nine of the rotation matrix, row by row.
enum PoseRow : int { kPosePosition = 0, kPoseRotation = 3, kPoseRows = 12 };
/// Rows of Batch::whole_body; the last five are the first of three.
enum WholeBodyRow : int {
  kKineticEnergy = 0,
  kPotentialEnergy = 1,
  kMomentum = 2,
  kAngularMomentum = 5,
  kCom = 8,
  kComVelocity = 11,
  kComAcceleration = 14,
  kWholeBodyRows = 17
};

/// N states of a model with room for what is computed from them. Arrays of results get their memory at the first call
/// that fills them and keep it. Matrices are column-major in the rows of their array.
class VERNE_API Batch {
 public:
  /// Room for `count` states. Throws InputError for an instruction set that this machine does not have.
  Batch(const Model& model, int count, const BatchOptions& options = {});
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  /// Number of states.
  int count() const { return count_; }
  /// States in a block: as many as a register of the instruction set holds.
  int lanes() const;
  /// Name of the instruction set that is used.
  const char* instruction_set() const;

  LaneArray q, v, a, tau;  ///< q starts as the neutral configuration, the rest as zero
  /// Where loads act; `load_values` has kLoadRows rows a load: LoadRow.
  void set_loads(std::vector<LoadSite> sites);
  /// The same loads for all states, to begin with.
  void set_loads(const Loads<double>& loads);
  LaneArray load_values;  ///< kLoadRows rows a load

  LaneArray bias, gravity;                                      ///< nv rows each
  LaneArray joint_wrenches;                                     ///< 6 rows a joint
  LaneArray mass_matrix, inverse_mass_matrix, coriolis_matrix;  ///< nv² rows each
  LaneArray poses;                                              ///< kPoseRows rows a site: PoseRow
  LaneArray velocities, accelerations;                          ///< 6 rows a site
  LaneArray jacobian, jacobian_rate;                            ///< 6 nv rows each
  LaneArray whole_body;                                         ///< rows: WholeBodyRow
  LaneArray centroidal_momentum_matrix;                         ///< 6 nv rows

 private:
  friend class BatchRunner;
  struct Workers;
  int count_;
  const KernelTable<double>* kernels_;
  std::vector<LoadSite> load_sites_;
  std::unique_ptr<Workers> workers_;
};

/// q, v, a, loads → tau, and joint_wrenches when wanted
VERNE_API void inverse_dynamics(const Model& model, Batch& batch, bool want_wrenches = false);
/// q, v → bias;  q → gravity (no loads)
VERNE_API void bias_torques(const Model& model, Batch& batch);
/// q → gravity (no loads)
VERNE_API void gravity_torques(const Model& model, Batch& batch);
/// q, v, tau, loads → a, and joint_wrenches when wanted
VERNE_API void forward_dynamics(const Model& model, Batch& batch, bool want_wrenches = false);
/// q → mass_matrix
VERNE_API void mass_matrix(const Model& model, Batch& batch);
/// q → inverse_mass_matrix
VERNE_API void inverse_mass_matrix(const Model& model, Batch& batch);
/// q, v → coriolis_matrix
VERNE_API void coriolis_matrix(const Model& model, Batch& batch);
/// q, v, a → poses, and when wanted velocities, accelerations
VERNE_API void forward_kinematics(const Model& model, Batch& batch, bool want_motion = true);
/// q, v → jacobian, and its rate when wanted
VERNE_API void jacobian(const Model& model, Batch& batch, int site, bool want_rate = true);
/// q, v, a → whole_body
VERNE_API void whole_body_state(const Model& model, Batch& batch);
/// q → centroidal_momentum_matrix
VERNE_API void centroidal_momentum_matrix(const Model& model, Batch& batch);
/// q := q ⊕ step;  step := q ⊖ from (nv rows);  out := from ⊕ t (q ⊖ from)
VERNE_API void integrate(const Model& model, Batch& batch, const LaneArray& step);
/// step := q ⊖ from (nv rows)
VERNE_API void difference(const Model& model, Batch& batch, const LaneArray& from, LaneArray& step);
/// out := from ⊕ t (q ⊖ from)
VERNE_API void interpolate(const Model& model, Batch& batch, const LaneArray& from, double t, LaneArray& out);

}  // namespace verne
