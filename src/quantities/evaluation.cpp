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

Evaluation::Evaluation(const Model& model, const std::vector<std::string>& wants, int capacity,
                       const BatchOptions& options)
    : parts_(std::make_unique<EvaluationParts>(model, capacity, options)) {
  EvaluationParts& parts = *parts_;
  for (const std::string& word : wants) {
    parts.wants.push_back(wanted_quantity(word, model, "want"));
    if (!info_of(parts.wants.back().quantity).is_known(kKnownArrays)) {
      throw InputError("want: " + word + " is not known as arrays of many states");
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

Batch& Evaluation::batch() {
  return parts_->batch;
}

std::span<const WantedQuantity> Evaluation::wants() const {
  return parts_->wants;
}

void Evaluation::compute() {
  for (const QuantityStep step : parts_->steps) parts_->run(step);
}

std::span<const QuantityArray> Evaluation::arrays(std::size_t want) const {
  return parts_->arrays.at(want);
}

}  // namespace verne
