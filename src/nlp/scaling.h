/// Factors of variables, rows and cost, chosen once before a solve.
#pragma once

#include "verne/nlp/problem.h"

namespace verne::nlp {

/// What is best for a solver's conditioning: sizes of variables and rows as the blocks say; moreover the cost and each
/// row are made smaller where their scaled gradient at the start exceeds 100.
struct Scaling {
  Scaling(Problem& problem, std::span<const double> x);
  double cost = 1;
  Eigen::VectorXd variables, rows;  ///< factors
};

}  // namespace verne::nlp
