/// Numbers that are taken out of a motion, by name: peak_effort.elbow.
#pragma once

#include <string>
#include <vector>

#include "verne/motion/solution.h"

namespace verne {

class MotionResults {
 public:
  explicit MotionResults(const Model& model);

  /// All names that there are.
  const std::vector<std::string>& known() const { return known_; }
  /// Adds all results whose names fit, `peak_effort.hip_*`; false where there is none.
  bool add(const std::string& pattern);
  /// `name`.DOF for every degree of freedom, or for every one that is driven.
  void add_for_dofs(const std::string& name, bool driven_alone);
  const std::vector<std::string>& names() const { return names_; }
  /// One for each name.
  std::vector<double> values(const SampledMotion& motion) const;

 private:
  struct Taken {
    std::size_t quantity;
    int index;  ///< of the degree of freedom or joint
  };
  Model model_;
  std::vector<std::string> known_, names_;
  std::vector<Taken> what_is_known_, taken_;
};

}  // namespace verne
