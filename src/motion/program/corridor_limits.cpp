#include "motion/program/corridor_limits.h"

#include "motion/program/program_costs.h"
#include "motion/terms/corridor.h"

namespace verne {

void add_corridor(Program& program, const Task& task, const Trajectory& curve) {
  if (!task.corridor) return;
  for (const CorridorPlace& place : task.corridor->places) {
    const Stage& stage = program.stages[place.stage].stage;
    ChannelLayout channels = channels_on(stage, program.curve);
    LimitTerms terms = corridor_terms(place, channels);
    if (terms.empty()) continue;
    auto limits = std::make_unique<NodeLimits>(stage.task.model, channels, program.curve,
                                               std::vector<Place>{stage.spans.place(curve, place.at)}, std::move(terms),
                                               stage.spans);
    NodeLimits::Bounds bounds = limits->bounds();
    program.problem.add_constraint({"clearance", std::move(limits), std::move(bounds.lower), std::move(bounds.upper)});
  }
}

}  // namespace verne
