/// Planes between shapes at places of a motion: shapes of links stay on their side of them. For one solve; the next one
/// has planes of its own, along what was found. docs/theory/clearance.md, section 3.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "motion/terms/channels.h"
#include "motion/terms/node_term.h"

namespace verne {

/// n · (x − y) ≥ least for all corners x of a shape, and y of another one; where the other one stands still, y = 0.
struct SeparatingPlane {
  int link = 0;                       ///< that carries x
  std::vector<Vec3<double>> corners;  ///< x, in link axes
  int other = -1;                     ///< the link that carries y; -1: nothing moves there
  std::vector<Vec3<double>> others;   ///< y, in its axes
  Vec3<double> normal;                ///< n, in the world, of length one
  double least = 0;                   ///< m
  std::string of;                     ///< for messages: "link5 from shelf"
};

/// What holds at one place of a motion.
struct CorridorPlace {
  std::size_t stage = 0;  ///< phase; 0 where there are none
  double at = 0;          ///< fraction of its time
  std::vector<SeparatingPlane> planes;
};

struct Corridor {
  std::vector<CorridorPlace> places;
};

/// A row for each corner, or pair of corners. Inputs: the origin and the ends of the three axes of each link, of which
/// corners are linear functions.
class OneSide : public LimitTerm {
 public:
  OneSide(const SeparatingPlane& plane, ChannelLayout& channels);

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {least_, kInfinity}; }
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return {least_, kInfinity}; }

 private:
  double least_;
  std::vector<double> slopes_;  // rows x inputs, by rows
};

/// The terms of a place.
std::vector<std::unique_ptr<LimitTerm>> corridor_terms(const CorridorPlace& place, ChannelLayout& channels);

}  // namespace verne
