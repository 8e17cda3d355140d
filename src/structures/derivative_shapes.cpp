// Whether results of derivatives have the shapes that calls write.
#include "structures/closed_balance.h"

namespace verne {

void require_shape(const char* function, const char* name, Eigen::Index rows, Eigen::Index columns,
                   const Eigen::Ref<const Eigen::MatrixXd>& block) {
  if (block.rows() == rows && block.cols() == columns) return;
  require_size(function, (std::string(name) + " (rows)").c_str(), rows, block.rows());
  require_size(function, (std::string(name) + " (columns)").c_str(), columns, block.cols());
}

void require_shape(const char* function, const char* name, std::size_t wrenches, Eigen::Index mobility,
                   Eigen::Index inputs, const ReactionDerivatives* given) {
  if (!given) return;
  const auto block = [&](const char* by, Eigen::Index columns, const Matrix6X<double>& found) {
    if (found.cols() == columns * static_cast<Eigen::Index>(wrenches)) return;
    require_size(function, (std::string(name) + ", " + by + " (columns)").c_str(),
                 columns * static_cast<Eigen::Index>(wrenches), found.cols());
  };
  block("dq", mobility, given->dq);
  block("dv", mobility, given->dv);
  block("dx", inputs, given->dx);
}

void require_shape(const char* function, const Model& model, Eigen::Index mobility, Eigen::Index inputs,
                   const TreeAccelerationDerivatives* given) {
  if (!given) return;
  for (const auto* block : {&given->dq, &given->dv}) {
    require_shape(function, "accelerations of the tree", model.nv(), mobility, *block);
  }
  require_shape(function, "accelerations of the tree", model.nv(), inputs, given->dx);
}

}  // namespace verne
