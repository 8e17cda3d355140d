/// The formulations for robots on a fixed base, in the terms of `verne check`.

#include "formulations/barman.h"
#include "formulations/factors.h"
#include "formulations/khalil.h"
#include "formulations/lie.h"
#include "formulations/nasser.h"
#include "model/tree.h"
#include "reproduce/comparison.h"
#include "verne/dynamics/derivatives.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// What the documents know nothing of.
constexpr Lacks kAllLosses{.friction = true, .rotor_inertia = true, .springs = true};
constexpr Lacks kFrictionAndSprings{.friction = true, .springs = true};
constexpr Lacks kSprings{.springs = true};

int link_of_body(const fm::DhTree& tree, int body) {
  for (std::size_t j = 1; j < tree.links.size(); ++j) {
    if (tree.links[j].body == body) return static_cast<int>(j);
  }
  return 0;
}

/// On a description of the model, which an algorithm reads; it is held against the library's model without what the
/// document lacks.
template <class Description>
class OnDescription : public Formulation {
 protected:
  OnDescription(const Model& model, const Lacks& lacks, Description tree)
      : library_(without(model, lacks)), tree_(std::move(tree)) {}

  /// Of torques or accelerations, and of the wrenches in the bodies' frames that `wrench(body)` gives.
  template <class Wrench>
  Differences differences(CheckedQuantity quantity, std::span<const double> found, const LibraryAnswer& expected,
                          const Wrench& wrench) const {
    Differences out;
    out[quantity] = relative_difference(vector_of(found), expected.values);
    out[kInternalForces] = wrench_difference(library_.model(), expected.wrenches, wrench);
    return out;
  }

  Library library_;
  Description tree_;
};

class Barman : public OnDescription<fm::DhTree> {
 public:
  Barman(const Model& model, fm::DhTree tree) : OnDescription(model, kAllLosses, std::move(tree)) {}

  Differences compare(const CheckState& s) override {
    const LibraryAnswer expected = library_.inverse(s);
    const auto found = fm::barman_sensitivities<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a)});
    const auto wrench = [&](int body) {
      const auto j = static_cast<std::size_t>(link_of_body(tree_, body));
      return fm::barman_wrench(tree_.links[j], found.values.links[j]);
    };
    Differences out = differences(kTorques, found.values.effort, expected, wrench);
    out[kSensitivities] = sensitivities(s, found);
    return out;
  }
  void run(const CheckState& s) const override {
    fm::barman_dynamics<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.a)});
  }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    const auto q = counted(s.q), v = counted(s.v), a = counted(s.a);
    return fm::Counted::count([&] { fm::barman_dynamics<fm::Counted>(tree_, {q, v, a}); });
  }

 private:
  /// Of torques and of joint wrenches, by q, v and a together: some of these blocks may vanish on their own.
  double sensitivities(const CheckState& s, const fm::BarmanSensitivities<double>& found) {
    const Model& model = library_.model();
    const int n = model.nv();
    Eigen::MatrixXd dq(n, n), dv(n, n), da(n, n);
    WrenchDerivatives<double> wrenches(model);
    inverse_dynamics_derivatives(model, library_.data(), s.q, s.v, s.a, dq, dv, da, nullptr, &wrenches);
    Eigen::MatrixXd tau(n, 3 * n), found_tau(n, 3 * n);
    tau << dq, dv, da;
    Matrix6X<double> forces(6, 3 * wrenches.dq.cols());
    forces << wrenches.dq, wrenches.dv, wrenches.dx;
    Matrix6X<double> found_forces = forces;
    int block = 0;
    for (const fm::BarmanDerivatives<double>* by : {&found.by_q, &found.by_qd, &found.by_qdd}) {
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) found_tau(k, block * n + i) = by->effort(k, i);
        for (int k = 0; k < model.tree().joint_count; ++k) {
          const TreeJoint& joint = model.tree().joints[k];
          if (joint.fixed || joint.body < 0) continue;
          const int j = link_of_body(tree_, joint.body);
          const auto at = static_cast<std::size_t>(j);
          found_forces.col(block * wrenches.dq.cols() + k * n + i) = vector_of(fm::in_joint_frame(
              joint, fm::barman_wrench_derivative(tree_.links[at], found.values.links[at], by->at(j, i))));
        }
      }
      ++block;
    }
    return std::max(relative_difference(found_tau, tau), relative_difference(found_forces, forces));
  }
};

/// Links have the numbers of the library's bodies, plus one.
class OnMdhTree : public OnDescription<fm::MdhTree> {
 public:
  OnMdhTree(const Model& model, fm::MdhTree tree) : OnDescription(model, kSprings, std::move(tree)) {}

 protected:
  template <class Wrenches>
  static auto of_bodies(const Wrenches& wrenches) {
    return [&](int body) { return wrenches[static_cast<std::size_t>(body) + 1]; };
  }
};

class KhalilInverse : public OnMdhTree {
 public:
  using OnMdhTree::OnMdhTree;

  Differences compare(const CheckState& s) override {
    const auto found = fm::khalil_inverse<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.a));
    return differences(kTorques, found.torque, library_.inverse(s), of_bodies(found.wrench));
  }
  void run(const CheckState& s) const override {
    fm::khalil_inverse<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.a));
  }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    const auto q = counted(s.q), v = counted(s.v), a = counted(s.a);
    return fm::Counted::count([&] { fm::khalil_inverse<fm::Counted>(tree_, {q, v}, a); });
  }
};

class KhalilByColumns : public OnMdhTree {
 public:
  using OnMdhTree::OnMdhTree;

  Differences compare(const CheckState& s) override {
    const auto found = fm::khalil_direct_by_columns<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.tau));
    Differences out;
    out[kAccelerations] = relative_difference(vector_of(found), library_.forward(s).values);
    return out;
  }
  void run(const CheckState& s) const override {
    fm::khalil_direct_by_columns<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.tau));
  }
};

class KhalilRecursive : public OnMdhTree {
 public:
  using OnMdhTree::OnMdhTree;

  Differences compare(const CheckState& s) override {
    const auto found = fm::khalil_direct<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.tau));
    return differences(kAccelerations, found.qdd, library_.forward(s), of_bodies(found.wrench));
  }
  void run(const CheckState& s) const override {
    fm::khalil_direct<double>(tree_, {span_of(s.q), span_of(s.v)}, span_of(s.tau));
  }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    const auto q = counted(s.q), v = counted(s.v), tau = counted(s.tau);
    return fm::Counted::count([&] { fm::khalil_direct<fm::Counted>(tree_, {q, v}, tau); });
  }
};

class Nasser : public OnDescription<fm::DhTree> {
 public:
  Nasser(const Model& model, fm::DhTree tree) : OnDescription(model, kFrictionAndSprings, std::move(tree)) {}

  Differences compare(const CheckState& s) override {
    const auto found = fm::nasser_dynamics<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.tau)});
    const LibraryAnswer expected = library_.forward(s);
    const auto wrench = [&](int body) {
      const auto i = static_cast<std::size_t>(link_of_body(tree_, body));
      return fm::nasser_wrench(tree_.links[i], s.q[tree_.links[i].variable], found.wrench[i]);
    };
    return differences(kAccelerations, found.acceleration, expected, wrench);
  }
  void run(const CheckState& s) const override {
    fm::nasser_dynamics<double>(tree_, {span_of(s.q), span_of(s.v), span_of(s.tau)});
  }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    const auto q = counted(s.q), v = counted(s.v), tau = counted(s.tau);
    return fm::Counted::count([&] { fm::nasser_dynamics<fm::Counted>(tree_, {q, v, tau}); });
  }
};

/// The compact form, or the one by components.
class Lie : public OnDescription<fm::ScrewTree> {
 public:
  Lie(const Model& model, fm::ScrewTree tree, bool expanded)
      : OnDescription(model, kAllLosses, std::move(tree)), expanded_(expanded) {}

  Differences compare(const CheckState& s) override {
    const LibraryAnswer expected = library_.inverse(s);
    const auto found = recursion<double>({span_of(s.q), span_of(s.v), span_of(s.a)});
    const auto wrench = [&](int body) {
      const auto i = static_cast<std::size_t>(body) + 1;
      return fm::lie_wrench(tree_.links[i], found.F[i]);
    };
    Differences out = differences(kTorques, found.tau, expected, wrench);
    if (!expanded_) out[kAccelerations] = relative_difference(accelerations(s), library_.forward(s).values);
    return out;
  }
  void run(const CheckState& s) const override { recursion<double>({span_of(s.q), span_of(s.v), span_of(s.a)}); }
  std::optional<fm::OperationCount> count(const CheckState& s) const override {
    const auto q = counted(s.q), v = counted(s.v), a = counted(s.a);
    return fm::Counted::count([&] { recursion<fm::Counted>({q, v, a}); });
  }

 private:
  template <class S>
  fm::LieDynamics<S> recursion(const fm::LieState<S>& state) const {
    return expanded_ ? fm::lie_dynamics_expanded(tree_, state) : fm::lie_dynamics(tree_, state);
  }
  /// M θ̈ = τ − C θ̇ − g
  Eigen::VectorXd accelerations(const CheckState& s) const {
    const Eigen::MatrixXd M = fm::lie_mass_matrix<double>(tree_, span_of(s.q));
    const Eigen::MatrixXd C = fm::lie_coriolis_matrix<double>(tree_, span_of(s.q), span_of(s.v));
    const fm::Factors<double> factors(M);
    if (!factors.full_rank()) throw InputError("M is singular: a mass or an inertia is missing");
    return factors.solve(s.tau - C * s.v - fm::lie_gravity<double>(tree_, span_of(s.q)));
  }

  bool expanded_;
};

/// A row that stands for a model in a description, or for the reason why there is none.
template <class Kind, class Description, class... Rest>
CheckedFormulation row(const Model& model, const char* name, const char* description, std::string lacks,
                       const fm::Expressed<Description>& expressed, Rest... rest) {
  CheckedFormulation out{name, description, std::move(lacks), nullptr, expressed.reason};
  if (expressed) out.formulation = std::make_unique<Kind>(model, *expressed, rest...);
  return out;
}

}  // namespace

std::vector<CheckedFormulation> fixed_base_formulations(const Model& model) {
  const auto dh = fm::dh_tree_of(model);
  const auto mdh = fm::mdh_tree_of(model);
  const auto screws = fm::screw_tree_of(model);
  std::vector<CheckedFormulation> rows;
  const std::string losses = lacking(model, kAllLosses), springs = lacking(model, kSprings);
  rows.push_back(row<Barman>(model, "Barman", "dh", losses, dh));
  if (!mdh || !mdh->moving_base) {
    rows.push_back(row<KhalilInverse>(model, "Khalil, inverse", "mdh", springs, mdh));
    rows.push_back(row<KhalilByColumns>(model, "Khalil, direct by columns", "mdh", springs, mdh));
    rows.push_back(row<KhalilRecursive>(model, "Khalil, direct", "mdh", springs, mdh));
  }
  rows.push_back(row<Nasser>(model, "Nasser", "dh", lacking(model, kFrictionAndSprings), dh));
  rows.push_back(row<Lie>(model, "Lie algebra", "screw", losses, screws, false));
  rows.push_back(row<Lie>(model, "Lie algebra, expanded", "screw", losses, screws, true));
  return rows;
}

}  // namespace verne::reproduce
