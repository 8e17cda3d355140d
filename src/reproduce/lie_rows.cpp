/// The notes on the Lie algebra form: the expansion of two links, and properties of the matrices.
#include <Eigen/Core>
#include <complex>

#include "formulations/lie.h"
#include "formulations/lie_two_link.h"
#include "reproduce/complex_step.h"
#include "reproduce/erratum.h"
#include "reproduce/general_models.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

constexpr double kLieAgreement = 1e-10;
constexpr int kLieStates = 5;

fm::ScrewTree screw_tree(const Model& model) {
  const auto tree = fm::screw_tree_of(model);
  if (!tree) throw InputError(model.name() + ": " + tree.reason);
  return *tree;
}

/// The largest errors of each term over all states, in the order in which terms come.
class Terms {
 public:
  void include(const char* name, const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
    if (at_ == errors_.size()) errors_.emplace_back(name, 0);
    errors_[at_].second = std::max(errors_[at_].second, relative_difference(found, expected, 1));
    ++at_;
  }
  void next_state() { at_ = 0; }
  void write(Answer& answer) const {
    for (const auto& [name, error] : errors_) answer.add_disagreement(name, error, kLieAgreement);
  }

 private:
  std::vector<std::pair<std::string, double>> errors_;
  std::size_t at_ = 0;
};

using One = Eigen::Matrix<double, 1, 1>;

void two_link_terms(Sources&, Answer& answer) {
  const Model model = general_arm(2);
  fm::ScrewTree tree = screw_tree(model);
  tree.gravity = {0, 0, 0};
  const auto axis = [&](std::size_t i) { return fm::adjoint(inverse(tree.links[i].M_0i)) * tree.links[i].screw; };
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  Terms errors;
  for (const CheckState& s : random_states(model, kLieStates)) {
    const auto out = fm::lie_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(zero)});
    const auto terms = fm::lie_two_link_terms(
        {out.T[2].R, out.T[2].p, axis(1).top, axis(1).bottom, axis(2).top, axis(2).bottom,
         fm::full(tree.links[1].inertia), fm::full(tree.links[2].inertia), tree.links[1].mass, tree.links[2].mass});
    const double r1 = s.v[0], r2 = s.v[1];
    const auto add = [&](const char* name, const fm::VelocityForm<Vec3<double>>& form, const Vec3<double>& expected) {
      errors.include(name, eigen(form.squared_1 * (r1 * r1) + form.product * (r1 * r2) + form.squared_2 * (r2 * r2)),
                     eigen(expected));
    };
    const auto add_torque = [&](const char* name, const fm::VelocityForm<double>& form, double expected) {
      errors.include(name, One(form.squared_1 * r1 * r1 + form.product * r1 * r2 + form.squared_2 * r2 * r2),
                     One(expected));
    };
    add("ω̇2 (9.1)", terms.omega_dot_2, out.V_dot[2].top);
    add("v̇2 (10.2)", terms.v_dot_2, out.V_dot[2].bottom);
    add("ω2 × v2 (10.2)", terms.omega_2_cross_v_2, cross(out.V[2].top, out.V[2].bottom));
    add("n2 (10.1)", terms.n_2, out.F[2].top), add("f2 (10.2)", terms.f_2, out.F[2].bottom);
    add_torque("τ2 (10.3)", terms.tau_2, out.tau[1]);
    add("n1 (10.4)", terms.n_1, out.F[1].top), add("f1 (10.4)", terms.f_1, out.F[1].bottom);
    add_torque("τ1 (10.5)", terms.tau_1, out.tau[0]);
    errors.next_state();
  }
  errors.write(answer);
}

/// M along q̇, for complex steps.
Eigen::MatrixXd mass_matrix_rate(const fm::ScrewTree& tree, const CheckState& s) {
  std::vector<Complex> moved;
  for (Eigen::Index k = 0; k < s.q.size(); ++k) moved.emplace_back(s.q[k], kImaginaryStep * s.v[k]);
  return fm::lie_mass_matrix<Complex>(tree, moved).imag() / kImaginaryStep;
}

const char* const kArms[] = {"arm7", "stanford_arm"};

void coriolis(Sources& sources, Answer& answer) {
  for (const char* name : kArms) {
    const Model model = sources.model(name);
    const fm::ScrewTree tree = screw_tree(model);
    double skew = 0, velocity = 0;
    for (const CheckState& s : random_states(model, kLieStates)) {
      const Eigen::MatrixXd C = fm::lie_coriolis_matrix<double>(tree, span_of(s.q), span_of(s.v));
      const Eigen::MatrixXd N = mass_matrix_rate(tree, s) - 2 * C;
      skew = std::max(skew, relative_difference(N, -N.transpose()));
      const auto terms = fm::lie_terms<double>(tree, {span_of(s.q), span_of(s.v), span_of(s.a)});
      velocity = std::max(velocity, relative_difference(C * s.v, terms.velocity));
    }
    answer.add_disagreement(std::string(name) + ": Ṁ − 2C is off from skew by", skew, kLieAgreement);
    answer.add_disagreement(std::string(name) + ": C θ̇ and the velocity terms of section 9", velocity, kLieAgreement);
  }
}

void energy(Sources& sources, Answer& answer) {
  for (const char* name : kArms) {
    const Model model = without(sources.model(name), {.friction = true, .rotor_inertia = true, .springs = true});
    const fm::ScrewTree tree = screw_tree(model);
    Data<Complex> data(model);
    double worst = 0;
    for (const CheckState& s : random_states(model, kLieStates)) {
      const Eigen::VectorXd tau =
          vector_of(fm::lie_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(s.a)}).tau);
      // The rate of kinetic and potential energy along the motion, by the library.
      const Eigen::VectorXcd q = s.q.cast<Complex>() + s.v.cast<Complex>() * Complex(0, kImaginaryStep),
                             v = s.v.cast<Complex>() + s.a.cast<Complex>() * Complex(0, kImaginaryStep),
                             none = Eigen::VectorXcd::Zero(model.nv());
      const auto whole = whole_body_state(model, data, q, v, none);
      const double rate = (whole.kinetic_energy + whole.potential_energy).imag() / kImaginaryStep;
      worst = std::max(worst, std::abs(s.v.dot(tau) - rate) / s.v.cwiseAbs().dot(tau.cwiseAbs()));
    }
    answer.add_disagreement(std::string(name) + ": power of the torques and rate of the energy", worst, kLieAgreement);
  }
}

}  // namespace

std::vector<Row> lie_rows() {
  constexpr Document kLie = Document::lie;
  return {
      {"lie-two-link", kLie, "sections 9 and 10",
       "The velocity terms of two links, term by term (here: as corrected, for axes of any direction)", two_link_terms},
      {"lie-coriolis", kLie, "section 11", "Ṁ − 2C is skew, and C θ̇ are the velocity terms", coriolis},
      {"lie-energy", kLie, "section 11", "The torques do the work that the energy changes by", energy},
  };
}

}  // namespace verne::reproduce
