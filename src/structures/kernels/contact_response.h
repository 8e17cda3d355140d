/// How contacts answer each other (docs/theory/loops.md, section 6).
#pragma once

#include "structures/kernels/closing_plan.h"
#include "verne/base/small_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// Adds the response of two contacts to each other, or of one to itself (below the diagonal), over the part of their
/// ways to the root that they share: Y D⁻¹ Yᵀ, where `scaled(i, k)` is entry (k, i) of Y D⁻¹.
template <class S, class Scaled>
VERNE_INLINE void add_response(const ContactPlan& plan, const HeldPlan& one, const HeldPlan& other, const S* rows,
                               const Scaled& scaled, S* response) {
  int i = one.last, j = other.last;
  while (i >= 0 && j >= 0 && i != j) (i > j ? i : j) = plan.parent[i > j ? i : j];
  if (i < 0 || j < 0) return;
  const long ld = plan.ld;
  for (; i >= 0; i = plan.parent[i]) {
    const S* VERNE_RESTRICT const own = rows + ld * i;
    for (int k = other.first; k < other.first + other.rows; ++k) {
      const S factor = scaled(i, k);
      const int end = &one == &other ? k + 1 : one.first + one.rows;
      S* VERNE_RESTRICT const out = response + ld * k;
      for (int r = one.first; r < end; ++r) out[r] = out[r] + factor * own[r];
    }
  }
}

/// The lower triangle of the responses of all contacts, by rows.
template <class S, class Scaled>
VERNE_INLINE void put_responses(const ContactPlan& plan, const S* rows, const Scaled& scaled, S* response) {
  for (int k = 0; k < plan.equations; ++k) {
    for (int r = 0; r <= k; ++r) response[static_cast<long>(plan.ld) * k + r] = S(0);
  }
  for (int c = 0; c < plan.contact_count; ++c) {
    for (int before = 0; before <= c; ++before) {
      add_response(plan, plan.contacts[before], plan.contacts[c], rows, scaled, response);
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
