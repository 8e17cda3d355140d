/// What Nasser verified, and his counts.
#include <Eigen/Dense>
#include <cmath>

#include "formulations/factors.h"
#include "formulations/nasser.h"
#include "reproduce/comparison.h"
#include "reproduce/growth.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

constexpr double kNasserAgreement = 1e-10;
constexpr int kNasserStates = 20;

Eigen::VectorXd accelerations(const fm::DhTree& tree, const CheckState& s) {
  return vector_of(fm::nasser_dynamics<double>(tree, {span_of(s.q), span_of(s.v), span_of(s.tau)}).acceleration);
}

/// The accelerations of two equal bars in a plane, written out: length, distance of the centre of mass, mass, inertia
/// about it, of [B20], table 4.2.
Eigen::Vector2d two_bars(const CheckState& s) {
  constexpr double l = 0.4, c = 0.2, m = 0.5, I = 0.1;
  const double cosine = std::cos(s.q[1]), sine = std::sin(s.q[1]);
  Eigen::Matrix2d M;
  M(1, 1) = I + m * c * c;
  M(0, 1) = M(1, 0) = M(1, 1) + m * l * c * cosine;
  M(0, 0) = 2 * I + m * c * c + m * (l * l + c * c + 2 * l * c * cosine);
  const double h = m * l * c * sine;
  const Eigen::Vector2d coriolis(-h * s.v[1] * (2 * s.v[0] + s.v[1]), h * s.v[0] * s.v[0]);
  return M.inverse() * (s.tau - coriolis);
}

fm::DhTree dh_tree(const Model& model) {
  const auto tree = fm::dh_tree_of(model);
  if (!tree) throw InputError(model.name() + ": " + tree.reason);
  return *tree;
}

void planar_arm(Sources& sources, Answer& answer) {
  const Model model = sources.model("two_link");
  const fm::DhTree tree = dh_tree(model);
  double worst = 0;
  for (const CheckState& s : random_states(model, kNasserStates)) {
    worst = std::max(worst, relative_difference(accelerations(tree, s), two_bars(s)));
  }
  answer.add_disagreement("hinge accelerations, largest disagreement with the closed form", worst, kNasserAgreement);
}

void shuttle(Sources& sources, Answer& answer) {
  const Model model = sources.model("shuttle_rms");
  const fm::DhTree tree = dh_tree(model);
  Data<double> data(model);
  double worst = 0;
  for (const CheckState& s : random_states(model, kNasserStates)) {
    const Eigen::MatrixXd M = mass_matrix(model, data, s.q);
    const Eigen::VectorXd expected = M.llt().solve(s.tau - bias_torques(model, data, s.q, s.v));
    worst = std::max(worst, relative_difference(accelerations(tree, s), expected));
  }
  answer.add_disagreement("hinge accelerations, largest disagreement with the inverted mass matrix", worst,
                          kNasserAgreement);
}

void nasser_cost_of_links(Sources& sources, Answer& answer) {
  sources.report("counting operations");
  const Growth growth = growth_of("Nasser", nasser_count);
  // His N counts links with the base: a formula a N + b is a n + (a + b) for n joints.
  const auto add = [&](const std::string& what, double slope, double constant, const std::vector<long>& counts,
                       double known_slope, double known_constant) {
    const double found = static_cast<double>(growth.slope(counts));
    Finding& per_joint = answer.add_printed(what + " a link", "", slope, found, 0);
    per_joint.known = known_slope;
    const double rest = static_cast<double>(counts.front()) - found * growth.first;
    Finding& fixed = answer.add_printed(what + ", constant for n joints", "", slope + constant, rest, 0);
    fixed.known = known_constant;
    answer.add_printed(what + ": growth of the growth with n", "", 0, static_cast<double>(growth.bend(counts)), 0);
  };
  add("multiplications", 258, -119, growth.multiplications, 603, -663);
  add("additions", 191, -83, growth.additions, 483, -595);
  answer.reason =
      "the equations as printed are full 6×6 products, which are counted here; his count uses symmetry and blocks, and "
      "how he arrives at it is not said";
  answer.figures.push_back({"", "Operations of Nasser's equations as printed", growth_chart({growth})});
}

}  // namespace

std::vector<Row> nasser_rows() {
  constexpr Document kNasser = Document::nasser;
  return {
      {"nasser-two-link", kNasser, "section 1", "Verified analytically on a planar arm of two links", planar_arm},
      {"nasser-shuttle", kNasser, "section 1",
       "On the Shuttle's arm hinge accelerations are identical with those of Walker and Orin, who invert the mass "
       "matrix",
       shuttle},
      {"nasser-cost", kNasser, "section 3.3", "258 N − 119 multiplications and 191 N − 83 additions for N links",
       nasser_cost_of_links},
  };
}

}  // namespace verne::reproduce
