/// What derivatives refuse: points where the model is not smooth.
#pragma once

#include <stdexcept>
#include <string>

#include "model/tree.h"
#include "verne/model/model.h"

namespace verne {

/// Refuses Coulomb friction of zero width at rest. `moves(k)` says whether entry k of v is not zero.
template <class Moves>
void require_smooth(const Model& model, const Moves& moves) {
  const Tree& tree = model.tree();
  for (int k = 0; k < tree.nv && tree.has_friction; ++k) {
    if (tree.coulomb[k] == 0 || tree.friction_width[k] > 0 || moves(tree.v_coupling[k].source)) continue;
    throw InputError("Coulomb friction of zero width has no derivative at v = 0 (velocity '" +
                     model.dof_names()[tree.v_coupling[k].source] +
                     "'): set `friction: {width: ...}` of the joint to a small positive velocity");
  }
}

}  // namespace verne
