#include "prescribed_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "structures/closed_dynamics.h"

namespace verne::cli {

namespace {

constexpr int kDegree = 5;
/// Of the largest value: by how much the curve may miss a row.
constexpr double kMissed = 1e-9;

/// The curve of this degree through all rows. It has a knot in each row but those next to the ends, so that it has as
/// many control points as there are rows.
Trajectory curve_through(const std::vector<double>& time, const Eigen::MatrixXd& values, const std::string& file) {
  const auto rows = static_cast<int>(time.size());
  const int degree = std::min(kDegree, rows - 1), skipped = (degree - 1) / 2;
  std::vector<double> ends{time.front()};
  if (rows > degree + 1) ends.insert(ends.end(), time.begin() + skipped + 1, time.end() - skipped - 1);
  ends.push_back(time.back());
  const auto spans = static_cast<int>(ends.size()) - 1;
  Eigen::VectorXd lengths(spans);
  for (int s = 0; s < spans; ++s)
    lengths[s] = ends[static_cast<std::size_t>(s) + 1] - ends[static_cast<std::size_t>(s)];
  std::vector<Place> places;
  for (const double t : time) {
    const auto after = std::upper_bound(ends.begin() + 1, ends.end() - 1, t);
    const auto span = static_cast<int>(after - ends.begin()) - 1;
    places.push_back({span, (t - ends[static_cast<std::size_t>(span)]) / lengths[span]});
  }
  places.back() = {spans - 1, 1.0};
  const SplineBasis basis(degree, spans);
  Trajectory curve(basis, lengths, fit_control_points(basis, lengths, places, values));
  const double largest = values.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double off = (curve.at(places[k]) - values.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff();
    if (off <= kMissed * largest) continue;
    throw InputError({{file, 0,
                       fmt::format("no smooth curve goes through the row at {} s (it is off by {:.2g}): make the times "
                                   "of the rows more even",
                                   time[k], off)}});
  }
  return curve;
}

}  // namespace

PrescribedTable::PrescribedTable(TimeTable table, const std::string& file, const Model& model)
    : table_(std::move(table)), file_(file) {
  const auto fail = [&](const std::string& what, int line = 1) { throw InputError({{file_, line, what}}); };
  if (table_.columns.empty()) fail("there is no column of a coordinate");
  if (table_.time.front() > 0) fail("time: expected rows from 0 s on", table_.lines.front());
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    const auto column = [&](int k) { return std::find(table_.velocity.begin(), table_.velocity.end(), joint.v + k); };
    const auto missing = [&](int k) { return column(k) == table_.velocity.end(); };
    int absent = 0;
    for (int k = 0; k < joint.nv; ++k) absent += missing(k) ? 1 : 0;
    if (absent == joint.nv) continue;
    if (joint.nq != joint.nv) {
      fail(
          fmt::format("joint '{0}' turns by a quaternion: give '{0}_x' … '{0}_roll', the coordinates of a chain of "
                      "one-axis joints in its place",
                      joint.spec.name));
    }
    for (int k = 0; k < joint.nv; ++k) {
      if (missing(k)) {
        fail(fmt::format("joint '{}' is prescribed as a whole: there is no column '{}'", joint.spec.name,
                         model.dof_names()[static_cast<std::size_t>(joint.v + k)]));
      }
      columns.push_back(static_cast<std::size_t>(column(k) - table_.velocity.begin()));
      positions_.push_back(joint.q + k);
      velocities_.push_back(joint.v + k);
    }
    joints_.push_back(static_cast<int>(j));
  }
  Eigen::MatrixXd values(static_cast<Eigen::Index>(columns.size()), static_cast<Eigen::Index>(table_.time.size()));
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    const std::vector<double>& column = table_.columns[columns[static_cast<std::size_t>(k)]];
    values.row(k) = Eigen::Map<const Eigen::RowVectorXd>(column.data(), values.cols());
  }
  still_ = values.col(0);
  if (values.cols() > 1) curve_ = curve_through(table_.time, values, file_);
}

PrescribedMotion PrescribedTable::motion(double duration) const {
  if (curve_ && end() < duration) {
    throw InputError({{file_, table_.lines.back(),
                       fmt::format("the rows end at {} s, before the {} s of the simulation", end(), duration)}});
  }
  PrescribedMotion motion;
  motion.joints = joints_;
  motion.times = table_.time;
  motion.at = [curve = curve_, still = still_, begin = table_.time.front()](double t, std::span<double> q,
                                                                            std::span<double> v, std::span<double> a) {
    const Place place = curve ? curve->place(t - begin) : Place{};
    int order = 0;
    for (const std::span<double>& out : {q, v, a}) {
      Eigen::Map<Eigen::VectorXd> values(out.data(), still.size());
      if (curve) {
        curve->evaluate(place, order, values);
      } else {
        values = order == 0 ? still : Eigen::VectorXd::Zero(still.size());
      }
      ++order;
    }
  };
  return motion;
}

void PrescribedTable::begin(const Mechanism& mechanism, StateLine& line) const {
  if (line.of_tree || mechanism.model().loops().empty()) return;
  const std::size_t count = velocities_.size();
  std::vector<double> q(count), v(count), a(count);
  motion(0).at(0, q, v, a);
  const auto put = [](int what, std::span<const int> places, double value, std::vector<double>& values) {
    const auto at = std::find(places.begin(), places.end(), what);
    if (at != places.end()) values[static_cast<std::size_t>(at - places.begin())] = value;
  };
  for (std::size_t k = 0; k < count; ++k) {
    put(positions_[k], mechanism.independent_positions(), q[k], line.q);
    put(velocities_[k], mechanism.independent(), v[k], line.v);
  }
}

void PrescribedTable::begin(const Mechanism& mechanism, Values& q, Values& v) const {
  const std::size_t count = velocities_.size();
  std::vector<double> wanted_q(count), wanted_v(count), wanted_a(count);
  motion(0).at(0, wanted_q, wanted_v, wanted_a);
  for (std::size_t k = 0; k < count; ++k) q[positions_[k]] = wanted_q[k], v[velocities_[k]] = wanted_v[k];
  MechanismData<double> data(mechanism);
  if (project_state(mechanism, data, q.eigen(), v.eigen(), velocities_)) return;
  throw InputError("--prescribe: the loops do not close where the motion begins");
}

}  // namespace verne::cli
