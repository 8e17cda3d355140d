/// Legs of a universal joint and a slider through its centre that end in a ball, as those of Gough and Stewart's
/// platform: torques and the force at the ball in closed form (docs/theory/loops.md, section 7).
///
///   a, b, d    the first axis, the second, and that of the slider, which is at right angles to b; t = b × d
///   α, β       a = α t + β d
#pragma once

#include "structures/kernels/leg_equations.h"

namespace verne {
inline namespace VERNE_ISA {

/// Sines and cosines of the two angles.
struct SliderTurns {
  Lanes sn[2], cs[2];
};

template <class Constants>
class SliderLegAtState {
 public:
  VERNE_INLINE SliderLegAtState(const Constants& constants, const LegPack& pack, const Inputs<Lanes>& in,
                                const SliderTurns& turns)
      : constants_(constants),
        pack_(pack),
        leg_(*pack.slider),
        in_(in),
        sn_(turns.sn[0]),
        cs_(turns.cs[0]),
        across_(turns.cs[1] * leg_.across[0] + turns.sn[1] * leg_.across[1]),
        along_(turns.cs[1] * leg_.along[0] + turns.sn[1] * leg_.along[1]) {}

  struct Torques {
    Lanes of[3];
  };
  VERNE_INLINE static Torques given(const Lanes* torques) { return {{torques[0], torques[1], torques[2]}}; }
  /// (22)-(24)
  VERNE_INLINE Torques torques() const {
    const Lanes *const v = in_.v, *const a = in_.a;
    const Lanes turning = v[0] * v[1], wt = across_ * v[0], wd = along_ * v[0], &wb = v[1];
    const Lanes dwt = across_ * a[0] - along_ * turning, dwd = along_ * a[0] + across_ * turning, &dwb = a[1];
    const Lanes centre = in_.q[2] + leg_.com, moment = centre * leg_.mass, added = centre * moment;
    const Lanes Jt = added + leg_.J[0], Jb = added + leg_.J[1];
    const Lanes first = moment + leg_.moment, sliding = moment * (v[2] + v[2]);
    // Gravity along a, and along b and a × b.
    const auto ga = gravity(0), g0 = gravity(1), g1 = gravity(2);
    const Lanes gb = cs_ * g0 + sn_ * g1, gn = cs_ * g1 - sn_ * g0;
    const Lanes gt = across_ * ga - along_ * gn, gd = along_ * ga + across_ * gn;
    const Lanes nt = Jt * dwt + wb * wd * (Lanes(leg_.J[2]) - Jb) + sliding * wt + first * gb;
    const Lanes nb = Jb * dwb + wt * wd * (Jt - Lanes(leg_.J[2])) + sliding * wb - first * gt;
    const Lanes nd = dwd * leg_.J[2] + wt * wb * (leg_.J[1] - leg_.J[0]);
    Torques out{{across_ * nt + along_ * nd, nb, (a[2] - gd) * leg_.mass - moment * (wt * wt + wb * wb)}};
    Lanes passive[3];
    if (!passive_torques(*pack_.tree, in_, passive)) return out;
    for (int k = 0; k < 3; ++k) out.of[k] = out.of[k] + passive[k];
    return out;
  }

  /// Forces at the ball in world axes.
  struct Forces {
    Vec3<Lanes> of_slider;  ///< that holds a unit force of the slider
    Vec3<Lanes> all;        ///< that holds all torques
    VERNE_INLINE const Vec3<Lanes>& unit(int /*velocity*/) const { return of_slider; }
  };
  /// (25). `pivots`: the smallest so far, in parts of the usual ones.
  VERNE_INLINE Forces forces(const Torques& torques, Lanes& pivots) const {
    const Lanes length = in_.q[2] + constants_.number(pack_.loops[0].leg.pose, 11), lever = across_ * length;
    const auto usual = constants_.number(pack_.pivot_scales, 0) * constants_.number(pack_.pivot_scales, 1) *
                       constants_.number(pack_.pivot_scales, 2);
    const Lanes size = Closing<Lanes>::positive_size(lever * length * usual);
    pivots = select(less(size, pivots), size, pivots);
    const Lanes inverse = Lanes(1.0) / lever;
    const Lanes Ft = torques.of[1] * across_ * inverse, Fb = -torques.of[0] * inverse, &Fd = torques.of[2];
    const Lanes Fn = across_ * Fd - along_ * Ft;
    return {in_world(along_, -sn_ * across_, cs_ * across_),
            in_world(across_ * Ft + along_ * Fd, cs_ * Fb - sn_ * Fn, sn_ * Fb + cs_ * Fn)};
  }

 private:
  VERNE_INLINE auto gravity(int k) const { return constants_.number(leg_.axes, 9 + k); }
  VERNE_INLINE auto axis(int k) const {
    return Vec3<decltype(gravity(0))>{constants_.number(leg_.axes, 3 * k), constants_.number(leg_.axes, 3 * k + 1),
                                      constants_.number(leg_.axes, 3 * k + 2)};
  }
  /// From components along what `axes` has.
  VERNE_INLINE Vec3<Lanes> in_world(const Lanes& x, const Lanes& y, const Lanes& z) const {
    return axis(0) * x + axis(1) * y + axis(2) * z;
  }

  const Constants& constants_;
  const LegPack& pack_;
  const SliderLeg& leg_;
  const Inputs<Lanes>& in_;
  const Lanes sn_, cs_;         ///< of the first angle
  const Lanes across_, along_;  ///< α and β
};

}  // namespace VERNE_ISA
}  // namespace verne
