/// What is timed of mechanisms with closed loops: the general method, and leg by leg where they are platforms on legs.
#include <memory>
#include <optional>
#include <random>

#include "bench_cases.h"
#include "structures/closed_derivatives.h"
#include "structures/mechanism_batch_derivatives.h"
#include "structures/mechanism_parts.h"
#include "structures/parallel_robot_batch.h"
#include "verne/dynamics/batch.h"

namespace verne::cli {

namespace {

constexpr std::size_t kClosedStates = 64;
constexpr unsigned kClosedSeed = 3;
/// How far independent coordinates are from home: radians, or metres.
constexpr double kClosedDistance = 0.05;

struct ClosedBenchState {
  Eigen::VectorXd q, v, a, tau;
};

std::vector<ClosedBenchState> closed_states(const Mechanism& mechanism) {
  std::mt19937_64 generator(kClosedSeed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](Eigen::Index size) {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(size, [&] { return uniform(generator); }));
  };
  const Model& model = mechanism.model();
  MechanismData<double> data(mechanism);
  std::vector<ClosedBenchState> states(kClosedStates);
  for (ClosedBenchState& s : states) {
    s.q.resize(model.nq()), s.v.resize(model.nv()), s.a.resize(model.nv());
    const Eigen::VectorXd independent = mechanism.independent_home().eigen() + kClosedDistance * random(mechanism.nq());
    assemble(mechanism, data, independent, mechanism.home().eigen(), s.q);
    closed_motion(mechanism, data, s.q, random(mechanism.mobility()), random(mechanism.mobility()), s.v, s.a);
    s.tau = random(static_cast<Eigen::Index>(mechanism.actuated().size()));
  }
  return states;
}

/// Everything that calls write to.
struct ClosedBench {
  explicit ClosedBench(const Mechanism& of)
      : mechanism(of),
        data(of),
        robot(ParallelRobot::recognise(of)),
        tau(static_cast<Eigen::Index>(of.actuated().size())),
        a(of.model().nv()),
        loops(6, static_cast<Eigen::Index>(of.model().loops().size())),
        derivatives(of, tau.size()),
        torque_derivatives(of, tau.size()),
        tree(of, tau.size()) {}
  Mechanism mechanism;
  MechanismData<double> data;
  std::optional<ParallelRobot> robot;
  Eigen::VectorXd tau, a;
  Matrix6X<double> loops;
  ClosedAccelerationDerivatives derivatives;
  ClosedTorqueDerivatives torque_derivatives;
  TreeAccelerationDerivatives tree;
};

/// The same of a batch.
struct ClosedBatchBench {
  ClosedBatchBench(const Mechanism& of, int count, const BatchOptions& options)
      : batch(of, count, options), robot(ParallelRobot::recognise(of)) {}
  MechanismBatch batch;
  std::optional<ParallelRobot> robot;
  BatchDerivatives derivatives, wrenches, joints, tree;
};

struct ClosedAlgorithm {
  const char* name;
  bool by_legs;
  void (*run)(ClosedBench&, const ClosedBenchState&);
  void (*batch)(ClosedBatchBench&) = nullptr;  ///< nothing for what has no lanes
};
constexpr ClosedAlgorithm kClosedAlgorithms[] = {
    {"closed_inverse_dynamics", false,
     [](ClosedBench& b, const ClosedBenchState& s) { inverse_dynamics(b.mechanism, b.data, s.q, s.v, s.a, b.tau); },
     [](ClosedBatchBench& b) { inverse_dynamics(b.batch); }},
    {"closed_inverse_dynamics_with_wrenches", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       inverse_dynamics(b.mechanism, b.data, s.q, s.v, s.a, b.tau, nullptr, &b.loops);
     }},
    {"closed_forward_dynamics", false,
     [](ClosedBench& b, const ClosedBenchState& s) { forward_dynamics(b.mechanism, b.data, s.q, s.v, s.tau, b.a); },
     [](ClosedBatchBench& b) { forward_dynamics(b.batch); }},
    {"closed_forward_dynamics_with_wrenches", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics(b.mechanism, b.data, s.q, s.v, s.tau, b.a, nullptr, &b.loops);
     },
     [](ClosedBatchBench& b) { forward_dynamics(b.batch, true); }},
    {"closed_forward_dynamics_derivatives", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.tau, b.a, b.derivatives.dq, b.derivatives.dv,
                                    b.derivatives.dtau);
     },
     [](ClosedBatchBench& b) { forward_dynamics_derivatives(b.batch, b.derivatives); }},
    {"closed_forward_dynamics_and_wrench_derivatives", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.tau, b.a, b.derivatives.dq, b.derivatives.dv,
                                    b.derivatives.dtau, nullptr, &b.derivatives.loop_wrenches);
     },
     [](ClosedBatchBench& b) { forward_dynamics_derivatives(b.batch, b.derivatives, {&b.wrenches}); }},
    {"closed_forward_dynamics_and_all_wrench_derivatives", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.tau, b.a, b.derivatives.dq, b.derivatives.dv,
                                    b.derivatives.dtau, nullptr, &b.derivatives.loop_wrenches,
                                    &b.derivatives.joint_wrenches);
     },
     [](ClosedBatchBench& b) {
       forward_dynamics_derivatives(b.batch, b.derivatives, {&b.wrenches, &b.joints});
     }},
    // Of all accelerations of the tree on the closed manifold, with those of the independent ones.
    {"closed_forward_dynamics_derivatives_of_tree", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.tau, b.a, b.derivatives.dq, b.derivatives.dv,
                                    b.derivatives.dtau, nullptr, nullptr, nullptr, &b.tree);
     },
     [](ClosedBatchBench& b) { forward_dynamics_derivatives(b.batch, b.derivatives, {.tree = &b.tree}); }},
    {"closed_inverse_dynamics_derivatives", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       auto& d = b.torque_derivatives;
       inverse_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.a, d.dq, d.dv, d.da);
     },
     [](ClosedBatchBench& b) { inverse_dynamics_derivatives(b.batch, b.derivatives); }},
    {"closed_inverse_dynamics_and_all_wrench_derivatives", false,
     [](ClosedBench& b, const ClosedBenchState& s) {
       auto& d = b.torque_derivatives;
       inverse_dynamics_derivatives(b.mechanism, b.data, s.q, s.v, s.a, d.dq, d.dv, d.da, nullptr, &d.loop_wrenches,
                                    &d.joint_wrenches);
     },
     [](ClosedBatchBench& b) {
       inverse_dynamics_derivatives(b.batch, b.derivatives, {&b.wrenches, &b.joints});
     }},
    {"inverse_dynamics_leg_by_leg", true,
     [](ClosedBench& b, const ClosedBenchState& s) { inverse_dynamics(*b.robot, s.q, s.v, s.a, b.tau); },
     [](ClosedBatchBench& b) { inverse_dynamics(*b.robot, b.batch); }},
    {"forward_dynamics_leg_by_leg_with_wrenches", true,
     [](ClosedBench& b, const ClosedBenchState& s) {
       forward_dynamics(*b.robot, s.q, s.v, s.tau, b.a);
       auto& closed = b.data.parts();
       closed.sparse->reactions(closed.data, s.q, s.v, b.a, s.tau, nullptr, &b.loops, nullptr);
     }},
    {"forward_dynamics_leg_by_leg", true,
     [](ClosedBench& b, const ClosedBenchState& s) { forward_dynamics(*b.robot, s.q, s.v, s.tau, b.a); },
     [](ClosedBatchBench& b) { forward_dynamics(*b.robot, b.batch); }},
};

}  // namespace

std::vector<BenchCase> closed_bench_cases(const Model& model, const BenchSetup& setup) {
  std::vector<BenchCase> cases;
  const Mechanism mechanism(model);
  const bool has_legs = ParallelRobot::recognise(mechanism).has_value();
  // With fewer motors than freedoms there is no inverse model.
  const bool driven = static_cast<int>(mechanism.actuated().size()) >= mechanism.mobility();
  for (const ClosedAlgorithm& algorithm : kClosedAlgorithms) {
    const std::string name = algorithm.name;
    if ((algorithm.by_legs && !has_legs) || (!driven && name.starts_with("closed_inverse"))) continue;
    if (!mechanism.has_inertia() && name.find("forward") != std::string::npos) continue;
    const auto prepare = [mechanism, run = algorithm.run]() -> std::function<void(int)> {
      const auto bench = std::make_shared<ClosedBench>(mechanism);
      return [bench, run, states = closed_states(mechanism), next = std::size_t{0}](int calls) mutable {
        for (int i = 0; i < calls; ++i) {
          run(*bench, states[next]);
          next = next + 1 == states.size() ? 0 : next + 1;
        }
      };
    };
    cases.push_back({name, "Verne", false, Batch(model, 1).instruction_set(), 1, prepare});
    if (!algorithm.batch) continue;
    for (const std::string& isa : instruction_sets()) {
      const auto prepare_batch = [mechanism, setup, isa, run = algorithm.batch]() -> std::function<void(int)> {
        const auto bench =
            std::make_shared<ClosedBatchBench>(mechanism, setup.batch_states, BatchOptions{setup.threads, isa});
        const std::vector<ClosedBenchState> states = closed_states(mechanism);
        for (int k = 0; k < setup.batch_states; ++k) {
          const ClosedBenchState& s = states[static_cast<std::size_t>(k) % states.size()];
          MechanismBatch& batch = bench->batch;
          batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.a.set(k, s.a), batch.tau.set(k, s.tau);
        }
        return [bench, run](int calls) {
          for (int i = 0; i < calls; ++i) run(*bench);
        };
      };
      cases.push_back({name, "Verne", true, isa, setup.batch_states, prepare_batch});
    }
  }
  return cases;
}

}  // namespace verne::cli
