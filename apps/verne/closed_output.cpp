// Results of closed mechanisms and held contacts as JSON.
#include <numeric>

#include "base/decompositions.h"
#include "closed_results.h"
#include "json_arrays.h"
#include "motion/values/undetermined_json.h"

namespace verne::cli {

namespace {

void append_rows(JsonWriter& json, const Eigen::MatrixXd& table) {
  json.begin_array();
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    json.begin_array();
    for (Eigen::Index j = 0; j < table.cols(); ++j) json.value(table(i, j));
    json.end_array();
  }
  json.end_array();
}

/// Rows that are not known, of components that nothing determines, are null.
void append_known_rows(JsonWriter& json, const Eigen::MatrixXd& table) {
  json.begin_array();
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    const Eigen::RowVectorXd row = table.row(i);
    if (row.hasNaN()) {
      json.null();
    } else {
      json.values({row.data(), static_cast<std::size_t>(row.size())});
    }
  }
  json.end_array();
}

}  // namespace

void ClosedResults::append(Quantity quantity, const Model& model, JsonWriter& json) const {
  const auto wrenches = [&](const Eigen::MatrixXd& of, auto&& name, std::size_t count) {
    json.begin_object();
    for (std::size_t k = 0; k < count; ++k) json.key(name(k)).values({of.data() + 6 * k, 6});
    json.end_object();
  };
  const auto loop_name = [&](std::size_t k) {
    const std::size_t loops = model.loops().size();
    return k < loops ? model.loops()[k].name : model.contacts()[static_cast<std::size_t>(contacts[k - loops])].name;
  };
  const auto joint_name = [&](std::size_t k) { return model.joints()[k].spec.name; };
  switch (quantity) {
    case Quantity::tau:
      json.values(tau);
      return;
    case Quantity::acceleration:
      json.values(acceleration);
      return;
    case Quantity::bias:
      json.values(bias);
      return;
    case Quantity::gravity:
      json.values(gravity);
      return;
    case Quantity::mass_matrix:
      return append_rows(json, mass_matrix);
    case Quantity::inverse_mass_matrix:
      return append_rows(json,
                         solution(mass_matrix, Eigen::MatrixXd::Identity(mass_matrix.rows(), mass_matrix.rows())));
    case Quantity::joint_wrenches:
      return wrenches(joint_wrenches, joint_name, model.joints().size());
    case Quantity::loop_wrenches:
      return wrenches(loop_wrenches, loop_name, model.loops().size() + contacts.size());
    case Quantity::undetermined:
      json.begin_object();
      append_undetermined(json, "loop_wrenches", determined.loops.size(), loop_name,
                          [&](std::size_t k, std::size_t i) { return determined.loops[k][i]; });
      append_undetermined(json, "joint_wrenches", determined.joints.size(), joint_name,
                          [&](std::size_t k, std::size_t i) { return determined.joints[k][i]; });
      json.end_object();
      return;
    case Quantity::null_space_torques:
      return append_rows(json, null_space_torques);
    case Quantity::tree:
      json.begin_object().key("q").values(q).key("v").values(v).key("a").values(a).end_object();
      return;
    case Quantity::d_tau:
      return append_derivatives(d_tau, "a", json);
    case Quantity::d_acceleration:
      return append_derivatives(d_acceleration, "tau", json);
    case Quantity::d_joint_wrenches:
      return append_wrench_derivatives(d_joint_wrenches, joint_name, model.joints().size(), json);
    case Quantity::d_loop_wrenches:
      return append_wrench_derivatives(d_loop_wrenches, loop_name, model.loops().size() + contacts.size(), json);
    default:
      return;
  }
}

void ClosedResults::append_derivatives(const Derivatives& of, const char* input, JsonWriter& json) const {
  append_rows(json.begin_object().key("q"), of.dq);
  append_rows(json.key("v"), of.dv);
  append_rows(json.key(input), of.dx);
  if (of.by_loads.cols() > 0) {
    std::vector<int> all(static_cast<std::size_t>(of.by_loads.cols() / 9));
    std::iota(all.begin(), all.end(), 0);
    append_by_loads(all, static_cast<int>(of.by_loads.rows()), json, [&](int i, int j) { return of.by_loads(i, j); });
  }
  json.end_object();
}

template <class Name>
void ClosedResults::append_wrench_derivatives(const WrenchBlocks& of, const Name& name, std::size_t count,
                                              JsonWriter& json) const {
  json.begin_object();
  for (std::size_t k = 0; k < count; ++k) {
    const auto own = [&](const Eigen::MatrixXd& all) {
      const Eigen::Index columns = all.cols() / static_cast<Eigen::Index>(count);
      return all.middleCols(static_cast<Eigen::Index>(k) * columns, columns);
    };
    json.key(name(k)).begin_object();
    append_known_rows(json.key("q"), own(of.dq));
    append_known_rows(json.key("v"), own(of.dv));
    append_known_rows(json.key(wrenches_by_tau ? "tau" : "a"), own(of.dx));
    json.end_object();
  }
  json.end_object();
}

}  // namespace verne::cli
