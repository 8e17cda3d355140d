/// What cases of the benchmark run on: states that go round, and memory for one state or a batch.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "dynamics/hybrid.h"
#include "structures/closed_derivatives.h"
#include "structures/contacts.h"
#include "structures/mechanism_batch.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/data.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"
#include "verne/dynamics/second_derivatives.h"

namespace verne::cli {

/// Single calls go round so many states: more than a branch predictor could learn by heart, few enough for the cache.
inline constexpr std::size_t kSingleStates = 64;
inline constexpr unsigned kSeed = 2;

struct State {
  Eigen::VectorXd q, v, a, tau;
};

inline std::vector<State> random_states(const Model& model, std::size_t count) {
  std::mt19937_64 generator(kSeed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&] {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(model.nv(), [&] { return uniform(generator); }));
  };
  std::vector<State> states(count);
  for (State& state : states) state = {random_configuration(model, generator), random(), random(), random()};
  return states;
}

/// Columns of the regressor that other libraries give: ten of every body that moves.
inline constexpr ParameterColumns kBodies{.every_link = false, .friction = false, .rotors = false};

/// The frames that a controller follows: four, or fewer where there are not so many, up to the last.
inline std::vector<int> controlled_sites(const Model& model) {
  const int count = std::min(4, model.site_count());
  std::vector<int> sites;
  for (int k = 1; k <= count; ++k) sites.push_back(k * model.site_count() / count - 1);
  return sites;
}

/// How the names of rows end that need contacts.
constexpr std::string_view kInContact = "_in_contact";

/// Of loops nothing is timed but the tree.
inline Mechanism plain_tree(const Model& model) {
  ModelSpec spec = model.spec();
  spec.loops.clear(), spec.home.clear(), spec.independent.clear();
  return Mechanism(build_model(std::move(spec)));
}

/// The contacts that are held: rigid ones where there are any, else all.
inline std::vector<int> held_contacts(const Model& model) {
  std::vector<int> rigid, all;
  for (int k = 0; k < static_cast<int>(model.contacts().size()); ++k) {
    all.push_back(k);
    if (model.contacts()[static_cast<std::size_t>(k)].type == ContactType::rigid) rigid.push_back(k);
  }
  return rigid.empty() ? all : rigid;
}

/// Everything that single calls write to.
struct Single {
  explicit Single(const Model& m)
      : model(m),
        data(m),
        kinematics(m),
        q(m.nq()),
        v(m.nv()),
        matrix(m.nv(), m.nv()),
        J(6, m.nv()),
        J_rate(6, m.nv()),
        tau(m.nv()),
        none_given(m),
        wrenches(6, static_cast<Eigen::Index>(m.joints().size())),
        dq(m.nv(), m.nv()),
        dv(m.nv(), m.nv()),
        dx(m.nv(), m.nv()),
        Y(m.nv(), parameter_count(m)),
        Y_bodies(m.nv(), parameter_count(m, kBodies)),
        sites(controlled_sites(m)),
        Js(6, m.nv() * static_cast<Eigen::Index>(sites.size())),
        drift(6, static_cast<Eigen::Index>(sites.size())),
        poses(12, drift.cols()),
        direction(Eigen::VectorXd::Ones(3 * m.nv())),
        product(3 * m.nv()),
        wrench_derivatives(m),
        second(m),
        mechanism(plain_tree(m)),
        contact_data(mechanism),
        held(held_contacts(m)),
        contact_wrenches(mechanism, m.nv(), held.size()),
        joint_wrenches_in_contact(mechanism, m.nv()) {}

  Model model;
  Data<> data;
  Kinematics<> kinematics;
  Eigen::VectorXd q, v;
  Eigen::MatrixXd matrix;
  Matrix6X<double> J, J_rate;
  Eigen::VectorXd tau;
  GivenAccelerations none_given;
  Matrix6X<double> wrenches;
  WholeBodyState<> whole;
  Eigen::MatrixXd dq, dv, dx, Y, Y_bodies;
  std::vector<int> sites;
  Matrix6X<double> Js, drift;
  Eigen::Matrix<double, 12, Eigen::Dynamic> poses;
  Eigen::VectorXd direction, product;
  WrenchDerivatives<> wrench_derivatives;
  SecondDerivatives<> second;
  Mechanism mechanism;
  ContactData contact_data;
  std::vector<int> held;
  LoopWrenchDerivatives contact_wrenches;
  JointWrenchDerivatives joint_wrenches_in_contact;
};

struct Many {
  Many(const Model& m, int count, const BatchOptions& options)
      : model(m),
        options_of_batch(options),
        batch(m, count, options),
        step(m.nv(), count, batch.lanes()),
        direction(3 * m.nv(), count, batch.lanes()) {
    const std::vector<State> states = random_states(m, static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
      const State& state = states[static_cast<std::size_t>(k)];
      batch.q.set(k, state.q);
      batch.v.set(k, state.v);
      batch.a.set(k, state.a);
      batch.tau.set(k, state.tau);
      step.set(k, 1e-3 * state.v);
    }
  }

  /// The same states with contacts held; made when it is asked for, since not every row needs its memory.
  MechanismBatch& in_contact() {
    if (!contacts) {
      contacts.emplace(plain_tree(model), batch.count(), options_of_batch);
      contacts->tree.q.assign(batch.q.matrix()), contacts->tree.v.assign(batch.v.matrix());
      contacts->tree.tau.assign(batch.tau.matrix());
    }
    return *contacts;
  }

  /// Something of a block's result, so that it is asked for.
  void take(const LaneArray& of) { taken.store(of(0, 0), std::memory_order_relaxed); }

  Model model;
  BatchOptions options_of_batch;
  Batch batch;
  std::vector<int> held = held_contacts(model);
  std::optional<MechanismBatch> contacts;
  std::vector<int> sites = controlled_sites(model);
  GivenAccelerations none_given{model};
  BatchControlTerms control;
  LaneArray step, direction, product, Y;
  std::atomic<double> taken = 0;
  BatchDerivatives derivatives, wrenches, joints;
  BatchSecondDerivatives second;
};

/// Calls `call(state)` for one state after the other.
template <class Call>
std::function<void(int)> round_robin(std::vector<State> states, Call call) {
  return [states = std::move(states), call = std::move(call), next = std::size_t{0}](int calls) mutable {
    for (int i = 0; i < calls; ++i) {
      call(states[next]);
      next = next + 1 == states.size() ? 0 : next + 1;
    }
  };
}

}  // namespace verne::cli
