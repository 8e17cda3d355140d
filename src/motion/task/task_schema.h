/// The keys of task files with their forms and meanings, part by part. Readers take the keys that they know from here;
/// docs/tasks.md and `verne predict --schema` say the same.
#pragma once

#include "motion/terms/costs/cost_type.h"
#include "motion/terms/schema.h"

namespace verne {

/// [lower, upper], which may be infinite; a number, `free` or {between: [lower, upper]}.
Form range_form(const std::string& unit = "");
Form value_form(const std::string& unit = "");

/// The whole file.
const Schema& task_schema();
const Schema& model_schema();
const Schema& ligaments_schema();
const Schema& female_schema();
const Schema& trajectory_schema();
const Schema& free_duration_schema();
const Schema& part_of_duration_schema();
const Schema& scene_schema();
const Schema& attach_schema();
const Schema& carry_schema();
const Schema& phase_schema();
const Schema& payload_schema();
const Schema& held_contact_schema();

/// All costs; each item of the list has one.
const Schema& costs_schema();
const Schema& mean_schema();
/// The keys of a cost with its weight.
Schema with_weight(const CostType& type);

const Schema& subject_to_schema();
const Schema& state_schema();
const Schema& state_file_schema();
const Schema& via_schema();
const Schema& between_schema();
const Schema& limits_schema();
const Schema& frame_schema();
const Schema& rotation_schema();
const Schema& keep_out_schema();
const Schema& link_capsule_schema();
const Schema& sphere_schema();
const Schema& capsule_schema();
const Schema& box_schema();
const Schema& swing_together_schema();
const Schema& load_schema();
const Schema& ground_schema();
const Schema& support_schema();
const Schema& reference_schema();
const Schema& periodic_schema();

const Schema& refine_schema();
const Schema& solver_schema();
const Schema& starts_schema();
const Schema& guess_schema();
const Schema& output_schema();
const Schema& sweep_schema();
const Schema& design_schema();
const Schema& work_schema();
const Schema& repeat_schema();

}  // namespace verne
