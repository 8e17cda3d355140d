/// Khalil's inverse model of robots with elastic joints, section 6, in the terms of `verne check`: springs are driven
/// by nothing else and answer, the accelerations of the other joints are given.
#include "formulations/khalil_elastic.h"
#include "model/tree.h"
#include "reproduce/comparison.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

constexpr Lacks kLigaments{.ligaments = true};

fm::KhalilElasticTree elastic_tree_of(const Model& model, fm::MdhTree tree) {
  fm::KhalilElasticTree robot{std::move(tree), {}};
  for (const DofSpec& dof : model.dofs()) {
    const bool elastic = dof.stiffness != 0;
    robot.springs.push_back(elastic ? std::optional(fm::KhalilSpring{dof.stiffness, dof.rest}) : std::nullopt);
  }
  return robot;
}

std::vector<int> rigid_joints(const Model& model) {
  std::vector<int> joints;
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.nv > 0 && model.dofs()[static_cast<std::size_t>(joint.v)].stiffness == 0) {
      joints.push_back(static_cast<int>(i));
    }
  }
  return joints;
}

class Elastic : public Formulation {
 public:
  Elastic(const Model& model, fm::MdhTree tree, bool recursive)
      : library_(without(model, kLigaments)),
        rigid_(model, rigid_joints(model)),
        robot_(elastic_tree_of(model, std::move(tree))),
        recursive_(recursive) {}

  Differences compare(const CheckState& s) override {
    const auto found = motion(s);
    CheckState given = s;
    given.tau.setZero();
    const HybridMotion<double> expected = library_.completed(given, rigid_);
    Eigen::VectorXd torque = vector_of(found.torque);
    for (std::size_t k = 0; k < robot_.springs.size(); ++k) {
      if (robot_.springs[k]) torque[static_cast<Eigen::Index>(k)] = 0;  // the spring's own, which tau leaves out
    }
    Differences out;
    out[kTorques] = relative_difference(torque, expected.tau);
    out[kAccelerations] = relative_difference(vector_of(found.qdd), expected.a);
    if (recursive_) {
      out[kInternalForces] = wrench_difference(library_.model(), expected.wrenches, [&](int body) {
        return found.wrench[static_cast<std::size_t>(body) + 1];
      });
    }
    return out;
  }
  void run(const CheckState& s) const override { motion(s); }

 private:
  fm::KhalilElasticInverse<double> motion(const CheckState& s) const {
    const fm::KhalilState<double> state{span_of(s.q), span_of(s.v)};
    return recursive_ ? fm::khalil_elastic<double>(robot_, state, span_of(s.a))
                      : fm::khalil_elastic_by_matrices<double>(robot_, state, span_of(s.a));
  }

  Library library_;
  GivenAccelerations rigid_;
  fm::KhalilElasticTree robot_;
  bool recursive_;
};

}  // namespace

std::vector<CheckedFormulation> elastic_formulations(const Model& model) {
  const auto mdh = fm::mdh_tree_of(model);
  std::vector<CheckedFormulation> rows;
  if (!has_springs(model) || !mdh || mdh->moving_base) return rows;
  const auto add = [&](const char* name, bool recursive) {
    rows.push_back({name, "mdh", lacking(model, kLigaments), std::make_unique<Elastic>(model, *mdh, recursive), ""});
  };
  add("Khalil, elastic by matrices", false);
  add("Khalil, elastic", true);
  return rows;
}

}  // namespace verne::reproduce
