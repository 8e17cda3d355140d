/// Which parameters a regressor has columns for. Read by the kernels too: no standard library here.
#pragma once

namespace verne {

/// The columns of a regressor; all of them unless told otherwise.
struct ParameterColumns {
  /// Ten columns for every link. False: for every body that moves, a link with all that is fixed to it, in the frame of
  /// that link. Torques cannot tell more apart, and links that are fixed in the world do not matter to them.
  bool every_link = true;
  bool friction = true;  ///< coulomb and viscous of every velocity of the tree
  bool rotors = true;    ///< rotor inertia of every velocity of the tree
};

}  // namespace verne
