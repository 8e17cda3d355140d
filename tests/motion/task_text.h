/// Small tasks as text, and what reading them gives.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "support/complaint.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/motion/task.h"

namespace verne::test {

/// A task of tasks/.
inline Task shipped_task(const std::string& name, const std::map<std::string, double>& parameters = {}) {
  return load_task(source_dir() + "/tasks/" + name + ".yaml", parameters);
}

/// A walk whose feet share the ground's force by the rule, which stays when the shipped one is changed.
inline Task walk_by_rule(const std::map<std::string, double>& parameters = {}) {
  return load_task(source_dir() + "/benchmarks/tasks/gait_02.yaml", parameters);
}

inline std::string models() {
  return source_dir() + "/models/";
}

inline Task read(const std::string& text, const std::map<std::string, double>& overrides = {}) {
  return read_task(text, "t", models(), overrides);
}

inline std::string problems(const std::string& text, const std::map<std::string, double>& overrides = {}) {
  return complaint<InputError>([&] { read(text, overrides); });
}

/// A sound task on five lines; what follows begins on line 6.
inline std::string with(const std::string& rest, const std::string& model = "two_link") {
  return "format: verne-task/1\nmodel: " + model + ".yaml\nduration: 1\nminimize:\n  - effort: 1\n" + rest;
}

/// The same with parts of `subject_to`, each indented by two; the first is on line 7.
inline std::string subject_to(const std::string& rest, const std::string& model = "two_link") {
  return with("subject_to:\n" + rest, model);
}

/// A complete task apart from the costs and what follows them.
inline std::string minimizing(const std::string& costs, const std::string& rest = "",
                              const std::string& model = "two_link") {
  return "format: verne-task/1\nmodel: " + model + ".yaml\nduration: free\nminimize:\n" + costs + rest;
}

/// A model of these links in a file that is removed again, and tasks for it; what is given to them begins on line 6.
class TemporaryModel {
 public:
  explicit TemporaryModel(const std::string& links)
      : path_(std::filesystem::path(::testing::TempDir()) / ("verne_model_" + std::to_string(::getpid()) + ".yaml")) {
    std::ofstream(path_) << "format: verne-model/1\nconvention: tree\nlinks:\n" << links;
  }
  ~TemporaryModel() { std::filesystem::remove(path_); }
  TemporaryModel(const TemporaryModel&) = delete;
  TemporaryModel& operator=(const TemporaryModel&) = delete;

  Task task(const std::string& rest) const { return read_text(text(rest)); }
  /// A task of which only the format and the model are given.
  Task whole_task(const std::string& rest, const std::map<std::string, double>& overrides = {}) const {
    return read_text(head() + rest, overrides);
  }
  /// With more to say of the model than its file.
  Task task_with_model(const std::string& more, const std::string& rest) const { return read_text(text(rest, more)); }
  std::string problems(const std::string& rest) const {
    return complaint<InputError>([&] { task(rest); });
  }

 private:
  std::string head(const std::string& more = "") const {
    const std::string file = path_.filename().string();
    return "format: verne-task/1\nmodel: " + (more.empty() ? file : "{file: " + file + ", " + more + "}") + "\n";
  }
  std::string text(const std::string& rest, const std::string& more = "") const {
    return head(more) + "duration: 1\nminimize: []\nsubject_to:\n" + rest;
  }
  Task read_text(const std::string& text, const std::map<std::string, double>& overrides = {}) const {
    return read_task(text, "t", path_.parent_path().string(), overrides);
  }
  std::filesystem::path path_;
};

/// A folder with a model, for tasks.
class TaskFolder : public ::testing::Test {
 protected:
  TaskFolder() : folder_(std::filesystem::path(::testing::TempDir()) / ("verne_tasks_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TaskFolder() override { std::filesystem::remove_all(folder_); }

  void write_model(const std::string& text) const { std::ofstream(folder_ / "model.yaml") << text; }
  Model model() const { return load_model((folder_ / "model.yaml").string()); }
  Task task(const std::string& rest) const {
    return read_task("format: verne-task/1\nmodel: model.yaml\n" + rest, "t", folder_.string());
  }
  /// The first, without its place.
  std::string problems(const std::string& rest) const {
    try {
      task(rest);
    } catch (const InputError& error) {
      return error.problems().front().text;
    }
    return "none";
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace verne::test
