#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "io/losses.h"
#include "io/number.h"
#include "model/joint_shape.h"
#include "model/link_inertia.h"
#include "model/tree.h"
#include "verne/io/par.h"
#include "verne/model/model.h"
#include "verne/spatial/dh.h"

namespace verne {

namespace {

/// One column of the table: a frame, and the link on it.
struct ParColumn {
  int antecedent = 0, sigma = 2, mu = 0;
  MdhParameters frame{};
  double inertial[10] = {};  ///< in the order of kInertialRows
  double rotor = 0, coulomb = 0, viscous = 0;
};

constexpr std::array kInertialRows{"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M"};

template <class Placed>
Transform<double> placed(const Placed& body) {
  Transform<double> X;
  for (int k = 0; k < 9; ++k) X.R.m[k] = body.R[k];
  X.p = Vec3<double>::load(body.p);
  return X;
}

void refuse_other_joints(const Model& model) {
  std::vector<Diagnostic> problems;
  const auto refuse = [&](int line, const std::string& what) { problems.push_back({model.spec().file, line, what}); };
  for (const Joint& joint : model.joints()) {
    const JointType type = joint.spec.type;
    const bool known = type != JointType::helical && type != JointType::spherical && type != JointType::free;
    if (!known) {
      refuse(joint.spec.line, "joint " + in_quotes(joint.spec.name) + ": .par has no " + to_string(type) + " joint");
    }
    if (joint.coupled())
      refuse(joint.spec.line, "joint " + in_quotes(joint.spec.name) + ": .par has no coupled joints");
  }
  for (const LoopSpec& loop : model.loops()) {
    if (loop.type == LoopType::revolute || loop.type == LoopType::prismatic) continue;
    refuse(loop.line, "loop " + in_quotes(loop.name) + ": .par closes loops by revolute and prismatic joints only");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// Of each body, from the links on it: the tree shares what is grouped out anew, with masses below zero.
std::vector<RigidInertia<double>> inertias_of(const Model& model) {
  const Tree& tree = model.tree();
  const std::vector<LinkSpec>& links = model.spec().links;
  std::vector<RigidInertia<double>> sums(static_cast<std::size_t>(tree.body_count), RigidInertia<double>::zero());
  for (std::size_t k = 0; k < links.size(); ++k) {
    const TreeSite& site = tree.sites[k];
    if (site.body >= 0 && links[k].has_inertial)
      sums[static_cast<std::size_t>(site.body)] += placed(site) * inertia_of(links[k]);
  }
  return sums;
}

std::vector<ParColumn> columns_of(const Model& model) {
  const Tree& tree = model.tree();
  const std::vector<RigidInertia<double>> inertias = inertias_of(model);
  std::vector<ParColumn> columns;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    ParColumn& c = columns.emplace_back();
    c.antecedent = b.parent + 1, c.sigma = b.kind == JointKind::prismatic, c.mu = 1;
    c.frame = mdh_parameters_of(placed(b));
    const RigidInertia<double>& in = inertias[static_cast<std::size_t>(i)];
    const double values[10] = {in.I.xx, in.I.xy, in.I.xz, in.I.yy, in.I.yz,
                               in.I.zz, in.mc.x, in.mc.y, in.mc.z, in.mass};
    std::copy(values, values + 10, c.inertial);
    c.rotor = tree.rotor_inertia[b.v], c.coulomb = tree.coulomb[b.v], c.viscous = tree.viscous[b.v];
  }
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.nv; ++k) columns[static_cast<std::size_t>(joint.v + k)].mu = joint.spec.actuated;
  }
  // First one side of every loop, then the other.
  for (const bool second : {false, true}) {
    for (const LoopSpec& loop : model.loops()) {
      const LoopEnd& end = second ? loop.b : loop.a;
      ParColumn& c = columns.emplace_back();
      c.sigma = second ? 2 : loop.type == LoopType::prismatic;
      Transform<double> X = end.X_LF;
      if (end.link != "world") {
        const TreeSite& site = tree.sites[model.link(end.link)];
        X = placed(site) * X;
        c.antecedent = site.body + 1;
      }
      c.frame = mdh_parameters_of(X);
    }
  }
  return columns;
}

std::vector<std::string> losses_of(const Model& model) {
  std::vector<std::string> lost{"names of links and joints"};
  const ModelSpec& spec = model.spec();
  bool limits = false, width = false, springs = false, visuals = false;
  for (const LinkSpec& link : spec.links) {
    visuals = visuals || !link.visuals.empty();
    for (const DofSpec& dof : link.joint.dofs) {
      limits = limits || dof.lower != -kInfinity || dof.upper != kInfinity || dof.velocity != kInfinity ||
               dof.effort_lower != -kInfinity || dof.effort_upper != kInfinity;
      width = width || dof.friction_width != 0;
      springs = springs || dof.stiffness != 0 || dof.ligament != 0;
    }
  }
  const auto add = [&](bool is, const char* what) {
    if (is) lost.emplace_back(what);
  };
  add(limits, "limits");
  add(width, "the width of Coulomb friction");
  add(springs, "springs and ligaments of joints");
  add(visuals, "shapes");
  add(!spec.frames.empty(), "named frames");
  add(!spec.contacts.empty(), "points of contact");
  add(!spec.home.empty() || !spec.independent.empty(), "home and independent joints");
  return lost;
}

template <class Entry>
std::string row_text(const std::string& name, std::size_t count, Entry&& entry) {
  std::string out = name + " = {";
  for (std::size_t k = 0; k < count; ++k) out += (k ? ", " : "") + entry(k);
  return out + "}\n";
}

/// A parameter of a frame; what moves has its variable added.
std::string frame_text(const std::vector<ParColumn>& columns, const char* name, double MdhParameters::*entry,
                       const char* variable, int sigma) {
  return row_text(name, columns.size(), [&](std::size_t k) {
    const double value = columns[k].frame.*entry;
    if (columns[k].sigma != sigma) return format_number(value);
    const std::string own = variable + std::to_string(k + 1);
    return value == 0 ? own : own + (value < 0 ? " - " : " + ") + format_number(value < 0 ? -value : value);
  });
}

}  // namespace

std::string write_par(const ModelSpec& spec, std::vector<std::string>* not_expressed) {
  const Model model = build_model(spec);
  refuse_other_joints(model);
  refuse_home(spec, ".par");
  const std::vector<ParColumn> columns = columns_of(model);
  const std::size_t loops = model.loops().size(), links = columns.size() - 2 * loops;
  if (not_expressed) *not_expressed = losses_of(model);
  std::string name;  // in a comment, where nothing may end it
  for (const char c : model.name()) name += std::string("'*()\n").find(c) == std::string::npos ? c : '_';
  std::string out = "(* Robotname = '" + name + "' *)\n";
  out += "NL = " + std::to_string(links) + "\nNJ = " + std::to_string(links + loops) +
         "\nNF = " + std::to_string(columns.size()) + "\n";
  constexpr int kNever = -1;
  out += row_text("Ant", columns.size(), [&](std::size_t k) { return std::to_string(columns[k].antecedent); });
  out += row_text("Sigma", columns.size(), [&](std::size_t k) { return std::to_string(columns[k].sigma); });
  out += row_text("Mu", columns.size(), [&](std::size_t k) { return std::to_string(columns[k].mu); });
  out += frame_text(columns, "gamma", &MdhParameters::gamma, "", kNever);
  out += frame_text(columns, "B", &MdhParameters::b, "", kNever);
  out += frame_text(columns, "Alpha", &MdhParameters::alpha, "", kNever);
  out += frame_text(columns, "d", &MdhParameters::d, "", kNever);
  out += frame_text(columns, "Theta", &MdhParameters::theta, "t", 0);
  out += frame_text(columns, "R", &MdhParameters::r, "r", 1);
  for (std::size_t i = 0; i < kInertialRows.size(); ++i) {
    out += row_text(kInertialRows[i], links, [&](std::size_t k) { return format_number(columns[k].inertial[i]); });
  }
  out += row_text("IA", links, [&](std::size_t k) { return format_number(columns[k].rotor); });
  out += row_text("FS", links, [&](std::size_t k) { return format_number(columns[k].coulomb); });
  out += row_text("FV", links, [&](std::size_t k) { return format_number(columns[k].viscous); });
  const Vec3<double>& g = model.gravity();
  return out + "G = {" + format_numbers(g, ", ") + "}\n";
}

}  // namespace verne
