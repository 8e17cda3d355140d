/// Costs and limits of your own: functions of quantities of a motion, by code (docs/tasks.md).
///
///   task.add_cost({.name = "elbow_comfort", .weight = 0.3}, [](verne::Channels& c) {
///     return verne::make_term({c.position("elbow")}, [](const auto* u) { return (u[0] - 0.5) * (u[0] - 0.5); });
///   });
///
/// The quantities that a term reads are its channels; their numbers u stand one behind the other in the order in which
/// they are given. A term knows nothing of curves and time: it is asked for its value and its derivatives by u at
/// places of the motion. Those of generic functions are found by forward differentiation (verne/base/dual.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verne/base/dual.h"
#include "verne/base/export.h"
#include "verne/base/small_matrix.h"

namespace verne {

class ChannelLayout;
struct Task;

/// Some numbers of a motion at a place of it.
struct Channel {
  int first = 0, size = 1;  ///< place among the channels' numbers; how many they are
  std::string name;         ///< "position of elbow"
};

/// The quantities that there are, by the names of the model: coordinates as `verne info` lists them, joints, links and
/// frames. SI units; points, axes and what the ground exerts in the world, wrenches as in solution files. Throws
/// InputError, with the nearest name, for what there is not.
class VERNE_API Channels {
 public:
  /// Position of a coordinate.
  Channel position(const std::string& coordinate);
  /// Velocity of a coordinate.
  Channel velocity(const std::string& coordinate);
  /// Acceleration of a coordinate.
  Channel acceleration(const std::string& coordinate);
  /// Third derivative of a coordinate by time.
  Channel jerk(const std::string& coordinate);
  /// Torque or force of the drive of a coordinate.
  Channel effort(const std::string& coordinate);
  /// Six numbers: force and moment through a joint, one that closes a loop, or a contact that is held.
  Channel wrench(const std::string& joint);
  /// Three numbers: where a point of a link or frame is, how fast, and where an axis of it points.
  Channel point(const std::string& frame, const Vec3<double>& at = {0, 0, 0});
  /// Three numbers: how fast that point is, in the world.
  Channel point_velocity(const std::string& frame, const Vec3<double>& at = {0, 0, 0});
  /// Three numbers: where the axis `along` of a frame points in the world.
  Channel axis(const std::string& frame, const Vec3<double>& along);
  /// Six numbers: what the ground exerts in all, force and moment about the world's origin. Of tasks with `ground`
  /// whose forces are not variables.
  Channel ground_force();
  /// How long the whole motion lasts.
  Channel duration();
  /// Any of these by a short name: "q:elbow", "v:", "a:", "jerk:" and "tau:" of a coordinate, "wrench:" of a joint,
  /// "point:" and "point_velocity:" of a frame, "axis_x:", "axis_y:" and "axis_z:" of a frame, "ground_force",
  /// "duration". `at`: of the point, in the frame's axes.
  Channel by_name(const std::string& name, const Vec3<double>& at = {0, 0, 0});

  /// For the library: what the names mean in a phase of a task.
  Channels(const Task& phase, ChannelLayout& layout) : phase_(phase), layout_(layout) {}

 private:
  Channel of_coordinate(const char* what, const std::string& coordinate, int first_of_state);
  int coordinate(const std::string& name) const;
  int site(const std::string& frame) const;

  const Task& phase_;
  ChannelLayout& layout_;
};

/// A function of the numbers u of its channels, twice differentiable.
class VERNE_API Term {
 public:
  /// Of these channels: u has their numbers one behind the other.
  explicit Term(std::vector<Channel> channels);
  virtual ~Term();
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;

  /// What it reads.
  const std::vector<Channel>& channels() const { return channels_; }
  /// How many numbers u has.
  int size() const { return size_; }

  /// The function's value at u.
  virtual double value(const double* u) const = 0;
  /// Writes `size` numbers.
  virtual void gradient(const double* u, double* gradient) const = 0;
  /// Writes size x size numbers, symmetric.
  virtual void hessian(const double* u, double* hessian) const = 0;
  /// The same at `count` places, whose numbers stand one behind the other, and so do those that are written. All
  /// evaluations of a program are calls of these: override them where a call costs much, however many places it is for.
  ///@{
  virtual void values(const double* u, int count, double* values) const;
  virtual void gradients(const double* u, int count, double* gradients) const;
  virtual void hessians(const double* u, int count, double* hessians) const;
  ///@}

 private:
  std::vector<Channel> channels_;
  int size_ = 0;
};

/// Makes a term for a phase of the motion. It is called for each program that is solved, perhaps by several threads at
/// a time, and has to read the same channels each time.
using TermFactory = std::function<std::unique_ptr<Term>(Channels&)>;

/// What make_term() gives.
template <class Function>
class FunctionTerm final : public Term {
 public:
  /// Of a callable; see make_term().
  FunctionTerm(std::vector<Channel> channels, Function function)
      : Term(std::move(channels)),
        function_(std::move(function)),
        once_(static_cast<std::size_t>(size())),
        twice_(once_.size()) {}

  /// See Term.
  ///@{
  double value(const double* u) const override { return function_(u); }
  void gradient(const double* u, double* gradient) const override {
    for (std::size_t k = 0; k < once_.size(); ++k) once_[k] = u[k];
    for (std::size_t k = 0; k < once_.size(); ++k) {
      once_[k].slope = 1;
      gradient[k] = Once(function_(static_cast<const Once*>(once_.data()))).slope;
      once_[k].slope = 0;
    }
  }
  void hessian(const double* u, double* hessian) const override {
    const std::size_t n = twice_.size();
    for (std::size_t k = 0; k < n; ++k) twice_[k] = Once(u[k]);
    for (std::size_t i = 0; i < n; ++i) {
      twice_[i].slope.value = 1;
      for (std::size_t k = 0; k <= i; ++k) {
        twice_[k].value.slope = 1;
        hessian[n * i + k] = hessian[n * k + i] =
            Twice(function_(static_cast<const Twice*>(twice_.data()))).slope.slope;
        twice_[k].value.slope = 0;
      }
      twice_[i].slope.value = 0;
    }
  }
  ///@}

 private:
  using Once = Dual<double>;
  using Twice = Dual<Once>;
  Function function_;
  mutable std::vector<Once> once_;  // a term belongs to one thread
  mutable std::vector<Twice> twice_;
};

/// A term of a callable that takes `const auto* u` and returns one number: u has numbers that carry their derivatives.
template <class Function>
std::unique_ptr<Term> make_term(std::vector<Channel> channels, Function function) {
  return std::make_unique<FunctionTerm<Function>>(std::move(channels), std::move(function));
}

}  // namespace verne
