/// Systems of every structure, and states of their own coordinates.
#pragma once

#include <string>
#include <vector>

#include "structures/contact_support.h"
#include "structures/mechanism_batch_support.h"
#include "verne/structures/system.h"

namespace verne::test {

struct SystemCase {
  std::string name;
  System system;
};

inline std::vector<SystemCase> all_systems() {
  std::mt19937_64 rng(41 + test_seed());
  std::vector<SystemCase> cases;
  const Model arm = shipped_model("arm7"), tree = build_model(random_tree(rng, 9, {.friction = true}));
  cases.push_back({"arm", System(arm)});
  cases.push_back({"tree", System(tree)});
  for (const char* const name : {"four_bar", "sr400", "delta", "gough_stewart"}) {
    cases.push_back({name, System(shipped_model(name))});
  }
  const Model walker = build_model(chain_in_contact(rng, false));
  cases.push_back({"contacts", System(walker, {.contacts = {2, 0}})});
  ModelSpec touched = shipped_model("gough_stewart").spec();
  touched.contacts = {{"touch", "platform", {0.02, 0.03, 0.01}, 0}};
  cases.push_back({"loops and contacts", System(build_model(touched), {.contacts = {0}})});
  const std::vector<int> driven{1, 4};
  cases.push_back({"hybrid tree", System(arm, {.given = GivenAccelerations(arm, driven)})});
  const Model platform = shipped_model("gough_stewart");
  const Mechanism legs(platform);
  const std::vector<int> leg{legs.independent()[2]};
  cases.push_back({"hybrid loops", System(platform, {.given = GivenAccelerations::of_velocities(platform, leg)})});
  return cases;
}

/// A state of the system's own coordinates, and torques.
struct FreeState {
  Eigen::VectorXd q, v, a, tau;
};
inline FreeState free_state(const System& system, std::mt19937_64& rng, double size) {
  const int n = system.nv();
  FreeState s{Eigen::VectorXd(), random_values(rng, n, 1), random_values(rng, n, 2),
              random_values(rng, system.torques(), 2)};
  if (system.model().loops().empty()) {
    s.q = random_configuration(system.model(), rng);
  } else {
    s.q = closed_state(system.mechanism(), rng, size).free_q;
  }
  return s;
}

}  // namespace verne::test
