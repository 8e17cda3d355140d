/// A wrong size is std::invalid_argument that names the function, the argument, what it has and what was expected.
#include "model/tree.h"
#include "support/algorithms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

class Arguments : public RichModelTest {
 protected:
  const std::string nq_ = std::to_string(model_.nq()), nv_ = std::to_string(model_.nv());

  // One too many, by name.
  Eigen::VectorXd bad_ = Eigen::VectorXd::Zero(model_.nq() + model_.nv());
  const std::string has_ = " has size " + std::to_string(bad_.size());
  Eigen::MatrixXd bad_matrix_ = Eigen::MatrixXd::Zero(model_.nv(), 2);
  Matrix6X<double> bad_columns_ = Matrix6X<double>::Zero(6, 2);

  std::string is_column(const std::string& function, const std::string& name, const std::string& size) const {
    return function + ": " + name + has_ + " x 1, expected " + size + " x 1";
  }
  std::string is_input(const std::string& function, const std::string& name, const std::string& size) const {
    return function + ": " + name + has_ + ", expected " + size;
  }
};

TEST_F(Arguments, OfInverseDynamics) {
  const State& g = w_.given;
  const std::string f = "inverse_dynamics";
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, bad_, g.v, g.a, w_.tau); }), is_input(f, "q", nq_));
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, g.q, bad_, g.a, w_.tau); }), is_input(f, "v", nv_));
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, g.q, g.v, bad_, w_.tau); }), is_input(f, "a", nv_));
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, g.q, g.v, g.a, bad_); }), is_column(f, "tau", nv_));
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, g.q, g.v, g.a, w_.tau, nullptr, &bad_columns_); }),
            f + ": wrenches has size 2, expected " + std::to_string(model_.joints().size()));
}

TEST_F(Arguments, OfForwardDynamics) {
  const State& g = w_.given;
  const std::string f = "forward_dynamics";
  EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, bad_, g.v, g.tau, w_.a); }), is_input(f, "q", nq_));
  EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, g.q, bad_, g.tau, w_.a); }), is_input(f, "v", nv_));
  EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, g.q, g.v, bad_, w_.a); }), is_input(f, "tau", nv_));
  EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, g.q, g.v, g.tau, bad_); }), is_column(f, "a", nv_));
  EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, g.q, g.v, g.tau, w_.a, nullptr, &bad_columns_); }),
            f + ": wrenches has size 2, expected " + std::to_string(model_.joints().size()));
}

TEST_F(Arguments, OfBiasAndGravity) {
  const State& g = w_.given;
  EXPECT_EQ(complaint([&] { bias_torques(model_, data_, bad_, g.v, w_.tau); }), is_input("bias_torques", "q", nq_));
  EXPECT_EQ(complaint([&] { bias_torques(model_, data_, g.q, bad_, w_.tau); }), is_input("bias_torques", "v", nv_));
  EXPECT_EQ(complaint([&] { bias_torques(model_, data_, g.q, g.v, bad_); }), is_column("bias_torques", "tau", nv_));
  EXPECT_EQ(complaint([&] { gravity_torques(model_, data_, bad_, w_.tau); }), is_input("gravity_torques", "q", nq_));
  EXPECT_EQ(complaint([&] { gravity_torques(model_, data_, g.q, bad_); }), is_column("gravity_torques", "tau", nv_));
}

TEST_F(Arguments, OfMatrices) {
  const State& g = w_.given;
  const std::string square = " has size " + nv_ + " x 2, expected " + nv_ + " x " + nv_;
  EXPECT_EQ(complaint([&] { mass_matrix(model_, data_, bad_, w_.matrix); }), is_input("mass_matrix", "q", nq_));
  EXPECT_EQ(complaint([&] { mass_matrix(model_, data_, g.q, bad_matrix_); }), "mass_matrix: M" + square);
  EXPECT_EQ(complaint([&] { inverse_mass_matrix(model_, data_, bad_, w_.matrix); }),
            is_input("inverse_mass_matrix", "q", nq_));
  EXPECT_EQ(complaint([&] { inverse_mass_matrix(model_, data_, g.q, bad_matrix_); }),
            "inverse_mass_matrix: inverse" + square);
  EXPECT_EQ(complaint([&] { coriolis_matrix(model_, data_, bad_, g.v, w_.matrix); }),
            is_input("coriolis_matrix", "q", nq_));
  EXPECT_EQ(complaint([&] { coriolis_matrix(model_, data_, g.q, bad_, w_.matrix); }),
            is_input("coriolis_matrix", "v", nv_));
  EXPECT_EQ(complaint([&] { coriolis_matrix(model_, data_, g.q, g.v, bad_matrix_); }), "coriolis_matrix: C" + square);
  EXPECT_EQ(complaint([&] { centroidal_momentum_matrix(model_, data_, bad_, w_.jacobian); }),
            is_input("centroidal_momentum_matrix", "q", nq_));
  EXPECT_EQ(complaint([&] { centroidal_momentum_matrix(model_, data_, g.q, bad_columns_); }),
            "centroidal_momentum_matrix: A has size 6 x 2, expected 6 x " + nv_);
}

TEST_F(Arguments, OfKinematics) {
  const State& g = w_.given;
  const std::string f = "forward_kinematics", sites = std::to_string(model_.site_count());
  Kinematics<double> other(build(model_cases().front()));
  const std::string some = std::to_string(other.poses.cols());
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, bad_, w_.kinematics); }), is_input(f, "q", nq_));
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, g.q, other); }),
            f + ": out.poses has size 12 x " + some + ", expected 12 x " + sites);
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, g.q, bad_, g.a, w_.kinematics); }),
            is_input(f, "v", nv_));
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, g.q, g.v, bad_, w_.kinematics); }),
            is_input(f, "a", nv_));
  other.poses.resize(12, model_.site_count());
  EXPECT_EQ(complaint([&] { forward_kinematics(model_, data_, g.q, g.v, g.a, other); }),
            f + ": out.velocities has size 6 x " + some + ", expected 6 x " + sites);
  EXPECT_EQ(complaint([&] { whole_body_state(model_, data_, bad_, g.v, g.a); }),
            is_input("whole_body_state", "q", nq_));
  EXPECT_EQ(complaint([&] { whole_body_state(model_, data_, g.q, bad_, g.a); }),
            is_input("whole_body_state", "v", nv_));
  EXPECT_EQ(complaint([&] { whole_body_state(model_, data_, g.q, g.v, bad_); }),
            is_input("whole_body_state", "a", nv_));
}

TEST_F(Arguments, OfJacobians) {
  const State& g = w_.given;
  const int sites = model_.site_count();
  const std::string range = " is out of range, expected 0 to " + std::to_string(sites - 1);
  EXPECT_EQ(complaint([&] { jacobian(model_, data_, bad_, 0, w_.jacobian); }), is_input("jacobian", "q", nq_));
  EXPECT_EQ(complaint([&] { jacobian(model_, data_, g.q, 0, bad_columns_); }),
            "jacobian: J has size 6 x 2, expected 6 x " + nv_);
  EXPECT_EQ(complaint([&] { jacobian(model_, data_, g.q, sites, w_.jacobian); }),
            "jacobian: site " + std::to_string(sites) + range);
  EXPECT_EQ(complaint([&] { jacobian(model_, data_, g.q, -1, w_.jacobian); }), "jacobian: site -1" + range);
  EXPECT_EQ(complaint([&] { jacobian_and_rate(model_, data_, g.q, bad_, 0, w_.jacobian, w_.jacobian_rate); }),
            is_input("jacobian_and_rate", "v", nv_));
  EXPECT_EQ(complaint([&] { jacobian_and_rate(model_, data_, g.q, g.v, 0, w_.jacobian, bad_columns_); }),
            "jacobian_and_rate: J_rate has size 6 x 2, expected 6 x " + nv_);
}

TEST_F(Arguments, OfSteps) {
  const State& g = w_.given;
  EXPECT_EQ(complaint([&] { integrate(model_, data_, bad_, g.v, w_.q); }), is_input("integrate", "q", nq_));
  EXPECT_EQ(complaint([&] { integrate(model_, data_, g.q, bad_, w_.q); }), is_input("integrate", "v", nv_));
  EXPECT_EQ(complaint([&] { integrate(model_, data_, g.q, g.v, bad_); }), is_column("integrate", "out", nq_));
  EXPECT_EQ(complaint([&] { difference(model_, data_, g.q, g.q, bad_); }), is_column("difference", "v", nv_));
  EXPECT_EQ(complaint([&] { difference(model_, data_, bad_, g.q, w_.v); }), is_input("difference", "q", nq_));
  EXPECT_EQ(complaint([&] { difference(model_, data_, g.q, bad_, w_.v); }), is_input("difference", "q", nq_));
  EXPECT_EQ(complaint([&] { interpolate(model_, data_, g.q, bad_, 0.5, w_.q); }), is_input("interpolate", "q", nq_));
  EXPECT_EQ(complaint([&] { interpolate(model_, data_, g.q, g.q, 0.5, bad_); }), is_column("interpolate", "out", nq_));
}

TEST_F(Arguments, LoadsOnSitesThatAreNotThere) {
  const State& g = w_.given;
  const int sites = model_.site_count();
  for (const int site : {-1, sites}) {
    Loads<double> loads;
    loads.add({.frame = site});
    const std::string text =
        ": site of a load " + std::to_string(site) + " is out of range, expected 0 to " + std::to_string(sites - 1);
    EXPECT_EQ(complaint([&] { inverse_dynamics(model_, data_, g.q, g.v, g.a, w_.tau, &loads); }),
              "inverse_dynamics" + text);
    EXPECT_EQ(complaint([&] { forward_dynamics(model_, data_, g.q, g.v, g.tau, w_.a, &loads); }),
              "forward_dynamics" + text);
    Batch batch(model_, 2);
    batch.set_loads(std::vector<LoadSite>{{site, 0}});
    EXPECT_EQ(complaint([&] { inverse_dynamics(model_, batch); }), "inverse_dynamics" + text);
  }
}

TEST_F(Arguments, DataOfASmallerModel) {
  const Model small = build(model_cases().front());
  Data<double> data(small);
  std::vector<Algorithm> all = algorithms();
  all.insert(all.end(), configuration_algorithms().begin(), configuration_algorithms().end());
  const std::string sizes = ": data was made for 3 bodies and 3 velocities, the model has " +
                            std::to_string(model_.tree().body_count) + " bodies and " +
                            std::to_string(model_.tree().nv) + " velocities";
  for (const Algorithm& algorithm : all) {
    const std::string text = complaint([&] { algorithm.single(model_, data, w_); });
    EXPECT_NE(text.find(sizes), std::string::npos) << algorithm.name << ": " << text;
  }
}

TEST_F(Arguments, OfBatches) {
  EXPECT_EQ(complaint([&] { Batch(model_, 0); }), "Batch: needs at least one state, got 0");
  EXPECT_EQ(complaint([&] { Batch(model_, 1, {.threads = 0}); }), "Batch: needs at least one thread");
  EXPECT_NE(complaint([&] {
              Batch(model_, 1, {.instruction_set = "abacus"});
            }).find("instruction set 'abacus' is not available here; there are: baseline"),
            std::string::npos);
  Batch batch(model_, 3);
  EXPECT_EQ(complaint([&] { batch.q.set(0, bad_); }), "LaneArray::set: column" + has_ + ", expected " + nq_);
  EXPECT_EQ(complaint([&] { batch.q.get(3); }), "LaneArray: state 3 is out of range, expected 0 to 2");
  EXPECT_EQ(complaint([&] { batch.q.matrix(0, model_.nq() + 1); }),
            "LaneArray: " + nq_ + " values are no matrix with " + std::to_string(model_.nq() + 1) + " rows");
  EXPECT_EQ(complaint([&] { jacobian(model_, batch, -1); }),
            "jacobian: site -1 is out of range, expected 0 to " + std::to_string(model_.site_count() - 1));
  const Model small = build(model_cases().front());
  BatchWorkspace other(small, 3);
  for (const Algorithm& algorithm : algorithms()) {
    const std::string text = complaint([&] { algorithm.batch(model_, other); });
    EXPECT_NE(text.find(": batch.q has size 3, expected " + nq_), std::string::npos) << algorithm.name << ": " << text;
  }
}

// Arrays of a batch may be replaced, and steps are made by the caller: their shape must be that of the batch.
TEST_F(Arguments, ArraysOfAnotherShape) {
  Batch batch(model_, 3, {.instruction_set = "baseline"});
  LaneArray narrow(model_.nv(), 3, 1), few(model_.nv(), 2, 2);
  EXPECT_EQ(complaint([&] { integrate(model_, batch, narrow); }),
            "integrate: step holds 3 states in lanes of 1, expected 3 states in lanes of 2");
  EXPECT_EQ(complaint([&] { integrate(model_, batch, few); }),
            "integrate: step holds 2 states in lanes of 2, expected 3 states in lanes of 2");
  EXPECT_EQ(complaint([&] { difference(model_, batch, few, narrow); }),
            "difference: from has size " + nv_ + ", expected " + nq_);
  batch.a = LaneArray(2, 3, 2);
  EXPECT_EQ(complaint([&] { inverse_dynamics(model_, batch); }),
            "inverse_dynamics: batch.a has size 2, expected " + nv_);
}

// Followers add bodies but no coordinates: such a batch has the right arrays and too little scratch memory.
TEST_F(Arguments, BatchOfAModelWithFewerFollowers) {
  ModelSpec spec = build({"pair", 1, {.kinds = {JointType::revolute}}}).spec();
  const Model leader = build_model(spec);
  for (int k = 0; k < 20; ++k) {
    LinkSpec follower = spec.links[1];
    follower.name += "_" + std::to_string(k);
    follower.joint.name += "_" + std::to_string(k);
    follower.joint.mimic = MimicSpec{spec.links[1].joint.name, 1, 0};
    spec.links.push_back(follower);
  }
  const Model crowd = build_model(spec);
  BatchWorkspace batch(leader, 2);
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_NE(complaint([&] { algorithm.batch(crowd, batch); }).find("made for a smaller model"), std::string::npos)
        << algorithm.name;
  }
}

}  // namespace
}  // namespace verne::test
