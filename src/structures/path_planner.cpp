#include "structures/path_planner.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

constexpr double kTreeStep = 0.5;       // rad or m, of trees
constexpr double kPartOfFar = 0.3;      // of samples
constexpr int kDrawn = 3;               // postures of which the least tried is taken
constexpr double kAside = 0.5;          // rad or m: samples that are near
constexpr double kRoomBeside = 2e-3;    // m, that lines keep beside the margin
constexpr double kOfRoomAtEnds = 0.5;   // of what the ends have, where that is less
constexpr int kLeastTries = 500;        // whatever time it is
constexpr int kAskedAfter = 100;        // tries
constexpr double kShortestLine = 1e-4;  // of a line: shorter stretches are not worth to look at

/// From one posture straight to another.
class Line : public Course {
 public:
  Line(const Eigen::VectorXd& from, const Eigen::VectorXd& to) : from_(from), way_(to - from) {}
  void at(double s, Eigen::Ref<Eigen::VectorXd> q) const override { q = from_ + s * way_; }
  void spread(double from, double to, Eigen::Ref<Eigen::VectorXd> most) const override {
    most = way_.cwiseAbs() * ((to - from) / 2);
  }

 private:
  const Eigen::VectorXd& from_;
  Eigen::VectorXd way_;
};

/// From the latest node of a tree to its root.
template <class Tree>
PlannedPath to_root(const Tree& tree) {
  PlannedPath path;
  for (int k = static_cast<int>(tree.size()) - 1; k >= 0; k = tree[static_cast<std::size_t>(k)].before) {
    path.push_back(tree[static_cast<std::size_t>(k)].q);
  }
  return path;
}

}  // namespace

double length_of(const PlannedPath& path) {
  double sum = 0;
  for (std::size_t k = 1; k < path.size(); ++k) sum += (path[k] - path[k - 1]).norm();
  return sum;
}

PathPlanner::PathPlanner(Collisions& collisions, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper)
    : collisions_(collisions), lower_(lower), upper_(upper) {}

double PathPlanner::room_at(const Eigen::VectorXd& q) {
  double least = kRoomBeside / kOfRoomAtEnds;
  for (const NearPair& pair : collisions_.near(q, collisions_.margin() + least)) {
    least = std::min(least, pair.distance - collisions_.margin(pair.pair));
  }
  return least;
}

bool PathPlanner::clear(const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
  return collisions_.sweep(Line(from, to), 0, 1, room_, kShortestLine).clear;
}

Eigen::VectorXd PathPlanner::sample() {
  Eigen::VectorXd q(lower_.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = lower_[i] + (upper_[i] - lower_[i]) * uniform();
  return q;
}

int PathPlanner::nearest(const Tree& tree, const Eigen::VectorXd& q) {
  int best = 0;
  double least = kInfinity;
  for (std::size_t k = 0; k < tree.size(); ++k) {
    const double square = (tree[k].q - q).squaredNorm();
    if (square < least) least = square, best = static_cast<int>(k);
  }
  return best;
}

PathPlanner::Growth PathPlanner::extend(Tree& tree, const Eigen::VectorXd& q) {
  return extend_from(tree, nearest(tree, q), q);
}

PathPlanner::Growth PathPlanner::extend_from(Tree& tree, int from, const Eigen::VectorXd& q) {
  Node& node = tree[static_cast<std::size_t>(from)];
  ++node.tries;
  const Eigen::VectorXd begin = node.q, way = q - begin;
  const double length = way.norm();
  const bool whole = length <= kTreeStep;
  const Eigen::VectorXd end = whole ? q : Eigen::VectorXd(begin + way * (kTreeStep / length));
  if (!clear(begin, end)) return Growth::stuck;
  tree.push_back({end, from, 0});
  return whole ? Growth::there : Growth::nearer;
}

/// Out of narrow places, trees do not come towards far samples, to which the same few postures are always the nearest:
/// every other sample is near a posture that few were tried from.
PathPlanner::Growth PathPlanner::grow(Tree& tree) {
  if (uniform() < kPartOfFar) return extend(tree, sample());
  std::size_t from = 0;
  for (int k = 0; k < kDrawn; ++k) {
    const auto other = static_cast<std::size_t>(uniform() * static_cast<double>(tree.size()));
    if (k == 0 || tree[other].tries < tree[from].tries) from = other;
  }
  Eigen::VectorXd q = tree[from].q;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    q[i] = std::clamp(q[i] + kAside * (2 * uniform() - 1), lower_[i], upper_[i]);
  }
  return extend_from(tree, static_cast<int>(from), q);
}

PlannedPath PathPlanner::plan(const Eigen::VectorXd& from, const Eigen::VectorXd& to, unsigned seed,
                              const Effort& effort) {
  random_.seed(seed);
  room_ = std::min({kRoomBeside, kOfRoomAtEnds * room_at(from), kOfRoomAtEnds * room_at(to)});
  if (room_ <= 0) return {};
  if (clear(from, to)) return {from, to};
  if ((lower_.array() < upper_.array()).count() <= 1) return {};  // all ways of one joint lie on that line
  nodes_ = 0;
  Tree trees[2] = {{{from, -1, 0}}, {{to, -1, 0}}};
  int grows = 0;
  for (int k = 0; k < effort.nodes && static_cast<int>(trees[0].size() + trees[1].size()) < effort.nodes; ++k) {
    if (effort.go_on && k >= kLeastTries && k % kAskedAfter == 0 && !effort.go_on()) return {};
    if (grow(trees[grows]) != Growth::stuck) {
      const Eigen::VectorXd goal = trees[grows].back().q;
      Growth growth = Growth::nearer;
      while (growth == Growth::nearer) growth = extend(trees[1 - grows], goal);
      nodes_ = static_cast<int>(trees[0].size() + trees[1].size());
      if (growth == Growth::there) {
        PlannedPath path = to_root(trees[0]), rest = to_root(trees[1]);
        std::ranges::reverse(path);
        path.insert(path.end(), rest.begin() + 1, rest.end());  // both end in the same posture
        shorten(path, effort.shortcuts);
        return path;
      }
    }
    grows = 1 - grows;
  }
  return {};
}

void PathPlanner::shorten(PlannedPath& path, int tries) {
  for (int k = 0; k < tries && path.size() > 2; ++k) {
    const double whole = length_of(path);
    double places[2] = {whole * uniform(), whole * uniform()};
    if (places[0] > places[1]) std::swap(places[0], places[1]);
    std::size_t after[2];
    Eigen::VectorXd q[2];
    for (int end = 0; end < 2; ++end) {
      double left = places[end];
      std::size_t n = 1;
      for (; n + 1 < path.size() && left > (path[n] - path[n - 1]).norm(); ++n) left -= (path[n] - path[n - 1]).norm();
      const double step = (path[n] - path[n - 1]).norm();
      q[end] = path[n - 1] + (path[n] - path[n - 1]) * std::min(1.0, step > 0 ? left / step : 0);
      after[end] = n;
    }
    if (after[0] == after[1] || !clear(q[0], q[1])) continue;
    PlannedPath shorter(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(after[0]));
    shorter.push_back(q[0]), shorter.push_back(q[1]);
    shorter.insert(shorter.end(), path.begin() + static_cast<std::ptrdiff_t>(after[1]), path.end());
    path = std::move(shorter);
  }
}

}  // namespace verne
