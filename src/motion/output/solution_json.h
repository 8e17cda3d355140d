/// What solutions and simulations write alike.
#pragma once

#include "verne/io/json_writer.h"
#include "verne/motion/solution.h"
#include "verne/motion/stride.h"

namespace verne {

/// Times, coordinates, and all series over time: `time` … `energy` of docs/report.md.
void append_motion(JsonWriter& json, const Model& model, const SampledMotion& motion,
                   const std::vector<Mechanism>& phases);

/// `costs`: each term with its weight and value.
void append_costs(JsonWriter& json, const Solution& solution);

/// Shapes that links carry in phases alone; what they carry all the way is among the model's.
void append_payloads(JsonWriter& json, const Task& task, const Solution& solution);

/// `obstacles`, `loads` and `targets`: what stands and pulls around the motion.
void append_surroundings(JsonWriter& json, Task task, double duration, const std::vector<PhaseResult>& phases = {});

/// `foot_prints`, of tasks with a ground: the hull of each support's contacts in the middle of each phase.
void append_foot_prints(JsonWriter& json, const Task& task, const Solution& solution);

/// `stride`, where it has curves.
void append_stride(JsonWriter& json, const Stride& stride);

/// solution.json of a motion whose stride is known, if it has one.
std::string solution_json(const Task& task, const Solution& solution, const SampledMotion& motion,
                          const std::optional<Stride>& stride, const std::string& generator,
                          const std::string& command);

}  // namespace verne
