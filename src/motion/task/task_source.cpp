// Tasks from files, which can be read again with other values of their parameters.
#include <filesystem>
#include <memory>

#include "base/regular_file.h"
#include "io/model_variants.h"
#include "motion/task/task_reader.h"
#include "verne/io/file.h"

namespace verne {

namespace {

/// What a task is read from. Tasks share it: each phase of a program has a copy of its task.
struct Source {
  std::string text, file, folder;
  TaskFiles files;
};

/// Models of these files are made once.
TaskFiles made_once(const TaskFiles& files) {
  TaskFiles once = files;
  once.model = [make = files.model, made = std::make_shared<std::map<std::string, Model>>()](const std::string& path) {
    const auto known = made->find(path);
    return known != made->end() ? known->second : made->emplace(path, make(path)).first->second;
  };
  return once;
}

/// Files of the disk. What is read again is of the same version.
TaskFiles files_of_disk() {
  const auto variants = [known = std::make_shared<std::map<std::string, ModelVariants>>()](
                            const std::string& path) -> const ModelVariants& {
    const auto found = known->find(path);
    if (found != known->end()) return found->second;
    return known->try_emplace(path, path, read_regular_file(path)).first->second;
  };
  TaskFiles files;
  files.model = [variants](const std::string& path) { return variants(path).at({}); };
  files.read = [](const std::string& path) { return read_regular_file(path); };
  files.model_parameters = [variants](const std::string& path) { return variants(path).parameters(); };
  files.model_fields = [variants](const std::string& path) { return variants(path).fields(); };
  files.model_with = [variants](const std::string& path, const std::map<std::string, double>& values) {
    return variants(path).at(values);
  };
  return files;
}

Task read_from(const std::shared_ptr<const Source>& source, const std::map<std::string, double>& overrides,
               bool again) {
  Task task = read_task_among(source->text, source->file, {source->folder, source->files, again}, overrides);
  task.read_again = [source, overrides](const std::map<std::string, double>& values) {
    std::map<std::string, double> all = values;
    all.insert(overrides.begin(), overrides.end());
    return read_from(source, all, true);
  };
  return task;
}

}  // namespace

Task read_task(const std::string& text, const std::string& file, const std::string& folder,
               const std::map<std::string, double>& overrides) {
  return read_task(text, file, folder, overrides, files_of_disk());
}

Task read_task(const std::string& text, const std::string& file, const std::string& folder,
               const std::map<std::string, double>& overrides, const TaskFiles& files) {
  return read_from(std::make_shared<Source>(Source{text, file, folder, made_once(files)}), overrides, false);
}

Task read_task(const std::string& text, const std::string& file, const Model& model,
               const std::map<std::string, double>& overrides) {
  TaskFiles files;
  files.model = [&](const std::string&) { return model; };
  return read_task_among(text, file, {"", files, true, true}, overrides);
}

Task load_task(const std::string& path, const std::map<std::string, double>& overrides) {
  return read_task(read_text_file(path), path, std::filesystem::path(path).parent_path().string(), overrides);
}

}  // namespace verne
