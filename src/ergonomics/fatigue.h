/// How muscles tire and recover: the three-compartment model with recovery, 3CC-r (docs/work.md).
///
///   Xia, Frey Law (2008), J. Biomechanics 41, 3046–3052; Looft, Herkert, Frey-Law (2018), J. Biomechanics 77, 16–25.
#pragma once

namespace verne {

/// Of a group of muscles, per second.
struct FatigueRates {
  const char* group = "";
  double fatigue = 0, recovery = 0;  ///< F and R
  double rest = 1;                   ///< r: by which recovery is faster while nothing is asked for
  const char* source = "";
  bool sure = true;  ///< read in a source, not recalled
};

/// Parts of a group's strength: active, tired, and the rest, which is at rest.
struct MuscleState {
  double active = 0, tired = 0;
  double resting() const { return 1 - active - tired; }
  /// What it could give now.
  double capacity() const { return 1 - tired; }
};

/// dA/dt = C − F A,  dT/dt = F A − R' T, with R' = r R at rest, else R. C leads A to what is asked for:
///   10 (load − A) down, or up as far as what rests reaches: 10 min(load − A, 1 − A − T)
void fatigue_rate(const FatigueRates& rates, const MuscleState& state, double load, double& active, double& tired);

/// The state `seconds` later, while the load (part of the strength) changes evenly.
MuscleState tired_by(const FatigueRates& rates, MuscleState state, double load_from, double load_to, double seconds);

/// The rates of the muscles that turn a joint's freedom of a person one way: those of its published group, or those of
/// muscles in general where there is none.
const FatigueRates& rates_of(const char* joint, bool positive);

/// Whether these are the rates of muscles in general.
bool is_general(const FatigueRates& rates);

}  // namespace verne
