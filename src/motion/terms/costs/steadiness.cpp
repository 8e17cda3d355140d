#include <Eigen/Core>

#include "motion/terms/at_zero.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/squared_rate.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

void read_steadiness(const CostReading& from, CostSpec& cost) {
  const TaskMap& map = from.map;
  const Model& model = from.joints.model();
  cost.scale.assign(from.joints.count(), 0);
  cost.point = {read_site(map, model), map.vector("point", {0, 0, 0}, "m")};
  constexpr Unsteady kOf[] = {Unsteady::acceleration, Unsteady::rotation, Unsteady::lean};
  cost.unsteady = kOf[map.word_of("of", 0)];
  if (cost.unsteady == Unsteady::acceleration) return;
  if (map.find("point")) map.reader("point").error(map.line(), "all points of a frame turn alike: leave it out");
  const Vec3<double> gravity = model.gravity();
  if (cost.unsteady == Unsteady::lean && dot(gravity, gravity) == 0) {
    map.reader("of").error(map.find("of")->line, "without gravity nothing is upright");
  }
}

/// Squares of what an unsteady frame does: docs/theory/motion.md, (16g).
void add_steadiness(const Task& task, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
  const int site = cost.point.site;
  const auto rates = [&](int first, double scale) {
    for (int k = 0; k < 3; ++k) terms.push_back(std::make_unique<SquaredRate>(first + k, scale));
  };
  switch (cost.unsteady) {
    case Unsteady::acceleration:
      rates(channels.velocity(site, cost.point.point), 1);
      break;
    case Unsteady::rotation:
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        rates(channels.direction(site, axis), 0.5);
      }
      break;
    case Unsteady::lean: {
      const Vec3<double> g = task.model.gravity();
      const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
      const Eigen::Vector3d axis = AtZero(task.model).rotation(site).transpose() * up;
      const int first = channels.direction(site, {axis.x(), axis.y(), axis.z()});
      for (int k = 0; k < 3; ++k) terms.push_back(std::make_unique<WeightedSquare>(first + k, 1, up[k]));
      break;
    }
  }
}

}  // namespace

extern const CostType kSteadinessCost{
    .name = "steadiness",
    .integrand =
        "what a link or frame does that should be steady, a head or a cup: \\|a\\|² of a point of it in the "
        "world, \\|ω\\|², or 2(1 − cos θ) with θ its lean, the angle of what is upright in it when all joints "
        "are zero (theory)",
    .keys = {{{.name = "frame", .form = text(), .meaning = "`frame`, required", .required = true},
              {"of", words({"acceleration", "rotation", "lean"}),
               "`of`: `acceleration` (default), `rotation` or `lean`"},
              {"point", vector("m"), "`point` in its axes, for the acceleration"}}},
    .needs = [](const CostSpec&) { return Needs::acceleration; },
    .determines = counts_freedom,
    .read = read_steadiness,
    .add = add_steadiness,
};

}  // namespace verne
