/// Chapter III of the thesis: every quantity of steps 1 to 10 derived by every variable, against complex steps.
#include <complex>
#include <map>

#include "formulations/barman.h"
#include "reproduce/comparison.h"
#include "reproduce/complex_step.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

using Link = fm::BarmanLink<double>;
using ComplexLink = fm::BarmanLink<Complex>;

constexpr double kComplexStepAgreement = 1e-11;

/// Steps of chapter III, with the equations that give sensitivities, and the quantities of each.
struct ChapterStep {
  const char* name;
  std::vector<std::string> quantities;
};
const std::vector<ChapterStep>& steps() {
  static const std::vector<ChapterStep> all{
      {"angular velocity", {"omega_carried", "omega_delta", "omega"}},
      {"angular acceleration", {"omega_dot_carried", "omega_dot_delta", "omega_dot"}},
      {"position of the joint", {"x_carried", "x_delta", "x"}},
      {"position of the centre of mass", {"xG_delta", "xG"}},
      {"velocity of the joint", {"xd_carried", "xd_delta", "xd"}},
      {"velocity of the centre of mass", {"xdG_delta", "xdG"}},
      {"acceleration of the joint", {"xdd_carried", "xdd_delta", "xdd"}},
      {"acceleration of the centre of mass", {"xddG_delta", "xddG"}},
      {"angular momentum, inertial force and torque", {"H", "F_G", "tau_G"}},
      {"internal forces", {"F_d", "F_p"}},
      {"internal torques", {"tau_d", "tau_p"}},
      {"what external forces and moments add", {"F_de", "tau_def", "tau_dem"}},
  };
  return all;
}

/// A state and loads on two links, in any scalar.
template <class S>
struct StateAndLoads {
  std::vector<S> q, qd, qdd;
  std::vector<fm::BarmanLoad<S>> loads;

  fm::BarmanState<S> state() const { return {q, qd, qdd, loads}; }
};

std::vector<fm::BarmanLoad<double>> loads_on(const fm::DhTree& tree) {
  const int last = static_cast<int>(tree.links.size()) - 1;
  return {{last / 2, {3, -2, 5}, {0.4, 0.7, -0.3}, {0.1, -0.05, 0.2}},
          {last, {-4, 6, 1}, {-0.5, 0.2, 0.9}, {-0.15, 0.1, 0.05}}};
}

/// Entry i of q, qd or qdd is moved by the imaginary step.
StateAndLoads<Complex> stepped(const StateAndLoads<double>& real, int kind, int i) {
  StateAndLoads<Complex> out{
      {real.q.begin(), real.q.end()}, {real.qd.begin(), real.qd.end()}, {real.qdd.begin(), real.qdd.end()}, {}};
  for (const auto& load : real.loads) {
    out.loads.push_back(
        {load.link, fm::cast<Complex>(load.force), fm::cast<Complex>(load.moment), fm::cast<Complex>(load.point)});
  }
  std::vector<Complex>& moved = kind == 0 ? out.q : kind == 1 ? out.qd : out.qdd;
  moved[static_cast<std::size_t>(i)] += Complex(0, kImaginaryStep);
  return out;
}

/// Largest entry of the derivatives of a quantity, and by how much they are off.
struct Misfit {
  double off = 0, size = 0;
  void include(double found, double expected) {
    off = std::max(off, std::abs(found - expected)), size = std::max(size, std::abs(expected));
  }
  double relative() const { return off == 0 ? 0 : off / size; }
};

void compare_with_steps(const fm::DhTree& tree, const StateAndLoads<double>& at,
                        std::map<std::string, Misfit>& errors) {
  const auto found = fm::barman_sensitivities<double>(tree, at.state());
  const fm::BarmanDerivatives<double>* const by[] = {&found.by_q, &found.by_qd, &found.by_qdd};
  const auto fields = fm::barman_fields<double>();
  const auto complex_fields = fm::barman_fields<Complex>();
  for (int kind = 0; kind < 3; ++kind) {
    for (int i = 0; i < tree.variables; ++i) {
      const StateAndLoads<Complex> moved = stepped(at, kind, i);
      const auto truth = fm::barman_dynamics<Complex>(tree, moved.state());
      for (int j = 1; j < static_cast<int>(tree.links.size()); ++j) {
        const Link& link = by[kind]->at(j, i);
        const ComplexLink& expected = truth.links[static_cast<std::size_t>(j)];
        for (std::size_t f = 0; f < fields.size(); ++f) {
          const Vec3<double>& x = link.*fields[f].second;
          const Vec3<Complex>& y = expected.*complex_fields[f].second;
          Misfit& error = errors[fields[f].first];
          error.include(x.x, y.x.imag() / kImaginaryStep), error.include(x.y, y.y.imag() / kImaginaryStep);
          error.include(x.z, y.z.imag() / kImaginaryStep);
        }
      }
      for (int k = 0; k < tree.variables; ++k) {
        errors["effort"].include(by[kind]->effort(k, i),
                                 truth.effort[static_cast<std::size_t>(k)].imag() / kImaginaryStep);
      }
    }
  }
}

void sensitivities(Sources& sources, Answer& answer) {
  std::map<std::string, Misfit> errors;
  for (const char* name : {"puma560", "stanford_arm", "prismatic_revolute"}) {
    const Model model = sources.model(name);
    const auto tree = fm::dh_tree_of(model);
    if (!tree) throw InputError(std::string(name) + ": " + tree.reason);
    for (const CheckState& s : random_states(model, 3)) {
      StateAndLoads<double> at{
          {s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {s.a.begin(), s.a.end()}, loads_on(*tree)};
      compare_with_steps(*tree, at, errors);
    }
  }
  for (const ChapterStep& step : steps()) {
    double worst = 0;
    for (const std::string& quantity : step.quantities) worst = std::max(worst, errors.at(quantity).relative());
    answer.add_disagreement(step.name, worst, kComplexStepAgreement);
  }
  answer.add_disagreement("joint torques and forces", errors.at("effort").relative(), kComplexStepAgreement);
}

}  // namespace

std::vector<Row> thesis_sensitivity_rows() {
  return {{"thesis-sensitivities", Document::thesis, "chapter III, steps 1–10, (3.5)–(3.95)",
           "Sensitivities of every quantity by every q, q̇ and q̈ are analytic (here: as corrected, and against complex "
           "steps; PUMA 560, Stanford arm and the arm of section 4.2, with loads on two links)",
           sensitivities}};
}

}  // namespace verne::reproduce
