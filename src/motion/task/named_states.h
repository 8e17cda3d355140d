/// States that a task names, as `start: ready`: of the SRDF file that its model names, or key frames of its MJCF file.
#pragma once

#include "io/scene/contact_rules.h"
#include "io/yaml/map.h"
#include "verne/motion/task.h"

namespace verne {

/// Where named states come from.
struct StateFiles {
  const Model& model;              ///< as its file has it
  const YamlNode* srdf = nullptr;  ///< name of a file; null: there is none
  std::string folder, model_file;
  const TaskFiles* files = nullptr;  ///< null: no file is read, and named states are free
};

/// Puts `{position: {joint: value}}` in place of each word, and each `{file: …}`, under `start` and `end` of the task
/// and its phases. What is wrong with other files is added to `problems`. Returns what files say of which links may
/// touch.
ContactRules put_named_states(YamlNode& task, const StateFiles& from, const YamlReader& reader,
                              std::vector<Diagnostic>& problems);

}  // namespace verne
