/// Motions of joints that a simulation prescribes, from a table of positions.
#pragma once

#include "time_table.h"
#include "verne/io/state_io.h"
#include "verne/simulate/simulate.h"
#include "verne/trajectory/trajectory.h"

namespace verne::cli {

/// The coordinates of some joints over time: a curve of degree five (of less where there are fewer than six rows) that
/// goes through all rows, so that velocities and accelerations are its derivatives.
class PrescribedTable {
 public:
  /// Throws InputError where a joint is not there as a whole or turns by a quaternion, and where the rows do not begin
  /// at time zero or before.
  PrescribedTable(TimeTable table, const std::string& file, const Model& model);

  /// Throws InputError where the rows end before a simulation of this duration does.
  PrescribedMotion motion(double duration) const;
  /// What is prescribed begins as it is told, whatever a line says: where it is an independent coordinate of a
  /// mechanism, the rest is found from there.
  void begin(const Mechanism& mechanism, StateLine& line) const;
  /// The same for a state of the tree, which moves to the nearest that closes the loops. Throws InputError where there
  /// is none.
  void begin(const Mechanism& mechanism, Values& q, Values& v) const;
  double end() const { return table_.time.back(); }
  const std::vector<int>& velocities() const { return velocities_; }

 private:
  TimeTable table_;
  std::string file_;
  std::vector<int> joints_, positions_, velocities_;  ///< entries of q and v joint after joint, as columns of the curve
  std::optional<Trajectory> curve_;                   ///< none where there is one row
  Eigen::VectorXd still_;                             ///< then: where they stay
};

}  // namespace verne::cli
