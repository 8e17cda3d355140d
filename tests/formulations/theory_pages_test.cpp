/// The numbers of the two-link arm on the pages of docs/theory: each page must have the table that comes out here.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "formulations/barman.h"
#include "formulations/formulation_support.h"
#include "formulations/khalil.h"
#include "formulations/lie.h"
#include "formulations/lie_two_link.h"
#include "formulations/nasser.h"
#include "support/paths.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", std::abs(x) < 1e-12 ? 0.0 : x);
  return buffer;
}
std::string text(const Eigen::MatrixXd& rows) {
  std::string out = "(";
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < rows.cols(); ++j) out += (j > 0 ? ", " : i > 0 ? "; " : "") + text(rows(i, j));
  }
  return out + ")";
}
std::string text(const Vec3<double>& v) {
  return text(Eigen::MatrixXd(eigen(v).transpose()));
}
std::string text(const fm::Vec6<double>& v) {
  return text(v.top) + " " + text(v.bottom);
}

class Table {
 public:
  template <class... Cells>
  void row(const Cells&... cells) {
    text_ += "|";
    ((text_ += " " + std::string(cells) + " |"), ...);
    text_ += "\n";
  }
  const std::string& result() const { return text_; }

 private:
  std::string text_;
};

void expect_on_page(const std::string& page, const Table& table) {
  std::ostringstream found;
  found << std::ifstream(source_dir() + "/docs/theory/" + page).rdbuf();
  EXPECT_NE(found.str().find(table.result()), std::string::npos) << page << " lacks\n" << table.result();
}

class TheoryPage : public testing::Test {
 protected:
  Model model_ = load_model(source_dir() + "/models/two_link.yaml");
  Eigen::VectorXd q_ = Eigen::Vector2d(0.3, -1), v_ = Eigen::Vector2d(1, 2), a_ = Eigen::Vector2d(3, 4);
  Table table_;
};

TEST_F(TheoryPage, Barman) {
  fm::DhTree tree = *fm::dh_tree_of(model_);
  // The frame of the last link may lie anywhere; table 4.1 of the thesis puts it at the tip.
  tree.links[2].dh.a = 0.4, tree.links[2].com = {-0.2, 0, 0};
  const auto out = fm::barman_sensitivities<double>(tree, {span_of(q_), span_of(v_), span_of(a_)});
  const auto& l = out.values.links;
  const auto row = [&](const char* name, const Vec3<double> fm::BarmanLink<double>::*field) {
    table_.row(name, text(l[1].*field), text(l[2].*field));
  };
  using L = fm::BarmanLink<double>;
  row("ω_j", &L::omega), row("ω̇_j", &L::omega_dot), row("Δx_j", &L::x_delta), row("Δx_Gj", &L::xG_delta);
  row("ẋ_j", &L::xd), row("ẍ_j", &L::xdd), row("ẍ_Gj", &L::xddG), row("F_Gj", &L::F_G), row("τ_Gj", &L::tau_G);
  row("F_jp", &L::F_p), row("τ_jp", &L::tau_p);
  table_.row("τ_j", text(out.values.effort[0]), text(out.values.effort[1]));
  expect_on_page("barman.md", table_);
  Table sensitivities;
  const auto matrix = [&](const char* name, const fm::BarmanDerivatives<double>& by) {
    Eigen::Matrix2d d;
    for (int k = 0; k < 4; ++k) d(k / 2, k % 2) = by.effort(k / 2, k % 2);
    sensitivities.row(name, text(d), text(by.at(2, 0).F_p), text(by.at(2, 1).F_p));
  };
  matrix("q", out.by_q), matrix("q̇", out.by_qd), matrix("q̈", out.by_qdd);
  expect_on_page("barman.md", sensitivities);
}

TEST_F(TheoryPage, Khalil) {
  const fm::MdhTree tree = *fm::mdh_tree_of(model_);
  const auto inverse = fm::khalil_inverse<double>(tree, {span_of(q_), span_of(v_)}, span_of(a_));
  const auto m = fm::khalil_matrices<double>(tree, {span_of(q_), span_of(v_)});
  const auto direct = fm::khalil_direct<double>(tree, {span_of(q_), span_of(v_)}, inverse.torque);
  table_.row("V̇_j", text(inverse.acceleration[1].top), text(inverse.acceleration[2].top));
  table_.row("ω̇_j", text(inverse.acceleration[1].bottom), text(inverse.acceleration[2].bottom));
  table_.row("f_j", text(inverse.wrench[1].top), text(inverse.wrench[2].top));
  table_.row("m_j", text(inverse.wrench[1].bottom), text(inverse.wrench[2].bottom));
  table_.row("Γ_j", text(inverse.torque[0]), text(inverse.torque[1]));
  table_.row("A", text(m.A.row(0)), text(m.A.row(1)));
  table_.row("H", text(m.H[0]), text(m.H[1]));
  table_.row("q̈_j of the direct model", text(direct.qdd[0]), text(direct.qdd[1]));
  expect_on_page("khalil.md", table_);
}

TEST_F(TheoryPage, Nasser) {
  const std::vector<double> control =
      fm::khalil_inverse<double>(*fm::mdh_tree_of(model_), {span_of(q_), span_of(v_)}, span_of(a_)).torque;
  const auto out = fm::nasser_dynamics<double>(*fm::dh_tree_of(model_), {span_of(q_), span_of(v_), control});
  table_.row("control n_i^c", text(control[0]), text(control[1]));
  table_.row("θ̈_i", text(out.acceleration[0]), text(out.acceleration[1]));
  table_.row("f_{i-1,i}", text(out.reaction[1].top), text(out.reaction[2].top));
  table_.row("n_{i-1,i}", text(out.reaction[1].bottom), text(out.reaction[2].bottom));
  expect_on_page("nasser.md", table_);
}

TEST_F(TheoryPage, Lie) {
  const fm::ScrewTree tree = *fm::screw_tree_of(model_);
  const fm::LieState<double> state{span_of(q_), span_of(v_), span_of(a_)};
  const auto out = fm::lie_dynamics(tree, state);
  const auto axis = [&](std::size_t i) { return fm::adjoint(inverse(tree.links[i].M_0i)) * tree.links[i].screw; };
  table_.row("𝒮_i", text(tree.links[1].screw), text(tree.links[2].screw));
  table_.row("𝒜_i", text(axis(1)), text(axis(2)));
  table_.row("𝒱_i", text(out.V[1]), text(out.V[2]));
  table_.row("𝒱̇_i", text(out.V_dot[1]), text(out.V_dot[2]));
  table_.row("ℱ_i", text(out.F[1]), text(out.F[2]));
  table_.row("τ_i", text(out.tau[0]), text(out.tau[1]));
  const auto terms = fm::lie_terms(tree, state);
  table_.row("order θ̈", text(terms.inertia[0]), text(terms.inertia[1]));
  table_.row("order θ̇²", text(terms.velocity[0]), text(terms.velocity[1]));
  table_.row("gravity", text(terms.gravity[0]), text(terms.gravity[1]));
  expect_on_page("lie.md", table_);
  Table forms;
  const auto coefficients = fm::lie_two_link_terms(
      {out.T[2].R, out.T[2].p, axis(1).top, axis(1).bottom, axis(2).top, axis(2).bottom,
       fm::full(tree.links[1].inertia), fm::full(tree.links[2].inertia), tree.links[1].mass, tree.links[2].mass});
  const auto row = [&](const char* name, const auto& form) {
    forms.row(name, text(form.squared_1), text(form.product), text(form.squared_2));
  };
  row("ω̇_2", coefficients.omega_dot_2), row("v̇_2", coefficients.v_dot_2);
  row("ω_2 × v_2", coefficients.omega_2_cross_v_2), row("f_2", coefficients.f_2);
  row("τ_2", coefficients.tau_2), row("τ_1", coefficients.tau_1);
  expect_on_page("lie.md", forms);
}

}  // namespace
}  // namespace verne::test
