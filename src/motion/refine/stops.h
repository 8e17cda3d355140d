/// Motions to rest from the state of a motion at some time, none of them certified yet. docs/theory/clearance.md,
/// section 5
#pragma once

#include "verne/trajectory/trajectory.h"

namespace verne {

/// Along the motion's way: its parameter s has s' = 1 − 3u² + 2u³ of the stop's fraction u, so that it goes on half as
/// far as the motion would.
Trajectory slowed(const Trajectory& motion, double time, double duration);

/// The motion itself from that time on; at rest for `at_rest` where none is left.
Trajectory rest_of(const Trajectory& motion, double time, double at_rest);

/// Off the way: all joints brake together. Accelerations go from those of the motion to constant ones within a part of
/// the duration, less than half, and to zero in another such part.
Trajectory braked(const Trajectory& motion, double time, double duration, double part);

}  // namespace verne
