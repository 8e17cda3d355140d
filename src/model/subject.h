/// Reports what is wrong with one named part of a model.
#pragma once

#include <initializer_list>
#include <string>

#include "model/findings.h"
#include "verne/spatial/transform.h"

namespace verne {

/// A link, joint, frame or contact whose problems are reported with its name and line: `joint 'knee': axis is zero`.
class Subject {
 public:
  Subject(Findings& findings, const std::string& kind, const std::string& name, int line)
      : findings_(&findings), name_(name), prefix_(kind + " '" + name + "': "), line_(line) {}

  void error(const std::string& text) const { findings_->error(line_, prefix_ + text); }
  void warning(const std::string& text) const { findings_->warning(line_, prefix_ + text); }

  void implausible(PlausibilityKind kind, const std::string& text) const {
    findings_->plausibility_warnings.push_back({kind, name_, {findings_->file(), line_, prefix_ + text}});
  }

  /// Each of these reports an error under `key` and returns false when the value is unfit.
  bool require_finite(const std::string& key, std::initializer_list<double> values) const;
  bool require_finite(const std::string& key, const Vec3<double>& v) const;
  bool require_not_negative(const std::string& key, double value) const;
  bool require_pose(const std::string& key, const Transform<double>& X) const;

 private:
  Findings* findings_;
  std::string name_, prefix_;
  int line_;
};

/// Finite, and not so large that products with it overflow.
bool is_usable(double value);

/// The shortest text that reads back as the same number: what the user wrote.
std::string number_text(double value);
/// Six digits, for what was computed from it.
std::string rounded_text(double value);

}  // namespace verne
