/// What a task keeps apart: `scene:`, and shapes of links.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/scene/contact_rules.h"
#include "io/scene/scene.h"
#include "io/yaml/map.h"
#include "motion/task/task_reader.h"
#include "verne/motion/task.h"

namespace verne {

/// Pairs of names that may touch.
using AllowedPairs = std::vector<std::pair<std::string, std::string>>;

/// What stands around: from a file of `folder`, or a map in its place. Without `files` a file is left out. What is
/// wrong with it is added to `problems`.
std::optional<Scene> read_task_scene(const YamlMap& top, const std::string& folder, const TaskFiles* files,
                                     std::vector<Diagnostic>& problems);

/// Shapes of links and of the scene, where the task has one or says `self_collision: true`; null where not. Problems
/// of meshes are added to `problems`; ends of the motion at which something touches are reported.
std::shared_ptr<const CollisionShapes> task_shapes(const YamlMap& top, const Task& task,
                                                   const std::optional<Scene>& scene, const ContactRules& rules,
                                                   const std::vector<CarriedObject>& carried,
                                                   std::vector<Diagnostic>& problems);

}  // namespace verne
