#include "verne/quantities/evaluation.h"

#include <algorithm>
#include <stdexcept>

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

LaneArray& weights(SystemBatch& batch) {
  if (batch.weights.empty()) {
    batch.weights = LaneArray(batch.system().torques(), batch.count(), batch.tree().lanes());
    for (int k = 0; k < batch.count(); ++k) batch.weights.column(k).setOnes();
  }
  return batch.weights;
}

constexpr StateInput kStateInputs[] = {
    {"q", [](const System& s) { return s.nq(); }, [](SystemBatch& b) -> LaneArray& { return b.q(); }, false, false},
    {"v", [](const System& s) { return s.nv(); }, [](SystemBatch& b) -> LaneArray& { return b.v(); }, false, false},
    {"a", [](const System& s) { return s.nv(); }, [](SystemBatch& b) -> LaneArray& { return b.a(); }, false, false},
    {"tau", [](const System& s) { return s.torques(); }, [](SystemBatch& b) -> LaneArray& { return b.tau(); }, false,
     false},
    {"guess", [](const System& s) { return s.model().nq(); }, guesses, true, false},
    {"weights", [](const System& s) { return s.torques(); }, weights, false, true},
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

const StateInput& state_input(std::string_view name) {
  const auto found = std::ranges::find(kStateInputs, name, &StateInput::name);
  if (found == std::end(kStateInputs)) throw std::invalid_argument("states are given no " + std::string(name));
  return *found;
}

void require_input(const StateInput& input, const System& system, const std::string& subject) {
  if (input.of_tree && system.model().loops().empty()) {
    throw InputError(subject + input.name + " is for models with closed loops");
  }
  if (!input.positive) return;
  if (system.given()) throw InputError(subject + input.name + " have no meaning together with given accelerations");
  if (system.closures() == 0) {
    throw InputError(subject + input.name + " are for models with closed loops or held contacts");
  }
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
  for (const WantedQuantity& want : parts.wants) parts.add_step(want.quantity);
  parts.make_arrays();
}

Evaluation::Evaluation(Evaluation&&) noexcept = default;
Evaluation& Evaluation::operator=(Evaluation&&) noexcept = default;
Evaluation::~Evaluation() = default;

SystemBatch& Evaluation::states() {
  return parts_->states;
}

const SystemBatch& Evaluation::states() const {
  return parts_->states;
}

void Evaluation::set_loads(std::span<const Loads<double>> lists) {
  parts_->set_loads(lists);
}

std::span<const int> Evaluation::loads_of(int state) const {
  if (parts_->loads_of.empty()) return {};
  return parts_->loads_of[parts_->loads_of.size() == 1 ? 0 : static_cast<std::size_t>(state)];
}

void Evaluation::compute_by(std::function<void(Quantity, SystemBatch&)> compute) {
  parts_->own = std::move(compute);
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
