#include "io/mjcf/layout.h"

#include <algorithm>

#include "io/trivial.h"
#include "io/xml/writer.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr char kWorldName[] = "world";  // which bodies may not have

/// How far apart the two points are that hold the axis of a revolute joint, in metres.
constexpr double kAxisLength = 0.1;

std::vector<MjcfJoint> mjcf_joints(const JointSpec& joint) {
  const Mat3<double> A = frame_with_z_along(joint.axis);
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {{"hinge", joint.axis, "", 0}};
    case JointType::prismatic:
      return {{"slide", joint.axis, "", 0}};
    case JointType::helical:
      if (joint.pitch == 0) return {{"hinge", joint.axis, "", 0}};
      return {{"hinge", joint.axis, "", 0}, {"slide", joint.axis, "", -1}};
    case JointType::cylindrical:
      return {{"slide", joint.axis, "", 0}, {"hinge", joint.axis, "", 1}};
    case JointType::universal:
      return {{"hinge", joint.axis, "", 0}, {"hinge", joint.axis2, "", 1}};
    case JointType::planar:
      return {{"slide", A.column(0), "", 0}, {"slide", A.column(1), "", 1}, {"hinge", joint.axis, "", 2}};
    case JointType::spherical:
      return {{"ball", joint.axis, "", 0}};
    case JointType::free:
      return {{"free", joint.axis, "", 0}};
  }
  return {};
}

}  // namespace

MjcfLayout::MjcfLayout(const Model& model, Losses& losses)
    : model_(model),
      losses_(losses),
      children_(model.links().size()),
      joints_(model.links().size()),
      sites_(model.links().size()) {
  for (int i = 1; i < static_cast<int>(children_.size()); ++i) {
    children_[index(model.links()[index(i)].parent)].push_back(i);
  }
  refuse_free_joints_on_moving_links();
  place_bodies();
  split_joints();
  place_sites();
  close_loops();
}

bool MjcfLayout::fixed_to_world(int i) const {
  while (i >= 0 && link(i).joint.type == JointType::fixed) i = model_.links()[index(i)].parent;
  return i < 0;
}

void MjcfLayout::refuse_free_joints_on_moving_links() {
  std::vector<Diagnostic> problems;
  for (int i = 1; i < static_cast<int>(children_.size()); ++i) {
    const JointSpec& joint = link(i).joint;
    if (joint.type != JointType::free) continue;
    flat_ = true;
    if (fixed_to_world(model_.links()[index(i)].parent)) continue;
    problems.push_back({model_.spec().file, joint.line,
                        "joint " + in_quotes(joint.name) + ": MJCF has free joints in the world only, not on link " +
                            in_quotes(link(i).parent)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void MjcfLayout::place_bodies() {
  const LinkSpec& root = link(0);
  root_is_world_ = root.name == kWorldName && root.joint.type == JointType::fixed && is_identity(root.X_PJ) &&
                   is_identity(root.X_JL) && root.mass == 0;
  std::set<std::string> taken{kWorldName};
  for (const LinkSpec& each : model_.spec().links) taken.insert(each.name);
  bool fixed_names = false;
  for (int i = 0; i < static_cast<int>(children_.size()); ++i) {
    const LinkSpec& each = link(i);
    const bool rename = each.name == kWorldName && !is_world(i);
    body_names_.push_back(rename ? unique_name(each.name, taken) : each.name);
    if (rename) losses_.add("names that are taken, with _ appended", each.name);
    if (has_joint_frame(i)) losses_.add("link frames, moved to the joint", each.name);
    const bool fixed = i > 0 && each.joint.type == JointType::fixed;
    fixed_names = fixed_names || (fixed && each.joint.name != each.name + "_joint");
  }
  if (fixed_names) losses_.add("names of fixed joints", "");
}

void MjcfLayout::split_joints() {
  std::set<std::string> taken;
  for (const LinkSpec& each : model_.spec().links) taken.insert(each.joint.name);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = model_.joints()[i];
    joints_[i] = mjcf_joints(joint.spec);
    const bool several = joints_[i].size() > 1;
    for (MjcfJoint& part : joints_[i]) {
      if (joint.spec.type == JointType::helical) {
        part.name = part.dof == 0 ? joint.spec.name : unique_name(joint.spec.name + "_slide", taken);
      } else {
        part.name = several ? unique_name(model_.dof_names()[index(joint.v + part.dof)], taken) : joint.spec.name;
      }
    }
    if (several) losses_.add(std::string(to_string(joint.spec.type)) + " joints, written as several", joint.spec.name);
  }
}

void MjcfLayout::place_sites() {
  for (const FrameSpec& frame : model_.spec().frames) add_site({frame.link, frame.X_LF}, frame.name);
  for (const ContactSpec& contact : model_.spec().contacts) {
    add_site({contact.link, {contact.R_LC, contact.point}}, contact.name);
    losses_.add("contacts, written as sites", contact.name);
  }
}

std::string MjcfLayout::add_site(const LoopEnd& end, const std::string& name) {
  const std::string written = unique_name(name, site_names_);
  const auto& links = model_.links();
  const auto found = std::find_if(links.begin(), links.end(), [&](const Link& each) { return each.name == end.link; });
  const bool on_link = found != links.end() && !is_world(static_cast<int>(found - links.begin()));
  (on_link ? sites_[static_cast<std::size_t>(found - links.begin())] : world_sites_).push_back({written, end.X_LF});
  return written;
}

void MjcfLayout::close_loops() {
  for (const LoopSpec& loop : model_.loops()) {
    switch (loop.type) {
      case LoopType::spherical:
        add_closure(loop, loop.name, "connect", Transform<double>::identity());
        break;
      case LoopType::rigid:
        add_closure(loop, loop.name, "weld", Transform<double>::identity());
        break;
      case LoopType::revolute:
        add_closure(loop, loop.name, "connect", Transform<double>::identity());
        add_closure(loop, loop.name + "_axis", "connect", {Mat3<double>::identity(), {0, 0, kAxisLength}});
        losses_.add("revolute loops, written as two points that coincide", loop.name);
        break;
      default:  // refused before
        break;
    }
  }
}

void MjcfLayout::add_closure(const LoopSpec& loop, const std::string& name, const char* type,
                             const Transform<double>& X_FS) {
  const std::string a = add_site({loop.a.link, loop.a.X_LF * X_FS}, name + "_a");
  const std::string b = add_site({loop.b.link, loop.b.X_LF * X_FS}, name + "_b");
  closures_.push_back({name, type, a, b});
}

bool MjcfLayout::has_joint_frame(int i) const {
  const LinkSpec& each = link(i);
  if (each.joint.type == JointType::free) return !is_identity(each.X_JL);
  return each.joint.type == JointType::spherical && !is_identity(each.X_JL.R);
}

Transform<double> MjcfLayout::X_BL(int i) const {
  return has_joint_frame(i) ? link(i).X_JL : Transform<double>::identity();
}

Transform<double> MjcfLayout::X_WJ(int i) const {
  Transform<double> X = link(i).X_PJ;
  for (int k = model_.links()[index(i)].parent; k >= 0; k = model_.links()[index(k)].parent) {
    X = link(k).X_PJ * link(k).X_JL * X;
  }
  return X;
}

bool MjcfLayout::joins_child(int i, bool turns) const {
  const LinkSpec& each = link(i);
  const bool bare = weighs_nothing(each) && sites(i).empty() && children(i).size() == 1;
  if (!bare || joints(i).empty() || each.joint.type == JointType::spherical || each.joint.type == JointType::free) {
    return false;
  }
  const JointType next = link(children(i)[0]).joint.type;
  return next != JointType::fixed && !(next == JointType::spherical && turns);
}

}  // namespace verne
