/// Lanes against single states, which have oracles of their own.
#include "structures/contact_support.h"
#include "structures/loop_system.h"
#include "structures/mechanism_batch_support.h"
#include "structures/random_mechanisms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

class MechanismBatches : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shipped, MechanismBatches,
                         testing::Values("four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart",
                                         "hybrid", "two_link"),
                         [](const auto& of) { return of.param; });

TEST_P(MechanismBatches, AreSingleStates) {
  const Mechanism mechanism(shipped_model(GetParam()));
  const Model& model = mechanism.model();
  for (const BatchOptions& options : batch_options()) {
    std::mt19937_64 rng(21 + test_seed());
    MechanismBatch batch(mechanism, kBatchStates, options);
    const Loads<double> loads = random_loads(model, rng, 2);
    batch.tree.set_loads(loads);
    std::vector<ClosedState> states;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states.emplace_back(closed_state(mechanism, rng, 0.05)));
    forward_dynamics(batch);
    EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
    MechanismData<double> data(mechanism);
    Eigen::VectorXd a(model.nv());
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      forward_dynamics<double>(mechanism, data, s.q, s.v, s.tau, a, &loads);
      EXPECT_TRUE(close(batch.tree.a.get(k), a, 1e-9)) << options.instruction_set << k;
    }
    if (int(mechanism.actuated().size()) < mechanism.mobility()) continue;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states[std::size_t(k)]);
    inverse_dynamics(batch);
    EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      Eigen::VectorXd tau(s.tau.size());
      inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a, tau, &loads);
      EXPECT_TRUE(close(batch.tau.get(k), tau, 1e-9)) << options.instruction_set << k;
    }
  }
}

/// Motors that are not the independent coordinates, and more of them than freedoms.
TEST(MechanismBatch, OtherMotors) {
  ModelSpec spec = shipped_model("five_bar").spec();
  for (LinkSpec& link : spec.links) link.joint.actuated = true;
  for (const bool redundant : {true, false}) {
    if (!redundant) {
      int motors = 0;
      for (auto link = spec.links.rbegin(); link != spec.links.rend(); ++link) link->joint.actuated = motors++ < 2;
    }
    const Mechanism mechanism(build_model(spec));
    std::mt19937_64 rng(22 + test_seed());
    MechanismBatch batch(mechanism, kBatchStates);
    MechanismData<double> data(mechanism);
    std::vector<ClosedState> states;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states.emplace_back(closed_state(mechanism, rng, 0.05)));
    inverse_dynamics(batch);
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      Eigen::VectorXd tau(s.tau.size());
      inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a, tau);
      EXPECT_TRUE(close(batch.tau.get(k), tau, 1e-8)) << k;
    }
  }
}

TEST(MechanismBatch, ContactsAreSingleStates) {
  for (int kind = 0; kind < 3; ++kind) {
    std::mt19937_64 rng(std::mt19937_64::result_type(23 + kind) + test_seed());
    const Model model = kind == 2 ? shipped_model("humanoid") : build_model(chain_in_contact(rng, kind == 1));
    const Mechanism mechanism(model);
    std::vector<int> held{2, 0, 1};
    if (kind == 2) {
      held.clear();
      for (std::size_t k = 0; k < model.contacts().size(); ++k) {
        if (model.contacts()[k].type == ContactType::rigid) held.push_back(int(k));
      }
    }
    ContactData data(mechanism);
    for (const BatchOptions& options : batch_options()) {
      MechanismBatch batch(mechanism, kBatchStates, options);
      const Loads<double> loads = random_loads(model, rng, 2);
      batch.tree.set_loads(loads);
      std::vector<State> states;
      for (int k = 0; k < kBatchStates; ++k) {
        const State& s = states.emplace_back(random_state(model, rng));
        batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.tau.set(k, s.tau);
      }
      forward_dynamics(batch, held);
      EXPECT_EQ(batch.singles(), 0) << kind << options.instruction_set;
      const Eigen::MatrixXd found = batch.tree.a.matrix();
      forward_dynamics(batch, held, true);
      EXPECT_EQ(batch.singles(), kind == 1 ? kBatchStates : 0) << kind << options.instruction_set;
      for (int k = 0; k < kBatchStates; ++k) {
        const State& s = states[std::size_t(k)];
        Eigen::VectorXd a(model.nv());
        Matrix6X<double> contacts(6, long(held.size())), joints(6, long(model.joints().size()));
        forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, a, &loads, &contacts, &joints);
        EXPECT_TRUE(close(found.col(k), a, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.tree.a.get(k), a, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.loop_wrenches.matrix(k, 6), contacts, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.tree.joint_wrenches.matrix(k, 6), joints, 1e-8)) << kind << k;
      }
    }
  }
}

/// What the chosen order cannot do is done as for single states, and refused as there.
TEST(MechanismBatch, DifficultStates) {
  const Mechanism mechanism(shipped_model("four_bar"));
  std::mt19937_64 rng(24);
  MechanismBatch batch(mechanism, 3);
  for (int k = 0; k < 3; ++k) put_state(batch, k, closed_state(mechanism, rng, 0.05));
  inverse_dynamics(batch);
  EXPECT_EQ(batch.singles(), 0);
  batch.tree.q.set(1, Eigen::VectorXd::Constant(mechanism.model().nq(), std::nan("")));
  const std::string refused = complaint<InputError>([&] { inverse_dynamics(batch); });
  EXPECT_NE(refused.find("state 1: "), std::string::npos) << refused;

  // Four corners of a foot: which of them carries what is not determined.
  const Model model = shipped_model("humanoid");
  const Mechanism walker(model);
  std::vector<int> corners;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    const ContactSpec& contact = model.contacts()[k];
    if (contact.link == model.contacts()[0].link && contact.type == ContactType::point) corners.push_back(int(k));
  }
  MechanismBatch walking(walker, 2);
  const State s = random_state(model, rng);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  for (int k = 0; k < 2; ++k) walking.tree.q.set(k, s.q), walking.tree.tau.set(k, s.tau);
  forward_dynamics(walking, corners);
  EXPECT_EQ(walking.singles(), 2);
  ContactData data(walker);
  Eigen::VectorXd a(model.nv());
  forward_dynamics(walker, data, corners, s.q, rest, s.tau, a);
  EXPECT_TRUE(close(walking.tree.a.get(1), a, 1e-9));
  const std::vector<int> unknown{99};
  EXPECT_THROW(forward_dynamics(walking, unknown), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
