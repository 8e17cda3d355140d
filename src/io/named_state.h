/// Configurations that files name: group_state of SRDF, key of MJCF.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// Positions of some joints.
struct NamedState {
  std::string name;
  std::vector<HomeSpec> joints;
  int line = 0;  ///< of the file
};

/// Those of an MJCF file, of all its joints; none of other files. `file` tells where the files are that it includes.
VERNE_API std::vector<NamedState> read_mjcf_states(const std::string& text, const std::string& file);

/// What an SRDF file says of a model.
struct Srdf {
  std::vector<NamedState> states;                            ///< of the joints of a group each
  std::vector<std::pair<std::string, std::string>> allowed;  ///< pairs of links that need not keep apart
};
/// Throws InputError where it is no SRDF, or names links and joints that the model does not have: then it is of another
/// robot.
VERNE_API Srdf read_srdf(const std::string& text, const std::string& file, const Model& model);

/// The state of that name. Throws InputError, about `what`, with the nearest name where there is none.
VERNE_API const NamedState& find_state(const std::vector<NamedState>& states, const std::string& name,
                                       const std::string& what);

/// Puts the positions of its joints into a configuration.
VERNE_API void put_state(const NamedState& state, const Model& model, Eigen::Ref<Eigen::VectorXd> q);

}  // namespace verne
