/// What the terms of a task may depend on at a place of the motion, as one flat vector y:
///   q v a jerk (nv each) | tau (one a joint's freedom) | wrenches of joints and supports (6 each), points, their
///   velocities and directions (3 each), the duration of the motion, as they are asked for
#pragma once

#include <optional>
#include <vector>

#include "motion/curve/dof_pairs.h"
#include "motion/curve/ground.h"
#include "motion/curve/state_orders.h"
#include "verne/base/small_matrix.h"
#include "verne/dynamics/data.h"
#include "verne/model/model.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// World coordinates of what is fixed in a site: a direction, a point, or the velocity of a point.
struct ArrowChannel {
  enum class Kind { direction, point, velocity };
  int first;
  int site;
  Vec3<double> vector;  ///< in site axes
  Kind kind;
};

struct WrenchChannel {
  int first;
  int joint;  ///< behind the joints of the tree come those that close loops, behind these the same in the world
};

class ChannelLayout {
 public:
  /// `loads`: that torques and wrenches bear. `ground`: that torques bear. `held`: freedoms that never move.
  /// `mechanism`: whose loops torques and wrenches bear. `effort_weights`: of each freedom's effort, where more drives
  /// than it takes share; empty: 1.
  explicit ChannelLayout(const Model& model, Loads<double> loads = {}, Ground ground = {},
                         const std::vector<int>& held = {}, std::optional<Mechanism> mechanism = {},
                         std::vector<double> effort_weights = {});

  int q(int dof) const { return dof; }
  int v(int dof) const { return nv_ + dof; }
  int a(int dof) const { return 2 * nv_ + dof; }
  int jerk(int dof) const { return 3 * nv_ + dof; }
  int tau(int dof);
  /// The first of six: force, moment.
  int wrench(int joint);
  /// The first of six: what a loop to the world exerts on its a; force, and moment about the world's origin, in world
  /// axes. (Those of other loops would also turn with what carries both ends.)
  int loop_in_world(int loop) {
    return wrench(static_cast<int>(model_.joints().size() + model_.loops().size()) + loop);
  }
  /// The first of six: what a support bears divided by its share, force and moment about the world's origin in world
  /// axes.
  int support(int i);
  /// The first of six: the force, and the moment about the world's origin, that the root bears beside what contacts do.
  int left_over();
  /// The first of three world coordinates.
  int point(int site, const Vec3<double>& vector) { return arrow(site, vector, ArrowChannel::Kind::point); }
  int direction(int site, const Vec3<double>& vector) { return arrow(site, vector, ArrowChannel::Kind::direction); }
  int velocity(int site, const Vec3<double>& point) { return arrow(site, point, ArrowChannel::Kind::velocity); }
  /// How long the motion lasts. It is no function of the state: what reads it depends on all timing variables.
  int duration() { return duration_ < 0 ? duration_ = size_++ : duration_; }

  int size() const { return size_; }
  /// Freedoms of the motion.
  int nv() const { return nv_; }
  bool needs_torques() const { return needs_torques_; }
  const Model& model() const { return model_; }
  const Loads<double>& loads() const { return loads_; }
  const Ground& ground() const { return ground_; }
  const std::optional<Mechanism>& mechanism() const { return mechanism_; }
  const std::vector<double>& effort_weights() const { return effort_weights_; }
  /// Freedoms of the model; behind them come components of what contacts bear, which have no velocities.
  int joints() const { return joints_; }
  /// A component of what contacts bear.
  int contact(int component) const { return joints_ + component; }
  /// The wrench through the root of the tree, which the ground takes over; -1 when there is no ground.
  int root_wrench() const { return root_wrench_; }
  /// The channels of a support; -1 when nobody asked for them.
  int known_support(int i) const { return supports_[i]; }
  /// The channel of the duration; -1 when nobody asked for it.
  int known_duration() const { return duration_; }
  /// Freedoms between a site and the world.
  std::vector<int> dofs_to_world(int site) const;
  const std::vector<WrenchChannel>& wrenches() const { return wrenches_; }
  const std::vector<ArrowChannel>& arrows() const { return arrows_; }
  /// Those that were asked for and are not the state itself.
  std::vector<int> derived() const;
  /// How many of q, v, a a channel that is not the state depends on: those of posture 1, velocities 2, forces 3, the
  /// duration none.
  int orders(int channel) const;
  /// Whether a channel depends on q alone.
  bool of_posture(int channel) const;
  /// The degrees of freedom whose motion a channel depends on.
  std::vector<int> dofs(int channel) const;
  /// Where second derivatives of channels may differ from zero: between freedoms on one way to the world.
  DofSets curved() const;

 private:
  int arrow(int site, const Vec3<double>& vector, ArrowChannel::Kind kind);
  bool bears_ground(int dof) const;
  /// Whether a freedom moves what two hands hold, or the second hand, but not both.
  bool bears_grip(int dof) const;
  std::vector<int> all_dofs() const;
  /// All that the root carries, and what contacts bear.
  std::vector<int> dofs_of_ground() const;
  /// Freedoms between the world and a link; with `beyond`, also those that the link carries.
  std::vector<int> dofs_of_link(int link, bool beyond) const;

  Model model_;
  Loads<double> loads_;
  Ground ground_;
  std::optional<Mechanism> mechanism_;
  std::vector<double> effort_weights_;
  std::vector<char> held_;  // of each freedom
  int joints_, nv_, size_;
  int root_wrench_ = -1, duration_ = -1;
  std::vector<int> supports_;  // first channel of each; -1: not asked for
  bool needs_torques_ = false;
  std::vector<char> tau_used_;  // of each freedom
  std::vector<WrenchChannel> wrenches_;
  std::vector<ArrowChannel> arrows_;
};

/// Whether the coordinates that move a site do so through one joint each, outwards in the order of their numbers. Not
/// so where a joint follows another one (mimic) of the same way, or one that comes later.
bool moves_in_order(const Model& model, int site);
/// Whether the link of a site is that of another one, or carries it.
bool carries(const Model& model, int site, int other);

}  // namespace verne
