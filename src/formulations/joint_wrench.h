/// From the documents' internal loads to Verne's joint wrenches (docs/conventions.md, section 7).
///
/// All are (force; moment) of the parent side on the child side. Khalil's stand at the origin and in the axes of the
/// body's own frame already; the others are brought there first.
#pragma once

#include "formulations/barman.h"
#include "formulations/screw.h"
#include "formulations/screw_tree.h"
#include "model/tree.h"

namespace verne::formulations {

/// From the frame of a body to the child-side frame of the joint that carries it, as the model has it.
Vec6<double> in_joint_frame(const TreeJoint& joint, const Vec6<double>& wrench_B);

/// F_p and tau_p, which are about the near end of link j and in the axes of frame j, in the frame of its body.
Vec6<double> barman_wrench(const DhLink& link, const BarmanLink<double>& at);
/// Its derivative, given those of the link's quantities.
Vec6<double> barman_wrench_derivative(const DhLink& link, const BarmanLink<double>& at, const BarmanLink<double>& d);

/// A wrench (n; f) of the Lie algebra notes, which is about the centre of mass, in the frame of the link's body.
Vec6<double> lie_wrench(const ScrewLink& link, const Vec6<double>& F);
/// A wrench of Nasser's, which is in the frame before the link, in the frame of the link's body; q is the joint
/// variable.
Vec6<double> nasser_wrench(const DhLink& link, double q, const Vec6<double>& wrench);

}  // namespace verne::formulations
