/// What a SystemBatch holds: states of the tree and room for them, and of a mechanism its own coordinates.
#pragma once

#include "structures/mechanism_batch_parts.h"
#include "structures/system_parts.h"
#include "verne/structures/system_batch.h"

namespace verne {

struct SystemBatch::Parts {
  Parts(const System& of, int count, const BatchOptions& options)
      : system(of), c(system.contents()), mechanism(c.mechanism, count, options) {}

  System system;
  const System::Contents& c;
  MechanismBatch mechanism;          ///< also of a tree, whose states it holds
  LaneArray q, v, a;                 ///< of a mechanism: independent coordinates
  LaneArray spare;                   ///< in place of accelerations that come along
  LaneArray told_q, told_v, told_a;  ///< states of the tree that assemble() is told
  std::vector<char> told;            ///< which they are; empty: none
  std::vector<char> connected;
  int singles = 0;

  Batch& tree() { return mechanism.tree; }
  /// Calls compute(state k, its memory) for each, and counts them.
  template <class F>
  void for_each_single(const BatchRunner& run, F&& compute) {
    compute_singles(run, mechanism, true, compute);
    singles = mechanism.singles();
  }
  /// Lets states that are told begin at home, and puts them in the place of what was found.
  void leave_told(LaneArray& guess);
  void take_told();
  /// Torques of the motors among those of the tree, as contacts take them, and back.
  void put_motor_torques();
  void take_motor_torques();
  void take_accelerations();
  /// Weights as those of the actuators, which are all that counts.
  void put_weights(const LaneArray& weights);
};

}  // namespace verne
