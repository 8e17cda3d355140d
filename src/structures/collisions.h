/// Whether links touch each other or what stands around them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spatial/convex.h"
#include "verne/base/export.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

/// A shape of a link, or of an object in the world.
struct CollisionBody {
  int link = -1;       ///< -1: the world
  std::string object;  ///< its name; of links ""
  ConvexBody body;
  Transform<double> X_LB = Transform<double>::identity();  ///< in the link, or in the world
};

/// Two things that are nearer to each other than they may be.
struct Touch {
  std::string a, b;     ///< names of links and objects
  double distance = 0;  ///< m; not positive where they overlap
};

/// Of one model; with room for one thread.
class VERNE_API Collisions {
 public:
  /// Pairs are those of links with objects and with each other, except of links that a joint connects, of `allowed`
  /// names, and those that touch in all of 10 000 random configurations.
  Collisions(const Model& model, std::vector<CollisionBody> bodies, double margin,
             std::span<const std::pair<std::string, std::string>> allowed = {});

  /// The first pair that is nearer than the margin; nothing where there is none.
  std::optional<Touch> touch(VectorIn<double> q);
  /// How many pairs of shapes are looked at.
  std::size_t pairs() const { return pairs_.size(); }
  /// Pairs of links that touch always, and are left out.
  const std::vector<std::pair<std::string, std::string>>& touching_always() const { return always_; }

 private:
  struct Pair {
    std::size_t a, b;  ///< bodies
  };
  const std::string& name(std::size_t body) const;
  bool may_touch(std::size_t a, std::size_t b, std::span<const std::pair<std::string, std::string>> allowed) const;
  void drop_touching_always();
  void place(VectorIn<double> q);
  /// Nothing where they are farther from each other than the margin.
  std::optional<double> near(const Pair& pair) const;

  Model model_;
  double margin_;
  Data<double> data_;
  Kinematics<double> kinematics_;
  std::vector<CollisionBody> bodies_;
  std::vector<double> reaches_;
  std::vector<Pair> pairs_;
  std::vector<Transform<double>> places_;  ///< of bodies in the world
  std::vector<std::pair<std::string, std::string>> always_;
};

}  // namespace verne
