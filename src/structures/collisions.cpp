#include "structures/collisions.h"

#include <algorithm>
#include <random>

#include "verne/dynamics/configuration.h"

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

}  // namespace

Collisions::Collisions(const Model& model, std::vector<CollisionBody> bodies, double margin,
                       std::span<const std::pair<std::string, std::string>> allowed)
    : model_(model),
      margin_(margin),
      data_(model),
      kinematics_(model),
      bodies_(std::move(bodies)),
      places_(bodies_.size(), Transform<double>::identity()) {
  for (const CollisionBody& body : bodies_) reaches_.push_back(body.body.reach());
  for (std::size_t a = 0; a < bodies_.size(); ++a) {
    if (bodies_[a].link < 0) places_[a] = bodies_[a].X_LB;
    for (std::size_t b = 0; b < a; ++b) {
      if (may_touch(a, b, allowed)) pairs_.push_back({a, b});
    }
  }
  drop_touching_always();
}

const std::string& Collisions::name(std::size_t body) const {
  const CollisionBody& one = bodies_[body];
  return one.link < 0 ? one.object : model_.links()[static_cast<std::size_t>(one.link)].name;
}

bool Collisions::may_touch(std::size_t a, std::size_t b,
                           std::span<const std::pair<std::string, std::string>> allowed) const {
  const int link_a = bodies_[a].link, link_b = bodies_[b].link;
  const auto moves = [&](int link) { return link >= 0 && model_.links()[static_cast<std::size_t>(link)].body >= 0; };
  if (!moves(link_a) && !moves(link_b)) return false;
  if (link_a >= 0 && link_b >= 0 && are_neighbours(model_, link_a, link_b)) return false;
  return std::ranges::none_of(allowed, [&](const auto& pair) {
    return (pair.first == name(a) && pair.second == name(b)) || (pair.first == name(b) && pair.second == name(a));
  });
}

/// Of links alone: an object that is touched always is in the way.
void Collisions::drop_touching_always() {
  std::vector<Pair> touching;
  for (const Pair& pair : pairs_) {
    if (bodies_[pair.a].link >= 0 && bodies_[pair.b].link >= 0) touching.push_back(pair);
  }
  std::mt19937_64 random(1);
  Eigen::VectorXd q(model_.nq());
  for (int k = 0; k < kSamples && !touching.empty(); ++k) {
    random_configuration(model_, random, q);
    place(q);
    std::erase_if(touching, [&](const Pair& pair) { return !near(pair); });
  }
  for (const Pair& gone : touching) {
    always_.emplace_back(name(gone.a), name(gone.b));
    std::erase_if(pairs_, [&](const Pair& pair) { return pair.a == gone.a && pair.b == gone.b; });
  }
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

std::optional<double> Collisions::near(const Pair& pair) const {
  const Transform<double>&X_a = places_[pair.a], &X_b = places_[pair.b];
  const Vec3<double> apart = X_a.p - X_b.p;
  const double reach = reaches_[pair.a] + reaches_[pair.b] + margin_;
  if (dot(apart, apart) > reach * reach) return std::nullopt;
  const double found = distance(bodies_[pair.a].body, X_a, bodies_[pair.b].body, X_b, margin_);
  return found < margin_ || found <= 0 ? std::optional(found) : std::nullopt;
}

std::optional<Touch> Collisions::touch(VectorIn<double> q) {
  place(q);
  for (const Pair& pair : pairs_) {
    if (const auto found = near(pair)) return Touch{name(pair.a), name(pair.b), *found};
  }
  return std::nullopt;
}

}  // namespace verne
