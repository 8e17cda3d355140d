/// What a person's work is like beside the motion: what its scores need to know (docs/work.md).
#pragma once

#include <optional>
#include <string>

namespace verne {

/// How well hands hold a load.
enum class Coupling { good, fair, poor, unacceptable };
/// How the legs bear the body.
enum class Stance { both, one, walking, sitting };

/// A motion that is done again and again.
struct RepeatSpec {
  int times = 1;                ///< how often
  double rest = 0;              ///< s, after each of them
  std::optional<double> every;  ///< s, from one begin to the next, in place of the rest
  int adapt = 0;                ///< after so many it is found anew, for the strength that is left; 0: never
};

/// What a motion does not tell of the work that it is part of. What is not given is assumed, and said.
struct WorkSpec {
  std::optional<double> load;          ///< kg, in both hands together; else what they carry
  std::string lift;                    ///< the phase in which they lift it; empty: all those in which they carry some
  std::optional<double> frequency;     ///< how often a minute
  std::optional<double> hours;         ///< without a long rest: up to 1, 2 or 8
  std::optional<Coupling> coupling;    ///< of hands and load
  std::optional<Stance> stance;        ///< how the legs bear the body
  std::optional<bool> static_posture;  ///< held for longer than a minute
  std::optional<bool> shock;           ///< the load comes suddenly
  std::optional<RepeatSpec> repeat;    ///< nothing: it is done once
  std::optional<bool> arms_supported;  ///< arms rest on something, or the person leans
};

}  // namespace verne
