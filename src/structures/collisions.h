/// Whether links touch each other or what stands around them, now or on a way from one posture to another.
/// docs/theory/clearance.md
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spatial/convex_pieces.h"
#include "verne/base/export.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

/// Two shapes of links are looked at where the type of one has a bit of the affinity of the other, as in MJCF.
struct ContactMask {
  std::uint64_t type = 1, affinity = 1;
};

/// A shape of a link, or of an object in the world.
struct CollisionBody {
  int link = -1;       ///< -1: the world
  std::string object;  ///< its name; of links ""
  ConvexBody body;
  Transform<double> X_LB = Transform<double>::identity();  ///< in the link, or in the world
  std::shared_ptr<const ConvexPieces> pieces{};            ///< of the world: in place of `body`; null: there are none
  ContactMask mask{};
  int from = 0, end = std::numeric_limits<int>::max();  ///< it is there in phases from … end − 1
  /// Names that it is not compared with, or the only ones that it is.
  std::vector<std::string> others{};
  bool only_others = false;
  std::optional<double> margin{};  ///< of its pairs, in place of that of all
  double thinner = 0;              ///< m, by which the body is smaller than what it stands for, on every side
};

/// Two names that are not looked at together, and why.
struct LeftOut {
  enum class Why {
    connected,  ///< a joint connects them
    allowed,    ///< somebody said so
    masked,     ///< by the masks of all of their shapes
    always,     ///< they touch in all of 10 000 random configurations
    never       ///< they cannot touch within limits, by bounds on how far they move
  };
  std::string a, b;
  Why why;
};
inline constexpr std::array kReasonsToLeaveOut{LeftOut::Why::connected, LeftOut::Why::allowed, LeftOut::Why::masked,
                                               LeftOut::Why::always, LeftOut::Why::never};
/// `connected`, …
VERNE_API const char* to_string(LeftOut::Why why);

/// Two things that are nearer to each other than they may be.
struct Touch {
  std::string a, b;     ///< names of links and objects
  double distance = 0;  ///< m; not positive where they overlap
};

/// A pair of shapes, or one piece of the shape that has pieces.
struct PairPiece {
  std::size_t pair = 0, piece = 0;
  auto operator<=>(const PairPiece&) const = default;
};

/// Two shapes, how far apart they are, and along which direction.
struct NearPair {
  std::size_t pair = 0;   ///< Collisions::bodies_of()
  double distance = 0;    ///< m; not positive where they overlap
  Vec3<double> normal;    ///< in the world, from the second to the first; zero where cores overlap
  std::size_t piece = 0;  ///< of the one that has pieces
};

/// A convex body that is somewhere.
struct PlacedBody {
  const ConvexBody* body;
  Transform<double> X_WB;
};

/// A motion of all freedoms over a parameter: time, or the fraction of a way.
class Course {
 public:
  virtual ~Course() = default;
  virtual void at(double s, Eigen::Ref<Eigen::VectorXd> q) const = 0;
  /// By how much no freedom differs, anywhere between two parameters, from what it is in the middle.
  virtual void spread(double from, double to, Eigen::Ref<Eigen::VectorXd> most) const = 0;
};

/// What was found along a course.
struct Swept {
  bool clear = true;  ///< no pair is nearer than asked, at any parameter
  bool shown = true;  ///< false: it is not known, since stretches became too short
  double at = 0;      ///< where it is not clear
  Touch touch{};      ///< of what with what
  PairPiece which{};  ///< of all
};

/// Of one model; with room for one thread.
class VERNE_API Collisions {
 public:
  /// Pairs are those of links with objects and with each other, except of links that a joint connects, of `allowed`
  /// names, and those that touch in all of 10 000 random configurations. `itself`: false leaves out pairs of links.
  Collisions(const Model& model, std::vector<CollisionBody> bodies, double margin,
             std::span<const std::pair<std::string, std::string>> allowed = {}, bool itself = true);

  Collisions(const Collisions& other);
  Collisions(Collisions&&) = default;
  Collisions& operator=(Collisions&&) = default;

  const Model& model() const { return model_; }
  double margin() const { return margin_; }
  double margin(std::size_t pair) const { return pairs_[pair].margin; }
  /// Whatever is asked next is asked about this phase.
  void enter(int phase);
  const std::vector<CollisionBody>& bodies() const { return bodies_; }
  /// The first pair that is nearer than the margin; nothing where there is none.
  std::optional<Touch> touch(VectorIn<double> q);
  /// The pair that overlaps most, or is nearest to that; its distance tells how deep. Nothing as above.
  std::optional<Touch> deepest(VectorIn<double> q);
  /// All pairs that are less than `within` apart. Distances do not know of the margin.
  std::vector<NearPair> near(VectorIn<double> q, double within);
  /// The same of each piece.
  std::vector<NearPair> near_pieces(VectorIn<double> q, double within);
  /// The same of these alone.
  std::vector<NearPair> near_pieces(VectorIn<double> q, double within, std::span<const PairPiece> wanted);
  /// Looks between two parameters of a course for pairs that come nearer than the margin and `more`; stretches are
  /// halved until it is known, or they are shorter than `least`.
  Swept sweep(const Course& course, double from, double to, double more, double least);

  /// Moves a thing of the world along its axes, and turns it about where its first shape is. Whether there is one of
  /// that name.
  bool move_object(const std::string& object, const Vec3<double>& by, const Mat3<double>& turn);
  /// Leaves out pairs of links that cannot touch within these positions, as far as bounds show it soon; where others
  /// are asked about, they are looked at all the same. Infinite for where there are no limits.
  void leave_out_what_cannot_touch(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);

  /// How many pairs of shapes are looked at.
  std::size_t pairs() const { return looked_at_; }
  std::pair<std::size_t, std::size_t> bodies_of(std::size_t pair) const { return {pairs_[pair].a, pairs_[pair].b}; }
  const std::string& name(std::size_t body) const;
  /// In the world, after the latest question about a posture.
  const Transform<double>& place_of(std::size_t body) const { return places_[body]; }
  /// A body, or the piece of it that a pair is about.
  PlacedBody placed(std::size_t body, const NearPair& pair) const;
  /// Pairs of links, and of links with objects, each once. Of one link with itself, and what stands still: not listed.
  const std::vector<LeftOut>& left_out() const { return left_out_; }

 private:
  struct Pair {
    std::size_t a, b;  ///< bodies
    double margin;
    std::vector<double> speeds;  ///< MotionBounds::between()
  };
  /// A stretch of a course, and the pairs that are not known to be apart on it.
  struct Stretch {
    double from, to;
    std::vector<std::size_t> pairs;
  };
  bool may_touch(std::size_t a, std::size_t b, std::span<const std::pair<std::string, std::string>> allowed);
  void leave_out(std::size_t a, std::size_t b, LeftOut::Why why);
  bool cannot_touch(const Pair& pair, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper);
  /// What is carried is none, although it moves with one.
  bool is_link(std::size_t body) const { return bodies_[body].link >= 0 && bodies_[body].object.empty(); }
  /// The pairs of the phase that may touch at a posture, and at all that differ from it by so much at most.
  std::span<const std::size_t> counted(VectorIn<double> q, const Eigen::VectorXd* most) const;
  void drop_touching_always();
  void bound_motions();
  void place(VectorIn<double> q);
  /// Something that the distance is not less than, in next to no time.
  double at_least(const Pair& pair) const;
  NearPair apart(const Pair& pair, double enough) const;
  /// Whether a pair is more than `enough` apart, more than `least`, or neither, from where it was looked at last.
  NearPair apart_within(std::size_t pair, double least, double enough);
  NearPair of_piece(const NearestPiece& nearest, const Pair& pair) const;
  double depth_of(const Pair& pair) const;
  /// A body without pieces in the axes of one that has them.
  Transform<double> seen_from(std::size_t whole, std::size_t body) const;
  Touch touch_of(const Pair& pair, double distance) const { return {name(pair.a), name(pair.b), distance}; }
  /// Looks at the middle of a stretch; pairs that are shown to be `more` than the margin apart leave it. Whether one is
  /// too near.
  bool look(const Course& course, double more, Stretch& stretch, Swept& found);
  bool is_there(const Pair& pair, int phase) const;

  Model model_;
  double margin_;
  Data<double> data_;
  Kinematics<double> kinematics_;
  std::vector<CollisionBody> bodies_;
  std::vector<Vec3<double>> centers_;  ///< of balls around bodies, in the axes of these
  std::vector<double> radii_;
  std::vector<Pair> pairs_;                ///< those that cannot touch within limits last
  std::size_t looked_at_ = 0;              ///< the others
  Eigen::VectorXd lower_, upper_;          ///< these limits; empty: all are looked at
  std::vector<std::size_t> here_;          ///< pairs of the phase that is asked about, in order
  std::vector<Transform<double>> places_;  ///< of bodies in the world
  std::vector<Vec3<double>> lately_;       ///< directions that separated pairs when sweeps looked last; zero: none
  std::vector<LeftOut> left_out_;
};

}  // namespace verne
