#include "motion/refine/corridor_along.h"

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"

namespace verne {

namespace {

constexpr double kPartOfRoom = 0.5;       // of the distance that there is, which is kept at most
constexpr double kBehindPlane = 1e-9;     // m, of rounding
constexpr std::size_t kMostOfLinks = 12;  // corners, of which each of one link is a row with each of the other

/// Planes at one posture.
class Planes {
 public:
  Planes(Collisions& collisions, const CorridorPlan& plan) : collisions_(collisions), plan_(plan) {}

  std::vector<SeparatingPlane> at(const Eigen::VectorXd& q) {
    const std::vector<PairPiece> pairs(plan_.pairs.begin(), plan_.pairs.end());
    std::vector<NearPair> near = collisions_.near_pieces(q, collisions_.margin() + plan_.far, pairs);
    std::ranges::stable_sort(near, {}, &NearPair::distance);
    known_.clear();
    std::vector<SeparatingPlane> planes;
    for (const NearPair& pair : near) {
      if (norm_of(pair.normal) < 0.5) continue;  // cores overlap
      const auto [a, b] = collisions_.bodies_of(pair.pair);
      const bool link_a = moves(a), link_b = moves(b);
      if (link_a && link_b) {
        planes.push_back(between(pair, a, b));
      } else if (link_a) {
        add_wall(pair, a, b, pair.normal, planes);
      } else {
        add_wall(pair, b, a, -pair.normal, planes);
      }
    }
    return planes;
  }

 private:
  /// A plane that a body is kept beyond already.
  struct Known {
    std::size_t body;
    Vec3<double> normal;
    double beyond;
  };
  static double norm_of(const Vec3<double>& v) { return std::sqrt(dot(v, v)); }
  bool moves(std::size_t body) const {
    const int link = collisions_.bodies()[body].link;
    return link >= 0 && collisions_.model().links()[static_cast<std::size_t>(link)].body >= 0;
  }
  double asked(const NearPair& pair) const {
    const double margin = collisions_.margin(pair.pair), room = pair.distance - margin;
    return margin + std::min(plan_.reserve, kPartOfRoom * room);
  }
  /// The corners of a body that are nearest against n, at most so many, in link axes, and its skin.
  Corners corners(std::size_t body, const Vec3<double>& n, std::size_t most) const {
    const CollisionBody& one = collisions_.bodies()[body];
    const Transform<double>& X_WB = collisions_.place_of(body);
    Corners all = corners_of(one.body);
    const auto height = [&](const Vec3<double>& p) { return dot(n, X_WB * p); };
    std::ranges::stable_sort(all.points, {}, height);
    Corners found{{}, all.skin};
    for (const Vec3<double>& p : all.points) {
      if (found.points.size() == most || height(p) > height(all.points.front()) + plan_.band) break;
      found.points.push_back(one.X_LB * p);
    }
    return found;
  }
  /// What stands still behind a plane that holds it back already needs none.
  void add_wall(const NearPair& pair, std::size_t body, std::size_t wall, const Vec3<double>& n,
                std::vector<SeparatingPlane>& planes) {
    const PlacedBody shape = collisions_.placed(wall, pair);
    const auto holds = [&](const Known& known) {
      return known.body == body && support(*shape.body, shape.X_WB, known.normal) <= known.beyond + kBehindPlane;
    };
    if (std::ranges::any_of(known_, holds)) return;
    const double beyond = support(*shape.body, shape.X_WB, n);
    known_.push_back({body, n, beyond});
    Corners near = corners(body, n, plan_.of_wall);
    planes.push_back({collisions_.bodies()[body].link,
                      std::move(near.points),
                      -1,
                      {},
                      n,
                      beyond + near.skin + asked(pair),
                      name(body, wall)});
  }
  SeparatingPlane between(const NearPair& pair, std::size_t a, std::size_t b) const {
    Corners of_a = corners(a, pair.normal, plan_.of_links), of_b = corners(b, -pair.normal, plan_.of_links);
    return {collisions_.bodies()[a].link,
            std::move(of_a.points),
            collisions_.bodies()[b].link,
            std::move(of_b.points),
            pair.normal,
            of_a.skin + of_b.skin + asked(pair),
            name(a, b)};
  }
  std::string name(std::size_t a, std::size_t b) const { return collisions_.name(a) + " from " + collisions_.name(b); }

  Collisions& collisions_;
  const CorridorPlan& plan_;
  std::vector<Known> known_;
};

bool all_given(const Task& task, const StateSpec& state) {
  for (std::size_t i = 0; i < task.limits.position.size(); ++i) {
    const bool held = !task.held.empty() && task.held[i].has_value();
    if (!held && (state.position.empty() || !state.position[i].fixed())) return false;
  }
  return true;
}

/// A phase of a curve, in time.
struct PhaseTimes {
  PhaseTimes(const Trajectory& curve, const std::vector<int>& phase_of_span, int phase) {
    const auto first = std::ranges::find(phase_of_span, phase) - phase_of_span.begin();
    const auto end = std::ranges::upper_bound(phase_of_span, phase) - phase_of_span.begin();
    begins = curve.time({static_cast<int>(first), 0.0}), ends = curve.time({static_cast<int>(end) - 1, 1.0});
  }
  double begins, ends;
};

}  // namespace

void CorridorPlan::widen() {
  reserve *= 1.5, band *= 2;
}

void CorridorPlan::count_more_corners() {
  of_wall *= 2, of_links = std::min(2 * of_links, kMostOfLinks);
}

std::shared_ptr<const Corridor> corridor_along(const Task& task, Collisions& collisions, const Trajectory& curve,
                                               const std::vector<int>& phase_of_span, const CorridorPlan& plan) {
  auto corridor = std::make_shared<Corridor>();
  Planes planes(collisions, plan);
  const bool start_given = all_given(task, task.start), end_given = all_given(task, task.end);
  for (const double at : plan.at) {
    if ((at <= 0 && start_given) || (at >= 1 && end_given)) continue;
    const double time = at * curve.duration();
    const Place place = curve.place(time);
    const int phase = phase_of_span[static_cast<std::size_t>(place.span)];
    const PhaseTimes of(curve, phase_of_span, phase);
    collisions.enter(phase);
    corridor->places.push_back(
        {static_cast<std::size_t>(phase), (time - of.begins) / (of.ends - of.begins), planes.at(curve.at(place))});
  }
  return corridor;
}

double room_in(const Corridor& corridor, const Task& task, const Trajectory& curve,
               const std::vector<int>& phase_of_span) {
  Data<double> data(task.model);
  Kinematics<double> at(task.model);
  const auto least_along = [&](int link, const std::vector<Vec3<double>>& points, const Eigen::Vector3d& n) {
    double least = kInfinity;
    for (const Vec3<double>& p : points) {
      least = std::min(least, n.dot(at.position(link) + at.rotation(link) * Eigen::Vector3d(p.x, p.y, p.z)));
    }
    return least;
  };
  double room = kInfinity;
  for (const CorridorPlace& place : corridor.places) {
    const PhaseTimes of(curve, phase_of_span, static_cast<int>(place.stage));
    forward_kinematics<double>(task.model, data, curve.at(of.begins + place.at * (of.ends - of.begins)), at);
    for (const SeparatingPlane& plane : place.planes) {
      const Eigen::Vector3d n(plane.normal.x, plane.normal.y, plane.normal.z);
      double beyond = least_along(plane.link, plane.corners, n) - plane.least;
      if (plane.other >= 0) beyond += least_along(plane.other, plane.others, -n);
      room = std::min(room, beyond);
    }
  }
  return room;
}

}  // namespace verne
