/// The axes of a model's tree, one by one. Where joints follow others (mimic), a freedom is several of them.
#pragma once

#include <optional>
#include <vector>

#include "verne/dynamics/batch.h"
#include "verne/model/model.h"

namespace verne {

struct TreeAxis {
  int column;    ///< of TreeAxes::jacobian()
  int dof;       ///< the freedom that moves it,
  double ratio;  ///< so much for each unit of its own
};

/// Those that move a site, outwards.
std::vector<TreeAxis> axes_of(const Model& model, int site);

/// Jacobians by axes at many states.
class TreeAxes {
 public:
  TreeAxes(const Model& model, int count);

  /// Takes over the positions of a batch.
  void place(const Batch& batch);
  /// At the positions of the same batch, whose own Jacobian it is where no joint follows another; six rows an axis:
  /// velocity of the site's origin, angular velocity.
  const LaneArray& jacobian(Batch& batch, int site);

 private:
  Model model_;
  Model uncoupled_;              // the same where no joint follows another
  std::optional<Batch> states_;  // of it, where some do
};

}  // namespace verne
