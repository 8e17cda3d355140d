#include <algorithm>
#include <cmath>

#include "motion/terms/at_zero.h"
#include "motion/terms/channel_limit.h"
#include "motion/terms/ground_limits.h"
#include "motion/terms/task_terms.h"

namespace verne {

namespace {

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

}  // namespace

// What the ground can give where contacts are held.
void add_contacts(const Task& task, ChannelLayout& channels, LimitTerms& terms) {
  if (task.contacts.empty()) return;
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

// The centre of pressure stays inside of each support's hull, or that of all inside of the support polygon; the ground
// pushes and does not pull, and its friction holds.
void add_ground(const Task& task, ChannelLayout& channels, LimitTerms& terms) {
  if (!task.ground || task.ground->contact_variables) return;
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

LimitTerms balance_equations(const Task& task, ChannelLayout& channels) {
  constexpr const char* kNames[] = {"force along x",  "force along y",  "force along z",
                                    "moment about x", "moment about y", "moment about z"};
  LimitTerms terms;
  if (!task.ground || !task.ground->contact_variables) return terms;
  for (const int row : task.ground->balance) {
    terms.push_back(std::make_unique<ChannelLimit>(LimitName{kGroundBalance, kNames[row], row < 3 ? "N" : "N·m"},
                                                   channels.left_over() + row, Interval{0, 0}));
  }
  return terms;
}

}  // namespace verne
