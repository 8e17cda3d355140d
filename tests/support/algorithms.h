/// Every algorithm of the library in one table, for what must hold for all of them.
#pragma once

#include <functional>
#include <vector>

#include "dynamics/hybrid.h"
#include "support/states.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/motion_derivatives.h"
#include "verne/dynamics/regressor.h"
#include "verne/dynamics/second_derivatives.h"

namespace verne::test {

/// What the single-state functions take, and room for what they give.
struct Workspace {
  Workspace(const Model& model, std::mt19937_64& rng);
  /// Fills the room for results with NaN.
  void poison();

  State given;
  Eigen::VectorXd other_q;
  Loads<double> loads;
  GivenAccelerations accelerations;  // of every second joint that moves
  int site;
  std::vector<int> sites;  // of control_terms(): the root, one in the middle, the last
  Eigen::VectorXd lambda, direction;
  Matrix6X<double> mu;  // zero for fixed joints

  Eigen::VectorXd tau, a, q, v;
  Eigen::MatrixXd matrix;
  Matrix6X<double> wrenches, jacobian, jacobian_rate;
  Kinematics<double> kinematics;
  struct {
    Eigen::MatrixXd mass_matrix;
    Eigen::VectorXd bias;
    Matrix6X<double> jacobians, drifts;
    Eigen::Matrix<double, 12, Eigen::Dynamic> poses;
  } control;
  Eigen::Matrix<double, 17, 1> whole_body;

  // Derivatives, named as in BatchWorkspace.
  struct {
    Eigen::MatrixXd dq, dv, dx;
  } dynamics;
  WrenchDerivatives<double> dynamics_wrenches;
  SecondDerivatives<double> second;
  Eigen::VectorXd product;
  SiteDerivatives<double> motion;
  CentroidalDerivatives<double> centroidal;
  Eigen::MatrixXd parameters, body_parameters, by_load, forward_by_load;
  Matrix6X<double> parameter_wrenches, by_load_wrenches, forward_by_load_wrenches;
  Eigen::MatrixXd hybrid_by_load;
};

/// A batch with what derivatives take besides, and room for what they give.
struct BatchWorkspace : Batch {
  BatchWorkspace(const Model& model, int count, const BatchOptions& options = {});

  GivenAccelerations accelerations;
  std::vector<int> sites;
  LaneArray lambda, mu, direction;
  BatchDerivatives dynamics, dynamics_wrenches;
  BatchSecondDerivatives second;
  LaneArray product;
  BatchSiteDerivatives motion;
  BatchCentroidalDerivatives centroidal;
  BatchControlTerms control;
  LaneArray parameters, body_parameters, by_load, parameter_wrenches, by_load_wrenches, forward_by_load,
      forward_by_load_wrenches, hybrid_by_load;
};

/// Those of `body_parameters`.
inline constexpr ParameterColumns kBodyParameters{.every_link = false, .friction = false, .rotors = true};

/// Where the loads of every workspace act: four links, at points of links and of the world in turns.
std::vector<LoadSite> load_sites(const Loads<double>& loads);

struct Algorithm {
  const char* name;
  void (*single)(const Model& model, Data<double>& data, Workspace& work);
  Eigen::VectorXd (*result)(const Workspace& work);
  void (*batch)(const Model& model, BatchWorkspace& batch);
  std::function<LaneArray&(BatchWorkspace& batch)> batch_result;
};
const std::vector<Algorithm>& algorithms();
/// The part of them that differentiates.
std::vector<Algorithm> derivative_algorithms();

/// Steps on the configuration manifold, whose batches have other arguments.
const std::vector<Algorithm>& configuration_algorithms();

/// Fills the scratch memory with NaN.
void poison(const Model& model, Data<double>& data);

/// A test of all that a model may have, with arguments and room for results.
class RichModelTest : public testing::Test {
 protected:
  const Model model_ = rich_model();
  std::mt19937_64 rng_{1};
  Data<double> data_{model_};
  Workspace w_{model_, rng_};
  const State& g_ = w_.given;
  const int n_ = model_.nv();
};

}  // namespace verne::test
