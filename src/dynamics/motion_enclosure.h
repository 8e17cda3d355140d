/// Torques and joint wrenches of a whole stretch of time, enclosed: docs/theory/clearance.md, section 6.
#pragma once

#include <memory>
#include <vector>

#include "base/taylor_model.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Inverse dynamics of a tree without quaternions, by the kernel that serves single states.
class VERNE_API MotionEnclosure {
 public:
  /// `loads`: that act all the time. `wrenches`: of joints are wanted, too.
  MotionEnclosure(const Model& model, const Loads<double>& loads, bool wrenches);
  /// Positions and their derivatives by time, of each freedom.
  std::vector<TaylorModel> q, v, a;
  /// Of these.
  void evaluate();
  /// What a freedom's drive gives, as inverse_dynamics() has it.
  const TaylorModel& torque(int dof) const { return tau_[static_cast<std::size_t>(dof)]; }
  /// Three components, from `first` on, of the wrench through a joint.
  const TaylorModel* wrench(int joint, int first) const {
    return &wrenches_[static_cast<std::size_t>(6 * joint + first)];
  }

 private:
  Model model_;
  std::vector<LoadSite> load_sites_;
  std::vector<TaylorModel> loads_, tau_, wrenches_;
  std::unique_ptr<TaylorModel[]> scratch_;
};

}  // namespace verne
