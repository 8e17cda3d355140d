/// Errors in the Lie algebra notes: each printed equation beside the corrected one and an independent answer.
#include <Eigen/LU>

#include "formulations/lie.h"
#include "model/tree.h"
#include "reproduce/complex_step.h"
#include "reproduce/erratum.h"
#include "reproduce/general_models.h"
#include "reproduce/random_parts.h"
#include "verne/dynamics/kinematics.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// An arm of two links with skew axes, at a random state with θ̈ = 0, without gravity; link 3 makes sections 4-7
/// visible.
class LieErrata {
 public:
  LieErrata() {
    std::mt19937_64 rng(19);
    ModelSpec spec = general_tree(rng, {.kinds = {JointType::revolute}});
    spec.gravity = {0, 0, 0};
    model_.emplace(build_model(spec));
    tree_ = *fm::screw_tree_of(*model_);
    theta_ = random_values(rng, 3, 1), rate_ = random_values(rng, 3, 2);
    out_ = fm::lie_dynamics<double>(tree_, {span_of(theta_), span_of(rate_), span_of(zero_)});
  }
  fm::Vec6<double> axis(std::size_t i) const {
    return fm::adjoint(inverse(tree_.links[i].M_0i)) * tree_.links[i].screw;
  }
  Vec3<double> z(std::size_t i) const { return axis(i).top; }
  Vec3<double> b(std::size_t i) const { return axis(i).bottom; }
  double rate(int i) const { return rate_[i - 1]; }
  Mat3<double> I(std::size_t i) const { return fm::full(tree_.links[i].inertia); }
  double m(std::size_t i) const { return tree_.links[i].mass; }
  /// Twists of the body frames from the library: angular and linear velocity in body axes, at the centre of mass.
  fm::Vec6<double> library_twist(std::size_t i) const {
    Data<double> data(*model_);
    const Kinematics<double> k = forward_kinematics(*model_, data, theta_, rate_, zero_);
    const int link = static_cast<int>(i);  // link_0 is the base, link i is on body i − 1
    const Eigen::Vector3d com = k.rotation(link) * eigen(model_->spec().links[i].com);
    const Eigen::Vector3d omega = k.velocities.col(link).tail(3);
    const Eigen::Vector3d v = k.velocities.col(link).head<3>() + omega.cross(com);
    const Eigen::Matrix3d R =
        k.rotation(link) *
        Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(model_->tree().sites[link].R).transpose();
    return {vec3(R.transpose() * omega), vec3(R.transpose() * v)};
  }

  // 3.1: Ṫ T⁻¹ is the velocity in space coordinates. Along T exp([A] t) the body velocity is A.
  void section3_1(Proof& proof) const {
    std::mt19937_64 rng(7);
    const Transform<double> T = random_pose(rng, 1);
    const fm::Vec6<double> A{random_rotation(rng).column(2), random_vector(rng, 1)};
    const auto moved = T * fm::screw_exponential<Complex>(A, Complex(0, kImaginaryStep));
    Mat3<double> R_dot;
    for (int k = 0; k < 9; ++k) R_dot.m[k] = derivative(moved.R.m[k]);
    const auto unskewed = [](const Mat3<double>& W) { return Vec3<double>{W(2, 1), W(0, 2), W(1, 0)}; };
    proof.add(unskewed(R_dot * transpose(T.R)), unskewed(transpose(T.R) * R_dot), A.top);
  }

  // Section 4, steps 2-4, and 5.1-5.4, 7: T_{i,i+1} must read T_{i,i-1} = exp(−[A_i] θ_i) M_{i,i-1}.
  void section4_indices(Proof& proof) const {
    const auto home = [&](std::size_t i, std::size_t k) { return inverse(tree_.links[i].M_0i) * tree_.links[k].M_0i; };
    const Transform<double> turn = fm::screw_exponential<double>(-axis(2), theta_[1]);
    const fm::Vec6<double> own = axis(2) * rate(2);
    const fm::Vec6<double> printed = fm::adjoint(turn * home(2, 3)) * out_.V[1] + own;
    const fm::Vec6<double> corrected = fm::adjoint(turn * home(2, 1)) * out_.V[1] + own;
    proof.add(eigen(printed), eigen(corrected), eigen(library_twist(2)));
  }

  // 6.2, 7, 8.2, 10.4, 10.5: Ad_{T_{i+1,i}}ᵀ has R_{i,i+1} and p_{i,i+1}. Truth: the transpose of Ad itself.
  void section6_2_adjoint(Proof& proof) const {
    const Transform<double>& T_21 = out_.T[2];
    const Transform<double> T_12 = inverse(T_21);
    const auto blocks = [](const Transform<double>& T) {
      return fm::Mat6<double>::blocks(T.R, fm::skew(T.p) * T.R, Mat3<double>::zero(), T.R);
    };
    const fm::Vec6<double> F = out_.F[2], truth = transpose(fm::adjoint(T_21)) * F;
    proof.add(eigen(blocks(T_21) * F), eigen(blocks(T_12) * F), eigen(truth));
  }

  // 9.1: ω̇_2 is not zero unless the axes are parallel.
  void section9_1(Proof& proof) const {
    const Vec3<double> corrected = cross(out_.T[2].R * z(1), z(2)) * (rate(1) * rate(2));
    proof.add(Vec3<double>{0, 0, 0}, corrected, out_.V_dot[2].top);
  }

  // 10.1: n_2 = I_2 ω̇_2 + ω_2 × I_2 ω_2 without link 3.
  void section10_1(Proof& proof) const {
    const Vec3<double> Rz_1 = out_.T[2].R * z(1), omega = out_.V[2].top;
    const double r1 = rate(1), r2 = rate(2);
    const Vec3<double> printed =
        cross(Rz_1, I(2) * Rz_1) * (r1 * r1) + cross(Rz_1, z(2)) * (r1 * r2) + cross(z(2), I(2) * Rz_1) * (r1 * r2);
    const Vec3<double> corrected =
        cross(Rz_1, I(2) * Rz_1) * (r1 * r1) +
        (I(2) * cross(Rz_1, z(2)) + cross(Rz_1, I(2) * z(2)) + cross(z(2), I(2) * Rz_1)) * (r1 * r2) +
        cross(z(2), I(2) * z(2)) * (r2 * r2);
    proof.add(printed, corrected, I(2) * out_.V_dot[2].top + cross(omega, I(2) * omega));
  }

  // 10.2: v_2 × z_2, where R_21 v_1 brings b_1 and not z_1, and no factor θ̇_2 belongs to the first two terms.
  void section10_2(Proof& proof) const {
    const auto& [R, p] = out_.T[2];
    const double r1 = rate(1), r2 = rate(2);
    const Vec3<double> lever = cross(p, R * z(1));
    const Vec3<double> printed =
        (cross(lever, z(2)) + cross(R * z(1), z(2))) * (r1 * r2) + cross(b(2), z(2)) * (r2 * r2);
    const Vec3<double> corrected = (cross(lever, z(2)) + cross(R * b(1), z(2))) * r1 + cross(b(2), z(2)) * r2;
    proof.add(printed, corrected, cross(library_twist(2).bottom, z(2)));
  }

  // 10.3: the last two terms that are written out, R_21 (z_1 × b_1) with θ̇_1 θ̇_2 and b_2ᵀ (p × R z_1), which is a
  // velocity.
  void section10_3(Proof& proof) const {
    const auto& [R, p] = out_.T[2];
    const Vec3<double> Rz_1 = R * z(1), lever = cross(p, Rz_1);
    const double r1 = rate(1), r2 = rate(2);
    // Truth: the part of f_2 without θ̇_2, from the recursion at θ̇_2 = 0; then the product in place of the square.
    Eigen::VectorXd only_first = Eigen::VectorXd::Zero(3);
    only_first[0] = r1;
    const auto first = fm::lie_dynamics<double>(tree_, {span_of(theta_), span_of(only_first), span_of(zero_)});
    const Vec3<double> f = (first.V_dot[2].bottom + cross(first.V[2].top, first.V[2].bottom)) * m(2);
    const double common = m(2) * r1 * r1 * dot(b(2), cross(Rz_1, lever));
    const double printed =
        common + m(2) * r1 * r1 * dot(b(2), lever) + m(2) * r1 * r2 * dot(b(2), R * cross(z(1), b(1)));
    const double corrected = common + m(2) * r1 * r1 * dot(b(2), R * cross(z(1), b(1)));
    proof.add(printed, corrected, dot(b(2), f));
  }

  // 10.5: b_1ᵀ (z_1 × b_1) is zero for every joint, not often.
  void section10_5(Proof& proof) const {
    std::mt19937_64 rng(1);
    for (int k = 0; k < 10; ++k) {
      const Vec3<double> any_b = random_vector(rng, 1), any_z = random_vector(rng, 1);
      // The triple product and what it is made of: zero for all, to rounding.
      const double product = dot(any_b, cross(any_z, any_b));
      proof.add_correction(Eigen::VectorXd::Constant(1, 1 + product), Eigen::VectorXd::Constant(1, 1));
    }
  }

  // Appendix: (Ad_T)ᵀ is not Ad_{T⁻¹}ᵀ; that is its inverse.
  void appendix(Proof& proof) const {
    std::mt19937_64 rng(8);
    const Transform<double> T = random_pose(rng, 1);
    const auto matrix = [](const fm::Mat6<double>& M) -> Eigen::Matrix<double, 6, 6> {
      return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(M.m);
    };
    const Eigen::Matrix<double, 6, 6> Ad = matrix(fm::adjoint(T)), printed = matrix(fm::adjoint(inverse(T)));
    proof.add(printed.transpose(), printed.transpose().inverse(), Ad.transpose());
  }

 private:
  std::optional<Model> model_;
  fm::ScrewTree tree_;
  Eigen::VectorXd theta_, rate_, zero_ = Eigen::VectorXd::Zero(3);
  fm::LieDynamics<double> out_;
};

}  // namespace

std::vector<Erratum> lie_errata() {
  static constexpr ErratumEntry<LieErrata> kEntries[]{
      {"LieErrataOperators.Section3_1", "section 3.1", &LieErrata::section3_1},
      {"LieErrata.Section4Indices", "sections 4, 5, 7", &LieErrata::section4_indices},
      {"LieErrata.Section6_2Adjoint", "6.2, 7, 8.2, 10.4, 10.5", &LieErrata::section6_2_adjoint},
      {"LieErrata.Section9_1", "section 9.1", &LieErrata::section9_1},
      {"LieErrata.Section10_1", "section 10.1", &LieErrata::section10_1},
      {"LieErrata.Section10_2", "section 10.2", &LieErrata::section10_2},
      {"LieErrata.Section10_3", "section 10.3", &LieErrata::section10_3},
      {"LieErrata.Section10_5", "section 10.5", &LieErrata::section10_5},
      {"LieErrataOperators.Appendix", "appendix", &LieErrata::appendix},
  };
  return proven(LieErrata(), kEntries);
}

}  // namespace verne::reproduce
