#include "motion/terms/muscled_joints.h"

#include <algorithm>

#include "io/number.h"

namespace verne {

std::optional<std::size_t> joint_of(const JointMuscles& muscles, const Model& model) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    if (model.joints()[j].spec.name == muscles.joint) return j;
  }
  return std::nullopt;
}

const JointMuscles* muscles_of(const Model& model, std::size_t joint) {
  if (joint >= model.joints().size()) return nullptr;
  const auto& all = muscled_joints();
  const auto found = std::find_if(all.begin(), all.end(), [&](const JointMuscles& muscles) {
    return model.joints()[joint].spec.name == muscles.joint;
  });
  return found == all.end() ? nullptr : &*found;
}

std::optional<std::size_t> find_muscled_joint(const std::string& name, int line, const YamlReader& reader,
                                              const Model& model) {
  std::vector<std::string> names;
  for (const JointMuscles& muscles : muscled_joints()) {
    names.emplace_back(muscles.name);
    if (name != muscles.name) continue;
    if (const auto joint = joint_of(muscles, model)) return joint;
    reader.error(
        line, in_quotes(name) + " is the joint " + in_quotes(muscles.joint) + " of a person, which the model has not");
    return std::nullopt;
  }
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
  reader.error(line, "there is no " + in_quotes(name) + suggestion(name, names) + "; known are " + all);
  return std::nullopt;
}

}  // namespace verne
