/// Configurations that files name: group_state of SRDF, key of MJCF.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "io/scene/contact_rules.h"
#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// Positions of some joints.
struct NamedState {
  std::string name;
  std::vector<HomeSpec> joints;
  int line = 0;  ///< of the file
};

/// What an SRDF file says of a model, or an MJCF file beside the model itself.
struct Srdf {
  std::vector<NamedState> states;  ///< of the joints of a group each
  ContactRules contacts;           ///< pairs of links that need not keep apart
};
/// Adds the key frames of an MJCF file, and what may touch; of other files nothing.
VERNE_API void add_mjcf(const std::string& text, const std::string& file, Srdf& srdf);
/// Throws InputError where it is no SRDF, or names links and joints that the model does not have: then it is of another
/// robot.
VERNE_API Srdf read_srdf(const std::string& text, const std::string& file, const Model& model);

/// The state of that name. Throws InputError, about `what`, with the nearest name where there is none.
VERNE_API const NamedState& find_state(const std::vector<NamedState>& states, const std::string& name,
                                       const std::string& what);

/// Positions from JSON: an array, an object with `q`, as lines of `verne eval` have it, or an array of these, as
/// `verne ik --json` prints, of which the first counts; rows of `q`, as solutions have them, of which the last does.
VERNE_API NamedState read_posture(const std::string& text, const Model& model, const std::string& file);

/// The start or the goal of MoveIt's MotionPlanRequest as YAML: `start_state: joint_state`, or the `joint_constraints`
/// of the first of `goal_constraints`. Joints that the model does not have are left out.
VERNE_API NamedState read_motion_request(const std::string& text, const Model& model, const std::string& file,
                                         bool goal);

/// Puts the positions of its joints into a configuration.
VERNE_API void put_state(const NamedState& state, const Model& model, Eigen::Ref<Eigen::VectorXd> q);

}  // namespace verne
