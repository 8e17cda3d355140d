// A planar walker of five links, stance foot pinned, whose optimum another transcription confirms.
//
// The other one shares nothing with the library: Lagrange's equations in absolute angles, in closed form; polynomials
// through their values at the Legendre–Gauss–Lobatto points of the step, whose error falls exponentially with their
// number; Newton's method on the conditions of first order, with derivatives by complex steps. Its step is mirrored:
// legs change their parts, angles and rates go on, and the foot comes down at rest, so that nothing is hit. The library
// is given where this step begins and ends, since coordinates of joints cannot say "mirrored" for a chain that is
// pinned, and has to find the same motion between.
//
// Absolute angles θ from the vertical, positive forwards: stance shank and thigh (which go up from the foot), trunk,
// swing thigh and shank (which go down from the hip). With e(θ) = (sin θ, cos θ) the centre of mass of link k is
// Σ_i s_ki e(θ_i), hence, with A_ij = Σ_k m_k s_ki s_kj and b_i = Σ_k m_k s_ki,
//   Q_i = I_i θ̈_i + Σ_j A_ij (cos(θ_i − θ_j) θ̈_j + sin(θ_i − θ_j) θ̇_j²) − g b_i sin θ_i.
// Link i takes Q_i = τ_i − τ_{i+1}: each joint carries the links after it.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <sstream>
#include <utility>

#include "motion/task_text.h"
#include "verne/dynamics/dynamics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

struct Walker {
  double shank = 0.43, thigh = 0.42;                                     ///< lengths, m
  double shank_centre = 0.25, thigh_centre = 0.24, trunk_centre = 0.35;  ///< from the ankle, the knee, the hip
  double shank_mass = 4, thigh_mass = 7.5, trunk_mass = 50;              ///< kg
  double shank_inertia = 0.06, thigh_inertia = 0.13, trunk_inertia = 2.5;
  double gravity = 9.81;
  double step = 0.3, duration = 0.35;  ///< m, s
};

template <class S>
using Vector5 = Eigen::Matrix<S, 5, 1>;

/// Torques of stance ankle, stance knee, stance hip (thigh to trunk), swing hip (trunk to thigh), swing knee.
template <class S>
Vector5<S> walker_torques(const Walker& w, const Vector5<S>& angle, const Vector5<S>& rate, const Vector5<S>& second) {
  Eigen::Matrix<double, 5, 5> s;                         // row: link, column: angle
  s << w.shank_centre, 0, 0, 0, 0,                       //
      w.shank, w.thigh_centre, 0, 0, 0,                  //
      w.shank, w.thigh, w.trunk_centre, 0, 0,            //
      w.shank, w.thigh, 0, w.thigh_centre - w.thigh, 0,  //
      w.shank, w.thigh, 0, -w.thigh, w.shank_centre - w.shank;
  const Vector5<double> mass{w.shank_mass, w.thigh_mass, w.trunk_mass, w.thigh_mass, w.shank_mass};
  const Vector5<double> inertia{w.shank_inertia, w.thigh_inertia, w.trunk_inertia, w.thigh_inertia, w.shank_inertia};
  const Eigen::Matrix<double, 5, 5> A = s.transpose() * mass.asDiagonal() * s;
  const Vector5<double> b = s.transpose() * mass;
  Vector5<S> tau;
  S carried(0);
  for (int i = 4; i >= 0; --i) {
    carried += inertia[i] * second[i] - w.gravity * b[i] * sin(angle[i]);
    for (int j = 0; j < 5; ++j) {
      const S apart = angle[i] - angle[j];
      carried += A(i, j) * (cos(apart) * second[j] + sin(apart) * rate[j] * rate[j]);
    }
    tau[i] = carried;
  }
  return tau;
}

/// Where the swing foot is ahead of and above the stance foot, and how fast.
template <class S>
Eigen::Matrix<S, 4, 1> walker_foot(const Walker& w, const Vector5<S>& angle, const Vector5<S>& rate) {
  const double length[5] = {w.shank, w.thigh, 0, -w.thigh, -w.shank};
  Eigen::Matrix<S, 4, 1> foot = Eigen::Matrix<S, 4, 1>::Zero();
  for (int i = 0; i < 5; ++i) {
    foot[0] += length[i] * sin(angle[i]);
    foot[1] += length[i] * cos(angle[i]);
    foot[2] += length[i] * cos(angle[i]) * rate[i];
    foot[3] -= length[i] * sin(angle[i]) * rate[i];
  }
  return foot;
}

struct WalkerStep {
  double cost = 0, residual = 0;  ///< ∫ Στ² dt; of the conditions of first order
  Eigen::VectorXd time;           ///< of the points
  Eigen::Matrix<double, 5, Eigen::Dynamic> angles, rates, seconds;
};

using Stepped = std::complex<double>;
using Local = Eigen::Matrix<double, 15, 1>;  // angles, rates and second derivatives at a point
constexpr double kImaginary = 1e-30;
constexpr double kDifference = 1e-6;  // of gradients, for the matrix of Newton's method alone
constexpr double kSolved = 1e-3;      // of gradients that are 1e6 at first, with derivatives of second order in them
constexpr int kGaussNewton = 8, kNewton = 40;

/// P_n(x) and P_n'(x).
std::pair<double, double> legendre(int n, double x) {
  double before = 1, now = x;
  for (int k = 2; k <= n; ++k) before = std::exchange(now, ((2 * k - 1) * x * now - (k - 1) * before) / k);
  return {now, n * (x * now - before) / (x * x - 1)};
}

/// Points and weights on [−1, 1], and the matrix that differentiates a polynomial given by its values there.
struct Lobatto {
  Eigen::VectorXd x, weight;
  Eigen::MatrixXd D;
};
Lobatto lobatto(int points) {
  const int n = points - 1;
  Lobatto out{Eigen::VectorXd(points), Eigen::VectorXd(points), Eigen::MatrixXd::Zero(points, points)};
  Eigen::VectorXd P(points);
  for (int k = 0; k < points; ++k) {
    double x = -std::cos(M_PI * k / n);
    for (int i = 0; i < 50 && k > 0 && k < n; ++i) {  // Newton for P_n'(x) = 0, (1 − x²) P'' = 2 x P' − n (n + 1) P
      const auto [value, slope] = legendre(n, x);
      x -= slope * (1 - x * x) / (2 * x * slope - n * (n + 1) * value);
    }
    out.x[k] = x;
    P[k] = k == 0 ? (n % 2 ? -1 : 1) : k == n ? 1 : legendre(n, x).first;
    out.weight[k] = 2 / (n * (n + 1) * P[k] * P[k]);
  }
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      if (i != j) out.D(i, j) = P[i] / (P[j] * (out.x[i] - out.x[j]));
    }
    out.D(i, i) = -out.D.row(i).sum();
  }
  return out;
}

class Transcription {
 public:
  Transcription(const Walker& walker, int points) : walker_(walker), points_(points), at_(lobatto(points)) {
    at_.D *= 2 / walker.duration;
    at_.weight *= walker.duration / 2;
    second_ = at_.D * at_.D;
  }

  WalkerStep solve() const {
    Eigen::VectorXd x = guess(), multipliers = Eigen::VectorXd::Zero(kConditions);
    const int n = size();
    WalkerStep out;
    for (int iteration = 0; iteration < kGaussNewton + kNewton; ++iteration) {
      const bool newton = iteration >= kGaussNewton;
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + kConditions, n + kConditions);
      Eigen::VectorXd r(n + kConditions);
      const Eigen::MatrixXd J = conditions_by(x);
      K.topLeftCorner(n, n) = curvature(x, multipliers, newton);
      K.bottomLeftCorner(kConditions, n) = J;
      K.topRightCorner(n, kConditions) = J.transpose();
      r << gradient(x) + J.transpose() * multipliers, conditions(x);
      out.residual = r.cwiseAbs().maxCoeff();
      if (out.residual < kSolved) break;
      const Eigen::VectorXd step = K.partialPivLu().solve(-r);
      // Shorter where that costs more: violations weigh more than their multipliers.
      const double price = 10 + 2 * (multipliers + step.tail(kConditions)).cwiseAbs().maxCoeff();
      const double before = merit(x, price);
      double part = 1;
      while (part > 1e-3 && merit(x + part * step.head(n), price) > before) part /= 2;
      x += part * step.head(n);
      multipliers += part * step.tail(kConditions);
    }
    out.time = (at_.x.array() + 1) * walker_.duration / 2;
    out.angles = angles(x);
    out.rates = out.angles * at_.D.transpose();
    out.seconds = out.angles * second_.transpose();
    for (int k = 0; k < points_; ++k) out.cost += at_.weight[k] * effort<double>(local(x, k));
    return out;
  }

 private:
  static constexpr int kConditions = 14;  // five angles and rates are mirrored, the foot is placed and at rest

  int size() const { return 5 * points_; }
  static Eigen::Matrix<double, 5, Eigen::Dynamic> angles(const Eigen::VectorXd& x) {
    return Eigen::Map<const Eigen::Matrix<double, 5, Eigen::Dynamic>>(x.data(), 5, x.size() / 5);
  }

  double merit(const Eigen::VectorXd& x, double price) const {
    double sum = price * conditions(x).cwiseAbs().sum();
    for (int k = 0; k < points_; ++k) sum += at_.weight[k] * effort<double>(local(x, k));
    return sum;
  }

  /// Legs that go over from one side to the other, a little bent.
  Eigen::VectorXd guess() const {
    const double bend = 0.15, most = std::asin(walker_.step / 2 / (walker_.shank + walker_.thigh));
    Eigen::VectorXd x(size());
    for (int k = 0; k < points_; ++k) {
      const double s = most * at_.x[k];
      x.segment<5>(5 * k) << s + bend, s - bend, 0, -s - bend, -s + bend;
    }
    return x;
  }

  Local local(const Eigen::VectorXd& x, int k) const {
    const auto theta = angles(x);
    Local z;
    z << theta.col(k), theta * at_.D.row(k).transpose(), theta * second_.row(k).transpose();
    return z;
  }
  /// ∂ local / ∂x, on the values of one angle: rows angle, rate, second derivative.
  Eigen::Matrix<double, 3, Eigen::Dynamic> local_by(int k) const {
    Eigen::Matrix<double, 3, Eigen::Dynamic> by(3, points_);
    by << Eigen::RowVectorXd::Unit(points_, k), at_.D.row(k), second_.row(k);
    return by;
  }
  Eigen::VectorXd spread(int k, const Local& g) const {
    Eigen::MatrixXd out = Eigen::Map<const Eigen::Matrix<double, 5, 3>>(g.data()) * local_by(k);
    return Eigen::Map<Eigen::VectorXd>(out.data(), size());
  }

  template <class S>
  Vector5<S> torques(const Eigen::Matrix<S, 15, 1>& z) const {
    return walker_torques<S>(walker_, z.template segment<5>(0), z.template segment<5>(5), z.template segment<5>(10));
  }
  template <class S>
  S effort(const Eigen::Matrix<S, 15, 1>& z) const {
    const Vector5<S> tau = torques<S>(z);
    S sum(0);
    for (int i = 0; i < 5; ++i) sum += tau[i] * tau[i];
    return sum;
  }
  template <class S>
  Eigen::Matrix<S, 4, 1> foot(const Eigen::Matrix<S, 15, 1>& z) const {
    return walker_foot<S>(walker_, z.template segment<5>(0), z.template segment<5>(5));
  }
  template <class Function>
  static auto stepped(const Local& z, Function&& function) {
    Eigen::Matrix<double, Eigen::Dynamic, 15> out;
    for (int i = 0; i < 15; ++i) {
      Eigen::Matrix<Stepped, 15, 1> there = z.cast<Stepped>();
      there[i] += Stepped(0, kImaginary);
      const auto values = function(there);
      out.conservativeResize(values.size(), 15);
      out.col(i) = values.imag() / kImaginary;
    }
    return out;
  }

  /// Of the Lagrangian's part at a point: its share of the cost and, at the last one, what the foot is asked for.
  Local local_gradient(int k, const Local& z, const Eigen::VectorXd& multipliers) const {
    const bool last = k == points_ - 1;
    return stepped(z,
                   [&](const Eigen::Matrix<Stepped, 15, 1>& at) {
                     Stepped sum = at_.weight[k] * effort<Stepped>(at);
                     if (last) sum += (multipliers.tail<4>().cast<Stepped>().array() * foot<Stepped>(at).array()).sum();
                     return Eigen::Matrix<Stepped, 1, 1>(sum);
                   })
        .transpose();
  }
  Eigen::VectorXd gradient(const Eigen::VectorXd& x) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(size());
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(kConditions);
    for (int k = 0; k < points_; ++k) sum += spread(k, local_gradient(k, local(x, k), none));
    return sum;
  }
  /// Of the Lagrangian, or without `whole` what Gauss and Newton take for it.
  Eigen::MatrixXd curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers, bool whole) const {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(size(), size());
    for (int k = 0; k < points_; ++k) {
      const Local z = local(x, k);
      Eigen::Matrix<double, 15, 15> h;
      if (whole) {
        for (int i = 0; i < 15; ++i) {
          const Local d = kDifference * Local::Unit(i);
          h.col(i) =
              (local_gradient(k, z + d, multipliers) - local_gradient(k, z - d, multipliers)) / (2 * kDifference);
        }
      } else {
        const Eigen::MatrixXd J = stepped(z, [&](const auto& at) { return torques<Stepped>(at); });
        h = 2 * at_.weight[k] * J.transpose() * J;
      }
      Eigen::MatrixXd half(size(), 15);
      for (int i = 0; i < 15; ++i) half.col(i) = spread(k, h.col(i));
      for (int i = 0; i < size(); ++i) H.row(i) += spread(k, half.row(i).transpose()).transpose();
    }
    return H;
  }

  Eigen::VectorXd conditions(const Eigen::VectorXd& x) const {
    const Local first = local(x, 0), last = local(x, points_ - 1);
    Eigen::VectorXd c(kConditions);
    for (int i = 0; i < 5; ++i) {
      const int other = i == 2 ? 2 : 4 - i;  // legs change their parts
      c[i] = last[i] - first[other], c[5 + i] = last[5 + i] - first[5 + other];
    }
    c.tail<4>() = foot<double>(last) - Eigen::Vector4d(walker_.step, 0, 0, 0);
    return c;
  }
  Eigen::MatrixXd conditions_by(const Eigen::VectorXd& x) const {
    const int end = points_ - 1;
    Eigen::MatrixXd J(kConditions, size());
    for (int i = 0; i < 10; ++i) {
      const int part = i / 5 * 5, other = part + 4 - i % 5;
      J.row(i) = (spread(end, Local::Unit(i)) - spread(0, Local::Unit(other))).transpose();
    }
    const Eigen::MatrixXd F = stepped(local(x, end), [&](const auto& at) { return foot<Stepped>(at); });
    for (int i = 0; i < 4; ++i) J.row(10 + i) = spread(end, F.row(i).transpose()).transpose();
    return J;
  }

  Walker walker_;
  int points_;
  Lobatto at_;
  Eigen::MatrixXd second_;
};

// --- The same by the library --------------------------------------------------------------------------------------

std::string list_of(const Eigen::VectorXd& values) {
  std::ostringstream out;
  out.precision(17);
  for (Eigen::Index k = 0; k < values.size(); ++k) out << (k ? ", " : "[") << values[k];
  return out.str() + "]";
}

/// Angles between links from those to the vertical.
Vector5<double> between_links(const Vector5<double>& absolute) {
  Vector5<double> out = absolute;
  out.tail<4>() -= absolute.head<4>();
  return out;
}

test::TemporaryModel model_of(const Walker& w) {
  std::ostringstream links;
  const auto link = [&](const char* name, const char* parent, double up, double mass, double centre, double inertia) {
    links << "  - {name: " << name << ", parent: " << parent
          << ", joint: {type: revolute, axis: [0, 1, 0]}, pose: {xyz: [0, 0, " << up << "]}, mass: " << mass
          << ", com: [0, 0, " << centre << "], inertia: [" << inertia << ", " << inertia << ", " << inertia << "]}\n";
  };
  link("shank", "base", 0, w.shank_mass, w.shank_centre, w.shank_inertia);
  link("thigh", "shank", w.shank, w.thigh_mass, w.thigh_centre, w.thigh_inertia);
  link("trunk", "thigh", w.thigh, w.trunk_mass, w.trunk_centre, w.trunk_inertia);
  link("swing_thigh", "trunk", 0, w.thigh_mass, w.thigh_centre - w.thigh, w.thigh_inertia);
  link("swing_shank", "swing_thigh", -w.thigh, w.shank_mass, w.shank_centre - w.shank, w.shank_inertia);
  return test::TemporaryModel(links.str());
}

TEST(Walker, ItsOptimumIsThatOfAnotherTranscription) {
  const Walker walker;
  const WalkerStep coarse = Transcription(walker, 22).solve(), step = Transcription(walker, 28).solve();
  EXPECT_NEAR(coarse.cost, step.cost, 1e-4 * step.cost);
  EXPECT_LT(step.residual, kSolved);
  EXPECT_GT((step.angles.rightCols<1>() - step.angles.leftCols<1>()).norm(), 0.3);  // it walks

  const int last = static_cast<int>(step.time.size()) - 1;
  const auto state = [&](int k) {
    return "{position: " + list_of(between_links(step.angles.col(k))) +
           ", velocity: " + list_of(between_links(step.rates.col(k))) + "}";
  };
  const test::TemporaryModel model = model_of(walker);
  const Task task = model.whole_task("duration: " + std::to_string(walker.duration) +
                                     "\nminimize: [{effort: 1}]\nsubject_to:\n  start: " + state(0) +
                                     "\n  end: " + state(last) + "\nrefine: {gap: 2e-5}\nsolver: {tolerance: 1e-6}\n");
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
  EXPECT_GT(solution.cost, step.cost * (1 - 1e-6));  // splines cannot do better
  EXPECT_LT(solution.cost, step.cost * (1 + 1e-4));
  Data<double> data(task.model);
  for (int k = 0; k <= last; ++k) {
    const Vector5<double> q = between_links(step.angles.col(k));
    EXPECT_LT((solution.trajectory.at(step.time[k]) - q).cwiseAbs().maxCoeff(), 1e-3) << k;
    // The same mechanics: torques of that motion by the library
    const Eigen::VectorXd tau = inverse_dynamics<double>(task.model, data, q, between_links(step.rates.col(k)),
                                                         between_links(step.seconds.col(k)));
    const Vector5<double> expected =
        walker_torques<double>(walker, step.angles.col(k), step.rates.col(k), step.seconds.col(k));
    EXPECT_LT((tau - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff()) << k;
  }
}

}  // namespace
}  // namespace verne
