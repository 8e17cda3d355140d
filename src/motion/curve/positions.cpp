#include "motion/curve/positions.h"

#include "verne/spatial/rotation.h"

namespace verne {

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
