/// What the fuzzers run on every input, and what the tests run on the inputs that were found worth keeping.
///
/// Bad input may only lead to InputError. Input that makes a model must survive being written and read again.
#pragma once

#include <stdexcept>
#include <string>

#include "io/csv.h"
#include "io/parse_json.h"
#include "io/scene/scene.h"
#include "motion/task/solution_reader.h"
#include "report/check_solution.h"
#include "shapes/occupancy.h"
#include "verne/io/model_io.h"
#include "verne/io/par.h"
#include "verne/io/state_io.h"
#include "verne/motion/task.h"

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

/// What a format has no words for may be refused; what is written must be readable.
inline void require_round_trip(std::string (*write)(const ModelSpec&, std::vector<std::string>*), Reader read,
                               const ModelSpec& spec) {
  std::string text;
  try {
    text = write(spec, nullptr);
  } catch (const InputError&) {
    return;
  }
  require_readable(read, text);
}

inline void run_octomap(const std::string& bytes) {
  try {
    boxes_of(read_octomap(bytes));
  } catch (const InputError&) {
  }
}

inline void run_voxels(const std::string& bytes) {
  try {
    boxes_of(read_voxels(bytes, 0.1, {0, 0, 0}, 0.5));
  } catch (const InputError&) {
  }
}

inline void run_scene(const std::string& text) {
  try {
    read_scene(text, "fuzz");
  } catch (const InputError&) {
  }
}

inline void run_urdf(const std::string& text) {
  ModelSpec spec;
  if (!makes_model(read_urdf, text, spec)) return;
  require_readable(read_urdf, write_urdf(spec));
  require_readable(read_yaml, write_yaml(spec));
}

inline void run_sdf(const std::string& text) {
  ModelSpec spec;
  if (!makes_model(read_sdf, text, spec)) return;
  require_round_trip(write_urdf, read_urdf, spec);
  require_readable(read_yaml, write_yaml(spec));
}

inline void run_yaml(const std::string& text) {
  ModelSpec spec;
  if (makes_model(read_yaml, text, spec)) require_readable(read_yaml, write_yaml(spec));
}

inline void run_mjcf(const std::string& text) {
  ModelSpec spec;
  if (!makes_model(read_mjcf, text, spec)) return;
  require_round_trip(write_mjcf, read_mjcf, spec);
  require_readable(read_yaml, write_yaml(spec));
}

inline void run_par(const std::string& text) {
  ModelSpec spec;
  if (!makes_model(read_par, text, spec)) return;
  require_round_trip(write_par, read_par, spec);
  require_readable(read_yaml, write_yaml(spec));
}

/// Two links, as tasks and solutions name them.
inline const Model& arm() {
  static const Model kModel = [] {
    ModelSpec spec;
    makes_model(read_yaml,
                "format: verne-model/1\n"
                "convention: dh\n"
                "links:\n"
                "  - {name: upper, joint: {name: shoulder, type: revolute, limits: {velocity: 5, effort: 10}}, a: 0.4, "
                "mass: 1, "
                "inertia: [0.01, 0.01, 0.01]}\n"
                "  - {name: lower, joint: {name: elbow, type: revolute, limits: {effort: 10}}, a: 0.4, mass: 1, "
                "inertia: [0.01, 0.01, 0.01]}\n"
                "frames:\n"
                "  - {name: tool, link: lower}\n",
                spec);
    return build_model(spec);
  }();
  return kModel;
}

inline void run_task(const std::string& text) {
  try {
    task_warnings(read_task(text, "fuzz", arm()));
  } catch (const InputError&) {
  }
}

/// What `verne report` and tasks that start with a motion read.
inline void run_solution(const std::string& text) {
  const auto attempt = [](auto&& read) {
    try {
      read();
    } catch (const InputError&) {
    }
  };
  attempt([&] {
    Diagnostics diagnostics("fuzz");
    check_solution(parse_json(text, "fuzz"), diagnostics);
  });
  attempt([&] { read_known_motion(text, "fuzz", arm()); });
  attempt([&] { read_known_torques(text, "fuzz", arm()); });
  attempt([&] { read_known_task(text, "fuzz", arm()); });
}

/// What is read of a table must be read again from what is written of it.
inline void run_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records;
  std::string written;
  try {
    CsvReader reader(text, "fuzz");
    for (std::vector<std::string> cells; reader.next(cells); records.push_back(cells)) {
      for (std::size_t k = 0; k < cells.size(); ++k) written += (k > 0 ? "," : "") + csv_cell(cells[k]);
      if (cells.size() == 1 && cells[0].empty()) written += "\"\"";
      written += '\n';
    }
  } catch (const InputError&) {
    return;
  }
  CsvReader again(written, "written");
  std::vector<std::string> cells;
  for (const std::vector<std::string>& record : records) {
    if (!again.next(cells) || cells != record) throw std::logic_error("read otherwise:\n" + written);
  }
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
