#include "motion/task/part_names.h"

#include <fmt/format.h>

#include "motion/terms/task_terms.h"

namespace verne {

std::string part_of_frame(const Model& model, const FrameGoalSpec& frame, const std::string& what) {
  const std::string when = frame.when.path      ? "all the way"
                           : frame.when.at == 0 ? "at the start"
                           : frame.when.at == 1 ? "at the end"
                                                : fmt::format("at {:g}", frame.when.at);
  return what + " of " + label_of(model, frame) + " " + when;
}

std::string part_of_via(const ViaSpec& via) {
  return fmt::format("via at {:g}", via.at);
}

}  // namespace verne
