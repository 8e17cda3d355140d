#include "motion/output/work_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ergonomics/reba.h"
#include "ergonomics/rula.h"
#include "motion/output/body_posture.h"
#include "motion/terms/muscled_joints.h"
#include "motion/terms/tiring_groups.h"

namespace verne {

namespace {

constexpr double kBears = 0.05;  // of the weight, from which a foot counts
const char* const kSides[] = {"right", "left"};
const char* const kActions[] = {"no action", "action may be needed", "action is needed", "action is needed soon",
                                "action is needed now"};

/// What a task says of the work, or what is assumed in its place.
struct KnownWork {
  double load = 0, frequency = 0.2, hours = 1;
  int coupling = static_cast<int>(Coupling::fair);
  std::optional<Stance> stance;  ///< nothing: as the ground's forces have it
  bool static_posture = false, shock = false, arms_supported = false;
  std::vector<std::string> assumed;
};

template <class T>
T given_or(const std::optional<T>& given, T otherwise, const char* said, KnownWork& work) {
  if (!given) work.assumed.emplace_back(said);
  return given.value_or(otherwise);
}

KnownWork known_work(const Task& task, const SampledMotion& motion) {
  const WorkSpec& said = task.work;
  KnownWork work;
  double carried = task.in_hands;
  for (const PhaseSpec& phase : task.phases) carried = std::max(carried, phase.in_hands);
  work.load = said.load.value_or(carried);
  if (said.repeat && !said.frequency) {
    const RepeatSpec& repeat = *said.repeat;
    work.frequency = 60 / repeat.every.value_or(motion.time[motion.time.size() - 1] + repeat.rest);
  } else {
    work.frequency = given_or(said.frequency, 0.2, "frequency: once in five minutes or less", work);
  }
  work.hours = given_or(said.hours, 1.0, "hours: up to 1", work);
  if (work.load > 0) {
    work.coupling = static_cast<int>(given_or(said.coupling, Coupling::fair, "coupling: fair", work));
  } else {
    work.coupling = static_cast<int>(said.coupling.value_or(Coupling::good));
    if (!said.load) work.assumed.emplace_back("load: none, as the hands carry nothing");
  }
  work.stance = said.stance;
  if (!work.stance && task.periodic) work.stance = Stance::walking;
  if (!work.stance && motion.ground.empty()) {
    work.stance = given_or(said.stance, Stance::both, "stance: on both legs", work);
  }
  work.static_posture = given_or(said.static_posture, false, "static: no posture is held for a minute", work);
  work.shock = given_or(said.shock, false, "shock: none", work);
  work.arms_supported = given_or(said.arms_supported, false, "arms_supported: no", work);
  return work;
}

/// Whether one leg alone bears the body.
bool on_one_leg(const KnownWork& work, const SampledMotion& motion, Eigen::Index frame) {
  if (work.stance) return *work.stance == Stance::one;
  double sum = 0, most = 0;
  for (const GroundReaction& reaction : motion.ground) {
    const double force = reaction.force.eigen().col(frame).norm();
    sum += force, most = std::max(most, force);
  }
  return most > (1 - kBears) * sum;
}

/// Parts of the whole time that samples stand for, by the rule of trapezoids.
Eigen::VectorXd shares_of_time(const SampledMotion& motion) {
  const auto t = motion.time.eigen();
  const Eigen::Index n = t.size();
  Eigen::VectorXd share = Eigen::VectorXd::Zero(n);
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    const double half = (t[k + 1] - t[k]) / 2;
    share[k] += half, share[k + 1] += half;
  }
  const double sum = share.sum();
  return sum > 0 ? Eigen::VectorXd(share / sum) : Eigen::VectorXd::Constant(n, 1.0 / static_cast<double>(n));
}

WorkScores::Score summed_up(const std::string& name, const std::string& unit, const Eigen::VectorXd& values,
                            const SampledMotion& motion, const Eigen::VectorXd& share) {
  Eigen::Index worst = 0;
  WorkScores::Score score;
  score.name = name, score.unit = unit;
  score.most = values.maxCoeff(&worst);
  score.time = motion.time[worst];
  score.mean = values.dot(share);
  return score;
}

void add_postural_scores(const KnownWork& work, const std::vector<BodyPosture>& postures, const SampledMotion& motion,
                         const Eigen::VectorXd& share, WorkScores& out) {
  const auto frames = static_cast<Eigen::Index>(postures.size());
  const bool sitting = work.stance == Stance::sitting;
  for (int side = 0; side < 2; ++side) {
    Eigen::VectorXd upper(frames), entire(frames);
    for (Eigen::Index k = 0; k < frames; ++k) {
      const bool one_leg = on_one_leg(work, motion, k);
      const BodyPosture& posture = postures[static_cast<std::size_t>(k)];
      upper[k] = rula(posture, side,
                      {work.load, work.frequency, work.static_posture, work.shock, work.arms_supported, !one_leg})
                     .score;
      entire[k] = reba(posture, side,
                       {work.load, work.frequency, work.static_posture, work.shock, work.arms_supported, one_leg,
                        sitting, work.coupling})
                      .score;
    }
    out.scores.push_back(summed_up(std::string("RULA, ") + kSides[side], "", upper, motion, share));
    const double most_upper = out.scores.back().most;
    out.scores.back().meaning = most_upper >= 7   ? "change now"
                                : most_upper >= 5 ? "change soon"
                                : most_upper >= 3 ? "change may be needed"
                                                  : "acceptable";
    out.scores.push_back(summed_up(std::string("REBA, ") + kSides[side], "", entire, motion, share));
    out.scores.back().meaning = kActions[reba_action_level(static_cast<int>(out.scores.back().most))];
  }
}

void add_zones(const std::string& of, const std::vector<double>& angles, const std::vector<double>& borders,
               const Eigen::VectorXd& share, std::vector<WorkScores::Zone>& zones) {
  for (std::size_t z = 0; z + 1 < borders.size(); ++z) {
    WorkScores::Zone zone{of, borders[z], borders[z + 1], 0};
    for (std::size_t k = 0; k < angles.size(); ++k) {
      if (angles[k] >= zone.from && angles[k] < zone.to) zone.share += share[static_cast<Eigen::Index>(k)];
    }
    zones.push_back(zone);
  }
}

/// Zones of EN 1005-4:2005 for the trunk and upper arms.
void add_all_zones(const std::vector<BodyPosture>& postures, const Eigen::VectorXd& share, WorkScores& out) {
  const std::vector<double> borders{-kInfinity, 0, 20, 60, kInfinity};
  const auto angles = [&](auto&& angle) {
    std::vector<double> all(postures.size());
    std::transform(postures.begin(), postures.end(), all.begin(), angle);
    return all;
  };
  add_zones("trunk flexion", angles([](const BodyPosture& p) { return p.trunk_flexion; }), borders, share, out.zones);
  for (std::size_t side = 0; side < 2; ++side) {
    add_zones(std::string("upper arm flexion, ") + kSides[side],
              angles([side](const BodyPosture& p) { return p.arms[side].flexion; }), borders, share, out.zones);
  }
}

WorkScores::Adapted summed_up(const Model& model, const AdaptedMotion& next) {
  WorkScores::Adapted row{next.from, next.found(), next.cost};
  if (!row.found) return row;
  const JointMuscles& back = muscled_joints()[0];
  const BodyPostures postures(model, next.motion);
  for (Eigen::Index k = 0; k < next.motion.time.size(); ++k) {
    if (const auto joint = joint_of(back, model)) {
      const double* const wrench =
          next.motion.joint_wrenches.eigen().col(k).data() + 6 * static_cast<std::ptrdiff_t>(*joint);
      row.compression = std::max(row.compression, back.compression(wrench));
    }
    row.trunk_flexion = std::max(row.trunk_flexion, postures.at(k).trunk_flexion);
  }
  return row;
}

constexpr double kCompressionGuide = 3400, kShearGuide = 1000;  // N, of L5/S1

std::string against(double most, double guide) {
  return fmt::format("{} {:g} N", most <= guide ? "within" : "above", guide);
}

/// Peaks of all, and of the back what guidelines say.
void add_loads(const Model& model, const SampledMotion& motion, const Eigen::VectorXd& share, WorkScores& out) {
  const double duration = motion.time[motion.time.size() - 1] - motion.time[0];
  for (const JointMuscles& muscles : muscled_joints()) {
    const auto joint = joint_of(muscles, model);
    if (!joint) continue;
    const Eigen::Index frames = motion.time.size();
    WorkScores::Load load{muscles.name, Eigen::VectorXd(frames), Eigen::VectorXd(frames), 0};
    for (Eigen::Index k = 0; k < frames; ++k) {
      const double* const wrench =
          motion.joint_wrenches.eigen().col(k).data() + 6 * static_cast<std::ptrdiff_t>(*joint);
      load.compression[k] = muscles.compression(wrench), load.shear[k] = muscles.shear(wrench);
    }
    load.total = load.compression.dot(share) * duration;
    const std::string title = muscles.title;
    WorkScores::Score pressed = summed_up(title + " compression", "N", load.compression, motion, share);
    pressed.meaning = fmt::format("{:.0f} N s in all", load.total);
    const bool back = out.loads.empty();
    if (back) pressed.meaning = against(pressed.most, kCompressionGuide) + ", " + pressed.meaning;
    out.scores.push_back(std::move(pressed));
    if (back) {
      out.scores.push_back(summed_up(title + " shear", "N", load.shear, motion, share));
      out.scores.back().meaning = against(out.scores.back().most, kShearGuide);
    }
    out.loads.push_back(std::move(load));
  }
}

/// First and last instant at which the hands carry something, or of the phase that the task names.
std::pair<double, double> times_of_lift(const Task& task, const Solution& solution) {
  std::optional<double> start;
  double end = solution.trajectory.duration();
  for (std::size_t k = 0; k < task.phases.size() && k < solution.phases.size(); ++k) {
    const PhaseSpec& phase = task.phases[k];
    if (task.work.lift.empty() ? phase.in_hands <= 0 : phase.name != task.work.lift) continue;
    if (!start) start = solution.phases[k].start;
    end = solution.phases[k].end;
  }
  return {start.value_or(0), end};
}

Eigen::Index frame_at(double time, const SampledMotion& motion) {
  Eigen::Index nearest = 0;
  (motion.time.eigen().array() - time).abs().minCoeff(&nearest);
  return nearest;
}

WorkScores::Lift lifting(const Task& task, const Solution& solution, const KnownWork& work,
                         const BodyPostures& postures, const SampledMotion& motion) {
  const auto [start, end] = times_of_lift(task, solution);
  const Eigen::Index first = frame_at(start, motion), last = frame_at(end, motion);
  WorkScores::Lift lift;
  lift.load = work.load;
  lift.distance = std::abs(postures.hand_height(last) - postures.hand_height(first));
  const LiftWork shared{lift.distance, work.frequency, work.hours, std::min(work.coupling, 2)};
  const auto at = [&](Eigen::Index frame) {
    WorkScores::LiftEnd place{motion.time[frame], postures.lift_place(frame), {}, 0};
    place.weight = recommended_weight(place.place, shared);
    place.index = place.weight.limit > 0 ? lift.load / place.weight.limit : kInfinity;
    return place;
  };
  lift.origin = at(first), lift.destination = at(last);
  return lift;
}

}  // namespace

std::optional<WorkScores> work_scores(const Task& task, const Solution& solution, const SampledMotion& motion) {
  if (!solution.success() || !missing_human_part(task.model).empty()) return std::nullopt;
  KnownWork work = known_work(task, motion);
  const BodyPostures measured(task.model, motion);
  std::vector<BodyPosture> postures;
  for (Eigen::Index k = 0; k < motion.time.size(); ++k) postures.push_back(measured.at(k));
  const Eigen::VectorXd share = shares_of_time(motion);
  WorkScores out;
  if (work.load > 0) out.lift = lifting(task, solution, work, measured, motion);
  add_loads(task.model, motion, share, out);
  add_postural_scores(work, postures, motion, share, out);
  add_all_zones(postures, share, out);
  if (task.work.repeat) {
    out.fatigue = fatigue_course(task, motion, solution);
    for (const std::string& one : unsure_rates(*out.fatigue)) work.assumed.push_back(one);
  } else {  // done once, with a cost or a limit of fatigue
    FatigueCourse asked;
    for (const TiringGroup& group : tiring_groups(task)) {
      asked.muscles.push_back({std::string(task.model.dof_names()[group.dof]), group.positive, group.rates, {}});
    }
    for (const std::string& one : unsure_rates(asked)) work.assumed.push_back(one);
  }
  for (const AdaptedMotion& next : solution.adapted) out.adapted.push_back(summed_up(task.model, next));
  out.assumed = std::move(work.assumed);
  return out;
}

}  // namespace verne
