/// A robot of ../shared/vectors or tests/data/peers with the numbers of another library.
#pragma once

#include "oracles/peer_numbers.h"
#include "verne/io/model_io.h"

namespace verne::test {

namespace fs = std::filesystem;

/// A model with the peer's numbers, whose joints stand in another order.
struct Peer {
  explicit Peer(const fs::path& json)
      : numbers(read_json(json)),
        model(load_model(json.parent_path() / numbers["urdf"].get<std::string>(),
                         {.floating_base = numbers["floating_base"].get<bool>()})),
        from_q(model.nq()),
        from_v(model.nv()) {
    for (const Json& entry : numbers["joints"]) {
      const Joint& joint = ours(entry);
      for (int k = 0; k < joint.nq; ++k) from_q[joint.q + k] = entry["idx_q"].get<int>() + k;
      for (int k = 0; k < joint.nv; ++k) from_v[joint.v + k] = entry["idx_v"].get<int>() + k;
    }
  }
  /// The joint of ours that a joint of theirs is; the floating base has no name in common.
  const Joint& ours(const Json& entry) const {
    if (entry["type"] == "F") return model.joints()[0];
    return model.joints()[static_cast<std::size_t>(model.joint(entry["name"].get<std::string>()))];
  }
  Eigen::VectorXd q(const Json& theirs) const { return vector_in(theirs)(from_q); }
  Eigen::VectorXd v(const Json& theirs) const { return vector_in(theirs)(from_v); }
  Eigen::MatrixXd square(const Json& theirs) const { return matrix_in(theirs)(from_v, from_v); }
  Eigen::MatrixXd columns(const Json& theirs) const { return matrix_in(theirs)(Eigen::all, from_v); }

  Json numbers;
  Model model;
  Eigen::VectorXi from_q, from_v;  // for each of our coordinates, theirs
};

}  // namespace verne::test
