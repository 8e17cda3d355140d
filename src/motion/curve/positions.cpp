#include "motion/curve/positions.h"

#include "verne/spatial/rotation.h"

namespace verne {

std::vector<std::string> position_names(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints()) {
    if (joint.nq == joint.nv) {
      for (int k = 0; k < joint.nv; ++k) names.push_back(model.dof_names()[static_cast<std::size_t>(joint.v + k)]);
      continue;
    }
    const std::vector<const char*> suffixes = {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"};
    for (std::size_t k = suffixes.size() - static_cast<std::size_t>(joint.nq); k < suffixes.size(); ++k) {
      names.push_back(joint.spec.name + suffixes[k]);
    }
  }
  return names;
}

Table charted_positions(const Model& model, const Table& q) {
  Eigen::MatrixXd rows(model.nv(), q.cols());
  for (const Joint& joint : model.joints()) {
    const int plain = joint.nq == joint.nv ? joint.nv : joint.nv - 3;
    rows.middleRows(joint.v, plain) = q.eigen().middleRows(joint.q, plain);
    if (plain == joint.nv) continue;
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      const auto turn = q.eigen().col(k).segment<4>(joint.q + plain);
      rotation_vector_of(rotation_from_quaternion(turn[0], turn[1], turn[2], turn[3]))
          .store(rows.col(k).data() + joint.v + plain);
    }
  }
  return rows;
}

}  // namespace verne
