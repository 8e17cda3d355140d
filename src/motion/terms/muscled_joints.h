/// Joints of a person whose loads are known with their muscles, as tasks name them.
#pragma once

#include <optional>
#include <string>

#include "ergonomics/joint_muscles.h"
#include "motion/terms/reading.h"

namespace verne {

/// The index of the joint of the model whose wrench it is; nothing: the model is not a person.
std::optional<std::size_t> joint_of(const JointMuscles& muscles, const Model& model);
/// Its muscles; null: a joint has none.
const JointMuscles* muscles_of(const Model& model, std::size_t joint);
/// The joint that a name as `l5s1` stands for; reports a name that is unknown, or unknown to the model.
std::optional<std::size_t> find_muscled_joint(const std::string& name, int line, const YamlReader& reader,
                                              const Model& model);

}  // namespace verne
