#include "motion/terms/at_places.h"

#include <algorithm>

namespace verne {

void Term::values(const double* u, int count, double* values) const {
  for (int k = 0; k < count; ++k, u += size_) *values++ = value(u);
}
void Term::gradients(const double* u, int count, double* gradients) const {
  for (int k = 0; k < count; ++k, u += size_, gradients += size_) gradient(u, gradients);
}
void Term::hessians(const double* u, int count, double* hessians) const {
  for (int k = 0; k < count; ++k, u += size_, hessians += size_ * size_) hessian(u, hessians);
}

TermAtPlaces::TermAtPlaces(const Term& term)
    : term_(term),
      size_(static_cast<std::size_t>(term.size())),
      values_{&Term::values, 1},
      gradients_{&Term::gradients, size_},
      hessians_{&Term::hessians, size_ * size_} {
  for (Found* found : {&values_, &gradients_, &hessians_}) found->alone.resize(found->size);
}

void TermAtPlaces::announce(const double* u, int count) {
  u_.assign(u, u + static_cast<std::size_t>(count) * size_);
  count_ = count, next_ = 0;
  values_.known = gradients_.known = hessians_.known = false;
}

const double* TermAtPlaces::at(const double* u, Found& found) {
  for (int k = 0; k < count_; ++k) {
    const int place = (next_ + k) % count_;  // they are mostly asked for in turn
    const auto first = static_cast<std::size_t>(place);
    if (!std::equal(u, u + size_, u_.data() + first * size_)) continue;
    next_ = place + 1;
    if (!found.known) {
      found.all.resize(static_cast<std::size_t>(count_) * found.size);
      (term_.*found.find)(u_.data(), count_, found.all.data());
      found.known = true;
    }
    return found.all.data() + first * found.size;
  }
  (term_.*found.find)(u, 1, found.alone.data());
  return found.alone.data();
}

}  // namespace verne
