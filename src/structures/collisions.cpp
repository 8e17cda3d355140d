#include "structures/collisions.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "structures/motion_bounds.h"
#include "verne/dynamics/configuration.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr int kSamples = 10'000;

/// Whether a joint connects the rigid bodies that two links are parts of; what is fixed to the world is one.
bool are_neighbours(const Model& model, int a, int b) {
  const auto body = [&](int link) { return link < 0 ? -1 : model.links()[static_cast<std::size_t>(link)].body; };
  const auto carrier = [&](int link) {  // of the first link inwards that is part of another body
    int at = link;
    while (at >= 0 && body(at) == body(link)) at = model.links()[static_cast<std::size_t>(at)].parent;
    return body(at);
  };
  if (body(a) == body(b)) return true;
  return (body(a) >= 0 && carrier(a) == body(b)) || (body(b) >= 0 && carrier(b) == body(a));
}

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
    centers_.push_back(center_of(bodies_[a].body));
    radii_.push_back(radius_about(bodies_[a].body, centers_[a]));
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
      here_(other.here_),
      places_(other.places_),
      always_(other.always_) {}

const std::string& Collisions::name(std::size_t body) const {
  const CollisionBody& one = bodies_[body];
  return !is_link(body) ? one.object : model_.links()[static_cast<std::size_t>(one.link)].name;
}

bool Collisions::may_touch(std::size_t a, std::size_t b,
                           std::span<const std::pair<std::string, std::string>> allowed) const {
  const int link_a = bodies_[a].link, link_b = bodies_[b].link;
  const auto moves = [&](int link) { return link >= 0 && model_.links()[static_cast<std::size_t>(link)].body >= 0; };
  if (!moves(link_a) && !moves(link_b)) return false;
  if (link_a >= 0 && link_b >= 0) {
    const bool links = is_link(a) && is_link(b);  // what is carried may well hit a neighbour of what carries it
    const auto body = [&](int link) { return model_.links()[static_cast<std::size_t>(link)].body; };
    if (links ? are_neighbours(model_, link_a, link_b) : body(link_a) == body(link_b)) return false;
  }
  const auto leaves_out = [&](const CollisionBody& one, const std::string& other) {
    return (std::ranges::find(one.others, other) != one.others.end()) != one.only_others;
  };
  if (leaves_out(bodies_[a], name(b)) || leaves_out(bodies_[b], name(a))) return false;
  return std::ranges::none_of(allowed, [&](const auto& pair) {
    return (pair.first == name(a) && pair.second == name(b)) || (pair.first == name(b) && pair.second == name(a));
  });
}

/// Of links alone: an object that is touched always is in the way.
void Collisions::drop_touching_always() {
  std::vector<Pair> touching;
  for (const Pair& pair : pairs_) {
    if (is_link(pair.a) && is_link(pair.b)) touching.push_back(pair);
  }
  std::mt19937_64 random(1);
  Eigen::VectorXd q(model_.nq());
  for (int k = 0; k < kSamples && !touching.empty(); ++k) {
    random_configuration(model_, random, q);
    place(q);
    std::erase_if(touching, [&](const Pair& pair) { return apart(pair, pair.margin).distance > pair.margin; });
  }
  for (const Pair& gone : touching) {
    always_.emplace_back(name(gone.a), name(gone.b));
    std::erase_if(pairs_, [&](const Pair& pair) { return pair.a == gone.a && pair.b == gone.b; });
  }
}

void Collisions::bound_motions() {
  const MotionBounds bounds(model_);
  const auto ball = [&](std::size_t body) {
    const CollisionBody& one = bodies_[body];
    return LinkBall{one.link, one.X_LB * centers_[body], radii_[body]};
  };
  for (Pair& pair : pairs_) pair.speeds = bounds.between(ball(pair.a), ball(pair.b));
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
  const auto is_box = [&](std::size_t body) { return bodies_[body].body.core == ConvexBody::Core::box; };
  const Vec3<double> a = center(pair.a), b = center(pair.b);
  double most = norm(a - b) - radii_[pair.a] - radii_[pair.b];
  if (is_box(pair.b)) most = std::max(most, distance_to_box(bodies_[pair.b].body, places_[pair.b], a) - radii_[pair.a]);
  if (is_box(pair.a)) most = std::max(most, distance_to_box(bodies_[pair.a].body, places_[pair.a], b) - radii_[pair.b]);
  return most;
}

Separation Collisions::apart(const Pair& pair, double enough) const {
  const double known = at_least(pair);
  if (known > enough) return {known, {0, 0, 0}};
  return separation(bodies_[pair.a].body, places_[pair.a], bodies_[pair.b].body, places_[pair.b], enough);
}

std::optional<Touch> Collisions::touch(VectorIn<double> q) {
  place(q);
  for (const std::size_t k : here_) {
    const Pair& pair = pairs_[k];
    const double least = apart(pair, pair.margin).distance;
    if (least < pair.margin || least <= 0) return touch_of(pair, least);
  }
  return std::nullopt;
}

std::optional<Touch> Collisions::deepest(VectorIn<double> q) {
  place(q);
  std::optional<Touch> worst;
  for (const std::size_t k : here_) {
    const Pair& pair = pairs_[k];
    double least = apart(pair, pair.margin).distance;
    if (least > 0 && least >= pair.margin) continue;
    if (least <= 0) {
      least = -overlap(bodies_[pair.a].body, places_[pair.a], bodies_[pair.b].body, places_[pair.b]);
    }
    if (!worst || least < worst->distance) worst = touch_of(pair, least);
  }
  return worst;
}

std::vector<NearPair> Collisions::near(VectorIn<double> q, double within) {
  return near(q, within, here_);
}

std::vector<NearPair> Collisions::near(VectorIn<double> q, double within, std::span<const std::size_t> pairs) {
  place(q);
  std::vector<NearPair> found;
  for (const std::size_t k : pairs) {
    if (!std::ranges::binary_search(here_, k)) continue;
    const Separation gap = apart(pairs_[k], within);
    if (gap.distance < within) found.push_back({k, gap.distance, gap.normal});
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
    const double least = apart(pair, enough + way).distance;
    touches = least <= enough;
    if (touches) found = {false, true, middle, touch_of(pair, least), k};
    return least > enough + way;
  });
  return touches;
}

// docs/theory/clearance.md, (4): coarse stretches first, since what touches as a rule does so in the middle of them.
Swept Collisions::sweep(const Course& course, double from, double to, double more, double least) {
  std::vector<Stretch> level{{from, to, {}}}, next;
  level.front().pairs = here_;
  Swept found;
  while (!level.empty()) {
    next.clear();
    for (Stretch& stretch : level) {
      if (look(course, more, stretch, found)) return found;
      if (stretch.pairs.empty()) continue;
      const double middle = (stretch.from + stretch.to) / 2;
      if (stretch.to - stretch.from < least) {
        const Pair& pair = pairs_[stretch.pairs.front()];
        return {false, false, middle, touch_of(pair, apart(pair, kInfinity).distance), stretch.pairs.front()};
      }
      next.push_back({stretch.from, middle, stretch.pairs});
      next.push_back({middle, stretch.to, std::move(stretch.pairs)});
    }
    level.swap(next);
  }
  return found;
}

}  // namespace verne
