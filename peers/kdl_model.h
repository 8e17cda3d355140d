/// A Verne model in Orocos KDL.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "verne/model/model.h"

namespace verne::peers {

/// A serial arm as a KDL chain: one segment a link, joints about or along any axis, rotor inertia as KDL's joint
/// inertia. Coordinates are the same as Verne's. KDL knows no friction and no springs: what the model has of them is
/// left out.
class KdlModel {
 public:
  /// Nothing unless each link hangs on the one before it and all joints are fixed, revolute or prismatic.
  static std::optional<KdlModel> from(const Model& model);
  KdlModel(KdlModel&&) noexcept;
  KdlModel& operator=(KdlModel&&) noexcept;
  ~KdlModel();

  void inverse_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                        Eigen::VectorXd& tau);
  void mass_matrix(const Eigen::VectorXd& q, Eigen::MatrixXd& M);
  void forward_dynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                        Eigen::VectorXd& a);

 private:
  struct Solvers;
  explicit KdlModel(std::unique_ptr<Solvers> solvers);
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace verne::peers
