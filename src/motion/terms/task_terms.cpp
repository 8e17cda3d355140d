#include "motion/terms/task_terms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/terms/at_zero.h"
#include "motion/terms/channel_limit.h"
#include "motion/terms/discomfort.h"
#include "motion/terms/ground_limits.h"
#include "motion/terms/keep_out.h"
#include "motion/terms/keep_out_of_box.h"
#include "motion/terms/norm_limit.h"
#include "motion/terms/own_terms.h"
#include "motion/terms/peak_limit.h"
#include "motion/terms/power.h"
#include "motion/terms/squared_rate.h"
#include "motion/terms/swing_together.h"
#include "motion/terms/task_loads.h"
#include "motion/terms/torque_speed.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

/// Whether a freedom slides.
bool slides(const Model& model, int dof) {
  for (const Joint& joint : model.joints()) {
    if (joint.coupled() || dof < joint.v || dof >= joint.v + joint.nv) continue;
    return is_linear(joint.spec.type, dof - joint.v);
  }
  return false;
}

std::string rate_unit(const Model& model, int dof, const char* per) {
  return std::string(position_unit(model, dof)) + "/" + per;
}

/// The given bounds of one order of the motion, those that are not equations.
void add_bounds(LimitTerms& terms, const Model& model, const char* kind, const char* per, int first,
                const std::vector<Interval>& bounds, bool equations) {
  for (int i = 0; i < static_cast<int>(bounds.size()); ++i) {
    if (!bounds[i].bounded() || bounds[i].fixed() != equations) continue;
    const std::string unit = *per ? rate_unit(model, i, per) : position_unit(model, i);
    terms.push_back(
        std::make_unique<ChannelLimit>(LimitName{kind, std::string(model.dof_names()[i]), unit}, first + i, bounds[i]));
  }
}

void add_efforts(LimitTerms& terms, const Task& task, ChannelLayout& channels, bool equations) {
  for (int i = 0; i < task.model.nv(); ++i) {
    const Interval bounds = task.limits.effort[i];
    if (!bounds.bounded() || bounds.fixed() != equations) continue;
    terms.push_back(std::make_unique<ChannelLimit>(
        LimitName{"effort", std::string(task.model.dof_names()[i]), effort_unit(task.model, i)}, channels.tau(i),
        bounds));
  }
}

void add_torque_speed(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  for (int i = 0; i < task.model.nv(); ++i) {
    for (const TorqueSpeedLine& line : task.limits.torque_speed[i]) {
      LimitName name{"torque_speed", std::string(task.model.dof_names()[i]), effort_unit(task.model, i)};
      terms.push_back(std::make_unique<TorqueSpeedLimit>(std::move(name), channels.tau(i), channels.v(i), line));
    }
  }
}

void add_wrenches(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  const auto add = [&](const char* kind, const char* unit, const std::vector<double>& limits, int offset) {
    for (int j = 0; j < static_cast<int>(limits.size()); ++j) {
      if (limits[j] >= kInfinity) continue;
      terms.push_back(std::make_unique<NormLimit>(LimitName{kind, bearing_name(task.model, j), unit},
                                                  channels.wrench(j) + offset, limits[j]));
    }
  };
  add("joint_force", "N", task.limits.joint_force, 0);
  add("joint_moment", "N·m", task.limits.joint_moment, 3);
}

/// The coordinates of both ends of a part of a link.
std::vector<int> end_channels(const LinkCapsule& part, ChannelLayout& channels) {
  const int a = channels.point(part.link, part.from), b = channels.point(part.link, part.to);
  return {a, a + 1, a + 2, b, b + 1, b + 2};
}

void add_keep_out(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  for (const KeepOutSpec& zone : task.keep_out) {
    const ObstacleSpec& obstacle = zone.obstacle;
    for (const LinkCapsule& part : zone.parts) {
      const auto name = [&](const std::string& from) {
        return LimitName{"keep_out", task.model.links()[part.link].name + " from " + from, "m"};
      };
      std::vector<int> ends = end_channels(part, channels);
      const double distance = part.radius + zone.margin;
      for (const LinkCapsule& other : zone.against) {
        std::vector<int> all = ends;
        for (const int channel : end_channels(other, channels)) all.push_back(channel);
        terms.push_back(
            std::make_unique<KeepApart>(name(task.model.links()[other.link].name), std::move(all),
                                        CapsulePair<true>(part, other.from, other.to, distance + other.radius)));
      }
      if (!zone.against.empty()) continue;
      if (obstacle.box) {
        terms.push_back(std::make_unique<KeepOutOfBox>(name(obstacle.name), std::move(ends),
                                                       CapsuleAndBox(part, *obstacle.box, distance)));
      } else {
        terms.push_back(std::make_unique<KeepOut>(
            name(obstacle.name), std::move(ends),
            CapsulePair<false>(part, obstacle.from, obstacle.to, distance + obstacle.radius)));
      }
    }
  }
}

void add_swings(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  for (const SwingTogetherSpec& swing : task.swing_together) {
    std::vector<int> inputs;
    for (const int site : {swing.first.end, swing.first.start, swing.second.end, swing.second.start}) {
      const int first = channels.point(site, {0, 0, 0});
      for (int k = 0; k < 3; ++k) inputs.push_back(first + k);
    }
    const auto name = [&](int site) { return std::string(task.model.site_name(site)); };
    terms.push_back(std::make_unique<SwingTogether>(
        LimitName{"swing_together", name(swing.first.end) + " with " + name(swing.second.end), "m"}, std::move(inputs),
        swing.along, swing.slack));
  }
}

/// Where a wrench, whose first channel is given, presses on the ground: not beyond the sides of a hull, nor the ends of
/// one that is a line.
class PressureLimits {
 public:
  PressureLimits(const Task& task, const Vec3<double>& up, double weight) : at_(task.model), up_(up), weight_(weight) {}

  void add(LimitTerms& terms, const LimitName& name, int wrench, const std::vector<ContactPoint>& corners,
           double margin, ChannelLayout& channels) const {
    using Across = PressureSide::Across;
    const auto n = corners.size();
    for (std::size_t k = 0; k < n; ++k) {
      const ContactPoint &a = corners[k], &b = corners[(k + 1) % n];
      for (const Across across : {Across::side, Across::end}) {
        if (across == Across::end && n > 2) continue;  // only a line has ends
        std::vector<int> inputs;
        for (const int from : {wrench, wrench + 3, channels.point(a.site, a.point), channels.point(b.site, b.point)}) {
          for (int i = 0; i < 3; ++i) inputs.push_back(from + i);
        }
        terms.push_back(std::make_unique<PressureSide>(name, std::move(inputs), across, up_, margin,
                                                       (at_.place(b) - at_.place(a)).norm(), weight_));
      }
    }
  }

 private:
  AtZero at_;
  Vec3<double> up_;
  double weight_;
};

/// What the ground can give where contacts are held.
void add_contacts(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  constexpr double kGravity = 9.81;  // where there is none, for the size of forces
  const Vec3<double> gravity = task.model.gravity();
  const double g = std::sqrt(dot(gravity, gravity)), weight = task.model.moving_mass() * (g > 0 ? g : kGravity);
  for (const HeldContactSpec& held : task.contacts) {
    if (!held.normal) continue;
    const auto& loops = task.model.loops();
    const auto loop = std::find_if(loops.begin(), loops.end(), [&](const LoopSpec& l) { return l.name == held.name; });
    const int first = channels.loop_in_world(static_cast<int>(loop - loops.begin()));
    terms.push_back(std::make_unique<PushLimit>(LimitName{"contact_force", held.name, "N"}, first, *held.normal,
                                                held.least_force * weight, weight));
    if (held.friction < kInfinity) {
      terms.push_back(std::make_unique<FrictionCone>(LimitName{"friction", held.name, ""}, first, *held.normal,
                                                     held.friction, weight));
    }
    PressureLimits(task, *held.normal, weight)
        .add(terms, {"centre_of_pressure", held.name, "m"}, first, held.hull, 0, channels);
  }
}

/// The centre of pressure stays inside of each support's hull, or that of all inside of the support polygon; the ground
/// pushes and does not pull, and its friction holds.
void add_ground(LimitTerms& terms, const Task& task, ChannelLayout& channels) {
  const GroundSpec& ground = *task.ground;
  const Vec3<double> gravity = task.model.gravity();
  const double g = std::sqrt(dot(gravity, gravity));
  const Vec3<double> up = gravity * (-1 / g);
  const double weight = task.model.mass() * g;
  const PressureLimits pressure(task, up, weight);
  for (int i = 0; i < static_cast<int>(ground.supports.size()) && ground.polygon.empty(); ++i) {
    const SupportSpec& support = ground.supports[i];
    pressure.add(terms, {"centre_of_pressure", support.name, "m"}, channels.support(i), support.contacts,
                 support.margin, channels);
  }
  const int all = channels.left_over();  // by no contact: the whole wrench
  pressure.add(terms, {"zero_moment_point", "all supports", "m"}, all, ground.polygon, 0, channels);
  terms.push_back(std::make_unique<PushLimit>(LimitName{"ground_force", "all supports", "N"}, all, up,
                                              ground.least_force * weight, weight));
  if (ground.friction < kInfinity) {
    terms.push_back(
        std::make_unique<FrictionCone>(LimitName{"friction", "all supports", ""}, all, up, ground.friction, weight));
  }
}

std::vector<EffortLimit> limited_efforts(const Task& task, const char* kind, const char* per,
                                         const std::vector<double>& limits) {
  std::vector<EffortLimit> found;
  for (int i = 0; i < task.model.nv(); ++i) {
    if (limits[i] >= kInfinity) continue;
    const std::string unit = effort_unit(task.model, i) + std::string(per);
    found.push_back({{kind, std::string(task.model.dof_names()[i]), unit}, i, limits[i]});
  }
  return found;
}

void add_frames(LimitTerms& terms, const Task& task, ChannelLayout& channels, FrameRows rows) {
  for (const FrameGoalSpec& frame : task.frames) {
    if (!frame.when.path) continue;
    for (auto& term : frame_limits(task, frame, channels, rows)) terms.push_back(std::move(term));
  }
}

/// Squares of what an unsteady frame does: docs/theory/motion.md, (16g). None for other costs.
std::vector<std::unique_ptr<NodeTerm>> steadiness_terms(const Task& task, const CostSpec& cost,
                                                        ChannelLayout& channels) {
  std::vector<std::unique_ptr<NodeTerm>> terms;
  if (cost.kind != CostKind::steadiness) return terms;
  const int site = cost.point.site;
  const auto rates = [&](int first, double scale) {
    for (int k = 0; k < 3; ++k) terms.push_back(std::make_unique<SquaredRate>(first + k, scale));
  };
  switch (cost.unsteady) {
    case Unsteady::acceleration:
      rates(channels.velocity(site, cost.point.point), 1);
      break;
    case Unsteady::rotation:
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        rates(channels.direction(site, axis), 0.5);
      }
      break;
    case Unsteady::lean: {
      const Vec3<double> g = task.model.gravity();
      const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
      const Eigen::Vector3d axis = AtZero(task.model).rotation(site).transpose() * up;
      const int first = channels.direction(site, {axis.x(), axis.y(), axis.z()});
      for (int k = 0; k < 3; ++k) terms.push_back(std::make_unique<WeightedSquare>(first + k, 1, up[k]));
      break;
    }
  }
  return terms;
}

}  // namespace

ChannelLayout channels_of(const Task& task, const SpanRange& spans, const Eigen::VectorXd& lengths, int first_contact) {
  std::vector<int> held;
  for (std::size_t i = 0; i < task.held.size(); ++i) {
    if (task.held[i]) held.push_back(static_cast<int>(i));
  }
  Ground ground;
  if (task.ground) {
    ContactCurve contacts(task.model, *task.ground, task.curve.degree, spans, lengths, first_contact);
    ground = Ground(*task.ground, spans, lengths, std::move(contacts));
  }
  return ChannelLayout(task.model, loads_of(task), std::move(ground), held, task.mechanism, task.effort_weights);
}

const std::string& bearing_name(const Model& model, std::size_t index) {
  const std::size_t joints = model.joints().size();
  return index < joints ? model.joints()[index].spec.name : model.loops()[index - joints].name;
}

const char* position_unit(const Model& model, int dof) {
  return slides(model, dof) ? "m" : "rad";
}

const char* effort_unit(const Model& model, int dof) {
  return slides(model, dof) ? "N" : "N·m";
}

std::string name_of(const CostSpec& cost) {
  return cost.name.empty() ? to_string(cost.kind) : cost.name;
}

const char* to_string(CostKind kind) {
  switch (kind) {
    case CostKind::time:
      return "time";
    case CostKind::effort:
      return "effort";
    case CostKind::effort_rate:
      return "effort_rate";
    case CostKind::peak_effort:
      return "peak_effort";
    case CostKind::joint_force:
      return "joint_force";
    case CostKind::energy:
      return "energy";
    case CostKind::smoothness:
      return "smoothness";
    case CostKind::reference:
      return "reference";
    case CostKind::discomfort:
      return "discomfort";
    case CostKind::steadiness:
      return "steadiness";
    case CostKind::own:
    case CostKind::own_at:
      return "own";
  }
  return "";
}

LimitTerms path_limits(const Task& task, ChannelLayout& channels) {
  LimitTerms terms;
  const LimitsSpec& limits = task.limits;
  add_bounds(terms, task.model, "position", "", channels.q(0), limits.position, false);
  add_bounds(terms, task.model, "velocity", "s", channels.v(0), limits.velocity, false);
  add_bounds(terms, task.model, "acceleration", "s²", channels.a(0), limits.acceleration, false);
  add_bounds(terms, task.model, "jerk", "s³", channels.jerk(0), limits.jerk, false);
  add_efforts(terms, task, channels, false);
  add_torque_speed(terms, task, channels);
  add_wrenches(terms, task, channels);
  add_keep_out(terms, task, channels);
  add_swings(terms, task, channels);
  add_frames(terms, task, channels, FrameRows::inequalities);
  for (auto& term : peak_limits(task, channels)) terms.push_back(std::move(term));
  if (task.ground && !task.ground->contact_variables) add_ground(terms, task, channels);
  if (!task.contacts.empty()) add_contacts(terms, task, channels);
  for (auto& term : own_limits(task, channels, When::path, false)) terms.push_back(std::move(term));
  return terms;
}

LimitTerms peak_limits(const Task& task, ChannelLayout& channels) {
  LimitTerms terms;
  int peak = 0;
  for (const CostSpec& cost : task.costs) {
    if (cost.kind != CostKind::peak_effort) continue;
    for (int i = 0; i < task.model.nv(); ++i) {
      if (cost.scale[i] == 0) continue;
      LimitName name{"peak_effort", std::string(task.model.dof_names()[i]), effort_unit(task.model, i)};
      terms.push_back(std::make_unique<PeakLimit>(std::move(name), channels.tau(i), cost.scale[i], peak, cost.peak));
    }
    ++peak;
  }
  return terms;
}

Interval effort_range(const Task& task, int dof) {
  Interval range = task.limits.effort[dof];
  for (const CostSpec& cost : task.costs) {
    if (cost.kind != CostKind::peak_effort || cost.scale[dof] == 0) continue;
    range.lower = std::max(range.lower, -cost.peak / cost.scale[dof]);
    range.upper = std::min(range.upper, cost.peak / cost.scale[dof]);
  }
  return range;
}

bool is_integral(CostKind kind) {
  return kind != CostKind::time && kind != CostKind::peak_effort && kind != CostKind::own_at;
}

LimitTerms path_equations(const Task& task, ChannelLayout& channels, const LoopChoice& loops) {
  LimitTerms terms;
  add_bounds(terms, task.model, "position", "", channels.q(0), task.limits.position, true);
  add_bounds(terms, task.model, "velocity", "s", channels.v(0), task.limits.velocity, true);
  add_bounds(terms, task.model, "acceleration", "s²", channels.a(0), task.limits.acceleration, true);
  add_bounds(terms, task.model, "jerk", "s³", channels.jerk(0), task.limits.jerk, true);
  add_efforts(terms, task, channels, true);
  add_frames(terms, task, channels, FrameRows::equations);
  for (auto& term : closure_terms(task, channels, loops)) terms.push_back(std::move(term));
  for (auto& term : own_limits(task, channels, When::path, true)) terms.push_back(std::move(term));
  return terms;
}

LimitTerms balance_equations(const Task& task, ChannelLayout& channels) {
  constexpr const char* kNames[] = {"force along x",  "force along y",  "force along z",
                                    "moment about x", "moment about y", "moment about z"};
  LimitTerms terms;
  if (!task.ground || !task.ground->contact_variables) return terms;
  for (const int row : task.ground->balance) {
    terms.push_back(std::make_unique<ChannelLimit>(LimitName{kBalance, kNames[row], row < 3 ? "N" : "N·m"},
                                                   channels.left_over() + row, Interval{0, 0}));
  }
  return terms;
}

LimitTerms state_limits(const Task& task, const StateSpec& state, bool with_positions, ChannelLayout& channels) {
  LimitTerms terms;
  for (const bool equations : {true, false}) {
    if (with_positions) {
      add_bounds(terms, task.model, "position", "", channels.q(0), state.position, equations);
    }
    add_bounds(terms, task.model, "velocity", "s", channels.v(0), state.velocity, equations);
    add_bounds(terms, task.model, "acceleration", "s²", channels.a(0), state.acceleration, equations);
  }
  return terms;
}

IntegralTerms integral_costs(const Task& task, ChannelLayout& channels) {
  IntegralTerms out;
  int index = 0;
  const auto add = [&](double weight, std::unique_ptr<NodeTerm> term) {
    out.terms.push_back(std::move(term));
    out.weights.push_back(weight);
    out.integral.push_back(index);
  };
  const auto square = [&](const CostSpec& cost, int channel, int i, double target = 0) {
    add(cost.weight, std::make_unique<WeightedSquare>(channel, cost.scale[i], target));
  };
  for (const CostSpec& cost : task.costs) {
    if (!is_integral(cost.kind)) continue;
    for (int i = 0; i < static_cast<int>(cost.scale.size()); ++i) {
      if (cost.scale[i] == 0) continue;
      switch (cost.kind) {
        case CostKind::joint_force:
          for (int k = 0; k < 3; ++k) square(cost, channels.wrench(i) + k, i);
          break;
        case CostKind::reference:
          square(cost, channels.q(i), i, cost.target[i]);
          break;
        case CostKind::discomfort:
          add(cost.weight, std::make_unique<Discomfort>(channels.q(i), cost.scale[i], cost.target[i], cost.half[i]));
          break;
        case CostKind::smoothness:
          square(cost, cost.order == 2 ? channels.a(i) : channels.jerk(i), i);
          break;
        case CostKind::energy:
          add(cost.weight, std::make_unique<PowerCost>(channels.tau(i), channels.v(i), cost.scale[i], cost.smoothing));
          break;
        case CostKind::effort:
          square(cost, channels.tau(i), i);
          break;
        case CostKind::effort_rate:
          add(cost.weight, std::make_unique<SquaredRate>(channels.tau(i), cost.scale[i]));
          break;
        case CostKind::time:
        case CostKind::peak_effort:
        case CostKind::steadiness:
        case CostKind::own:
        case CostKind::own_at:
          break;
      }
    }
    if (cost.kind == CostKind::own) add(cost.weight, OwnTerm::cost(cost, task, channels));
    for (auto& term : steadiness_terms(task, cost, channels)) add(cost.weight, std::move(term));
    ++index;
  }
  out.integrals = index;
  return out;
}

IntegralTerms mean_excesses(const Task& task, ChannelLayout& channels) {
  IntegralTerms out;
  for (const EffortLimit& mean : mean_limits(task)) {
    out.terms.push_back(
        std::make_unique<WeightedSquare>(channels.tau(mean.dof), 1 / (mean.limit * mean.limit), 0.0, 1.0));
    out.weights.push_back(1);
    out.integral.push_back(out.integrals++);
    out.names.push_back(mean.name.kind + " of " + mean.name.of);
  }
  return out;
}

std::vector<EffortLimit> mean_limits(const Task& task) {
  return limited_efforts(task, "effort_rms", "", task.limits.effort_rms);
}

std::vector<EffortLimit> rate_limits(const Task& task) {
  return limited_efforts(task, "effort_rate", "/s", task.limits.effort_rate);
}

bool has_cost(const Task& task, CostKind kind) {
  return std::any_of(task.costs.begin(), task.costs.end(),
                     [&](const CostSpec& cost) { return cost.kind == kind && cost.weight > 0; });
}

bool has_effort_rates(const Task& task) {
  return !rate_limits(task).empty() || has_cost(task, CostKind::effort_rate);
}

LimitTerms effort_terms(const std::vector<EffortLimit>& limits, ChannelLayout& channels) {
  LimitTerms terms;
  for (const EffortLimit& limit : limits) {
    terms.push_back(std::make_unique<ChannelLimit>(limit.name, channels.tau(limit.dof), Interval{}));
  }
  return terms;
}

}  // namespace verne
