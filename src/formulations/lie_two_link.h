/// Section 10 of [L]: the velocity terms of two links, term by term, for axes of any direction (docs/errata.md).
///
/// With θ̈ = 0 and no gravity every quantity is a form in θ̇1 and θ̇2; these are its coefficients.
#pragma once

#include "formulations/screw.h"

namespace verne::formulations {

/// Link 2 on link 1, which turns about a fixed base. Symbols as in the notes; the axes may be of any joint kind.
struct LieTwoLink {
  Mat3<double> R_21;
  Vec3<double> p_21;                ///< origin of frame 1 in frame 2
  Vec3<double> z_1, b_1, z_2, b_2;  ///< 𝒜_1 and 𝒜_2
  Mat3<double> I_1, I_2;
  double m_1, m_2;
};

/// rate_1² , rate_1 rate_2 and rate_2² coefficients.
template <class Value>
struct VelocityForm {
  Value squared_1, product, squared_2;
};

struct LieTwoLinkTerms {
  VelocityForm<Vec3<double>> omega_dot_2, v_dot_2;  ///< section 9.1, 10.2
  VelocityForm<Vec3<double>> omega_2_cross_v_2;     ///< section 10.2
  VelocityForm<Vec3<double>> n_2, f_2, n_1, f_1;    ///< sections 10.1, 10.2, 10.4
  VelocityForm<double> tau_2, tau_1;                ///< sections 10.3, 10.5
};

LieTwoLinkTerms lie_two_link_terms(const LieTwoLink& arm);

}  // namespace verne::formulations
