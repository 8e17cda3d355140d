#include "verne/codegen/base_parameters.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "codegen/grouping.h"
#include "dynamics/kernels/joint.h"
#include "structures/closed_dynamics.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

using codegen::TreeParameters;

constexpr std::array kNames{"M", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"};
constexpr int kPerBody = 10;
/// Factors that geometry in files makes, but for its rounding.
constexpr double kNoFactor = 1e-12;

std::string parameter_name(const char* name, const std::string& of) {
  return std::string(name) + "(" + of + ")";
}

/// For every body the link that its joint carries; -1 between the primitives of a joint.
std::vector<int> links_of_bodies(const Model& model) {
  std::vector<int> out(static_cast<std::size_t>(model.tree().body_count), -1);
  for (int i = static_cast<int>(model.links().size()) - 1; i >= 0; --i) {
    const int body = model.links()[static_cast<std::size_t>(i)].body;
    if (body >= 0) out[static_cast<std::size_t>(body)] = i;
  }
  return out;
}

std::vector<std::string> rotor_names(const Model& model) {
  std::vector<std::string> out(static_cast<std::size_t>(model.tree().nv));
  int k = 0;
  for (const Joint& joint : model.joints()) {
    const int count = velocity_count(joint.spec.type);
    for (int i = 0; i < count; ++i) {
      out[static_cast<std::size_t>(k++)] =
          parameter_name("IA", joint.spec.name + (count > 1 ? " " + std::to_string(i + 1) : ""));
    }
  }
  return out;
}

Eigen::VectorXd as_vector(const TreeParameters& parameters) {
  const Eigen::Index bodies = static_cast<Eigen::Index>(parameters.bodies.size());
  Eigen::VectorXd out(kPerBody * bodies + static_cast<Eigen::Index>(parameters.rotors.size()));
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const RigidInertia<double>& in = parameters.bodies[static_cast<std::size_t>(i)];
    out.segment<kPerBody>(kPerBody * i) << in.mass, in.mc.x, in.mc.y, in.mc.z, in.I.xx, in.I.xy, in.I.xz, in.I.yy,
        in.I.yz, in.I.zz;
  }
  for (std::size_t k = 0; k < parameters.rotors.size(); ++k) {
    out[kPerBody * bodies + static_cast<Eigen::Index>(k)] = parameters.rotors[k];
  }
  return out;
}

TreeParameters as_parameters(const Eigen::VectorXd& x, int bodies) {
  TreeParameters out;
  for (int i = 0; i < bodies; ++i) {
    const auto p = x.segment<kPerBody>(kPerBody * i);
    out.bodies.push_back({p[0], {p[1], p[2], p[3]}, {p[4], p[5], p[6], p[7], p[8], p[9]}});
  }
  out.rotors.assign(x.data() + kPerBody * bodies, x.data() + x.size());
  return out;
}

/// Base parameters from a matrix: row i is what parameter i becomes, zero where it goes elsewhere.
BaseParameters read_rows(const Eigen::MatrixXd& grouping, const std::vector<std::string>& names) {
  BaseParameters out;
  for (Eigen::Index i = 0; i < grouping.rows(); ++i) {
    BaseParameter base{names[static_cast<std::size_t>(i)], {}};
    bool kept = false;
    for (Eigen::Index j = 0; j < grouping.cols(); ++j) {
      if (std::abs(grouping(i, j)) <= kNoFactor || names[static_cast<std::size_t>(j)].empty()) continue;
      kept = true;
      if (j != i) base.others.emplace_back(grouping(i, j), names[static_cast<std::size_t>(j)]);
    }
    if (kept) out.base.push_back(std::move(base));
  }
  for (Eigen::Index j = 0; j < grouping.cols(); ++j) {
    const std::string& name = names[static_cast<std::size_t>(j)];
    if (!name.empty() && grouping.col(j).cwiseAbs().maxCoeff() <= kNoFactor) out.without_effect.push_back(name);
  }
  return out;
}

/// Rows of the regressor at many random states, in independent coordinates where there are loops.
Eigen::MatrixXd stacked_regressor(const Model& model, const ParameterColumns& columns) {
  const int count = parameter_count(model, columns);
  const bool closed = !model.loops().empty();
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](Eigen::Index n) {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(generator); }));
  };
  Data<double> data(model);
  if (!closed) {
    const int states = 2 * count / std::max(model.nv(), 1) + 10;
    Eigen::MatrixXd W(states * model.nv(), count);
    for (int k = 0; k < states; ++k) {
      const Eigen::VectorXd q = random_configuration(model, generator), v = random(model.nv()), a = random(model.nv());
      W.middleRows(k * model.nv(), model.nv()) = regressor(model, data, q, v, a, columns);
    }
    return W;
  }
  const Mechanism mechanism(model);
  MechanismData<double> closed_data(mechanism);
  const int n = mechanism.mobility(), states = 2 * count / n + 10;
  Eigen::MatrixXd W(states * n, count), G(model.nv(), n);
  Eigen::VectorXd q(model.nq()), v(model.nv()), a(model.nv());
  const Eigen::VectorXd home = mechanism.home().eigen(), start = mechanism.independent_home().eigen();
  // Around home, and nearer where the loops cannot be closed: what 0.3 is, rad or m, is little here and much there.
  constexpr double kFar = 0.3, kNearest = 1e-3;
  for (int k = 0; k < states; ++k) {
    bool assembled = false;
    for (double reach = kFar; !assembled; reach /= 2) {
      try {
        assemble(mechanism, closed_data, start + reach * random(start.size()), home, q);
        assembled = true;
      } catch (const InputError&) {
        if (reach < kNearest) throw;
      }
    }
    closed_motion(mechanism, closed_data, q, random(n), random(n), v, a);
    closed_jacobian(mechanism, closed_data, q, G);
    W.middleRows(k * n, n) = G.transpose() * regressor(model, data, q, v, a, columns);
  }
  return W;
}

/// The order in which parameters are kept: of the last bodies first, and of a body those that Khalil keeps.
std::vector<int> preference(int bodies, int rotors) {
  constexpr std::array kKept{9, 4, 5, 6, 8, 1, 2, 7, 3, 0};
  std::vector<int> out;
  for (int i = bodies - 1; i >= 0; --i) {
    for (const int k : kKept) out.push_back(kPerBody * i + k);
  }
  for (int k = 0; k < rotors; ++k) out.push_back(kPerBody * bodies + k);
  return out;
}

}  // namespace

BaseParameters base_parameters(const Model& model) {
  const Tree& tree = model.tree();
  const std::vector<int> links = links_of_bodies(model);
  std::vector<std::string> names;
  for (const int link : links) {
    for (const char* const name : kNames) {
      names.push_back(link < 0 ? "" : parameter_name(name, model.links()[static_cast<std::size_t>(link)].name));
    }
  }
  for (const std::string& name : rotor_names(model)) names.push_back(name);
  const Eigen::Index size = static_cast<Eigen::Index>(names.size());
  Eigen::MatrixXd grouping(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    TreeParameters unit = as_parameters(Eigen::VectorXd::Unit(size, k), tree.body_count);
    group(tree, codegen::MassOf::every_body, unit);
    grouping.col(k) = as_vector(unit);
  }
  return read_rows(grouping, names);
}

BaseParameters numerical_base_parameters(const Model& model) {
  // Below this a column is rounding: told before columns are scaled, or it would pass for a parameter.
  constexpr double kNoEffect = 1e-9, kDependent = 1e-8;
  const ParameterColumns columns{.every_link = false, .friction = false, .rotors = true};
  const Eigen::MatrixXd W = stacked_regressor(model, columns);
  std::vector<std::string> names;
  std::vector<int> links = links_of_bodies(model);
  std::erase(links, -1);
  std::sort(links.begin(), links.end());
  for (const int link : links) {
    for (const char* const name : kNames) {
      names.push_back(parameter_name(name, model.links()[static_cast<std::size_t>(link)].name));
    }
  }
  for (const std::string& name : rotor_names(model)) names.push_back(name);

  const Eigen::Index size = W.cols();
  Eigen::MatrixXd grouping = Eigen::MatrixXd::Zero(size, size), Q(W.rows(), 0), kept(W.rows(), 0);
  std::vector<Eigen::Index> base;
  for (const int k : preference(static_cast<int>(links.size()), model.tree().nv)) {
    const double norm = W.col(k).norm();
    if (norm < kNoEffect * std::sqrt(static_cast<double>(W.rows()))) continue;
    Eigen::VectorXd rest = W.col(k) / norm;
    for (int pass = 0; pass < 2; ++pass) rest -= Q * (Q.transpose() * rest);  // twice is enough
    if (rest.norm() > kDependent) {
      base.push_back(k);
      grouping(k, k) = 1;
      Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
      Q.rightCols<1>() = rest.normalized();
      kept.conservativeResize(Eigen::NoChange, kept.cols() + 1);
      kept.rightCols<1>() = W.col(k);
      continue;
    }
    const Eigen::MatrixXd R = Q.transpose() * kept;
    const Eigen::VectorXd factors = R.triangularView<Eigen::Upper>().solve(Q.transpose() * W.col(k));
    for (std::size_t j = 0; j < base.size(); ++j) {
      const double factor = factors[static_cast<Eigen::Index>(j)];
      if (std::abs(factor) > kDependent) grouping(base[j], k) = factor;
    }
  }
  return read_rows(grouping, names);
}

ModelSpec with_base_parameters(const Model& model) {
  const Tree& tree = model.tree();
  TreeParameters parameters = codegen::parameters_of(tree);
  group(tree, codegen::MassOf::links_only, parameters);
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) {
    link.has_inertial = false;
    link.mass = 0, link.com = {0, 0, 0}, link.inertia = Sym3<double>::zero();
    link.first_moment.reset();
  }
  const std::vector<int> links = links_of_bodies(model);
  for (int i = 0; i < tree.body_count; ++i) {
    const int index = links[static_cast<std::size_t>(i)];
    if (index < 0) continue;
    LinkSpec& link = spec.links[static_cast<std::size_t>(index)];
    const TreeSite& site = tree.sites[index];
    const RigidInertia<double> in =
        inverse(Transform<double>{mat3(site.R), vec3(site.p)}) * parameters.bodies[static_cast<std::size_t>(i)];
    link.has_inertial = true;
    link.mass = in.mass, link.first_moment = in.mc, link.inertia = in.I;
  }
  int k = 0;
  for (LinkSpec& link : spec.links) {
    const int count = velocity_count(link.joint.type);
    for (int i = 0; i < count; ++i, ++k) {
      const double rotor = parameters.rotors[static_cast<std::size_t>(k)];
      if (link.joint.dofs.empty() && rotor == 0) continue;
      link.joint.dofs.resize(static_cast<std::size_t>(count));
      link.joint.dofs[static_cast<std::size_t>(i)].rotor_inertia = rotor;
    }
  }
  spec.source += std::string(spec.source.empty() ? "" : "\n") +
                 "Grouped (base) parameters: torques, mass matrix and accelerations are those of the model they come "
                 "from; wrenches, momentum, energy and centre of mass are those of no real body.";
  return spec;
}

}  // namespace verne
