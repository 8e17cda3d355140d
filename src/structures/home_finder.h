/// A closed configuration near the one that a model calls home, from several starts if need be.
#pragma once

#include <random>

#include "structures/mechanism_contents.h"

namespace verne {

class HomeFinder {
 public:
  HomeFinder(Mechanism::Contents& contents, Data<double>& data, LoopSystem<double>& system)
      : c_(contents), data_(data), system_(system) {}

  /// Closes all loops from `home`; where that ends at a place that is not closed, from other starts, and takes what is
  /// nearest to home of the first few that close, with a note (docs/theory/loops.md, section 2). What files leave open
  /// by rounding is open still. Throws InputError, with the smallest gap that was met, where none closes.
  Eigen::VectorXd closed(const Eigen::VectorXd& home);

 private:
  bool closes(Eigen::VectorXd& q);
  Eigen::VectorXd other_start(int index, const Eigen::VectorXd& home);
  void find_moving(const Eigen::VectorXd& home);
  Eigen::VectorXd middle_of_limits(const Eigen::VectorXd& home) const;
  Eigen::VectorXd random_start(double spread, const Eigen::VectorXd& home);
  double distance(const Eigen::VectorXd& from, const Eigen::VectorXd& to);
  [[noreturn]] void refuse() const;

  Mechanism::Contents& c_;
  Data<double>& data_;
  LoopSystem<double>& system_;
  std::mt19937_64 generator_{1};
  std::vector<bool> moving_;  ///< velocities that move an end of a loop against the other
  double smallest_ = kInfinity;
  std::string gap_;  ///< the smallest, in words
  int line_ = 0;     ///< of its loop
};

}  // namespace verne
