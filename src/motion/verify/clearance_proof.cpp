#include "motion/verify/clearance_proof.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace verne {

namespace {

constexpr double kShortestStretch = 1e-6;  // of a span: stretches that are shorter prove nothing more
constexpr double kTightness = 0.05;        // of rates: bounds of a span are found to that
constexpr int kTouchSamples = 200;
constexpr int kApproachSamples = 60;  // for approaches
constexpr int kFinerSamples = 5;      // on either side of the nearest of these
constexpr double kNearEnough = 0.3;   // m: pairs that never come nearer are not listed
constexpr std::size_t kMostApproaches = 30;

/// One span of a curve. Its parameter is the time.
class SpanCourse : public Course {
 public:
  SpanCourse(const Trajectory& curve, int span, double begin)
      : piece_(curve.piece(span, span + 1)), begin_(begin), rates_(curve.coordinates()), bends_(curve.coordinates()) {
    for (int i = 0; i < curve.coordinates(); ++i) {
      rates_[i] = most(1, i);
      bends_[i] = piece_.basis().degree() > 1 ? most(2, i) : 0;
    }
  }
  void at(double time, Eigen::Ref<Eigen::VectorXd> q) const override { piece_.evaluate(place(time), 0, q); }
  // |q(t) − q(m)| ≤ min(h max|v|, h |v(m)| + h² max|a| / 2) for |t − m| ≤ h
  void spread(double from, double to, Eigen::Ref<Eigen::VectorXd> largest) const override {
    const double h = (to - from) / 2;
    piece_.evaluate(place((from + to) / 2), 1, largest);
    largest = (largest.cwiseAbs() * h + bends_ * (h * h / 2)).cwiseMin(rates_ * h);
  }

 private:
  Place place(double time) const { return {0, std::clamp((time - begin_) / piece_.duration(), 0.0, 1.0)}; }
  double most(int order, int coordinate) const {
    double scale = 0;
    for (const double fraction : {0.0, 0.5, 1.0}) {
      scale = std::max(scale, std::abs(piece_.at(Place{0, fraction}, order)[coordinate]));
    }
    const auto [low, high] = piece_.range(order, coordinate, kTightness * std::max(scale, 1e-3));
    return std::max(std::abs(low), std::abs(high));
  }

  Trajectory piece_;
  double begin_;
  Eigen::VectorXd rates_, bends_;
};

int phase_of(const PhaseOfSpan& phase_of_span, int span) {
  return phase_of_span.empty() ? 0 : phase_of_span[static_cast<std::size_t>(span)];
}

}  // namespace

ClearanceProof prove_clearance(Collisions& collisions, const Trajectory& trajectory, const PhaseOfSpan& phase_of_span) {
  ClearanceProof proof;
  double begin = 0;
  for (int span = 0; span < trajectory.basis().spans(); ++span) {
    const double length = trajectory.lengths()[span];
    collisions.enter(phase_of(phase_of_span, span));
    const Swept sweep =
        collisions.sweep(SpanCourse(trajectory, span, begin), begin, begin + length, 0, kShortestStretch * length);
    if (!sweep.clear) return {false, sweep.shown, sweep.at, sweep.touch, sweep.which};
    begin += length;
  }
  return proof;
}

TouchesAlong touches_along(Collisions& collisions, const Trajectory& trajectory, const PhaseOfSpan& phase_of_span,
                           double more) {
  TouchesAlong found;
  double first = -1;
  for (int n = 0; n < kTouchSamples; ++n) {
    const double time = trajectory.duration() * n / (kTouchSamples - 1);
    collisions.enter(phase_of(phase_of_span, trajectory.place(time).span));
    const std::vector<NearPair> near = collisions.near_pieces(trajectory.at(time), collisions.margin() + more);
    for (const NearPair& pair : near) found.pairs.insert({pair.pair, pair.piece});
    if (!near.empty() && first < 0) first = time;
    const bool ends = near.empty() || n + 1 == kTouchSamples;
    if (first < 0 || !ends) continue;
    found.times.push_back((first + time) / 2);
    first = -1;
  }
  return found;
}

std::vector<Approach> approaches(Collisions& collisions, const Trajectory& trajectory,
                                 const PhaseOfSpan& phase_of_span) {
  struct Nearest {
    Approach approach;
    PairPiece which;
  };
  const auto thinner = [&](std::size_t pair) {
    const auto [a, b] = collisions.bodies_of(pair);
    return collisions.bodies()[a].thinner + collisions.bodies()[b].thinner;
  };
  std::map<std::pair<std::string, std::string>, Nearest> nearest;
  const double step = trajectory.duration() / (kApproachSamples - 1);
  for (int n = 0; n < kApproachSamples; ++n) {
    collisions.enter(phase_of(phase_of_span, trajectory.place(step * n).span));
    for (const NearPair& near : collisions.near(trajectory.at(step * n), kNearEnough)) {
      const auto [a, b] = collisions.bodies_of(near.pair);
      const double distance = near.distance - thinner(near.pair);
      const Nearest here{{collisions.name(a), collisions.name(b), distance, step * n}, {near.pair, near.piece}};
      const auto [found, is_new] = nearest.try_emplace({here.approach.a, here.approach.b}, here);
      if (distance < found->second.approach.distance) found->second = here;
    }
  }
  std::vector<Nearest> all;
  for (auto& [names, one] : nearest) all.push_back(std::move(one));
  std::ranges::stable_sort(all, {}, [](const Nearest& one) { return one.approach.distance; });
  if (all.size() > kMostApproaches) all.resize(kMostApproaches);
  std::vector<Approach> listed;
  for (Nearest& one : all) {  // between the samples
    const double around = one.approach.time;
    for (int k = -kFinerSamples; k <= kFinerSamples; ++k) {
      const double time = std::clamp(around + step * k / kFinerSamples, 0.0, trajectory.duration());
      collisions.enter(phase_of(phase_of_span, trajectory.place(time).span));
      const double within = one.approach.distance + thinner(one.which.pair);
      for (const NearPair& near : collisions.near_pieces(trajectory.at(time), within, {&one.which, 1})) {
        one.approach.distance = near.distance - thinner(one.which.pair), one.approach.time = time;
      }
    }
    listed.push_back(std::move(one.approach));
  }
  std::ranges::stable_sort(listed, {}, &Approach::distance);
  return listed;
}

}  // namespace verne
