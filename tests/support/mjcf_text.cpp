#include "support/mjcf_text.h"

#include <cctype>
#include <cstdio>

namespace verne::test {

namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string joint_text(const MjcfNode& node, const MjcfUnits& units, const Isometry3d& X) {
  std::string text;
  if (node.at) text += mjcf_attribute("pos", Vector3d(X * *node.at));
  if (node.axis) text += mjcf_attribute("axis", Vector3d(X.linear() * *node.axis));
  const auto unit = [&](double value) { return node.angular ? units.angle(value) : value; };
  if (node.ref) text += mjcf_attribute("ref", {unit(*node.ref)});
  if (node.springref) text += mjcf_attribute("springref", {unit(*node.springref)});
  if (node.range) text += mjcf_attribute("range", {unit(node.range->first), unit(node.range->second)});
  return text;
}

std::string ends_text(const MjcfNode& node, const Isometry3d& X) {
  if (!node.ends) return "";
  const Vector3d a = X * node.ends->first, b = X * node.ends->second;
  return mjcf_attribute("fromto", {a.x(), a.y(), a.z(), b.x(), b.y(), b.z()});
}

std::string pose_text(const Isometry3d& X) {
  const Eigen::Quaterniond q(X.linear());
  return mjcf_attribute("pos", Vector3d(X.translation())) + mjcf_attribute("quat", {q.w(), q.x(), q.y(), q.z()});
}

}  // namespace

std::string mjcf_numbers(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%s%.17g", text.empty() ? "" : " ", number);
    text += digits;
  }
  return text;
}

std::string mjcf_attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}
std::string mjcf_attribute(const char* name, std::initializer_list<double> numbers) {
  return mjcf_attribute(name, mjcf_numbers(numbers));
}
std::string mjcf_attribute(const char* name, const Vector3d& v) {
  return mjcf_attribute(name, {v.x(), v.y(), v.z()});
}

Matrix3d mjcf_euler_rotation(const MjcfUnits& units, const Vector3d& radians) {
  Matrix3d R = Matrix3d::Identity();
  for (int k = 0; k < 3; ++k) {
    const char letter = units.euler[static_cast<std::size_t>(k)];
    const Matrix3d step = Eigen::AngleAxisd(radians[k], Vector3d::Unit(std::tolower(letter) - 'x')).toRotationMatrix();
    R = std::islower(letter) ? Matrix3d(R * step) : Matrix3d(step * R);
  }
  return R;
}

std::string mjcf_text(const MjcfNode& node, const MjcfUnits& units) {
  const Isometry3d I = Isometry3d::Identity();
  std::string text = "<" + node.tag;
  if (!node.name.empty()) text += mjcf_attribute("name", node.name);
  if (!node.own_class.empty()) text += mjcf_attribute("class", node.own_class);
  if (!node.child_class.empty()) text += mjcf_attribute("childclass", node.child_class);
  text += node.attributes + node.pose + joint_text(node, units, I) + ends_text(node, I);
  if (node.tag == "replicate") {
    const Vector3d& t = node.turn;
    text += mjcf_attribute("count", std::to_string(node.count)) + mjcf_attribute("offset", node.offset) +
            mjcf_attribute("euler", {units.angle(t.x()), units.angle(t.y()), units.angle(t.z())});
    if (!node.separator.empty()) text += mjcf_attribute("sep", node.separator);
  }
  if (node.tag == "attach" || node.children.empty()) return text + "/>\n";
  text += ">\n";
  for (const MjcfNode& child : node.children) text += mjcf_text(child, units);
  return text + "</" + node.tag + ">\n";
}

std::string mjcf_text(const MjcfCoupling& c, const std::string& ending, int given) {
  std::string polycoef;
  for (int k = 0; k < given; ++k) polycoef += (k ? " " : "") + mjcf_numbers({c.polycoef[static_cast<std::size_t>(k)]});
  return "<joint" + (c.name.empty() ? std::string() : mjcf_attribute("name", c.name + ending)) +
         mjcf_attribute("joint1", c.one + ending) + mjcf_attribute("joint2", c.two + ending) +
         (given ? mjcf_attribute("polycoef", polycoef) : std::string()) + "/>";
}

std::string FlatMjcf::flat(const MjcfNode& node, const Isometry3d& X, const Place& place) {
  if (node.tag == "frame") {
    Place inner = place;
    inner.moved = true;
    if (!node.child_class.empty()) inner.child_class = node.child_class;
    return flat_children(node, X * node.X, inner);
  }
  if (node.tag == "replicate") return flat_copies(node, X, place);
  if (node.tag == "attach") return flat(node.children[0], X, {true, true, place.ending, "attached"});
  if (node.tag == "joint") endings_[node.name].push_back(place.ending);
  std::string text = "<" + node.tag;
  if (!node.name.empty())
    text += mjcf_attribute("name", (place.attached ? kMjcfPrefix : "") + node.name + place.ending);
  const std::string childclass = node.child_class.empty() ? place.child_class : node.child_class;
  if (node.tag == "body" && !childclass.empty()) text += mjcf_attribute("childclass", childclass);
  const bool inherits = node.tag == "joint" || node.tag == "geom" || node.tag == "site";
  const std::string of_class = node.own_class.empty() ? place.child_class : node.own_class;
  if (inherits && !of_class.empty()) text += mjcf_attribute("class", of_class);
  text += node.attributes + joint_text(node, units_, X) + ends_text(node, X) + flat_pose(node, X, place);
  if (node.tag != "body" && node.tag != "worldbody") return text + "/>\n";
  return text + ">\n" +
         flat_children(node, Isometry3d::Identity(), {place.attached, place.attached, place.ending, childclass}) +
         "</" + node.tag + ">\n";
}

/// As it is written, but where a frame or another file's units change it. Frames do not move <inertial>.
std::string FlatMjcf::flat_pose(const MjcfNode& node, const Isometry3d& X, const Place& place) {
  const bool turns = node.tag != "inertial" || node.attributes.find("fullinertia") == std::string::npos;
  if (!place.moved || node.pose.empty() || !turns) {
    return place.moved && (node.tag == "body" || node.tag == "site") ? pose_text(X * node.X) : node.pose;
  }
  return pose_text(node.tag == "inertial" ? node.X : X * node.X);
}

std::string FlatMjcf::flat_children(const MjcfNode& node, const Isometry3d& X, const Place& place) {
  std::string text;
  for (const MjcfNode& child : node.children) text += flat(child, X, place);
  return text;
}

std::string FlatMjcf::flat_copies(const MjcfNode& node, const Isometry3d& X, const Place& place) {
  std::string text;
  Isometry3d at = Isometry3d::Identity();
  for (int k = 0; k < node.count; ++k) {
    at.linear() = mjcf_euler_rotation(place.attached ? attached_units_ : units_, k * node.turn);
    char digits[8];
    std::snprintf(digits, sizeof digits, node.count >= 10 ? "%02d" : "%d", k);
    text +=
        flat_children(node, X * at, {place.attached, true, node.separator + digits + place.ending, place.child_class});
    at.translation() += at.linear() * node.offset;
  }
  return text;
}

}  // namespace verne::test
