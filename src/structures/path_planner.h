/// Ways from one posture to another on which nothing touches: two trees of random postures that grow towards each
/// other, and shortcuts. [KL00] docs/theory/clearance.md, section 4.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "structures/collisions.h"

namespace verne {

/// Postures, straight lines between them, on none of which anything touches; empty: none was found.
using PlannedPath = std::vector<Eigen::VectorXd>;

VERNE_API double length_of(const PlannedPath& path);

/// For models whose positions are plain numbers (nq = nv).
class VERNE_API PathPlanner {
 public:
  /// Postures are looked for between `lower` and `upper`, which are finite; where both are equal a freedom stays.
  PathPlanner(Collisions& collisions, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);

  /// How far it gets: nodes of both trees, and shortcuts that are tried.
  struct Effort {
    int nodes = 40'000;
    int shortcuts = 200;
    /// Asked now and then after the first 500 tries, which take milliseconds; false ends the search.
    std::function<bool()> go_on{};
  };
  /// The same for the same seed. Every line keeps the margin of the collisions, and a little more where both ends do.
  PlannedPath plan(const Eigen::VectorXd& from, const Eigen::VectorXd& to, unsigned seed, const Effort& effort);
  PlannedPath plan(const Eigen::VectorXd& from, const Eigen::VectorXd& to, unsigned seed) {
    return plan(from, to, seed, Effort{});
  }
  /// How many the latest plan took.
  int nodes() const { return nodes_; }
  /// Whether nothing touches on the straight line between two postures, at any place of it.
  bool clear(const Eigen::VectorXd& from, const Eigen::VectorXd& to);

 private:
  struct Node {
    Eigen::VectorXd q;
    int before;
    int tries;  ///< lines that were tried from it
  };
  using Tree = std::vector<Node>;
  enum class Growth { stuck, nearer, there };

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  Eigen::VectorXd sample();
  static int nearest(const Tree& tree, const Eigen::VectorXd& q);
  /// By one step towards q.
  Growth extend(Tree& tree, const Eigen::VectorXd& q);
  Growth extend_from(Tree& tree, int from, const Eigen::VectorXd& q);
  Growth grow(Tree& tree);
  void shorten(PlannedPath& path, int tries);
  double room_at(const Eigen::VectorXd& q);

  Collisions& collisions_;
  Eigen::VectorXd lower_, upper_;
  int nodes_ = 0;
  double room_ = 0;  ///< m, kept beside the margin
  std::mt19937_64 random_;
};

}  // namespace verne
