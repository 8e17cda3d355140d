#include "bench_cases.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/star.h"
#include "bench_work.h"
#include "dynamics/hybrid.h"
#include "gpu_cases.h"
#include "structures/contact_derivatives.h"
#include "structures/contacts.h"
#include "structures/mechanism_batch.h"
#include "structures/mechanism_batch_derivatives.h"
#include "verne/codegen/compile.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/control_terms.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/for_each_block.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"
#include "verne/dynamics/second_derivatives.h"
#ifdef VERNE_HAVE_PEERS
#include "peers/kdl_model.h"
#include "peers/mujoco_model.h"
#endif

namespace verne::cli {

namespace {

/// What control_terms() gives, by one call for each part.
void control_terms_separately(Single& s, const State& x) {
  mass_matrix(s.model, s.data, x.q, s.matrix);
  bias_torques(s.model, s.data, x.q, x.v, s.v);
  forward_kinematics(s.model, s.data, x.q, s.kinematics);
  for (std::size_t k = 0; k < s.sites.size(); ++k) {
    jacobian_and_rate(s.model, s.data, x.q, x.v, s.sites[k], s.J, s.J_rate);
    s.drift.col(static_cast<Eigen::Index>(k)).noalias() = s.J_rate * x.v;
  }
}
void control_terms_separately(Many& m) {
  mass_matrix(m.model, m.batch);
  bias_torques(m.model, m.batch);
  forward_kinematics(m.model, m.batch, false);
  for (const int site : m.sites) jacobian(m.model, m.batch, site);
}

struct Algorithm {
  const char* name;
  void (*single)(Single&, const State&);
  void (*batch)(Many&);
};

/// The Jacobian that is timed: of the last link or frame.
int last_site(const Model& model) {
  return model.site_count() - 1;
}

const std::array kAlgorithms{
    Algorithm{"inverse_dynamics",
              [](Single& s, const State& x) { inverse_dynamics(s.model, s.data, x.q, x.v, x.a, s.v); },
              [](Many& m) { inverse_dynamics(m.model, m.batch); }},
    Algorithm{
        "inverse_dynamics_with_wrenches",
        [](Single& s, const State& x) { inverse_dynamics(s.model, s.data, x.q, x.v, x.a, s.v, nullptr, &s.wrenches); },
        [](Many& m) { inverse_dynamics(m.model, m.batch, true); }},
    Algorithm{"mass_matrix", [](Single& s, const State& x) { mass_matrix(s.model, s.data, x.q, s.matrix); },
              [](Many& m) { mass_matrix(m.model, m.batch); }},
    Algorithm{"forward_dynamics",
              [](Single& s, const State& x) { forward_dynamics(s.model, s.data, x.q, x.v, x.tau, s.v); },
              [](Many& m) { forward_dynamics(m.model, m.batch); }},
    Algorithm{"forward_dynamics_with_wrenches",
              [](Single& s, const State& x) {
                forward_dynamics(s.model, s.data, x.q, x.v, x.tau, s.v, nullptr, &s.wrenches);
              },
              [](Many& m) { forward_dynamics(m.model, m.batch, true); }},
    // Every torque given: what given accelerations cost where there are none.
    Algorithm{"hybrid_dynamics_with_wrenches",
              [](Single& s, const State& x) {
                s.tau = x.tau;
                hybrid_dynamics(s.model, s.data, s.none_given, x.q, x.v, s.v, s.tau, nullptr, &s.wrenches);
              },
              [](Many& m) { hybrid_dynamics(m.model, m.batch, m.none_given, true); }},
    Algorithm{
        "forward_dynamics_in_contact",
        [](Single& s, const State& x) { forward_dynamics(s.mechanism, s.contact_data, s.held, x.q, x.v, x.tau, s.v); },
        [](Many& m) { forward_dynamics(m.in_contact(), m.held); }},
    Algorithm{"mass_matrix_by_blocks", nullptr,
              [](Many& m) {
                for_each_block(m.model, m.batch, BlockResult::mass_matrix, [&](const StateBlock& b) { m.take(b.dx); });
              }},
    Algorithm{"inverse_dynamics_derivatives_by_blocks", nullptr,
              [](Many& m) {
                for_each_block(m.model, m.batch, BlockResult::inverse_dynamics_derivatives,
                               [&](const StateBlock& b) { m.take(b.dq); });
              }},
    Algorithm{"forward_dynamics_derivatives_in_contact",
              [](Single& s, const State& x) {
                forward_dynamics_derivatives(s.mechanism, s.contact_data, s.held, x.q, x.v, x.tau, s.v, s.dq, s.dv,
                                             s.dx);
              },
              [](Many& m) { forward_dynamics_derivatives(m.in_contact(), m.held, m.derivatives); }},
    Algorithm{"forward_dynamics_and_wrench_derivatives_in_contact",
              [](Single& s, const State& x) {
                forward_dynamics_derivatives(s.mechanism, s.contact_data, s.held, x.q, x.v, x.tau, s.v, s.dq, s.dv,
                                             s.dx, nullptr, &s.contact_wrenches);
              },
              [](Many& m) { forward_dynamics_derivatives(m.in_contact(), m.held, m.derivatives, {&m.wrenches}); }},
    Algorithm{"forward_dynamics_and_all_wrench_derivatives_in_contact",
              [](Single& s, const State& x) {
                forward_dynamics_derivatives(s.mechanism, s.contact_data, s.held, x.q, x.v, x.tau, s.v, s.dq, s.dv,
                                             s.dx, nullptr, &s.contact_wrenches, &s.joint_wrenches_in_contact);
              },
              [](Many& m) {
                forward_dynamics_derivatives(m.in_contact(), m.held, m.derivatives, {&m.wrenches, &m.joints});
              }},
    Algorithm{"control_terms",
              [](Single& s, const State& x) {
                control_terms(s.model, s.data, x.q, x.v, s.sites, s.matrix, s.v, s.Js, s.drift, s.poses);
              },
              [](Many& m) { control_terms(m.model, m.batch, m.sites, m.control); }},
    Algorithm{"control_terms_separately", control_terms_separately, control_terms_separately},
    Algorithm{"poses", [](Single& s, const State& x) { forward_kinematics(s.model, s.data, x.q, s.kinematics); },
              [](Many& m) { forward_kinematics(m.model, m.batch, false); }},
    Algorithm{"kinematics",
              [](Single& s, const State& x) { forward_kinematics(s.model, s.data, x.q, x.v, x.a, s.kinematics); },
              [](Many& m) { forward_kinematics(m.model, m.batch); }},
    Algorithm{"bias", [](Single& s, const State& x) { bias_torques(s.model, s.data, x.q, x.v, s.v); },
              [](Many& m) { bias_torques(m.model, m.batch); }},
    Algorithm{"gravity", [](Single& s, const State& x) { gravity_torques(s.model, s.data, x.q, s.v); },
              [](Many& m) { gravity_torques(m.model, m.batch); }},
    Algorithm{"coriolis_matrix",
              [](Single& s, const State& x) { coriolis_matrix(s.model, s.data, x.q, x.v, s.matrix); },
              [](Many& m) { coriolis_matrix(m.model, m.batch); }},
    Algorithm{"inverse_mass_matrix",
              [](Single& s, const State& x) { inverse_mass_matrix(s.model, s.data, x.q, s.matrix); },
              [](Many& m) { inverse_mass_matrix(m.model, m.batch); }},
    Algorithm{"jacobian", [](Single& s, const State& x) { jacobian(s.model, s.data, x.q, last_site(s.model), s.J); },
              [](Many& m) { jacobian(m.model, m.batch, last_site(m.model), false); }},
    Algorithm{"jacobian_and_rate",
              [](Single& s, const State& x) {
                jacobian_and_rate(s.model, s.data, x.q, x.v, last_site(s.model), s.J, s.J_rate);
              },
              [](Many& m) { jacobian(m.model, m.batch, last_site(m.model)); }},
    Algorithm{"whole_body",
              [](Single& s, const State& x) { s.whole = whole_body_state(s.model, s.data, x.q, x.v, x.a); },
              [](Many& m) { whole_body_state(m.model, m.batch); }},
    Algorithm{"centroidal_momentum_matrix",
              [](Single& s, const State& x) { centroidal_momentum_matrix(s.model, s.data, x.q, s.J); },
              [](Many& m) { centroidal_momentum_matrix(m.model, m.batch); }},
    Algorithm{"inverse_dynamics_derivatives",
              [](Single& s, const State& x) {
                inverse_dynamics_derivatives(s.model, s.data, x.q, x.v, x.a, s.dq, s.dv, s.dx);
              },
              [](Many& m) { inverse_dynamics_derivatives(m.model, m.batch, m.derivatives); }},
    Algorithm{"joint_wrench_derivatives",
              [](Single& s, const State& x) {
                inverse_dynamics_derivatives(s.model, s.data, x.q, x.v, x.a, s.dq, s.dv, s.dx, nullptr,
                                             &s.wrench_derivatives);
              },
              [](Many& m) { inverse_dynamics_derivatives(m.model, m.batch, m.derivatives, &m.wrenches); }},
    Algorithm{"forward_dynamics_derivatives",
              [](Single& s, const State& x) {
                forward_dynamics_derivatives(s.model, s.data, x.q, x.v, x.tau, s.v, s.dq, s.dv, s.dx);
              },
              [](Many& m) { forward_dynamics_derivatives(m.model, m.batch, m.derivatives); }},
    Algorithm{"second_derivatives",
              [](Single& s, const State& x) {
                inverse_dynamics_second_derivatives(s.model, s.data, x.q, x.v, x.a, x.tau, s.second);
              },
              [](Many& m) { inverse_dynamics_second_derivatives(m.model, m.batch, m.step, m.second); }},
    Algorithm{"hessian_product",
              [](Single& s, const State& x) {
                inverse_dynamics_hessian_product(s.model, s.data, x.q, x.v, x.a, x.tau, s.direction, s.product);
              },
              [](Many& m) { inverse_dynamics_hessian_product(m.model, m.batch, m.step, m.direction, m.product); }},
    Algorithm{"regressor", [](Single& s, const State& x) { regressor(s.model, s.data, x.q, x.v, x.a, s.Y); },
              [](Many& m) { regressor(m.model, m.batch, m.Y); }},
    Algorithm{
        "body_regressor",
        [](Single& s, const State& x) { regressor(s.model, s.data, x.q, x.v, x.a, s.Y_bodies, nullptr, kBodies); },
        [](Many& m) { regressor(m.model, m.batch, m.Y, nullptr, kBodies); }},
    Algorithm{"integrate", [](Single& s, const State& x) { integrate(s.model, s.data, x.q, x.v, s.q); },
              [](Many& m) { integrate(m.model, m.batch, m.step); }},
};

/// The same by code compiled for the model.
struct CompiledAlgorithm {
  const char* want;
  const char* name;
  void (*single)(const CompiledModel&, Single&, const State&);
  void (*batch)(const CompiledModel&, Many&);
};

const std::array kCompiledAlgorithms{
    CompiledAlgorithm{
        "tau", "inverse_dynamics",
        [](const CompiledModel& code, Single& s, const State& x) { code.inverse_dynamics(x.q, x.v, x.a, s.v); },
        [](const CompiledModel& code, Many& m) { code.inverse_dynamics(m.batch); }},
    CompiledAlgorithm{"mass_matrix", "mass_matrix",
                      [](const CompiledModel& code, Single& s, const State& x) { code.mass_matrix(x.q, s.matrix); },
                      [](const CompiledModel& code, Many& m) { code.mass_matrix(m.batch); }},
    CompiledAlgorithm{
        "acceleration", "forward_dynamics",
        [](const CompiledModel& code, Single& s, const State& x) { code.forward_dynamics(x.q, x.v, x.tau, s.v); },
        [](const CompiledModel& code, Many& m) { code.forward_dynamics(m.batch); }},
    CompiledAlgorithm{"bias", "bias",
                      [](const CompiledModel& code, Single& s, const State& x) { code.bias_torques(x.q, x.v, s.v); },
                      [](const CompiledModel& code, Many& m) { code.bias_torques(m.batch); }},
    CompiledAlgorithm{"gravity", "gravity",
                      [](const CompiledModel& code, Single& s, const State& x) { code.gravity_torques(x.q, s.v); },
                      [](const CompiledModel& code, Many& m) { code.gravity_torques(m.batch); }},
    CompiledAlgorithm{
        "d_tau", "inverse_dynamics_derivatives",
        [](const CompiledModel& code, Single& s, const State& x) {
          code.inverse_dynamics_derivatives(x.q, x.v, x.a, s.dq, s.dv, s.dx);
        },
        [](const CompiledModel& code, Many& m) { code.inverse_dynamics_derivatives(m.batch, m.derivatives); }},
    CompiledAlgorithm{
        "d_acceleration", "forward_dynamics_derivatives",
        [](const CompiledModel& code, Single& s, const State& x) {
          code.forward_dynamics_derivatives(x.q, x.v, x.tau, s.dq, s.dv, s.dx);
        },
        [](const CompiledModel& code, Many& m) { code.forward_dynamics_derivatives(m.batch, m.derivatives); }},
};

/// Of the mass matrix, which not every model has.
bool needs_inverse(const std::string& algorithm) {
  return algorithm.starts_with("forward_dynamics") || algorithm.starts_with("hybrid_dynamics") ||
         algorithm == "inverse_mass_matrix";
}

BenchCase single_case(const Model& model, const Algorithm& algorithm) {
  const auto prepare = [model, run = algorithm.single] {
    const auto work = std::make_shared<Single>(model);
    return round_robin(random_states(model, kSingleStates), [work, run](const State& state) { run(*work, state); });
  };
  return {algorithm.name, "Verne", false, Batch(model, 1).instruction_set(), 1, prepare};
}

BenchCase batch_case(const Model& model, const Algorithm& algorithm, const BenchSetup& setup, const std::string& isa) {
  const auto prepare = [model, setup, isa, run = algorithm.batch] {
    const auto work = std::make_shared<Many>(model, setup.batch_states, BatchOptions{setup.threads, isa});
    return [work, run](int calls) {
      for (int i = 0; i < calls; ++i) run(*work);
    };
  };
  return {algorithm.name, "Verne", true, isa, setup.batch_states, prepare};
}

/// Derivatives of larger models take compilers longer than anyone waits for a benchmark.
constexpr int kMostVelocitiesOfCompiledDerivatives = 12;

/// Rows `NAME_compiled`, of one state and of batches in the widest registers.
void add_compiled_cases(const Model& model, const BenchSetup& setup, std::vector<BenchCase>& cases) {
  std::vector<CompiledAlgorithm> algorithms;
  CompileOptions options;
  options.want.clear();
  for (const CompiledAlgorithm& algorithm : kCompiledAlgorithms) {
    const bool derivative = std::string(algorithm.want).starts_with("d_");
    if (derivative && model.nv() > kMostVelocitiesOfCompiledDerivatives) continue;
    if (needs_inverse(algorithm.name) && !model.joints_without_inertia().empty()) continue;
    if (!setup.takes(std::string(algorithm.name) + "_compiled")) continue;
    algorithms.push_back(algorithm);
    options.want.push_back(algorithm.want);
  }
  if (algorithms.empty()) return;
  const CompiledModel code = compile(model, options);
  const std::string isa = instruction_sets().back();
  for (const CompiledAlgorithm& algorithm : algorithms) {
    const std::string name = std::string(algorithm.name) + "_compiled";
    cases.push_back({name, "Verne", false, isa, 1, [=] {
                       const auto work = std::make_shared<Single>(model);
                       return round_robin(random_states(model, kSingleStates),
                                          [=](const State& state) { algorithm.single(code, *work, state); });
                     }});
    cases.push_back(
        {name, "Verne", true, isa, setup.batch_states, [=]() -> std::function<void(int)> {
           const auto work = std::make_shared<Many>(model, setup.batch_states, BatchOptions{setup.threads, isa});
           return [=](int calls) {
             for (int i = 0; i < calls; ++i) algorithm.batch(code, *work);
           };
         }});
  }
}

#ifdef VERNE_HAVE_PEERS
template <class Peer>
void add_peer_case(const Model& model, const std::string& algorithm, const char* library,
                   std::vector<BenchCase>& cases) {
  using Run = void (*)(Peer&, const State&, Single&);
  Run run = nullptr;
  if (algorithm == "inverse_dynamics") {
    run = [](Peer& peer, const State& x, Single& out) { peer.inverse_dynamics(x.q, x.v, x.a, out.v); };
  } else if (algorithm == "mass_matrix") {
    run = [](Peer& peer, const State& x, Single& out) { peer.mass_matrix(x.q, out.matrix); };
  } else if (algorithm == "forward_dynamics") {
    run = [](Peer& peer, const State& x, Single& out) { peer.forward_dynamics(x.q, x.v, x.tau, out.v); };
  }
  if (!run || !Peer::from(model)) return;
  const auto prepare = [model, run] {
    const auto peer = std::make_shared<Peer>(*Peer::from(model));
    const auto work = std::make_shared<Single>(model);
    return round_robin(random_states(model, kSingleStates),
                       [peer, work, run](const State& state) { run(*peer, state, *work); });
  };
  cases.push_back({algorithm, library, false, "", 1, prepare});
}

void add_peer_cases(const Model& model, const std::string& algorithm, std::vector<BenchCase>& cases) {
  add_peer_case<peers::KdlModel>(model, algorithm, "KDL", cases);
  add_peer_case<peers::MujocoModel>(model, algorithm, "MuJoCo", cases);
}
#else
void add_peer_cases(const Model&, const std::string&, std::vector<BenchCase>&) {}
#endif

}  // namespace

bool BenchSetup::takes(const std::string& algorithm) const {
  return rows.empty() || std::ranges::any_of(rows, [&](const std::string& name) {
           return algorithm == name || fits_star(algorithm, name);
         });
}

std::vector<BenchCase> bench_cases(const Model& model, const BenchSetup& setup) {
  std::vector<BenchCase> cases;
  for (const Algorithm& algorithm : kAlgorithms) {
    if (needs_inverse(algorithm.name) && !model.joints_without_inertia().empty()) continue;
    if (std::string_view(algorithm.name).ends_with(kInContact) && model.contacts().empty()) continue;
    if (!setup.takes(algorithm.name)) continue;
    if (algorithm.single) cases.push_back(single_case(model, algorithm));
    for (const std::string& isa : instruction_sets()) {
      cases.push_back(batch_case(model, algorithm, setup, isa));
    }
    add_peer_cases(model, algorithm.name, cases);
  }
  if (setup.compiled) add_compiled_cases(model, setup, cases);
  if (setup.gpu) add_gpu_cases(model, cases);
  if (!model.loops().empty()) {
    const std::vector<BenchCase> closed = closed_bench_cases(model, setup);
    cases.insert(cases.end(), closed.begin(), closed.end());
  }
  std::erase_if(cases, [&](const BenchCase& timed) { return !setup.takes(timed.algorithm); });
  return cases;
}

}  // namespace verne::cli
