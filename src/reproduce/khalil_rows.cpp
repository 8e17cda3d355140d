/// Sections 3 to 8 of Khalil: each structure on shipped models, beside the library, and what the recursions cost.
#include <fmt/core.h>

#include "formulations/khalil.h"
#include "reproduce/comparison.h"
#include "reproduce/growth.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

constexpr double kKhalilAgreement = 1e-9;  // relative to the largest entry, as `verne check` has it
constexpr int kKhalilStates = 5;

/// All of Khalil's formulations on a model: the largest disagreement of each of their quantities with the library.
void compare_on(Sources& sources, Answer& answer, const std::string& name) {
  const Model model = sources.model(name);
  sources.report("Khalil on " + name);
  const std::vector<CheckState> states = random_states(model, kKhalilStates);
  int compared = 0;
  for (CheckedFormulation& checked : formulations_for(model)) {
    if (!checked.name.starts_with("Khalil") || !checked.formulation) continue;
    Differences worst;
    for (const CheckState& state : states) {
      const Differences found = checked.formulation->compare(state);
      for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k]) worst[k] = std::max(worst[k].value_or(0), *found[k]);
      }
    }
    for (std::size_t k = 0; k < worst.size(); ++k) {
      if (!worst[k]) continue;
      const std::string how = checked.name.substr(std::string("Khalil, ").size());
      answer.add_disagreement(fmt::format("{}: {} ({})", name, name_of(CheckedQuantity(k)), how), *worst[k],
                              kKhalilAgreement);
      ++compared;
    }
  }
  if (compared == 0) throw InputError(name + ": none of Khalil's formulations can express it");
}

std::function<void(Sources&, Answer&)> on(std::vector<std::string> models) {
  return [models](Sources& sources, Answer& answer) {
    for (const std::string& name : models) compare_on(sources, answer, name);
  };
}

/// Section 6.2: the direct model of rigid joints with Γ = −K Δq for elastic ones.
void elastic(Sources& sources, Answer& answer) {
  const std::string name = "elastic_arm";
  compare_on(sources, answer, name);
  const Model model = sources.model(name);
  const auto tree = fm::mdh_tree_of(model);
  if (!tree) throw InputError(name + ": " + tree.reason);
  Data<double> data(model);
  Eigen::VectorXd a(model.nv());
  double worst = 0;
  for (const CheckState& s : random_states(model, kKhalilStates)) {
    forward_dynamics(model, data, s.q, s.v, s.tau, a);
    Eigen::VectorXd torque = s.tau;
    for (Eigen::Index k = 0; k < torque.size(); ++k) {
      const DofSpec& dof = model.dofs()[static_cast<std::size_t>(k)];
      torque[k] -= dof.stiffness * (s.q[k] - dof.rest);
    }
    const auto found = fm::khalil_direct<double>(*tree, {span_of(s.q), span_of(s.v)}, span_of(torque));
    worst = std::max(worst, relative_difference(vector_of(found.qdd), a));
  }
  answer.add_disagreement(name + ": accelerations (direct, section 6.2)", worst, kKhalilAgreement);
}

void khalil_cost(Sources& sources, Answer& answer) {
  sources.report("counting operations");
  const std::vector<Growth> all{growth_of("inverse model", khalil_inverse_count),
                                growth_of("recursive direct model", khalil_direct_count)};
  const auto add = [&](const std::string& of, long obtained, long known) {
    Finding& finding = answer.add_printed(of, "", 0, static_cast<double>(obtained), 0);
    finding.printed.reset(), finding.known = static_cast<double>(known);
  };
  const long known[2][2] = {{121, 95}, {554, 462}};  // docs/theory/operation_counts.md
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Growth& growth = all[k];
    answer.add_printed(
        growth.name + ": growth of the growth with n", "", 0,
        static_cast<double>(std::max(growth.bend(growth.multiplications), growth.bend(growth.additions))), 0);
    add(growth.name + ": multiplications a joint", growth.slope(growth.multiplications), known[k][0]);
    add(growth.name + ": additions a joint", growth.slope(growth.additions), known[k][1]);
  }
  answer.figures.push_back({"", "Operations of the inverse and of the recursive direct model", growth_chart(all)});
}

}  // namespace

std::vector<Row> khalil_rows() {
  constexpr Document kKhalil = Document::khalil;
  return {
      {"khalil-3-trees", kKhalil, "section 3, (12)–(54)",
       "Inverse model, direct model by columns of the inverse one and recursive direct model of rigid robots",
       on({"rx90", "puma560", "stanford_arm", "arm7"})},
      {"khalil-4-loops", kKhalil, "section 4, (55)–(58)",
       "Inverse and direct models of robots with closed loops, by the equivalent tree",
       on({"four_bar", "slider_crank", "five_bar", "sr400"})},
      {"khalil-5-parallel", kKhalil, "section 5, (59)–(66)",
       "Inverse model of parallel robots, leg by leg, and the direct model that it gives",
       on({"gough_stewart", "delta"})},
      {"khalil-6-elastic", kKhalil, "section 6, (67)–(82)",
       "Inverse models of robots with elastic joints, by matrices and by recursion; direct model", elastic},
      {"khalil-7-moving-base", kKhalil, "section 7, (83)–(112)",
       "Inverse and direct models of robots with a moving base, by matrices and by recursion",
       on({"eel", "space_arm", "quadruped", "humanoid"})},
      {"khalil-8-hybrid", kKhalil, "section 8", "Hybrid structures of parallel modules in series", on({"hybrid"})},
      {"khalil-cost", kKhalil, "sections 3.2 and 3.3",
       "The cost of the inverse model and of the recursive direct model is linear in the number of joints",
       khalil_cost},
  };
}

}  // namespace verne::reproduce
