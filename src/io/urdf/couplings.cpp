#include "io/urdf/couplings.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/number.h"
#include "io/xml/writer.h"

namespace verne {

namespace {

/// Coefficients below this part of the largest are what rounding left.
constexpr double kRoundedToZero = 1e-12;

void drop_rounding(std::map<std::size_t, double>& row, double largest) {
  std::erase_if(row, [&](const auto& entry) { return std::abs(entry.second) <= kRoundedToZero * largest; });
}

/// row -= factor * other
void subtract(std::map<std::size_t, double>& row, double factor, const std::map<std::size_t, double>& other) {
  double largest = 0;
  for (const auto& [link, c] : row) largest = std::max(largest, std::abs(c));
  for (const auto& [link, c] : other) row[link] -= factor * c, largest = std::max(largest, std::abs(factor * c));
  drop_rounding(row, largest);
}

bool says_something(const DofSpec& dof) {
  return std::isfinite(dof.lower) || std::isfinite(dof.upper) || std::isfinite(dof.velocity) ||
         std::isfinite(dof.effort_upper) || dof.coulomb != 0 || dof.viscous != 0;
}

}  // namespace

UrdfCouplings::UrdfCouplings(ModelSpec& spec, const std::map<std::string, bool>& independent, Diagnostics& diagnostics)
    : spec_(spec), independent_(independent), diagnostics_(diagnostics) {
  for (std::size_t i = 0; i < spec.links.size(); ++i) index_.try_emplace(spec.links[i].name, i);
}

std::vector<std::size_t> UrdfCouplings::way_to_root(std::size_t link) const {
  std::vector<std::size_t> way{link};
  while (way.size() <= spec_.links.size()) {  // a cycle is reported elsewhere
    const auto parent = index_.find(spec_.links[way.back()].parent);
    if (parent == index_.end()) break;
    way.push_back(parent->second);
  }
  return way;
}

std::vector<std::size_t> UrdfCouplings::movable(const std::string& place, int line, std::vector<std::size_t> way,
                                                bool& sound) {
  std::erase_if(way, [&](std::size_t link) { return velocity_count(spec_.links[link].joint.type) == 0; });
  for (const std::size_t link : way) {
    const JointSpec& joint = spec_.links[link].joint;
    if (velocity_count(joint.type) == 1) continue;
    diagnostics_.error(line, place + ": joint " + in_quotes(joint.name) + " is " + to_string(joint.type) +
                                 "; expected joints with one degree of freedom");
    sound = false;
  }
  return way;
}

void UrdfCouplings::add(const std::string& place, int line, const std::string& predecessor,
                        const std::string& successor, double ratio) {
  bool sound = true;
  for (const std::string& link : {predecessor, successor}) {
    if (index_.contains(link)) continue;
    if (!link.empty()) diagnostics_.error(line, place + ": there is no link " + in_quotes(link));
    sound = false;
  }
  if (!sound) return;
  auto before = way_to_root(index_[predecessor]), after = way_to_root(index_[successor]);
  while (!before.empty() && !after.empty() && before.back() == after.back()) before.pop_back(), after.pop_back();
  before = movable(place, line, std::move(before), sound), after = movable(place, line, std::move(after), sound);
  if (!sound) return;
  Row row;
  for (const std::size_t link : after) row[link] += 1;
  for (const std::size_t link : before) row[link] -= ratio;
  drop_rounding(row, 1);
  for (const Equation& known : equations_) {
    const auto found = row.find(known.follower);
    if (found != row.end()) subtract(row, found->second / known.row.at(known.follower), known.row);
  }
  if (row.empty()) return diagnostics_.warning(line, place + ": says what others say already");
  after.insert(after.end(), before.begin(), before.end());
  const std::size_t* const follower = choose(row, after);
  if (!follower) return diagnostics_.error(line, place + ": all joints that it couples follow others already");
  for (Equation& known : equations_) {
    const auto found = known.row.find(*follower);
    if (found != known.row.end()) subtract(known.row, found->second / row.at(*follower), row);
  }
  equations_.push_back({row, *follower});
}

bool UrdfCouplings::may_follow(std::size_t link, bool only_dependent) const {
  const JointSpec& joint = spec_.links[link].joint;
  const auto found = independent_.find(joint.name);
  return !joint.mimic && (!only_dependent || (found != independent_.end() && !found->second));
}

const std::size_t* UrdfCouplings::choose(const Row& row, const std::vector<std::size_t>& preferred) const {
  for (const bool only_dependent : {true, false}) {
    for (const std::size_t& link : preferred) {
      if (row.contains(link) && may_follow(link, only_dependent)) return &link;
    }
    for (const auto& [link, c] : row) {
      if (may_follow(link, only_dependent)) return &link;
    }
  }
  return nullptr;
}

void UrdfCouplings::solve() {
  for (const Equation& equation : equations_) follow(equation);
}

void UrdfCouplings::follow(const Equation& equation) {
  LinkSpec& link = spec_.links[equation.follower];
  JointSpec& joint = link.joint;
  std::vector<MimicSpec> leaders;
  for (const auto& [leader, c] : equation.row) {
    if (leader == equation.follower) continue;
    leaders.push_back({spec_.links[leader].joint.name, -c / equation.row.at(equation.follower), 0});
  }
  if (leaders.empty()) {
    diagnostics_.warning(joint.line, "joint " + in_quotes(joint.name) + ": its couplings hold it at zero: it is fixed");
    joint.type = JointType::fixed;
    joint.dofs.clear();
    return;
  }
  joint.mimic = leaders.back();
  if (leaders.size() == 1) return;
  // Motions along one axis add up: all but the last go to massless links before this one.
  if (!joint.dofs.empty() && says_something(joint.dofs[0])) {
    diagnostics_.warning(joint.line, "not modelled: limits and friction of joint " + in_quotes(joint.name) +
                                         ", which follows " + std::to_string(leaders.size()) + " joints");
  }
  joint.dofs.clear();
  std::set<std::string> link_names, joint_names;
  for (const LinkSpec& other : spec_.links) link_names.insert(other.name), joint_names.insert(other.joint.name);
  std::vector<LinkSpec> parts;
  for (std::size_t k = 0; k + 1 < leaders.size(); ++k) {
    LinkSpec part;
    part.name = unique_name(link.name + "_part" + std::to_string(k + 1), link_names);
    part.parent = k == 0 ? link.parent : parts.back().name;
    part.line = link.line;
    part.has_inertial = true;  // none, which is meant
    if (k == 0) part.X_PJ = link.X_PJ;
    part.joint = joint;
    part.joint.name = unique_name(joint.name + "_part" + std::to_string(k + 1), joint_names);
    part.joint.mimic = leaders[k];
    parts.push_back(std::move(part));
  }
  link.parent = parts.back().name;
  link.X_PJ = Transform<double>::identity();
  spec_.links.insert(spec_.links.end(), parts.begin(), parts.end());
}

}  // namespace verne
