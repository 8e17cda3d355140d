/// A Verne model in MuJoCo.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne::peers {

/// States and results are in Verne's coordinates; the conversion is done here (docs/conventions.md). MuJoCo's friction
/// is of another kind than Verne's: what the model has of it is left out.
class MujocoModel {
 public:
  /// Nothing when MuJoCo cannot express the model (see to_mjcf) or refuses it: a free joint that is not at the world, a
  /// spherical joint on a massless link.
  static std::optional<MujocoModel> from(const Model& model);
  /// The text of a file of its own; nothing when it is refused, for which `reason` is given, or has other coordinates
  /// than the model.
  static std::optional<MujocoModel> read(const std::string& mjcf, const Model& model, std::string& reason);
  /// Whether MuJoCo reads the text of a file.
  static bool accepts(const std::string& mjcf);
  MujocoModel(MujocoModel&&) noexcept;
  MujocoModel& operator=(MujocoModel&&) noexcept;
  ~MujocoModel();

  /// mj_inverse
  void inverse_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                        Eigen::VectorXd& tau);
  /// mj_crb and mj_fullM
  void mass_matrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M);
  /// mj_forward
  void forward_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                        Eigen::VectorXd& a);
  /// What the file says of a joint beside its dynamics.
  struct JointFacts {
    std::string name;
    bool limited;
    double lower, upper, friction;
  };
  std::vector<JointFacts> joints() const;
  /// Where the site of that name is in the world: position, then rotation matrix by rows. Nothing where there is none.
  std::optional<std::array<double, 12>> site_pose(const Eigen::VectorXd& q, const std::string& name);
  /// Where the vertices of all meshes are in the world, shape by shape.
  std::vector<Eigen::Vector3d> mesh_points(const Eigen::VectorXd& q);
  /// By how much equality constraints are violated, in MuJoCo's measure (metres, radians).
  double equality_violation(const Eigen::VectorXd& q);

 private:
  struct Simulation;
  explicit MujocoModel(std::unique_ptr<Simulation> simulation);
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace verne::peers
