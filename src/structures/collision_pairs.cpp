/// Which pairs of shapes are looked at, and which are not.
#include <algorithm>
#include <cmath>
#include <random>

#include "structures/collisions.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr int kSamples = 10'000;

/// Whether a joint connects the rigid bodies that two links are parts of; what is fixed to the world is one. A free
/// joint connects nothing.
bool are_neighbours(const Model& model, int a, int b) {
  const auto body = [&](int link) { return link < 0 ? -1 : model.links()[static_cast<std::size_t>(link)].body; };
  const auto carried_by = [&](int link, int other) {  // which the first link inwards is part of that is of another body
    int at = link, root = link;
    while (at >= 0 && body(at) == body(link)) root = at, at = model.links()[static_cast<std::size_t>(at)].parent;
    return body(at) == body(other) &&
           model.joints()[static_cast<std::size_t>(root)].spec.type != JointType::free;  // joint i carries link i
  };
  if (body(a) == body(b)) return true;
  return (body(a) >= 0 && carried_by(a, b)) || (body(b) >= 0 && carried_by(b, a));
}

}  // namespace

const char* to_string(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::connected:
      return "connected";
    case LeftOut::Why::allowed:
      return "allowed";
    case LeftOut::Why::masked:
      return "masked";
    case LeftOut::Why::always:
      return "always";
    case LeftOut::Why::never:
      break;
  }
  return "never";
}

void Collisions::leave_out(std::size_t a, std::size_t b, LeftOut::Why why) {
  const auto [first, second] = std::minmax(name(a), name(b));
  const auto same = [&](const LeftOut& one) { return one.a == first && one.b == second; };
  if (first != second && std::ranges::none_of(left_out_, same)) left_out_.push_back({first, second, why});
}

bool Collisions::may_touch(std::size_t a, std::size_t b, std::span<const std::pair<std::string, std::string>> allowed) {
  const int link_a = bodies_[a].link, link_b = bodies_[b].link;
  const auto moves = [&](int link) { return link >= 0 && model_.links()[static_cast<std::size_t>(link)].body >= 0; };
  if (!moves(link_a) && !moves(link_b)) return false;
  const auto left_out_as = [&](LeftOut::Why why) { return leave_out(a, b, why), false; };
  const bool links = is_link(a) && is_link(b);
  if (links && are_neighbours(model_, link_a, link_b)) return left_out_as(LeftOut::Why::connected);
  if (!links && link_a >= 0 && link_b >= 0) {  // what is carried may well hit a neighbour of what carries it
    const auto body = [&](int link) { return model_.links()[static_cast<std::size_t>(link)].body; };
    if (body(link_a) == body(link_b)) return false;
  }
  const auto leaves_out = [&](const CollisionBody& one, const std::string& other) {
    return (std::ranges::find(one.others, other) != one.others.end()) != one.only_others;
  };
  if (leaves_out(bodies_[a], name(b)) || leaves_out(bodies_[b], name(a))) return false;
  const bool said = std::ranges::any_of(allowed, [&](const auto& pair) {
    return (pair.first == name(a) && pair.second == name(b)) || (pair.first == name(b) && pair.second == name(a));
  });
  if (said) return left_out_as(LeftOut::Why::allowed);
  const ContactMask &of_a = bodies_[a].mask, &of_b = bodies_[b].mask;
  const bool meet = (of_a.type & of_b.affinity) != 0 || (of_b.type & of_a.affinity) != 0;
  return !links || meet || left_out_as(LeftOut::Why::masked);
}

/// Of links alone: an object that is touched always is in the way. Names of which some shapes are looked at are not
/// masked.
void Collisions::drop_touching_always() {
  std::vector<Pair> touching;
  const auto is_of = [&](const Pair& pair, const LeftOut& one) {
    const std::string &a = name(pair.a), &b = name(pair.b);
    return (a == one.a && b == one.b) || (a == one.b && b == one.a);
  };
  std::erase_if(left_out_, [&](const LeftOut& one) {
    return one.why == LeftOut::Why::masked &&
           std::ranges::any_of(pairs_, [&](const Pair& pair) { return is_of(pair, one); });
  });
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
    leave_out(gone.a, gone.b, LeftOut::Why::always);
    std::erase_if(pairs_, [&](const Pair& pair) { return pair.a == gone.a && pair.b == gone.b; });
  }
}

/// As the proof of a stretch, (3) of docs/theory/clearance.md: boxes of postures that are halved along the joint that
/// matters most.
bool Collisions::cannot_touch(const Pair& pair, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  constexpr int kMostBoxes = 40;
  constexpr double kHopeless = 3;  // a way that is so much longer than the distance takes too many boxes
  std::vector<std::pair<Eigen::VectorXd, Eigen::VectorXd>> open{{lower, upper}};
  for (int k = 0; k < kMostBoxes && !open.empty(); ++k) {
    const auto [low, high] = std::move(open.back());
    open.pop_back();
    const Eigen::VectorXd middle = (low + high) / 2;
    place(middle);
    double way = 0, most = 0;
    Eigen::Index widest = 0;
    for (Eigen::Index i = 0; i < low.size(); ++i) {
      const double by_it = pair.speeds[static_cast<std::size_t>(i)] * (high[i] - low[i]) / 2;
      way += by_it;
      if (by_it > most) most = by_it, widest = i;
    }
    if (!std::isfinite(way)) return false;
    const double apart_there = apart(pair, pair.margin + way).distance;
    if (apart_there <= pair.margin || (k == 0 && way > kHopeless * apart_there)) return false;
    if (apart_there > pair.margin + way) continue;
    open.push_back({low, high}), open.back().second[widest] = middle[widest];
    open.push_back({low, high}), open.back().first[widest] = middle[widest];
  }
  return open.empty();
}

void Collisions::leave_out_what_cannot_touch(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  if (model_.nq() != model_.nv() || lower.size() != model_.nv()) return;
  lower_ = lower, upper_ = upper;
  std::vector<bool> turns(static_cast<std::size_t>(model_.nv()), false);
  for (const Joint& joint : model_.joints()) {  // without limits all turns are as one
    if (joint.spec.type != JointType::revolute || joint.nv != 1) continue;
    turns[static_cast<std::size_t>(joint.v)] = true;
    if (std::isfinite(lower_[joint.v]) && std::isfinite(upper_[joint.v])) continue;
    lower_[joint.v] = -kInfinity, upper_[joint.v] = kInfinity;
  }
  Eigen::VectorXd low = lower_, high = upper_;
  for (Eigen::Index i = 0; i < low.size(); ++i) {
    if (turns[static_cast<std::size_t>(i)] && !std::isfinite(low[i])) low[i] = -M_PI, high[i] = M_PI;
  }
  const auto stays = [&](const Pair& pair) {
    return !is_link(pair.a) || !is_link(pair.b) || !cannot_touch(pair, low, high);
  };
  const auto gone = std::stable_partition(pairs_.begin(), pairs_.end(), stays);
  looked_at_ = static_cast<std::size_t>(gone - pairs_.begin());
  for (auto pair = gone; pair != pairs_.end(); ++pair) leave_out(pair->a, pair->b, LeftOut::Why::never);
  enter(0);
}

}  // namespace verne
