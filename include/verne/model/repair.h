/// Physical inertias in place of those that no body has.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/model/plausibility.h"
#include "verne/model/spec.h"

namespace verne {

/// What was changed at one link; moments are the principal ones about the centre of mass, in increasing order.
struct InertiaRepair {
  std::string link;                                              ///< whose inertia was changed
  PlausibilityKind why;                                          ///< what was implausible
  double mass_before = 0, mass_after = 0;                        ///< kg
  Vec3<double> moments_before{0, 0, 0}, moments_after{0, 0, 0};  ///< kg m²
};

/// Replaces each implausible inertia by the nearest that a body has, in the sense of the pseudo-inertia
/// [Σ h; hᵀ m], Σ = ½ tr(I) 1 − I, about the link's centre of mass and in the Frobenius norm: eigenvalues of Σ are
/// raised to a millionth of the largest. Mass and centre of mass stay, but a link with inertia and no mass gets the
/// mass that puts its radius of gyration at 10 m. Derived in docs/theory/inertia.md. Links must be usable otherwise
/// (finite, no negative mass).
VERNE_API std::vector<InertiaRepair> repair_inertias(ModelSpec& spec);

}  // namespace verne
