#include "verne/quantities/evaluation.h"

#include <algorithm>

#include "quantities/evaluation_parts.h"
#include "quantities/lane_rows.h"

namespace verne {

int QuantityArray::size() const {
  int size = 1;
  for (const int axis : shape) size *= axis;
  return size;
}

int QuantityArray::row_of(int index) const {
  int row = first_row_;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    row += index % shape[axis] * strides_[axis];
    index /= shape[axis];
  }
  return row;
}

double QuantityArray::at(int index, int state) const {
  return (*rows_)(row_of(index), state);
}

void QuantityArray::copy(int first, int count, double* out) const {
  const int numbers = size();
  if (numbers == 0) return;
  if (shape.size() <= 1) return lanes_to_rows(*rows_, first_row_, numbers, first, count, out);
  const int lanes = rows_->lanes();
  std::vector<std::ptrdiff_t> places(static_cast<std::size_t>(numbers));
  for (int i = 0; i < numbers; ++i) places[static_cast<std::size_t>(i)] = std::ptrdiff_t{row_of(i)} * lanes;
  for (int k = first; k < first + count; ++k) {
    const double* const from = rows_->column(k).data();
    for (const std::ptrdiff_t place : places) *out++ = from[place];
  }
}

namespace {

LaneArray& guesses(SystemBatch& batch) {
  if (batch.guess.empty()) {
    batch.guess = LaneArray(batch.system().model().nq(), batch.count(), batch.tree().lanes());
    for (int k = 0; k < batch.count(); ++k) batch.guess.set(k, batch.system().mechanism().home().eigen());
  }
  return batch.guess;
}

constexpr StateInput kStateInputs[] = {
    {"q", [](const System& s) { return s.nq(); }, [](SystemBatch& b) -> LaneArray& { return b.q(); }, false},
    {"v", [](const System& s) { return s.nv(); }, [](SystemBatch& b) -> LaneArray& { return b.v(); }, false},
    {"a", [](const System& s) { return s.nv(); }, [](SystemBatch& b) -> LaneArray& { return b.a(); }, false},
    {"tau", [](const System& s) { return s.torques(); }, [](SystemBatch& b) -> LaneArray& { return b.tau(); }, false},
    {"guess", [](const System& s) { return s.model().nq(); }, guesses, true},
};

bool is_dynamics_derivative(Quantity quantity) {
  switch (quantity) {
    case Quantity::d_tau:
    case Quantity::d_acceleration:
    case Quantity::d_joint_wrenches:
    case Quantity::d_loop_wrenches:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::span<const StateInput> state_inputs() {
  return kStateInputs;
}

Evaluation::Evaluation(const System& system, const std::vector<std::string>& wants, int capacity,
                       const BatchOptions& options)
    : parts_(std::make_unique<EvaluationParts>(system, capacity, options)) {
  EvaluationParts& parts = *parts_;
  for (const std::string& word : wants) {
    parts.wants.push_back(wanted_quantity(word, system.model(), "want"));
    const Quantity quantity = parts.wants.back().quantity;
    if (!info_of(quantity).is_known(kKnownArrays)) {
      throw InputError("want: " + word + " is not known as arrays of many states");
    }
    if (system.given() && !system.model().loops().empty() && is_dynamics_derivative(quantity)) {
      throw InputError("want: " + word +
                       " of a model with closed loops is not known together with given accelerations");
    }
  }
  parts.jacobians.resize(wants.size());
  for (std::size_t k = 0; k < wants.size(); ++k) {
    parts.arrays.push_back(entry_of(parts.wants[k].quantity).arrays(parts, parts.wants[k], k));
    parts.add_step(parts.wants[k].quantity);
  }
}

Evaluation::Evaluation(Evaluation&&) noexcept = default;
Evaluation& Evaluation::operator=(Evaluation&&) noexcept = default;
Evaluation::~Evaluation() = default;

SystemBatch& Evaluation::states() {
  return parts_->states;
}

std::span<const WantedQuantity> Evaluation::wants() const {
  return parts_->wants;
}

void Evaluation::compute() {
  assemble(parts_->states);
  if (parts_->system.given()) return parts_->run_completed();
  for (const QuantityStep step : parts_->steps) parts_->run(step);
}

std::span<const QuantityArray> Evaluation::arrays(std::size_t want) const {
  return parts_->arrays.at(want);
}

}  // namespace verne
