/// Where rows take models, tasks and motions from. What was predicted for one row is there for the next.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "verne/model/model.h"
#include "verne/motion/solution.h"
#include "verne/motion/stride.h"

namespace verne::reproduce {

/// A motion that was found, and what figures are drawn from.
struct Prediction {
  Task task;
  Solution solution;
  SampledMotion motion;
  std::optional<Stride> stride;
  std::string file;  ///< as `verne predict` would write it
};

/// How a task is changed before it is solved.
struct Change {
  std::string name{};  ///< that tells it from others
  std::map<std::string, double> parameters{};
  std::function<void(Task&)> edit{};
};

class Sources {
 public:
  /// `folder` has the folders models and tasks. `progress` is called now and then with what is being done; it returns
  /// false to end, which throws Stopped.
  Sources(std::filesystem::path folder, std::function<bool(const std::string&)> progress)
      : folder_(std::move(folder)), progress_(std::move(progress)) {}

  std::string model_file(const std::string& name) const { return (folder_ / "models" / (name + ".yaml")).string(); }
  Model model(const std::string& name) const;
  /// Throws NotAvailable where predictions are not built, InputError where no motion is found.
  const Prediction& prediction(const std::string& task, const Change& change = {});
  /// Tells what is being done; false: the user wishes to end.
  bool go_on(const std::string& what) const { return !progress_ || progress_(what); }
  /// The same, but throws Stopped.
  void report(const std::string& what) const;

 private:
  std::filesystem::path folder_;
  std::function<bool(const std::string&)> progress_;
  std::map<std::string, std::unique_ptr<Prediction>> predictions_;
};

/// A curve that `verne plot` draws of a motion, with these joints, or with all.
std::string plot_of(const Prediction& prediction, const std::string& what, std::vector<std::string> joints = {});

}  // namespace verne::reproduce
