/// Simulated mechanisms whose loops are closed by joints that demand more than is independent, against the same ones
/// closed by as many equations as are needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "structures/closed_dynamics.h"
#include "support/random_model.h"
#include "verne/simulate/simulate.h"

namespace verne::test::overconstrained {
namespace {

using Vec = Vec3<double>;

const TorqueLaw kNoTorques = [](double, std::span<const double>, std::span<const double>, std::span<double>) {};

Vec random_point(std::mt19937_64& rng, double size) {
  return {random_number(rng, -size, size), random_number(rng, -size, size), random_number(rng, -size, size)};
}
Vec unit(const Vec& a) {
  return a * (1 / std::sqrt(dot(a, a)));
}
Vec across(const Vec& a) {
  return unit(cross(a, std::abs(a.x) < 0.6 ? Vec{1, 0, 0} : Vec{0, 1, 0}));
}
Mat3<double> with_columns(const Vec& x, const Vec& y, const Vec& z) {
  Mat3<double> R;
  for (int i = 0; i < 3; ++i) R.m[3 * i] = x[i], R.m[3 * i + 1] = y[i], R.m[3 * i + 2] = z[i];
  return R;
}

/// Axes of revolute joints through points, one after the other, of which the last closes the loop with the world.
struct Ring {
  std::vector<Vec> points, axes;
};
/// Which joints close the loops: that which is built, or the least that leaves the same motion.
enum class Closure { built, least };

/// A joint at a point, its axes being those of the world when all joints are at zero.
LoopSpec hinge(const std::string& name, const std::string& a, const Vec& on_a, const std::string& b, const Vec& on_b,
               const Vec& axis, LoopType type) {
  const Vec side = across(axis), third = cross(axis, side);
  // A hinge's axis is z; of a universal joint x on a and y on b are at right angles, as an axis and its side are.
  const Mat3<double> R =
      type == LoopType::universal ? with_columns(axis, side, third) : with_columns(side, third, axis);
  return {name, type, {a, {R, on_a}}, {b, {R, on_b}}, 0};
}

LinkSpec body(std::mt19937_64& rng, const std::string& name, const std::string& parent, const Vec& place,
              const Vec& axis, const Vec& end, JointType type = JointType::revolute) {
  LinkSpec link;
  link.name = name, link.parent = parent;
  link.joint.name = "joint_of_" + name, link.joint.type = type, link.joint.axis = axis, link.joint.actuated = false;
  link.X_PJ.p = place;
  link.has_inertial = true, link.mass = random_number(rng, 0.5, 2), link.com = end * random_number(rng, 0.4, 0.6);
  const double turn = link.mass * 0.02;
  link.inertia = {turn, 0, 0, turn * random_number(rng, 1, 1.5), 0, turn * 1.2};
  return link;
}

ModelSpec closed_ring(std::mt19937_64& rng, const Ring& ring, Closure closure) {
  ModelSpec spec;
  spec.name = "ring";
  spec.gravity = unit(random_point(rng, 1)) * 9.81;
  const std::size_t last = ring.points.size() - 1;
  for (std::size_t k = 0; k < last; ++k) {
    const Vec before = k == 0 ? Vec{0, 0, 0} : ring.points[k - 1];
    spec.links.push_back(body(rng, "link_" + std::to_string(k), k == 0 ? "" : spec.links.back().name,
                              ring.points[k] - before, ring.axes[k], ring.points[k + 1] - ring.points[k]));
  }
  // Four hinges leave two equations independent, six leave four.
  const LoopType least = last == 3 ? LoopType::point_on_line : LoopType::universal;
  spec.loops = {hinge("closing", spec.links.back().name, ring.points[last] - ring.points[last - 1], "world",
                      ring.points[last], ring.axes[last], closure == Closure::built ? LoopType::revolute : least)};
  return spec;
}

Ring planar_four_bar(std::mt19937_64& rng) {
  const Vec normal = unit(random_point(rng, 1)), x = across(normal), y = cross(normal, x);
  const auto at = [&](double u, double w) {
    return x * (u + random_number(rng, -0.2, 0.2)) + y * (w + random_number(rng, -0.2, 0.2));
  };
  return {{at(0, 0), at(0, 0.6), at(1, 0.8), at(1, 0)}, {normal, normal, normal, normal}};
}

/// A quadrilateral in space that a half turn about z takes to itself, with hinges across its sides: the faces of its
/// tetrahedron are alike in pairs, so that opposite sides have the same twist, which is to their length as the other's.
Ring bennett(std::mt19937_64& rng) {
  const double p = random_number(rng, 0.6, 1), q = random_number(rng, 0.3, 0.5), turn = random_number(rng, 1, 1.4),
               height = random_number(rng, 0.2, 0.4);
  const Vec a{p, 0, 0}, b{q * std::cos(turn), q * std::sin(turn), height}, c{-p, 0, 0}, d{-b.x, -b.y, height};
  Ring ring{{a, b, c, d}, {}};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec& at = ring.points[k];
    ring.axes.push_back(unit(cross(ring.points[(k + 1) % 4] - at, ring.points[(k + 3) % 4] - at)));
  }
  return ring;
}

/// Three hinges anywhere and their images by a half turn about z: Bricard's mechanism with symmetry to a line.
Ring bricard(std::mt19937_64& rng) {
  Ring ring;
  for (int k = 0; k < 3; ++k) {
    ring.points.push_back(Vec{0.6 * std::cos(0.4 + k), 0.6 * std::sin(0.4 + k), 0} + random_point(rng, 0.2));
    ring.axes.push_back(unit(random_point(rng, 1)));
  }
  const auto turned = [](const Vec& a) { return Vec{-a.x, -a.y, a.z}; };
  for (std::size_t k = 0; k < 3; ++k) {
    ring.points.push_back(turned(ring.points[k])), ring.axes.push_back(turned(ring.axes[k]));
  }
  return ring;
}

/// A shaft, two arms that hang on it, and rods from these to a collar that slides on the shaft.
ModelSpec governor(std::mt19937_64& rng, Closure closure) {
  const Vec up{0, 0, 1}, y{0, 1, 0};
  ModelSpec spec;
  spec.name = "governor";
  const double arm = random_number(rng, 0.9, 1.1), rod = random_number(rng, 0.5, 0.7), angle = 0.6, out = 0.05,
               drop = arm * std::cos(angle) + 0.45;
  spec.links = {body(rng, "shaft", "", {0, 0, 0}, up, {0.01, 0.02, -0.5}),
                body(rng, "collar", "shaft", {0, 0, -drop}, up, {0.01, 0, 0}, JointType::prismatic)};
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "_l" : "_r";
    const Vec pivot{side * out, 0, 0}, ball{side * arm * std::sin(angle), 0, -arm * std::cos(angle)},
        knee = ball * (rod / arm), foot = Vec{side * out, 0, -drop} - pivot - knee;
    spec.links.push_back(body(rng, "arm" + name, "shaft", pivot, y, ball));
    spec.links.push_back(body(rng, "rod" + name, "arm" + name, knee, y, foot));
    spec.loops.push_back(hinge("foot" + name, "rod" + name, foot, "collar", {side * out, 0, 0}, y,
                               closure == Closure::built ? LoopType::revolute : LoopType::point_on_line));
  }
  return spec;
}

struct Family {
  const char* name;
  ModelSpec (*make)(std::mt19937_64&, Closure);
  int redundant;  ///< equations of the loops as built
};
template <Ring (*ring)(std::mt19937_64&)>
ModelSpec made_of(std::mt19937_64& rng, Closure closure) {
  const Ring made = ring(rng);
  return closed_ring(rng, made, closure);
}
constexpr Family kFamilies[] = {{"planar four-bar", made_of<planar_four_bar>, 3},
                                {"Bennett", made_of<bennett>, 3},
                                {"Bricard", made_of<bricard>, 1},
                                {"governor", governor, 6}};

class Overconstrained : public testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Families, Overconstrained, testing::ValuesIn(kFamilies));

/// Energy is kept and loops stay closed at any tolerance, and the motion is that of the least equations, unless these
/// are singular on its way where those that were built are not.
TEST_P(Overconstrained, MoveAsWithTheLeastEquations) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(GetParam().name + std::string(" ") + std::to_string(seed));
    const auto run = [&](Closure closure, double tolerance) {
      std::mt19937_64 rng(seed);
      const Mechanism mechanism(build_model(GetParam().make(rng, closure)));
      EXPECT_EQ(mechanism.equations() - mechanism.rank(), closure == Closure::built ? GetParam().redundant : 0);
      const Eigen::VectorXd q = Eigen::VectorXd::Zero(mechanism.model().nq());
      return simulate(mechanism, q, q, kNoTorques, {.duration = 0.5, .samples = 6, .tolerance = tolerance});
    };
    const SimulatedMotion least = run(Closure::least, 1e-9);
    const bool comparable = least.end == SimulatedMotion::End::finished;
    compared += comparable ? 1 : 0;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const SimulatedMotion built = run(Closure::built, tolerance);
      ASSERT_EQ(built.end, SimulatedMotion::End::finished) << built.message;
      EXPECT_GT(built.energy_scale, 0.1);
      EXPECT_LT(built.energy_drift, 1e3 * tolerance * built.energy_scale) << tolerance;
      EXPECT_LT(built.loop_drift, 1e-11);
      if (!comparable) continue;
      EXPECT_LT((built.q.eigen().col(5) - least.q.eigen().col(5)).cwiseAbs().maxCoeff(), 1e4 * tolerance) << tolerance;
    }
  }
  EXPECT_GE(compared, 3);
}

}  // namespace
}  // namespace verne::test::overconstrained
