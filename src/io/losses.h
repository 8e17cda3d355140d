/// What a format cannot say.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "io/number.h"
#include "verne/base/error.h"
#include "verne/model/spec.h"

namespace verne {

/// What is lost in writing, with the names that it concerns, in the order in which it comes up.
class Losses {
 public:
  void add(const std::string& what, const std::string& name) {
    const auto known =
        std::find_if(losses_.begin(), losses_.end(), [&](const auto& loss) { return loss.what == what; });
    if (known == losses_.end()) {
      losses_.push_back({what, name, name});
    } else if (name != known->last) {
      known->names += ", " + name, known->last = name;
    }
  }
  void append_to(std::vector<std::string>& lines) const {
    for (const Loss& loss : losses_) lines.push_back(loss.what + (loss.names.empty() ? "" : ": " + loss.names));
  }

 private:
  struct Loss {
    std::string what, names, last;
  };
  std::vector<Loss> losses_;
};

/// Grouped parameters (LinkSpec::first_moment) are for YAML.
inline void refuse_first_moments(const ModelSpec& spec, const std::string& format) {
  std::vector<Problem> problems;
  for (const LinkSpec& link : spec.links) {
    if (!link.first_moment) continue;
    problems.push_back({spec.file, link.line,
                        "link " + in_quotes(link.name) + ": " + format +
                            " has no first moment apart from a mass (grouped parameters): write YAML"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace verne
