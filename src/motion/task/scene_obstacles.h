/// What stands around, `scene:` of a task, as what links keep out of.
#pragma once

#include <string>

#include "io/yaml_map.h"
#include "verne/motion/task.h"

namespace verne {

/// Adds an entry to `keep_out` of the task for each shape of its scene: a file of `folder`, or a map in its place.
/// Without `files` a file is left out. What is wrong with it is added to `problems`.
void put_scene(YamlNode& task, const std::string& folder, const TaskFiles* files, const YamlReader& reader,
               std::vector<Diagnostic>& problems);

}  // namespace verne
