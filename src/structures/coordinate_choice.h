/// Which coordinates of a mechanism tell those of the others (docs/theory/loops.md, section 3).
#pragma once

#include "structures/mechanism_contents.h"

namespace verne {

class CoordinateChoice {
 public:
  /// J: the independent equations at the reference, in units of the mechanism's length.
  CoordinateChoice(const Mechanism::Contents& contents, const Eigen::MatrixXd& J)
      : c_(contents), J_(J), rank_(static_cast<int>(J.rows())) {}

  /// The independent velocities, in ascending order. Throws InputError when the joints that the model wishes do not
  /// serve.
  std::vector<int> velocities() const;

 private:
  std::vector<int> wished() const;
  std::vector<int> actuated_joints() const;
  std::vector<int> velocities_of(const std::vector<int>& joints) const;

  /// Whether these are as many as can move, and the others follow: the condition number of their columns is below
  /// `worst`.
  bool serves(const std::vector<int>& velocities, double worst) const;
  /// Of the columns of all velocities but these; infinite where they are not square.
  double condition_without(const std::vector<int>& velocities) const;

  /// Which joints become dependent before others, and how far their columns shall be from those of the others.
  struct Preference {
    bool passive_first;
    double margin;
  };
  bool make_dependent(const Eigen::MatrixXd& rest, int missing, const Preference& preference, std::vector<int>& left,
                      int& tries) const;
  std::vector<int> by_joints(const Preference& preference) const;

  /// The same velocity by velocity, whatever joints they are of.
  std::vector<int> one_by_one() const;
  std::vector<int> pivoted(double margin) const;

  const Mechanism::Contents& c_;
  const Eigen::MatrixXd& J_;
  int rank_;
};

/// What `count` numbers leave out of 0, 1, … in ascending order.
std::vector<int> without(int count, const std::vector<int>& taken);

}  // namespace verne
