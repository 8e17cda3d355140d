#include "structures/collisions.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "structures/motion_bounds.h"
#include "verne/dynamics/configuration.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// The middle of a body.
Vec3<double> center_of(const ConvexBody& body) {
  if (body.core != ConvexBody::Core::points || body.points.empty()) return {0, 0, 0};
  Vec3<double> low = body.points.front(), high = low;
  for (const Vec3<double>& p : body.points) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  return (low + high) * 0.5;
}

double radius_about(const ConvexBody& body, const Vec3<double>& center) {
  if (body.core != ConvexBody::Core::points) return body.reach();
  double farthest = 0;
  for (const Vec3<double>& p : body.points) farthest = std::max(farthest, norm(p - center));
  return farthest + body.skin;
}

/// Of a point from a box.
double distance_to_box(const ConvexBody& box, const Transform<double>& X_WB, const Vec3<double>& p) {
  const Vec3<double> y = transpose_times(X_WB.R, p - X_WB.p);
  Vec3<double> beyond{0, 0, 0};
  for (int i = 0; i < 3; ++i) beyond[i] = std::max(0.0, std::abs(y[i]) - box.half[i]);
  return norm(beyond) - box.skin;
}

}  // namespace

Collisions::Collisions(const Model& model, std::vector<CollisionBody> bodies, double margin,
                       std::span<const std::pair<std::string, std::string>> allowed, bool itself)
    : model_(model),
      margin_(margin),
      data_(model),
      kinematics_(model),
      bodies_(std::move(bodies)),
      places_(bodies_.size(), Transform<double>::identity()) {
  for (std::size_t a = 0; a < bodies_.size(); ++a) {
    const ConvexPieces* const pieces = bodies_[a].pieces.get();
    centers_.push_back(pieces ? pieces->center() : center_of(bodies_[a].body));
    radii_.push_back(pieces ? pieces->radius() : radius_about(bodies_[a].body, centers_[a]));
    if (bodies_[a].link < 0) places_[a] = bodies_[a].X_LB;
    for (std::size_t b = 0; b < a; ++b) {
      const bool links = is_link(a) && is_link(b);
      if ((!itself && links) || !may_touch(a, b, allowed)) continue;
      const std::optional<double>& own = bodies_[a].margin ? bodies_[a].margin : bodies_[b].margin;
      pairs_.push_back({a, b, own.value_or(margin_), {}});
    }
  }
  drop_touching_always();
  bound_motions();
  lately_.assign(pairs_.size(), {0, 0, 0});
  looked_at_ = pairs_.size();
  enter(0);
}

bool Collisions::is_there(const Pair& pair, int phase) const {
  const auto there = [&](const CollisionBody& body) { return body.from <= phase && phase < body.end; };
  return there(bodies_[pair.a]) && there(bodies_[pair.b]);
}

void Collisions::enter(int phase) {
  here_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (is_there(pairs_[k], phase)) here_.push_back(k);
  }
}

Collisions::Collisions(const Collisions& other)
    : model_(other.model_),
      margin_(other.margin_),
      data_(model_),  // of its own
      kinematics_(other.kinematics_),
      bodies_(other.bodies_),
      centers_(other.centers_),
      radii_(other.radii_),
      pairs_(other.pairs_),
      looked_at_(other.looked_at_),
      lower_(other.lower_),
      upper_(other.upper_),
      here_(other.here_),
      places_(other.places_),
      lately_(other.lately_),
      left_out_(other.left_out_) {}

bool Collisions::move_object(const std::string& object, const Vec3<double>& by, const Mat3<double>& turn) {
  std::optional<Vec3<double>> about;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (bodies_[k].link >= 0 || bodies_[k].object != object) continue;
    Transform<double>& X = bodies_[k].X_LB;
    if (!about) about = X.p;
    X.p = *about + by + turn * (X.p - *about), X.R = turn * X.R;
    places_[k] = X;
  }
  return about.has_value();
}

const std::string& Collisions::name(std::size_t body) const {
  const CollisionBody& one = bodies_[body];
  return !is_link(body) ? one.object : model_.links()[static_cast<std::size_t>(one.link)].name;
}

void Collisions::bound_motions() {
  const MotionBounds bounds(model_);
  const auto ball = [&](std::size_t body) {
    const CollisionBody& one = bodies_[body];
    return LinkBall{one.link, one.X_LB * centers_[body], radii_[body]};
  };
  for (Pair& pair : pairs_) pair.speeds = bounds.between(ball(pair.a), ball(pair.b));
}

std::span<const std::size_t> Collisions::counted(VectorIn<double> q, const Eigen::VectorXd* most) const {
  const std::span<const std::size_t> all = here_;
  for (Eigen::Index i = 0; i < lower_.size(); ++i) {
    const double more = most ? (*most)[i] : 0;
    if (q[i] - more < lower_[i] || q[i] + more > upper_[i]) return all;
  }
  return all.first(static_cast<std::size_t>(std::ranges::lower_bound(here_, looked_at_) - here_.begin()));
}

void Collisions::place(VectorIn<double> q) {
  forward_kinematics(model_, data_, q, kinematics_);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const CollisionBody& body = bodies_[k];
    if (body.link < 0) continue;
    const double* const pose = kinematics_.poses.col(body.link).data();
    Transform<double> X_WL = Transform<double>::identity();
    X_WL.p = Vec3<double>::load(pose);
    std::copy_n(pose + 3, 9, X_WL.R.m);
    places_[k] = X_WL * body.X_LB;
  }
}

double Collisions::at_least(const Pair& pair) const {
  const auto center = [&](std::size_t body) { return places_[body] * centers_[body]; };
  const auto is_box = [&](std::size_t body) {
    return !bodies_[body].pieces && bodies_[body].body.core == ConvexBody::Core::box;
  };
  const Vec3<double> a = center(pair.a), b = center(pair.b);
  double most = norm(a - b) - radii_[pair.a] - radii_[pair.b];
  if (is_box(pair.b)) most = std::max(most, distance_to_box(bodies_[pair.b].body, places_[pair.b], a) - radii_[pair.a]);
  if (is_box(pair.a)) most = std::max(most, distance_to_box(bodies_[pair.a].body, places_[pair.a], b) - radii_[pair.b]);
  return most;
}

Transform<double> Collisions::seen_from(std::size_t whole, std::size_t body) const {
  return inverse(places_[whole]) * places_[body];
}

NearPair Collisions::apart(const Pair& pair, double enough) const {
  const double known = at_least(pair);
  if (known > enough) return {0, known, {0, 0, 0}};
  const CollisionBody &a = bodies_[pair.a], &b = bodies_[pair.b];
  if (!a.pieces && !b.pieces) {
    const Separation gap = separation(a.body, places_[pair.a], b.body, places_[pair.b], enough);
    return {0, gap.distance, gap.normal};
  }
  const std::size_t whole = a.pieces ? pair.a : pair.b, other = a.pieces ? pair.b : pair.a;
  const Transform<double> X = seen_from(whole, other);
  const NearestPiece nearest =
      bodies_[whole].pieces->nearest(bodies_[other].body, X, X * centers_[other], radii_[other], enough);
  return of_piece(nearest, pair);
}

NearPair Collisions::apart_within(std::size_t pair, double least, double enough) {
  const Pair& of = pairs_[pair];
  const CollisionBody &a = bodies_[of.a], &b = bodies_[of.b];
  if (a.pieces || b.pieces) return apart(of, enough);
  const double known = at_least(of);
  if (known > enough) return {0, known, {0, 0, 0}};
  const Separation gap = separation_within(a.body, places_[of.a], b.body, places_[of.b], least, enough, lately_[pair]);
  lately_[pair] = gap.normal;
  return {0, gap.distance, gap.normal};
}

NearPair Collisions::of_piece(const NearestPiece& nearest, const Pair& pair) const {
  const bool first = bodies_[pair.a].pieces != nullptr;
  const Vec3<double> normal = places_[first ? pair.a : pair.b].R * nearest.apart.normal;
  return {0, nearest.apart.distance, first ? -normal : normal, nearest.piece};
}

double Collisions::depth_of(const Pair& pair) const {
  const CollisionBody &a = bodies_[pair.a], &b = bodies_[pair.b];
  if (!a.pieces && !b.pieces) return overlap(a.body, places_[pair.a], b.body, places_[pair.b]);
  const std::size_t whole = a.pieces ? pair.a : pair.b, other = a.pieces ? pair.b : pair.a;
  const Transform<double> X = seen_from(whole, other);
  return bodies_[whole].pieces->deepest(bodies_[other].body, X, X * centers_[other], radii_[other]);
}

PlacedBody Collisions::placed(std::size_t body, const NearPair& pair) const {
  const CollisionBody& one = bodies_[body];
  if (!one.pieces) return {&one.body, places_[body]};
  const ConvexPiece& piece = one.pieces->all()[pair.piece];
  Transform<double> X = places_[body];
  X.p = X * piece.at;
  return {&piece.body, X};
}

std::optional<Touch> Collisions::touch(VectorIn<double> q) {
  place(q);
  for (const std::size_t k : counted(q, nullptr)) {
    const Pair& pair = pairs_[k];
    const double least = apart(pair, pair.margin).distance;
    if (least < pair.margin || least <= 0) return touch_of(pair, least);
  }
  return std::nullopt;
}

std::optional<Touch> Collisions::deepest(VectorIn<double> q) {
  place(q);
  std::optional<Touch> worst;
  for (const std::size_t k : counted(q, nullptr)) {
    const Pair& pair = pairs_[k];
    double least = apart(pair, pair.margin).distance;
    if (least > 0 && least >= pair.margin) continue;
    if (least <= 0) least = -depth_of(pair);
    if (!worst || least < worst->distance) worst = touch_of(pair, least);
  }
  return worst;
}

std::vector<NearPair> Collisions::near(VectorIn<double> q, double within) {
  place(q);
  std::vector<NearPair> found;
  for (const std::size_t k : counted(q, nullptr)) {
    NearPair gap = apart(pairs_[k], within);
    gap.pair = k;
    if (gap.distance < within) found.push_back(gap);
  }
  return found;
}

std::vector<NearPair> Collisions::near_pieces(VectorIn<double> q, double within) {
  place(q);
  std::vector<NearPair> found;
  std::vector<NearestPiece> pieces;
  const auto add = [&](NearPair gap, std::size_t k) {
    gap.pair = k;
    if (gap.distance < within) found.push_back(gap);
  };
  for (const std::size_t k : counted(q, nullptr)) {
    const Pair& pair = pairs_[k];
    const bool first = bodies_[pair.a].pieces != nullptr;
    if (!first && !bodies_[pair.b].pieces) {
      add(apart(pair, within), k);
    } else if (at_least(pair) < within) {
      const std::size_t whole = first ? pair.a : pair.b, other = first ? pair.b : pair.a;
      const Transform<double> X = seen_from(whole, other);
      pieces.clear();
      bodies_[whole].pieces->near(bodies_[other].body, X, X * centers_[other], radii_[other], within, pieces);
      for (const NearestPiece& one : pieces) add(of_piece(one, pair), k);
    }
  }
  return found;
}

std::vector<NearPair> Collisions::near_pieces(VectorIn<double> q, double within, std::span<const PairPiece> wanted) {
  place(q);
  std::vector<NearPair> found;
  for (const auto& [k, piece] : wanted) {
    const Pair& pair = pairs_[k];
    if (!std::ranges::binary_search(here_, k) || at_least(pair) >= within) continue;
    NearPair gap{k, 0, {0, 0, 0}, piece};
    const PlacedBody a = placed(pair.a, gap), b = placed(pair.b, gap);
    const Separation apart = separation(*a.body, a.X_WB, *b.body, b.X_WB, within);
    gap.distance = apart.distance, gap.normal = apart.normal;
    if (gap.distance < within) found.push_back(gap);
  }
  return found;
}

// ---- Along a course -----------------------------------------------------------------------------------------------

bool Collisions::look(const Course& course, double more, Stretch& stretch, Swept& found) {
  constexpr double kRounding = 1e-9;  // m: of distances
  Eigen::VectorXd q(model_.nq()), most(model_.nv());
  const double middle = (stretch.from + stretch.to) / 2;
  course.at(middle, q);
  course.spread(stretch.from, stretch.to, most);
  place(q);
  bool touches = false;
  std::erase_if(stretch.pairs, [&](std::size_t k) {
    if (touches) return false;
    const Pair& pair = pairs_[k];
    const double enough = pair.margin + more;
    double way = kRounding;
    for (Eigen::Index i = 0; i < most.size(); ++i) way += pair.speeds[static_cast<std::size_t>(i)] * most[i];
    const NearPair gap = apart_within(k, enough, enough + way);
    touches = gap.distance <= enough;
    if (touches) found = {false, true, middle, touch_of(pair, gap.distance), {k, gap.piece}};
    return gap.distance > enough + way;
  });
  return touches;
}

// docs/theory/clearance.md, (4): coarse stretches first, since what touches as a rule does so in the middle of them.
Swept Collisions::sweep(const Course& course, double from, double to, double more, double least) {
  std::vector<Stretch> level{{from, to, {}}}, next;
  Eigen::VectorXd q(model_.nq()), most(model_.nv());
  course.at((from + to) / 2, q);
  course.spread(from, to, most);
  const std::span<const std::size_t> pairs = counted(q, &most);
  level.front().pairs.assign(pairs.begin(), pairs.end());
  Swept found;
  while (!level.empty()) {
    next.clear();
    for (Stretch& stretch : level) {
      if (look(course, more, stretch, found)) return found;
      if (stretch.pairs.empty()) continue;
      const double middle = (stretch.from + stretch.to) / 2;
      if (stretch.to - stretch.from < least) {
        const Pair& pair = pairs_[stretch.pairs.front()];
        const NearPair gap = apart(pair, kInfinity);
        return {false, false, middle, touch_of(pair, gap.distance), {stretch.pairs.front(), gap.piece}};
      }
      next.push_back({stretch.from, middle, stretch.pairs});
      next.push_back({middle, stretch.to, std::move(stretch.pairs)});
    }
    level.swap(next);
  }
  return found;
}

}  // namespace verne
