/// Gears between joints of a URDF file, as equations between their coordinates: which joints follow which.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "verne/base/error.h"
#include "verne/model/spec.h"

namespace verne {

class UrdfCouplings {
 public:
  /// `independent` says of joints whether they may follow others; of the rest any may.
  UrdfCouplings(ModelSpec& spec, const std::map<std::string, bool>& independent, Diagnostics& diagnostics);

  /// sum of coordinates on the way to `successor` = ratio * sum of those on the way to `predecessor`, both from their
  /// nearest common ancestor.
  void add(const std::string& place, int line, const std::string& predecessor, const std::string& successor,
           double ratio);
  /// Lets joints follow others as all equations say.
  void solve();

 private:
  /// Coefficients by link, whose joint is meant; their sum with the coordinates is zero.
  using Row = std::map<std::size_t, double>;
  struct Equation {
    Row row;
    std::size_t follower;
  };

  std::vector<std::size_t> way_to_root(std::size_t link) const;
  /// The links on the way from an ancestor that is not among them to the end of `way`, whose joints move.
  std::vector<std::size_t> movable(const std::string& place, int line, std::vector<std::size_t> way, bool& sound);
  bool may_follow(std::size_t link, bool only_dependent) const;
  const std::size_t* choose(const Row& row, const std::vector<std::size_t>& preferred) const;
  void follow(const Equation& equation);

  ModelSpec& spec_;
  const std::map<std::string, bool>& independent_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Equation> equations_;
};

}  // namespace verne
