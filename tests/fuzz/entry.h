/// What the fuzzers run on every input, and what the tests run on the inputs that were found worth keeping.
///
/// Bad input may only lead to InputError. Input that makes a model must survive being written and read again.
#pragma once

#include <stdexcept>
#include <string>

#include "verne/io/model_io.h"
#include "verne/io/state_io.h"

namespace verne::fuzz {

using Reader = ModelSpec (*)(const std::string&, const std::string&, Diagnostics&);

/// True when `text` is a sound model; gives its specification.
inline bool makes_model(Reader read, const std::string& text, ModelSpec& spec) {
  Diagnostics diagnostics("fuzz");
  spec = read(text, "fuzz", diagnostics);
  if (!diagnostics.errors().empty()) return false;
  try {
    build_model(spec);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

inline void require_readable(Reader read, const std::string& text) {
  Diagnostics diagnostics("written");
  read(text, "written", diagnostics);
  if (!diagnostics.errors().empty()) {
    throw std::logic_error(to_string(diagnostics.errors()[0], "error") + "\nin\n" + text);
  }
}

inline void run_urdf(const std::string& text) {
  ModelSpec spec;
  if (!makes_model(read_urdf, text, spec)) return;
  require_readable(read_urdf, write_urdf(spec));
  require_readable(read_yaml, write_yaml(spec));
}

inline void run_yaml(const std::string& text) {
  ModelSpec spec;
  if (makes_model(read_yaml, text, spec)) require_readable(read_yaml, write_yaml(spec));
}

/// A model with quaternions in two places of q.
inline const Model& state_model() {
  static const Model kModel = [] {
    ModelSpec spec;
    makes_model(read_yaml,
                "format: verne-model/1\n"
                "convention: tree\n"
                "base: {type: free, name: trunk, mass: 1, inertia: [1, 1, 1]}\n"
                "links:\n"
                "  - {name: arm, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}\n"
                "  - {name: hand, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1]}\n",
                spec);
    return build_model(spec);
  }();
  return kModel;
}

inline void run_state(const std::string& line) {
  try {
    parse_state(line, state_model(), "fuzz", 1);
  } catch (const InputError&) {
  }
}

}  // namespace verne::fuzz
