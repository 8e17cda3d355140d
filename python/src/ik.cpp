// Inverse kinematics, for one goal and for many.
#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "model.h"
#include "site.h"
#include "verne/base/error.h"
#include "verne/spatial/rotation.h"
#include "verne/structures/inverse_kinematics.h"

namespace verne::python {

namespace {

/// An argument with a row of `size` numbers for each goal, or one row for all.
class GoalRows {
 public:
  GoalRows(const py::object& x, const std::string& name, const std::vector<py::ssize_t>& shape)
      : values_(numbers(x, name)), size_(1) {
    const auto axes = static_cast<py::ssize_t>(shape.size());
    std::string wanted;
    for (const py::ssize_t n : shape) size_ *= n, wanted += std::to_string(n) + ", ";
    many_ = values_.ndim() == axes + 1;
    bool fits = many_ || values_.ndim() == axes;
    for (py::ssize_t k = 0; fits && k < axes; ++k) {
      fits = values_.shape(k + (many_ ? 1 : 0)) == shape[static_cast<std::size_t>(k)];
    }
    if (!fits) {
      throw InputError(name + ": expected shape (" +
                       wanted.substr(0, axes == 1 ? wanted.size() - 1 : wanted.size() - 2) +
                       ") for one goal, or with a first axis for many");
    }
    if (many_ && values_.shape(0) == 0) throw InputError(name + ": there are no goals");
  }
  bool many() const { return many_; }
  py::ssize_t count() const { return many_ ? values_.shape(0) : 1; }
  const double* row(py::ssize_t k) const { return values_.data() + (many_ ? k * size_ : 0); }

 private:
  Array values_;
  py::ssize_t size_;
  bool many_ = false;
};

struct Goals {
  std::vector<PoseGoal> goals;
  bool many = false;
};

void require_as_many(const GoalRows& rows, const char* name, const GoalRows& positions) {
  if (!rows.many() || (positions.many() && rows.count() == positions.count())) return;
  throw InputError(std::string(name) + ": there are " + std::to_string(rows.count()) + ", but position has " +
                   (positions.many() ? std::to_string(positions.count()) : "one"));
}

Goals goals_of(const py::object& position, const py::object& rotation, const py::object& rpy) {
  if (!rotation.is_none() && !rpy.is_none()) throw InputError("ik: give either rotation or rpy, not both");
  const GoalRows positions(position, "position", {3});
  Goals all{{}, positions.many()};
  std::optional<GoalRows> matrices, angles;
  if (!rotation.is_none())
    require_as_many(matrices.emplace(rotation, "rotation", std::vector<py::ssize_t>{3, 3}), "rotation", positions);
  if (!rpy.is_none()) require_as_many(angles.emplace(rpy, "rpy", std::vector<py::ssize_t>{3}), "rpy", positions);
  for (py::ssize_t k = 0; k < positions.count(); ++k) {
    PoseGoal goal{Vec3<double>::load(positions.row(k)), {}};
    if (angles) goal.rotation = rotation_rpy(Vec3<double>::load(angles->row(k)));
    if (matrices) {
      Mat3<double> R;
      std::copy_n(matrices->row(k), 9, R.m);
      goal.rotation = R;
    }
    all.goals.push_back(goal);
  }
  return all;
}

py::array_t<double> array_of(const std::vector<double>& values, std::vector<py::ssize_t> shape) {
  py::array_t<double> out(std::move(shape));
  std::copy(values.begin(), values.end(), out.mutable_data());
  return out;
}

/// Those found for one goal, the nearest first.
py::dict several(InverseKinematics& solver, const PoseGoal& goal, const Eigen::VectorXd& near, int count) {
  Postures postures;
  {
    const py::gil_scoped_release release;
    postures = solver.solve_all(goal, near, count);
  }
  std::vector<double> q, lengths, angles;
  for (const Posture& posture : postures.found) {
    q.insert(q.end(), posture.q.begin(), posture.q.end());
    lengths.push_back(posture.position_error), angles.push_back(posture.angle_error);
  }
  const auto found = static_cast<py::ssize_t>(postures.found.size());
  py::dict out;
  out["q"] = array_of(q, {found, near.size()});
  out["position_error"] = array_of(lengths, {found}), out["angle_error"] = array_of(angles, {found});
  out["reached"] = found > 0;
  return out;
}

py::dict one_each(InverseKinematics& solver, const Goals& all, const Eigen::MatrixXd& near) {
  const auto count = static_cast<Eigen::Index>(all.goals.size());
  Eigen::MatrixXd q(near.rows(), count), errors(2, count);
  std::vector<char> reached(all.goals.size());
  {
    const py::gil_scoped_release release;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Posture posture = solver.solve(all.goals[static_cast<std::size_t>(k)], near.col(near.cols() == 1 ? 0 : k));
      q.col(k) = posture.q.eigen();
      errors.col(k) << posture.position_error, posture.angle_error;
      reached[static_cast<std::size_t>(k)] = posture.reached;
    }
  }
  py::dict out;
  if (!all.many) {
    out["q"] = array_of({q.data(), q.data() + q.size()}, {q.size()});
    out["position_error"] = errors(0, 0), out["angle_error"] = errors(1, 0), out["reached"] = reached[0] != 0;
    return out;
  }
  out["q"] = array_of({q.data(), q.data() + q.size()}, {count, q.rows()});
  const Eigen::VectorXd lengths = errors.row(0), angles = errors.row(1);
  out["position_error"] = array_of({lengths.begin(), lengths.end()}, {count});
  out["angle_error"] = array_of({angles.begin(), angles.end()}, {count});
  py::array_t<bool> flags(count);
  std::copy(reached.begin(), reached.end(), flags.mutable_data());
  out["reached"] = flags;
  return out;
}

py::dict ik(const PythonModel& self, const py::object& frame, const py::object& position, const py::object& rotation,
            const py::object& rpy, const py::object& near, std::optional<int> count) {
  const Goals all = goals_of(position, rotation, rpy);
  if (count && *count < 1) throw InputError("count: expected a positive number");
  if (count && all.many) throw InputError("count: is for one position, found many");
  const int site = site_of(self.model, frame);
  const Mechanism mechanism(self.model);
  Eigen::MatrixXd from = mechanism.home().eigen();
  if (!near.is_none()) {
    const GoalRows rows(near, "near", {self.model.nq()});
    if (rows.many() && rows.count() != static_cast<py::ssize_t>(all.goals.size())) {
      throw InputError("near: expected one configuration, or one for each position");
    }
    from = Eigen::Map<const Eigen::MatrixXd>(rows.row(0), self.model.nq(), rows.count());
  }
  InverseKinematics solver(mechanism, site);
  return count ? several(solver, all.goals.front(), from, *count) : one_each(solver, all, from);
}

}  // namespace

void bind_ik(py::class_<PythonModel>& model) {
  using py::arg;
  model.def(
      "ik", &ik, arg("frame"), arg("position"), arg("rotation") = py::none(), arg("rpy") = py::none(),
      arg("near") = py::none(), arg("count") = py::none(),
      "Positions that bring a link or frame to a place (and axes, as a matrix or roll, pitch and yaw), by name: q, "
      "position_error, angle_error, reached. Near a configuration, by default the model's home. Many places at "
      "once have a first axis more. With count all postures, or so many of a redundant arm, the nearest first.");
}

}  // namespace verne::python
