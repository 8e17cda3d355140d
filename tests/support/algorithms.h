/// Every algorithm of the library in one table, for what must hold for all of them.
#pragma once

#include <vector>

#include "support/states.h"
#include "verne/dynamics/batch.h"

namespace verne::test {

/// What the single-state functions take, and room for what they give.
struct Workspace {
  Workspace(const Model& model, std::mt19937_64& rng);
  /// Fills the room for results with NaN.
  void poison();

  State given;
  Eigen::VectorXd other_q;
  Loads<double> loads;
  int site;

  Eigen::VectorXd tau, a, q, v;
  Eigen::MatrixXd matrix;
  Matrix6X<double> wrenches, jacobian, jacobian_rate;
  Kinematics<double> kinematics;
  Eigen::Matrix<double, 17, 1> whole_body;
};

/// Where the loads of every workspace act: four links, at points of links and of the world in turns.
std::vector<LoadSite> load_sites(const Loads<double>& loads);

struct Algorithm {
  const char* name;
  void (*single)(const Model& model, Data<double>& data, Workspace& work);
  Eigen::VectorXd (*result)(const Workspace& work);
  void (*batch)(const Model& model, Batch& batch);
  LaneArray Batch::*batch_result;
};
const std::vector<Algorithm>& algorithms();

/// Steps on the configuration manifold, whose batches have other arguments.
const std::vector<Algorithm>& configuration_algorithms();

/// Fills the scratch memory with NaN.
void poison(const Model& model, Data<double>& data);

}  // namespace verne::test
