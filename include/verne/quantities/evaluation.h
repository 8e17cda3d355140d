/// Quantities of many states, as arrays:
///
///   Evaluation evaluation(system, {"tau", "mass_matrix"}, 256);
///   evaluation.states().q().set(k, q); ...       // q, v, a; tau for accelerations
///   evaluation.compute();
///   for (const QuantityArray& array : evaluation.arrays(0)) array.copy(0, 256, out);   // numbers of tau, state by
///   state
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verne/base/export.h"
#include "verne/quantities/quantities.h"
#include "verne/structures/system_batch.h"

namespace verne {

struct EvaluationParts;

/// One array of a quantity: most have one; of energy, say, there are `kinetic` and `potential`.
class VERNE_API QuantityArray {
 public:
  std::string part;        ///< its name; "" where it is the only one
  std::vector<int> shape;  ///< of one state; a number has none

  /// Numbers of one state.
  int size() const;
  /// So many states from `first` on, one after the other, each in C order (the last axis is the fastest).
  void copy(int first, int count, double* out) const;
  /// One number of one state; `index` counts in C order.
  double at(int index, int state) const;

 private:
  friend class Evaluation;
  friend struct EvaluationParts;
  int row_of(int index) const;

  const LaneArray* rows_ = nullptr;
  int first_row_ = 0;
  std::vector<int> strides_;  ///< in rows, for each axis
};

/// What a state may be given: `q`, `v`, `a`, `tau`, with loops `guess`, and with loops or contacts `weights`.
struct StateInput {
  const char* name;                  ///< as arrays of it are called
  int (*size)(const System&);        ///< numbers of one state
  LaneArray& (*rows)(SystemBatch&);  ///< where they go
  bool of_tree;                      ///< numbers of the tree's configuration, not of the system's
  bool positive;                     ///< has none but positive numbers
};
/// All of them, q first.
VERNE_API std::span<const StateInput> state_inputs();
/// One of them; throws std::invalid_argument where there is none of this name.
VERNE_API const StateInput& state_input(std::string_view name);
/// Throws InputError where this system is not given it; `subject` begins the message.
VERNE_API void require_input(const StateInput& input, const System& system, const std::string& subject = "");

/// Computes what is wanted of as many states as it has room for. Where accelerations are given, everything is of the
/// motion that forward dynamics completes.
class VERNE_API Evaluation {
 public:
  /// Throws InputError for a quantity that is not known, not as arrays, or not of this system.
  Evaluation(const System& system, const std::vector<std::string>& wants, int capacity,
             const BatchOptions& options = {});
  Evaluation(Evaluation&&) noexcept;
  Evaluation& operator=(Evaluation&&) noexcept;
  ~Evaluation();

  /// Where states go: q, v, a, tau (which is what accelerations come from), guesses and weights. They are left alone.
  SystemBatch& states();
  /// The same to read.
  const SystemBatch& states() const;
  /// Until others are given: one list is for all states; else each of the first states has its own, the rest none.
  /// Then d_tau and d_acceleration have a further array `loads`, a matrix for each load: force, moment, point.
  void set_loads(std::span<const Loads<double>> lists);
  /// Which matrices of `loads` are those of a state, in the order of its list.
  std::span<const int> loads_of(int state) const;
  /// Has quantities computed by others, by compiled code, say: `compute` writes where the function of SystemBatch does.
  void compute_by(std::function<void(Quantity, SystemBatch&)> compute);
  /// What is wanted, in the order in which it was asked for.
  std::span<const WantedQuantity> wants() const;
  /// Computes all of it for all states.
  void compute();
  /// The arrays of what was asked for at this place; their numbers are those of the last compute().
  std::span<const QuantityArray> arrays(std::size_t want) const;

 private:
  std::unique_ptr<EvaluationParts> parts_;
};

}  // namespace verne
