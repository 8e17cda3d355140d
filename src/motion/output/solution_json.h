/// What solutions and simulations write alike.
#pragma once

#include "verne/io/json_writer.h"
#include "verne/motion/solution.h"

namespace verne {

/// Times, coordinates, and all series over time: `time` … `energy` of docs/report.md.
void append_motion(JsonWriter& json, const Model& model, const SampledMotion& motion,
                   const std::vector<Mechanism>& phases);

/// `foot_prints`, of tasks with a ground: the hull of each support's contacts in the middle of each phase.
void append_foot_prints(JsonWriter& json, const Task& task, const Solution& solution);

/// `stride`, of a step that was solved.
void append_stride(JsonWriter& json, const Task& task, const Solution& solution);

}  // namespace verne
