#include "motion/refine/corridor_along.h"

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"

namespace verne {

namespace {

constexpr int kCorridorPlaces = 50;       // of a corridor to begin with
constexpr double kNearlyTouching = 1e-4;  // m
constexpr double kPartOfRoom = 0.9;       // of the distance that there is, which is kept at most
constexpr double kClosePlaces = 2e-3;     // of the duration: between these there are no more
constexpr double kAtEnds = 0.05;          // of the duration
constexpr double kLeastAsked = 2e-4;      // m
constexpr double kBehindPlane = 1e-9;     // m, of rounding
constexpr double kSameHeight = 5e-3;      // m: corners that are not farther from a plane than the nearest by more
constexpr std::size_t kMostAtOnce = 2;    // of these

/// Planes at one posture.
class Planes {
 public:
  Planes(Collisions& collisions, const CorridorPlan& plan) : collisions_(collisions), plan_(plan) {}

  std::vector<SeparatingPlane> at(const Eigen::VectorXd& q, double asked) {
    asked_ = asked;
    const std::vector<PairPiece> pairs(plan_.pairs.begin(), plan_.pairs.end());
    std::vector<NearPair> near = collisions_.near_pieces(q, collisions_.margin() + plan_.far, pairs);
    std::ranges::stable_sort(near, {}, &NearPair::distance);
    known_.clear();
    std::vector<SeparatingPlane> planes;
    for (NearPair& pair : near) {
      const auto [a, b] = collisions_.bodies_of(pair.pair);
      if (norm_of(pair.normal) < 0.5) pair.normal = way_out(pair, a, b);  // cores overlap
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
    return margin + (room > 0 ? std::max(asked_, std::min(plan_.reserve, kPartOfRoom * room)) : plan_.reserve);
  }
  /// Where a body leaves another one on the shortest way, of those along the axes of both.
  Vec3<double> way_out(const NearPair& pair, std::size_t a, std::size_t b) const {
    const PlacedBody A = collisions_.placed(a, pair), B = collisions_.placed(b, pair);
    Vec3<double> best{0, 0, 0};
    double least = kInfinity;
    for (const PlacedBody* const of : {&A, &B}) {
      for (int k = 0; k < 6; ++k) {
        const Vec3<double> n = of->X_WB.R.column(k % 3) * (k < 3 ? 1.0 : -1.0);
        const double deep = support(*B.body, B.X_WB, n) + support(*A.body, A.X_WB, -n);
        if (deep < least) least = deep, best = n;
      }
    }
    return best;
  }
  /// In link axes, with the skin around them.
  Corners corners(std::size_t body) const {
    const CollisionBody& one = collisions_.bodies()[body];
    Corners all = corners_of(one.body);
    for (Vec3<double>& p : all.points) p = one.X_LB * p;
    return all;
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
    Corners all = corners(body);
    planes.push_back({collisions_.bodies()[body].link,
                      std::move(all.points),
                      -1,
                      {},
                      n,
                      beyond + all.skin + asked(pair),
                      name(body, wall)});
  }
  SeparatingPlane between(const NearPair& pair, std::size_t a, std::size_t b) const {
    Corners of_a = corners(a), of_b = corners(b);
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
  double asked_ = 0;  // at least
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

CorridorPlan::CorridorPlan() {
  for (int k = 0; k < kCorridorPlaces; ++k) at[k / (kCorridorPlaces - 1.0)] = 0;
}

bool CorridorPlan::mend(Collisions& collisions, const Trajectory& motion, const std::vector<int>& phase_of_span,
                        const ClearanceProof& proof) {
  const std::size_t before = pairs.size();
  const TouchesAlong touches = touches_along(collisions, motion, phase_of_span, kNearlyTouching);
  pairs.insert(touches.pairs.begin(), touches.pairs.end());
  pairs.insert(proof.which);
  if (pairs.size() > before) return true;
  for (const double time : touches.times) add_places(time / motion.duration());
  add_places(proof.time / motion.duration());
  return false;
}

void CorridorPlan::add_places(double fraction) {
  const auto after = at.upper_bound(fraction);
  const double low = after == at.begin() ? 0 : std::prev(after)->first, high = after == at.end() ? 1 : after->first;
  if (high - low > kClosePlaces) {
    for (const double place : {(low + fraction) / 2, fraction, (fraction + high) / 2}) at.try_emplace(place, 0);
  }
  if (fraction < kAtEnds || fraction > 1 - kAtEnds) return;  // whose room is given
  for (auto place = at.lower_bound(low); place != at.end() && place->first <= high; ++place) {
    place->second = std::clamp(2 * place->second, kLeastAsked, reserve);
  }
}

std::shared_ptr<const Corridor> corridor_along(const Task& task, Collisions& collisions, const Trajectory& curve,
                                               const std::vector<int>& phase_of_span, const CorridorPlan& plan) {
  auto corridor = std::make_shared<Corridor>();
  Planes planes(collisions, plan);
  const bool start_given = all_given(task, task.start), end_given = all_given(task, task.end);
  for (const auto& [at, asked] : plan.at) {
    if ((at <= 0 && start_given) || (at >= 1 && end_given)) continue;
    const double time = at * curve.duration();
    const Place place = curve.place(time);
    const int phase = phase_of_span[static_cast<std::size_t>(place.span)];
    const PhaseTimes of(curve, phase_of_span, phase);
    collisions.enter(phase);
    corridor->places.push_back({static_cast<std::size_t>(phase), (time - of.begins) / (of.ends - of.begins),
                                planes.at(curve.at(place), asked)});
  }
  return corridor;
}

namespace {

/// How far corners are from their planes along a motion.
class Rooms {
 public:
  Rooms(const Task& task, const Trajectory& curve, const std::vector<int>& phase_of_span)
      : model_(task.model), curve_(curve), phase_of_span_(phase_of_span), data_(model_), at_(model_) {}

  void enter(const CorridorPlace& place) {
    const PhaseTimes of(curve_, phase_of_span_, static_cast<int>(place.stage));
    forward_kinematics<double>(model_, data_, curve_.at(of.begins + place.at * (of.ends - of.begins)), at_);
  }
  /// Of corners and others at a plane of that place, m; the least of all.
  double look(const SeparatingPlane& plane) {
    const Eigen::Vector3d n(plane.normal.x, plane.normal.y, plane.normal.z);
    const double of_corners = heights(plane.link, plane.corners, n, corners);
    const double of_others = plane.other < 0 ? 0 : heights(plane.other, plane.others, -n, others);
    for (double& room : corners) room += of_others - plane.least;
    for (double& room : others) room += of_corners - plane.least;
    if (plane.other < 0) others.clear();
    return of_corners + of_others - plane.least;
  }
  std::vector<double> corners, others;

 private:
  double heights(int link, const std::vector<Vec3<double>>& points, const Eigen::Vector3d& n,
                 std::vector<double>& all) const {
    const double origin = n.dot(at_.position(link));
    const Eigen::Vector3d turned = at_.rotation(link).transpose() * n;
    double least = kInfinity;
    all.clear();
    for (const Vec3<double>& p : points) {
      all.push_back(origin + turned.x() * p.x + turned.y() * p.y + turned.z() * p.z);
      least = std::min(least, all.back());
    }
    return least;
  }
  const Model& model_;
  const Trajectory& curve_;
  const std::vector<int>& phase_of_span_;
  Data<double> data_;
  Kinematics<double> at_;
};

/// Counts the nearest of some corners. Whether one is new.
bool count_nearest(const std::vector<double>& rooms, double within, char* counts) {
  std::vector<std::size_t> order;
  const double least = rooms.empty() ? 0 : *std::ranges::min_element(rooms);
  for (std::size_t k = 0; k < rooms.size(); ++k) {
    if (rooms[k] < within && rooms[k] <= least + kSameHeight) order.push_back(k);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return rooms[k]; });
  if (order.size() > kMostAtOnce) order.resize(kMostAtOnce);
  bool any = false;
  for (const std::size_t k : order) {
    any |= !counts[k];
    counts[k] = true;
  }
  return any;
}

}  // namespace

CountedCorners::CountedCorners(std::shared_ptr<const Corridor> all) : all_(std::move(all)) {
  std::size_t count = 0;
  for (const CorridorPlace& place : all_->places) {
    for (const SeparatingPlane& plane : place.planes) count += plane.corners.size() + plane.others.size();
  }
  counts_.assign(count, false);
}

bool CountedCorners::add(const Task& task, const Trajectory& curve, const std::vector<int>& phase_of_span,
                         double within) {
  Rooms rooms(task, curve, phase_of_span);
  bool any = false;
  char* counts = counts_.data();
  for (const CorridorPlace& place : all_->places) {
    rooms.enter(place);
    for (const SeparatingPlane& plane : place.planes) {
      if (rooms.look(plane) < within) {
        any |= count_nearest(rooms.corners, within, counts);
        any |= count_nearest(rooms.others, within, counts + plane.corners.size());
      }
      counts += plane.corners.size() + plane.others.size();
    }
  }
  return any;
}

std::shared_ptr<const Corridor> CountedCorners::corridor() const {
  auto counted = std::make_shared<Corridor>();
  const char* counts = counts_.data();
  const auto take = [&](const std::vector<Vec3<double>>& from, std::vector<Vec3<double>>& to) {
    for (const Vec3<double>& corner : from) {
      if (*counts++) to.push_back(corner);
    }
  };
  for (const CorridorPlace& place : all_->places) {
    counted->places.push_back({place.stage, place.at, {}});
    for (const SeparatingPlane& plane : place.planes) {
      SeparatingPlane part{plane.link, {}, plane.other, {}, plane.normal, plane.least, plane.of};
      take(plane.corners, part.corners);
      take(plane.others, part.others);
      if (!part.corners.empty()) counted->places.back().planes.push_back(std::move(part));
    }
  }
  return counted;
}

double room_in(const Corridor& corridor, const Task& task, const Trajectory& curve,
               const std::vector<int>& phase_of_span) {
  Rooms rooms(task, curve, phase_of_span);
  double least = kInfinity;
  for (const CorridorPlace& place : corridor.places) {
    rooms.enter(place);
    for (const SeparatingPlane& plane : place.planes) least = std::min(least, rooms.look(plane));
  }
  return least;
}

}  // namespace verne
