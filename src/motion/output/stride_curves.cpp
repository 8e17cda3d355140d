#include "motion/output/stride_curves.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace verne {

namespace {

constexpr double kDegrees = 180 / M_PI;

/// Names end in _r here where there is another on the left.
struct CoordinateNames {
  const char* name;
  double sign;
  std::vector<const char*> dofs;
};

const std::vector<CoordinateNames>& coordinate_names() {
  static const std::vector<CoordinateNames> names{
      {"pelvis_tilt", 1, {"global_rz_tilt"}},
      {"pelvis_list", 1, {"global_rx_list"}},
      {"pelvis_rotation", 1, {"global_ry_rotation"}},
      {"pelvis_tx", 1, {"global_tx"}},
      {"pelvis_ty", 1, {"global_ty"}},
      {"pelvis_tz", 1, {"global_tz"}},
      {"hip_flexion_r", 1, {"hip_flexion_r"}},
      {"hip_adduction_r", 1, {"hip_adduction_r"}},
      {"hip_rotation_r", 1, {"hip_rotation_r"}},
      {"knee_angle_r", 1, {"knee_flexion_r"}},
      {"ankle_angle_r", 1, {"ankle_dorsiflexion_r"}},
      {"subtalar_angle_r", 1, {"ankle_inversion_r"}},
      {"mtp_angle_r", 1, {"toe_extension_r"}},
      {"lumbar_extension", -1, {"spine1_flexion", "spine2_flexion", "spine3_flexion", "spine4_flexion"}},
      {"lumbar_bending", 1, {"spine1_lateral", "spine2_lateral", "spine3_lateral", "spine4_lateral"}},
      {"lumbar_rotation", 1, {"spine1_rotation", "spine2_rotation", "spine3_rotation", "spine4_rotation"}},
      {"arm_flex_r", 1, {"shoulder_flexion_r"}},
      {"arm_add_r", -1, {"shoulder_abduction_r"}},
      {"arm_rot_r", 1, {"shoulder_rotation_r"}},
      {"elbow_flex_r", 1, {"elbow_flexion_r"}},
      {"pro_sup_r", 1, {"elbow_pronation_r"}},
  };
  return names;
}

/// Joints whose force is of interest, by a freedom of each.
constexpr std::array<std::pair<const char*, const char*>, 4> kForceJoints{{{"hip_r", "hip_flexion_r"},
                                                                           {"knee_r", "knee_flexion_r"},
                                                                           {"ankle_r", "ankle_dorsiflexion_r"},
                                                                           {"L5S1", "spine1_flexion"}}};

std::string on_side(std::string name, char side) {
  if (name.ends_with("_r")) name.back() = side;
  return name;
}

std::optional<OpenSimCoordinate> found(const Model& model, const CoordinateNames& names, char side) {
  OpenSimCoordinate coordinate{on_side(names.name, side), {}, names.sign, true};
  for (const char* name : names.dofs) {
    const auto& all = model.dof_names();
    const auto at = std::find(all.begin(), all.end(), on_side(name, side));
    if (at == all.end()) return std::nullopt;
    coordinate.dofs.push_back(static_cast<int>(at - all.begin()));
  }
  coordinate.turns = !coordinate.name.starts_with("pelvis_t") || coordinate.name == "pelvis_tilt";
  return coordinate;
}

/// Whether a name without its unit is of this side; the trunk's are with the right one.
bool is_of(const std::string& name, char side) {
  return name.ends_with("_l") == (side == 'l');
}

/// Forces of the ground on a foot: along the way, upwards, and outwards.
void add_ground(const Model& model, const SampledMotion& motion, double weight, char side,
                std::vector<StrideCurve>& curves) {
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  Eigen::Vector3d forward = motion.com.eigen().rightCols<1>() - motion.com.eigen().leftCols<1>();
  forward -= forward.dot(up) * up;
  if (!(forward.norm() > 0)) return;  // on the spot
  forward.normalize();
  for (const GroundReaction& reaction : motion.ground) {
    if (!reaction.support.ends_with(std::string("_") + side)) continue;
    const auto along = [&](const Eigen::Vector3d& axis) -> Eigen::VectorXd {
      return reaction.force.eigen().transpose() * axis / weight;
    };
    const std::string unit = std::string("_") + side + "_BW";
    const double right = side == 'r' ? 1 : -1;
    curves.push_back({"grf_fore_aft" + unit, "BW", along(forward)});
    curves.push_back({"grf_vertical" + unit, "BW", along(up)});
    curves.push_back({"grf_lateral" + unit, "BW", along(right * forward.cross(up))});
  }
}

}  // namespace

std::vector<OpenSimCoordinate> opensim_coordinates(const Model& model) {
  std::vector<OpenSimCoordinate> all;
  for (const char side : {'r', 'l'}) {
    for (const CoordinateNames& names : coordinate_names()) {
      const bool paired = std::string(names.name).ends_with("_r");
      if (side == 'l' && !paired) continue;
      if (auto coordinate = found(model, names, side)) all.push_back(*std::move(coordinate));
    }
  }
  return all;
}

Eigen::VectorXd values_of(const OpenSimCoordinate& coordinate, const SampledMotion& motion) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(motion.q.cols());
  for (const int i : coordinate.dofs) sum += coordinate.sign * motion.q.eigen().row(i).transpose();
  return sum;
}

Eigen::VectorXd moments_of(const Model& model, const OpenSimCoordinate& coordinate, const SampledMotion& motion) {
  const int i = coordinate.dofs.front();
  const DofSpec& dof = model.dofs()[static_cast<std::size_t>(i)];
  Eigen::VectorXd moment = motion.tau.eigen().row(i).transpose();
  for (Eigen::Index k = 0; k < moment.size() && (dof.ligament != 0 || dof.stiffness != 0); ++k) {
    const double q = motion.q(i, k);
    moment[k] -= dof.ligament * std::pow(q - std::clamp(q, dof.slack_lower, dof.slack_upper), 3);
    moment[k] -= dof.stiffness * (q - dof.rest);
  }
  return coordinate.sign * moment;
}

std::vector<StrideCurve> stride_curves(const Model& model, const SampledMotion& motion, char side) {
  const Vec3<double> g = model.gravity();
  const double mass = model.moving_mass(), weight = mass * std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
  std::vector<StrideCurve> curves;
  const std::vector<OpenSimCoordinate> coordinates = opensim_coordinates(model);
  const auto shown = [&](const OpenSimCoordinate& c) { return c.turns && is_of(c.name, side); };
  for (const OpenSimCoordinate& coordinate : coordinates) {
    if (!shown(coordinate)) continue;
    curves.push_back({coordinate.name + "_deg", "deg", kDegrees * values_of(coordinate, motion)});
  }
  if (!(weight > 0)) return curves;
  add_ground(model, motion, weight, side, curves);
  for (const OpenSimCoordinate& coordinate : coordinates) {
    if (!shown(coordinate) || coordinate.name.starts_with("pelvis")) continue;  // nothing drives the pelvis
    curves.push_back(
        {"moment_" + coordinate.name + "_Nm_per_kg", "Nm/kg", moments_of(model, coordinate, motion) / mass});
  }
  for (const auto& [right, joint] : kForceJoints) {
    const std::string name = on_side(right, side), bears = on_side(joint, side);
    if (!is_of(name, side)) continue;
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      if (model.joints()[j].spec.name != bears) continue;
      const auto force = motion.joint_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(j), 3);
      curves.push_back(
          {"joint_force_" + name + "_BW", "BW", Eigen::VectorXd(force.colwise().norm().transpose() / weight)});
    }
  }
  return curves;
}

}  // namespace verne
