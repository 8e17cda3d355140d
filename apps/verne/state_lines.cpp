#include "state_lines.h"

#include <algorithm>

#include "verne/structures/system_batch.h"

namespace verne::cli {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

StateShape shape_of(const Mechanism& mechanism) {
  const StateShape tree = state_shape(mechanism.model());
  if (mechanism.model().loops().empty()) return tree;
  const Values home = mechanism.independent_home();
  StateShape shape{
      {home.begin(), home.end()}, {}, mechanism.mobility(), static_cast<int>(mechanism.actuated().size()), true};
  const auto places = mechanism.independent_positions();
  for (const StateShape::Quaternion& quaternion : tree.quaternions) {
    const auto at = std::find(places.begin(), places.end(), quaternion.index);
    if (at == places.end()) continue;
    shape.quaternions.push_back({static_cast<int>(at - places.begin()), quaternion.joint});
  }
  return shape;
}

Loads<double> loads_of(const StateLine& line) {
  const auto eigen = [](const Vec3<double>& v) { return Eigen::Vector3d(v.x, v.y, v.z); };
  Loads<double> loads;
  for (const LoadLine& load : line.loads) {
    loads.add(
        {load.site, eigen(load.force), eigen(load.moment), eigen(load.point), load.world_point ? At::world : At::link});
  }
  return loads;
}

ClosedState closed_state(const Mechanism& mechanism, const StateLine& line) {
  if (mechanism.model().loops().empty()) return {line.q, line.v, true};
  SystemBatch one(System(mechanism.model()), 1);
  if (line.of_tree) {
    one.set_tree(0, as_vector(line.q), as_vector(line.v), as_vector(line.a));
  } else {
    one.q().set(0, as_vector(line.q)), one.v().set(0, as_vector(line.v)), one.a().set(0, as_vector(line.a));
  }
  if (!line.guess.empty()) {
    one.guess = LaneArray(mechanism.model().nq(), 1, one.tree().lanes());
    one.guess.set(0, as_vector(line.guess));
  }
  assemble(one);
  return {one.tree().q.column(0), one.tree().v.column(0), one.connected()[0] != 0};
}

}  // namespace verne::cli
