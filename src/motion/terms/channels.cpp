#include "motion/terms/channels.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "motion/terms/tree_axes.h"

namespace verne {

namespace {

/// The link that a site is fixed in.
int link_of_site(const Model& model, int site) {
  const int links = static_cast<int>(model.links().size());
  return site < links ? site : model.link(model.frames()[site - links].link);
}

/// Joints from a link to the world.
std::vector<int> path_to_world(const Model& model, int link) {
  std::vector<int> joints;
  const auto& links = model.links();
  for (; link >= 0; link = links[link].parent) joints.push_back(links[link].joint);
  return joints;
}

int freedoms(const Joint& joint) {
  return velocity_count(joint.spec.type);
}

/// Whether a freedom is between a site and the world.
bool moves(const Model& model, int dof, int site) {
  for (const int k : path_to_world(model, link_of_site(model, site))) {
    const Joint& joint = model.joints()[k];
    if (dof >= joint.v && dof < joint.v + freedoms(joint)) return true;
  }
  return false;
}

constexpr int kRootJoint = 0;  // of the link that carries all others

}  // namespace

ChannelLayout::ChannelLayout(const Model& model, Loads<double> loads, Ground ground, const std::vector<int>& held,
                             std::optional<Mechanism> mechanism, std::vector<double> effort_weights)
    : model_(model),
      loads_(std::move(loads)),
      ground_(std::move(ground)),
      mechanism_(std::move(mechanism)),
      effort_weights_(std::move(effort_weights)),
      held_(model.nv(), 0),
      joints_(model.nv()),
      nv_(joints_ + ground_.contacts().components()),
      size_(kStateOrders * nv_ + joints_),
      supports_(ground_.supports(), -1),
      tau_used_(model.nv(), 0) {
  for (const int dof : held) held_[dof] = 1;
}

bool ChannelLayout::bears_ground(int dof) const {
  for (int i = 0; i < ground_.supports(); ++i) {
    if (moves(model_, dof, ground_.support(i).site)) return true;
  }
  return false;
}

bool ChannelLayout::bears_grip(int dof) const {
  const ContactCurve& borne = ground_.contacts();
  for (int g = 0; g < borne.grips(); ++g) {
    const LoopSpec& loop = borne.grip(g).loop;
    if (moves(model_, dof, model_.link(loop.a.link)) != moves(model_, dof, model_.link(loop.b.link))) return true;
  }
  return false;
}

std::vector<int> ChannelLayout::all_dofs() const {
  std::vector<int> all(joints_);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> ChannelLayout::dofs_of_ground() const {
  std::vector<int> dofs = dofs_of_link(model_.joints()[kRootJoint].child_link, true);
  for (int i = joints_; i < nv_; ++i) dofs.push_back(i);
  return dofs;
}

int ChannelLayout::left_over() {
  return root_wrench_ = wrench(kRootJoint);
}

int ChannelLayout::support(int i) {
  if (supports_[i] < 0) {
    left_over();
    supports_[i] = size_;
    size_ += 6;
  }
  return supports_[i];
}

std::vector<int> ChannelLayout::dofs_to_world(int site) const {
  return dofs_of_link(link_of_site(model_, site), false);
}

int ChannelLayout::tau(int dof) {
  needs_torques_ = true;
  if (bears_ground(dof) || bears_grip(dof)) left_over();
  tau_used_[dof] = 1;
  return kStateOrders * nv_ + dof;
}

int ChannelLayout::wrench(int joint) {
  for (const WrenchChannel& known : wrenches_) {
    if (known.joint == joint) return known.first;
  }
  needs_torques_ = true;
  wrenches_.push_back({size_, joint});
  size_ += 6;
  return wrenches_.back().first;
}

int ChannelLayout::arrow(int site, const Vec3<double>& vector, ArrowChannel::Kind kind) {
  for (const ArrowChannel& known : arrows_) {
    const Vec3<double>& u = known.vector;
    if (known.site == site && known.kind == kind && u.x == vector.x && u.y == vector.y && u.z == vector.z) {
      return known.first;
    }
  }
  arrows_.push_back({size_, site, vector, kind});
  size_ += 3;
  return arrows_.back().first;
}

std::vector<int> ChannelLayout::dofs_of_link(int link, bool beyond) const {
  std::vector<char> used(joints_, 0);
  const auto& links = model_.links();
  const auto& joints = model_.joints();
  const auto use = [&](int k) {
    const Joint& joint = joints[k];
    for (int i = 0; i < freedoms(joint); ++i) used[joint.v + i] = !held_[joint.v + i];
  };
  for (const int joint : path_to_world(model_, link)) use(joint);
  if (beyond) {
    for (const auto& other : links) {
      int up = other.parent;
      while (up >= 0 && up != link) up = links[up].parent;
      if (up == link) use(other.joint);
    }
  }
  std::vector<int> dofs;
  for (int i = 0; i < joints_; ++i) {
    if (used[i]) dofs.push_back(i);
  }
  return dofs;
}

std::vector<int> ChannelLayout::dofs(int channel) const {
  if (channel < kStateOrders * nv_) return {channel % nv_};
  if (channel < kStateOrders * nv_ + joints_) {
    const int dof = channel - kStateOrders * nv_;
    if (mechanism_) return all_dofs();  // reactions depend on everything
    if (bears_ground(dof) || bears_grip(dof)) return dofs_of_ground();
    std::vector<int> all;
    for (const Joint& joint : model_.joints()) {  // several when a joint is coupled to this one
      if (dof < joint.v || dof >= joint.v + freedoms(joint)) continue;
      const std::vector<int> dofs = dofs_of_link(joint.child_link, true);
      all.insert(all.end(), dofs.begin(), dofs.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  for (const WrenchChannel& wrench : wrenches_) {
    if (channel >= wrench.first && channel < wrench.first + 6) {
      if (mechanism_) return all_dofs();
      if (wrench.first == root_wrench_) return dofs_of_ground();
      return dofs_of_link(model_.joints()[wrench.joint].child_link, true);
    }
  }
  for (const int first : supports_) {
    if (first >= 0 && channel >= first && channel < first + 6) return dofs_of_ground();
  }
  for (const ArrowChannel& arrow : arrows_) {
    if (channel >= arrow.first && channel < arrow.first + 3) {
      return dofs_of_link(link_of_site(model_, arrow.site), false);
    }
  }
  return {};
}

std::vector<int> ChannelLayout::derived() const {
  std::vector<int> all;
  for (int dof = 0; dof < joints_; ++dof) {
    if (tau_used_[dof]) all.push_back(kStateOrders * nv_ + dof);
  }
  for (const WrenchChannel& wrench : wrenches_) {
    for (int i = 0; i < 6; ++i) all.push_back(wrench.first + i);
  }
  for (const int first : supports_) {
    for (int i = 0; i < 6 && first >= 0; ++i) all.push_back(first + i);
  }
  for (const ArrowChannel& arrow : arrows_) {
    for (int i = 0; i < 3; ++i) all.push_back(arrow.first + i);
  }
  if (duration_ >= 0) all.push_back(duration_);
  return all;
}

int ChannelLayout::orders(int channel) const {
  if (channel == duration_) return 0;
  for (const ArrowChannel& arrow : arrows_) {
    if (channel < arrow.first || channel >= arrow.first + 3) continue;
    return arrow.kind == ArrowChannel::Kind::velocity ? 2 : 1;
  }
  return 3;
}

bool ChannelLayout::of_posture(int channel) const {
  return channel < joints_ || (channel >= kStateOrders * nv_ && orders(channel) == 1);
}

DofSets ChannelLayout::curved() const {
  if (mechanism_ && needs_torques_) return {all_dofs()};
  if (root_wrench_ >= 0) return {dofs_of_ground()};
  std::vector<char> ends(model_.links().size(), 0);  // of the ways
  const auto end_beyond = [&](int link) {
    for (int other = 0; other < static_cast<int>(ends.size()); ++other) {
      for (int up = other; up >= 0; up = model_.links()[up].parent) {
        if (up == link) ends[other] = 1;
      }
    }
  };
  for (const Joint& joint : model_.joints()) {
    bool used = false;
    for (int i = 0; i < freedoms(joint); ++i) used |= tau_used_[joint.v + i] != 0;
    if (used) end_beyond(joint.child_link);
  }
  for (const WrenchChannel& wrench : wrenches_) end_beyond(model_.joints()[wrench.joint].child_link);
  for (const ArrowChannel& arrow : arrows_) ends[link_of_site(model_, arrow.site)] = 1;
  DofSets sets;
  for (std::size_t link = 0; link < ends.size(); ++link) {
    if (ends[link]) sets.push_back(dofs_of_link(static_cast<int>(link), false));
  }
  return sets;
}

bool moves_in_order(const Model& model, int site) {
  const std::vector<TreeAxis> axes = axes_of(model, site);
  const auto out_of_order = [](const TreeAxis& inner, const TreeAxis& outer) { return inner.dof >= outer.dof; };
  return std::adjacent_find(axes.begin(), axes.end(), out_of_order) == axes.end();
}

bool carries(const Model& model, int site, int other) {
  const int link = link_of_site(model, site);
  for (int up = link_of_site(model, other); up >= 0; up = model.links()[up].parent) {
    if (up == link) return true;
  }
  return false;
}

}  // namespace verne
