/// What a format cannot say.
#pragma once

#include <algorithm>
#include <initializer_list>
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
  std::vector<Diagnostic> problems;
  for (const LinkSpec& link : spec.links) {
    if (!link.first_moment) continue;
    problems.push_back({spec.file, link.line,
                        "link " + in_quotes(link.name) + ": " + format +
                            " has no first moment apart from a mass (grouped parameters): write YAML"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// Loops that a format cannot close: all but those of some joints.
inline void refuse_loops(const ModelSpec& spec, const std::string& format, std::initializer_list<LoopType> but) {
  std::vector<Diagnostic> problems;
  for (const LoopSpec& loop : spec.loops) {
    if (std::find(but.begin(), but.end(), loop.type) != but.end()) continue;
    problems.push_back({spec.file, loop.line,
                        "loop " + in_quotes(loop.name) + ": " + format + " cannot close loops by " +
                            to_string(loop.type) + " joints: write YAML"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// Where loops are to be closed from another pose than zero, only YAML and MJCF say from which: a reader that starts
/// elsewhere may close them otherwise, or not at all.
inline void refuse_home(const ModelSpec& spec, const std::string& format) {
  if (spec.loops.empty()) return;
  std::string joints;
  int line = 0;
  for (const HomeSpec& home : spec.home) {
    const bool of_seven = home.q.size() > 3;  // ends in a quaternion, whose zero is x y z w = 0 0 0 1
    for (std::size_t k = 0; k < home.q.size(); ++k) {
      if (home.q[k] == (of_seven && k + 1 == home.q.size() ? 1 : 0)) continue;
      if (joints.empty()) line = home.line;
      joints += (joints.empty() ? "" : ", ") + in_quotes(home.joint);
      break;
    }
  }
  if (joints.empty()) return;
  std::vector<Diagnostic> problems{{spec.file, line,
                                    format + " cannot say from where loops are closed (home of " + joints +
                                        "), and from zero they may close otherwise: write YAML or MJCF"}};
  throw InputError(std::move(problems));
}

}  // namespace verne
