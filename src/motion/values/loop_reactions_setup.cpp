// What loop reactions look at in a mechanism: sites, ends of loops, and which loops each joint bears.
#include <algorithm>
#include <utility>

#include "motion/terms/loop_drives.h"
#include "motion/values/loop_reactions.h"
#include "structures/mechanism_contents.h"

namespace verne {

namespace {

bool moved_by(const std::vector<TreeAxis>& axes, const TreeAxis& axis) {
  return std::any_of(axes.begin(), axes.end(), [&](const TreeAxis& other) { return other.column == axis.column; });
}

}  // namespace

LoopReactions::LoopReactions(const Mechanism& mechanism, const std::vector<double>& weights,
                             const std::vector<WrenchChannel>& wrenches, int count)
    : mechanism_(mechanism),
      nv_(mechanism.model().nv()),
      rank_(mechanism.rank()),
      drives_(drives_of(mechanism)),
      driven_(nv_, 0),
      weights_(weights.empty() ? std::vector<double>(nv_, 1.0) : weights),
      shared_(static_cast<int>(drives_.size()) > mechanism.mobility()) {
  for (const int dof : drives_) driven_[dof] = 1;
  for (int dof = 0; dof < nv_; ++dof) {
    if (!driven_[dof]) passive_.push_back(dof);
  }
  const Model& model = mechanism_.model();
  for (int k = 0; k < static_cast<int>(model.loops().size()); ++k) add_loop(mechanism_, k, count);
  for (const WrenchChannel& wrench : wrenches) add_bearing(model, wrench.joint, count);
  for (int i = 0; i < nv_; ++i) tau_rows_.push_back({i, i});
  for (int i = 0; i < nv_ * nv_; ++i) dtau_rows_.push_back({i, i});
  tau_.resize(nv_, count);
  for (Eigen::MatrixXd& by : dtau_) by.resize(nv_ * nv_, count);
  added_ = Eigen::MatrixXd::Zero(kComponents * static_cast<Eigen::Index>(bearings_.size()), count);
  State state;
  state.J.resize(rank_, nv_);
  state.K.resize(nv_, nv_), state.lambda_z.resize(rank_, 3 * nv_);
  state.lambda = Eigen::VectorXd::Zero(rank_), state.w.resize(nv_);
  if (shared_) state.y.resize(nv_), state.eta.resize(rank_), state.y_z.resize(nv_, 3 * nv_);
  states_.assign(count, state);
  const auto size = static_cast<Eigen::Index>(passive_.size()) + (shared_ ? rank_ : 0);
  balance_.resize(size, size), right_z_.resize(size, 3 * nv_), right_.resize(size);
  stiffness_.resize(nv_, nv_);
  by_lambda_.resize(nv_, rank_), cross_.resize(nv_, 3 * nv_), of_posture_.resize(nv_, nv_);
  gradients_.resize(added_.rows(), 3 * nv_);
}

int LoopReactions::site_of(const Model& model, int link, int count) {
  const auto known = std::find_if(sites_.begin(), sites_.end(), [&](const Site& site) { return site.site == link; });
  if (known != sites_.end()) return static_cast<int>(known - sites_.begin());
  Site site;
  site.site = link;
  site.axes = axes_of(model, link);
  for (int r = 0; r < kPoseEntries; ++r) site.pose_rows.push_back({kPoseEntries * link + r, r});
  for (int k = 0; k < static_cast<int>(site.axes.size()); ++k) {
    for (int r = 0; r < kAxisEntries; ++r) {
      site.axis_rows.push_back({kAxisEntries * site.axes[k].column + r, kAxisEntries * k + r});
    }
  }
  site.pose.resize(kPoseEntries, count);
  site.twists.resize(static_cast<Eigen::Index>(site.axis_rows.size()), count);
  sites_.push_back(std::move(site));
  return static_cast<int>(sites_.size()) - 1;
}

auto LoopReactions::frame_of(const Model& model, const LoopEnd& end, int count) -> Frame {
  if (end.link == "world") return {-1, end.X_LF};
  return {site_of(model, model.link(end.link), count), end.X_LF};
}

void LoopReactions::add_loop(const Mechanism& mechanism, int index, int count) {
  const Model& model = mechanism.model();
  const LoopSpec& spec = model.loops()[index];
  const LoopLayout::Loop& layout = mechanism.contents().layout.loops[index];
  Loop loop;
  loop.a = frame_of(model, spec.a, count), loop.b = frame_of(model, spec.b, count);
  const auto add_axes = [&](const Frame& frame, const Frame& other) {
    for (int k = 0; frame.site >= 0 && k < static_cast<int>(sites_[frame.site].axes.size()); ++k) {
      const TreeAxis& axis = sites_[frame.site].axes[k];
      if (other.site >= 0 && moved_by(sites_[other.site].axes, axis)) continue;
      loop.dofs.push_back(axis.dof);
      loop.place.push_back(k);
    }
  };
  add_axes(loop.a, loop.b);
  loop.on_a = loop.size();
  add_axes(loop.b, loop.a);
  const std::span<const int> rows = mechanism.independent_equations();
  const auto end = layout.first + static_cast<int>(layout.equations.size());
  loop.first = static_cast<int>(std::lower_bound(rows.begin(), rows.end(), layout.first) - rows.begin());
  for (auto row = rows.begin() + loop.first; row != rows.end() && *row < end; ++row) {
    loop.equations.push_back(layout.equations[*row - layout.first]);
    for (const LoopTerm& term : loop.equations.back().terms) loop.parts[term.part] |= term.coefficient != 0;
  }
  const auto size = static_cast<std::size_t>(loop.size());
  if (at_.axes.size() < size) {
    at_.axes.resize(size);
    for (Slopes* slopes : {&slopes_, &unit_slopes_}) slopes->by.resize(size), slopes->by_pair.resize(size * size);
  }
  loops_.push_back(std::move(loop));
}

/// (4) In the frame of a joint, what the loops do that it is a part of; of a loop, in that of its a or in the world.
void LoopReactions::add_bearing(const Model& model, int wrench, int count) {
  const auto joints = static_cast<int>(model.joints().size());
  Bearing bearing;
  if (wrench >= joints) {
    const auto loops = static_cast<int>(loops_.size());
    const int index = (wrench - joints) % loops;
    const bool in_world = wrench - joints >= loops;
    if (!in_world) bearing.frame = loops_[index].a;
    bearing.parts.push_back({index, 1.0, 0, in_world ? 0 : loops_[index].on_a});
    bearings_.push_back(std::move(bearing));
    return;
  }
  const int link = model.joints()[wrench].child_link;
  bearing.frame = {site_of(model, link, count), inverse(model.spec().links[link].X_JL)};
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    const Loop& loop = loops_[k];
    for (const auto& [frame, first, end, sign] :
         {std::tuple(&loop.a, 0, loop.on_a, -1.0), std::tuple(&loop.b, loop.on_a, loop.size(), 1.0)}) {
      // Whether the joint is between that end and what both have in common
      const auto carries = [&](int carried) {
        for (; carried >= 0; carried = model.links()[carried].parent) {
          if (carried == link) return true;
        }
        return false;
      };
      const Frame& other = frame == &loop.a ? loop.b : loop.a;
      if (frame->site < 0 || !carries(sites_[frame->site].site)) continue;
      if (other.site >= 0 && carries(sites_[other.site].site)) continue;
      const std::vector<TreeAxis>&moving = sites_[bearing.frame.site].axes, &all = sites_[frame->site].axes;
      int last = first;
      while (last < end && moved_by(moving, all[loop.place[last]])) ++last;
      bearing.parts.push_back({static_cast<int>(k), sign, first, last});
    }
  }
  bearings_.push_back(std::move(bearing));
}

}  // namespace verne
