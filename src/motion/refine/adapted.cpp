#include "motion/refine/adapted.h"

#include "motion/guess/first_guess.h"
#include "motion/refine/one_start.h"
#include "motion/task/time_allowed.h"
#include "motion/verify/fatigue_course.h"

namespace verne {

void adapt(const Task& task, const PredictOptions& options, Solution& solution) {
  if (!task.work.repeat || task.work.repeat->adapt == 0 || !solution.success()) return;
  const TimeAllowed time(task.solver.max_seconds);
  const RepeatSpec& repeat = *task.work.repeat;
  TiringPerson person(task);
  person.repeat(sample_motion(task, solution, task.samples), std::min(repeat.adapt, repeat.times));
  KnownMotion known = known_motion(solution);
  for (int done = repeat.adapt; done < repeat.times && !time.is_up(); done += repeat.adapt) {
    const Task tired = tired_task(task, person);
    const Solution next = solve_from(time.rest_of(tired), options, known);
    AdaptedMotion adapted{done, next.status, next.message, next.cost, {}};
    if (next.success()) adapted.motion = sample_motion(tired, next, task.samples);
    solution.adapted.push_back(std::move(adapted));
    if (!next.success()) break;
    person.repeat(solution.adapted.back().motion, std::min(repeat.adapt, repeat.times - done));
    known = known_motion(next);
  }
}

}  // namespace verne
