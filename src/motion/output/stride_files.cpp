#include <cmath>
#include <string>
#include <utility>

#include "motion/output/solution_json.h"
#include "motion/output/stride_curves.h"
#include "motion/values/motion_columns.h"

namespace verne {

std::string stride_csv(const Model& model, const Stride& stride) {
  Columns columns{{"gait_cycle_percent", stride.percent.eigen()}};
  for (const StrideCurve& curve : stride.curves) columns.push_back({curve.name, curve.values.eigen()});
  for (Column& column : motion_columns(model, stride.motion)) columns.push_back(std::move(column));
  std::string out;
  append_table(out, columns, ',');
  return out;
}

std::string stride_coordinates_mot(const Model& model, const Stride& stride) {
  Columns columns{{"time", stride.motion.time.eigen()}};
  for (const OpenSimCoordinate& coordinate : opensim_coordinates(model)) {
    const double unit = coordinate.turns ? 180 / M_PI : 1;
    columns.push_back({coordinate.name, unit * values_of(coordinate, stride.motion)});
  }
  return storage_text("Coordinates", true, columns);
}

std::string stride_ground_mot(const Model& model, const Stride& stride) {
  Columns columns{{"time", stride.motion.time.eigen()}};
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  for (const GroundReaction& reaction : stride.motion.ground) {
    const std::string side = reaction.support.ends_with("_r")   ? "r_"
                             : reaction.support.ends_with("_l") ? "l_"
                                                                : reaction.support + "_";
    const auto add = [&](const std::string& what, const auto& rows) {
      for (int k = 0; k < 3; ++k) columns.push_back({what + "xyz"[k], rows.row(k).transpose()});
    };
    add("ground_force_" + side + "v", reaction.force.eigen());
    // OpenSim wants a number where there is no force, too.
    const Eigen::MatrixXd centre = reaction.centre.eigen();
    add("ground_force_" + side + "p", Eigen::MatrixXd(centre.array().isNaN().select(0.0, centre)));
    add("ground_torque_" + side, Eigen::MatrixXd(up * reaction.moment.eigen().transpose()));
  }
  return storage_text("Ground reactions", false, columns);
}

std::string stride_moments_sto(const Model& model, const Stride& stride) {
  Columns columns{{"time", stride.motion.time.eigen()}};
  for (const OpenSimCoordinate& coordinate : opensim_coordinates(model)) {
    const char* const kind = coordinate.turns ? "_moment" : "_force";
    columns.push_back({coordinate.name + kind, moments_of(model, coordinate, stride.motion)});
  }
  return storage_text("Inverse Dynamics Generalized Forces", false, columns);
}

void append_stride(JsonWriter& json, const Stride& stride) {
  if (stride.curves.empty()) return;
  json.key("stride").begin_object();
  json.key("percent").values(stride.percent);
  json.key("curves").begin_array();
  for (const StrideCurve& curve : stride.curves) {
    json.begin_object();
    json.key("name").value(curve.name);
    json.key("unit").value(curve.unit);
    json.key("values").values(curve.values).end_object();
  }
  json.end_array().end_object();
}

}  // namespace verne
