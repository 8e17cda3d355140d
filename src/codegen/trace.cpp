#include "codegen/trace.h"

#include <algorithm>
#include <array>

#include "codegen/differentiate.h"
#include "codegen/recursions.h"
#include "codegen/schedule.h"
#include "dynamics/kernels/derivative_algorithms.h"
#include "dynamics/singular.h"
#include "verne/dynamics/regressor.h"

namespace verne::codegen {

namespace {

/// Whether a quantity is computed from an input ("v", "a", "tau").
bool reads_input(Quantity quantity, const std::string& input) {
  const std::string inputs = std::string(" ") + info_of(quantity).inputs + " ";
  return inputs.find(" " + input + " ") != std::string::npos;
}

std::vector<Traced> inputs_of(int array, int count) {
  std::vector<Traced> out;
  for (int k = 0; k < count; ++k) out.emplace_back(Tracing::graph().input(array, k));
  return out;
}

/// One trace in the making.
class Tracer {
 public:
  Tracer(const Model& model, const Want& want, const ParameterOptions& options, ParallelAxes axes)
      : model_(model), axes_(axes), tracing_(trace_.graph), traced_(model.tree(), options) {
    trace_.want = want;
    trace_.symbols = traced_.symbols;
    trace_.inputs = {{"q", model.nq()}};
    for (const char* input : {"v", "a", "tau"}) {
      if (reads_input(want.quantity, input)) trace_.inputs.push_back({input, model.nv()});
    }
  }

  Trace run() {
    run_quantity();
    return std::move(trace_);
  }

 private:
  const Tree& tree() const { return traced_.tree; }
  int nv() const { return model_.nv(); }

  void run_quantity() {
    switch (trace_.want.quantity) {
      case Quantity::tau:
        return put("tau", nv(), 1, torques(true, true));
      case Quantity::gravity:
        return put("gravity", nv(), 1, torques(false, false));
      case Quantity::bias:
        return put("bias", nv(), 1, torques(true, false));
      case Quantity::mass_matrix:
        return put("mass_matrix", nv(), nv(), reduced_mass_matrix());
      case Quantity::acceleration:
        return put("acceleration", nv(), 1, Solved(*this).acceleration);
      case Quantity::d_tau:
        return torque_derivatives();
      case Quantity::d_acceleration:
        return acceleration_derivatives();
      default:
        return run_kernel();
    }
  }

  /// The library's own kernels, for what needs the bodies' own parameters or has no shorter form in link axes.
  void run_kernel() {
    const std::size_t nv = static_cast<std::size_t>(this->nv());
    std::vector<Traced> memory(static_cast<std::size_t>(scratch_size(tree())));
    const Scratch<Traced> scratch(memory.data(), static_cast<long>(memory.size()));
    const std::vector<Traced> q = inputs_of(kPositions, model_.nq()), v = inputs_of(kVelocities, this->nv()),
                              third = inputs_of(kThird, this->nv());
    Inputs<Traced> in;
    in.q = q.data();
    const Quantity quantity = trace_.want.quantity;
    if (reads_input(quantity, "v")) in.v = v.data();
    if (reads_input(quantity, "a") || reads_input(quantity, "tau")) in.a = third.data();
    const int site = trace_.want.site;
    switch (quantity) {
      case Quantity::joint_wrenches: {
        std::vector<Traced> tau(nv), wrenches(6 * static_cast<std::size_t>(tree().joint_count));
        Algorithms<Traced>::inverse_dynamics(tree(), in, tau.data(), wrenches.data(), scratch);
        put("tau", this->nv(), 1, tau);
        return put_columns("joint_wrenches", 6, wrenches);
      }
      case Quantity::pose: {
        std::vector<Traced> poses(12 * static_cast<std::size_t>(tree().site_count));
        Algorithms<Traced>::kinematics(tree(), in, poses.data(), nullptr, nullptr, scratch);
        const auto first = poses.begin() + 12L * site;
        return put("pose", 12, 1, {first, first + 12});
      }
      case Quantity::jacobian: {
        std::vector<Traced> J(6 * nv);
        Algorithms<Traced>::jacobian(tree(), in, site, J.data(), nullptr, 6, scratch);
        return put_columns("jacobian", 6, J);
      }
      default: {
        const int columns = parameter_count(model_);
        std::vector<Traced> Y(nv * static_cast<std::size_t>(columns));
        DerivativeAlgorithms<Traced>::regressor(tree(), in, ParameterColumns{}, {Y.data(), nullptr}, scratch);
        return put_columns("regressor", this->nv(), Y);
      }
    }
  }

  /// Coordinates of the tree from those of the model.
  std::vector<Traced> expand(int array, const TreeCoupling* map, int count) const {
    std::vector<Traced> out;
    for (int k = 0; k < count; ++k) {
      const Traced x(Tracing::graph().input(array, map[k].source));
      out.push_back(x * map[k].ratio + (array == kPositions ? map[k].offset : 0.0));
    }
    return out;
  }

  TracedState state(bool moving, bool accelerating) const {
    const std::vector<Traced> zeros(static_cast<std::size_t>(tree().nv), Traced(0.0));
    return {expand(kPositions, tree().q_coupling, tree().nq),
            moving ? expand(kVelocities, tree().v_coupling, tree().nv) : zeros,
            accelerating ? expand(kThird, tree().v_coupling, tree().nv) : zeros};
  }

  std::vector<Traced> torques_of(const TracedState& state) const {
    const std::vector<Traced> full = inverse_dynamics(traced_, state, axes_);
    if (!tree().coupled) return full;
    std::vector<Traced> out(static_cast<std::size_t>(nv()));
    reduce_vector(tree(), full.data(), out.data());
    return out;
  }
  std::vector<Traced> torques(bool moving, bool accelerating) const { return torques_of(state(moving, accelerating)); }

  std::vector<Traced> reduced_mass_matrix() const {
    const std::vector<Traced> full = mass_matrix(traced_, state(false, false).q);
    if (!tree().coupled) return full;
    std::vector<Traced> out(static_cast<std::size_t>(nv() * nv()));
    reduce_matrix(tree(), full.data(), out.data(), nv());
    return out;
  }

  /// M a = tau − bias, by factors of M without fill-in.
  struct Solved {
    explicit Solved(const Tracer& tracer) : n(tracer.nv()), factors(tracer.reduced_mass_matrix()) {
      const Tree& tree = tracer.tree();
      for (int k = 0; k < n; ++k) before.push_back(tree.coupled ? k - 1 : tree.v_parent[k]);
      factorize(n, before.data(), factors.data());
      acceleration = inputs_of(kThird, n);
      const std::vector<Traced> bias = tracer.torques(true, false);
      for (std::size_t k = 0; k < bias.size(); ++k) acceleration[k] = acceleration[k] - bias[k];
      solve(acceleration);
    }
    void solve(std::vector<Traced>& x) const { verne::VERNE_ISA::solve(n, before.data(), factors.data(), x.data()); }

    int n;
    std::vector<Traced> factors;
    std::vector<int> before;
    std::vector<Traced> acceleration;
  };

  /// How the positions change when velocity k of the model is one, and everything else rests.
  Rates rates_of_positions(int k) const {
    Rates rates;
    for_each_own_joint(tree(), [&](const TreeBody& b, int iq, int iv) {
      const JointShape shape = shape_of(b.kind);
      if (k < iv || k >= iv + shape.nv) return;
      const std::vector<Traced> q = inputs_of(kPositions, model_.nq());
      const auto set = [&](int i, const Traced& rate) {
        rates[q[static_cast<std::size_t>(iq + i)].term().node] = rate.term();
      };
      if (!shape.has_quaternion()) return set(0, Traced(1.0));
      const Traced* const own = q.data() + iq + shape.quaternion();
      const int axis = (k - iv) % 3;
      if (k - iv < shape.slides) {
        const Vec3<Traced> speed = rotation_of_quaternion(own).column(axis);
        for (int i = 0; i < 3; ++i) set(i, speed[i]);
        return;
      }
      // Half the quaternion times the turning rate, a vector in body axes.
      const Vec3<Traced> half{Traced(axis == 0 ? 0.5 : 0), Traced(axis == 1 ? 0.5 : 0), Traced(axis == 2 ? 0.5 : 0)};
      const Vec3<Traced> vector = Vec3<Traced>::load(own), rate = half * own[3] + cross(vector, half);
      for (int i = 0; i < 3; ++i) set(shape.quaternion() + i, rate[i]);
      set(shape.quaternion() + 3, -dot(vector, half));
    });
    return rates;
  }
  static Rates rates_of_velocities(int k) {
    Graph& graph = Tracing::graph();
    return {{graph.input(kVelocities, k).node, graph.constant(1)}};
  }

  /// Column after column of ∂x/∂q or ∂x/∂v; `fixed` does not change.
  template <class Direction>
  std::vector<Traced> columns_of(const std::vector<Traced>& x, const Direction& direction,
                                 const std::vector<Traced>& fixed = {}) {
    std::vector<Term> terms;
    for (const Traced& entry : x) terms.push_back(entry.term());
    std::vector<Traced> columns;
    for (int k = 0; k < nv(); ++k) {
      Rates rates = direction(k);
      for (const Traced& entry : fixed) rates.emplace(entry.term().node, trace_.graph.constant(0));
      for (const Term& rate : rates_of(trace_.graph, terms, rates)) columns.emplace_back(rate);
    }
    return columns;
  }

  void torque_derivatives() {
    const std::vector<Traced> tau = torques(true, true);
    put_columns("dq", nv(), columns_of(tau, [&](int k) { return rates_of_positions(k); }));
    put_columns("dv", nv(), columns_of(tau, rates_of_velocities));
    put("da", nv(), nv(), reduced_mass_matrix());
  }

  /// What the torques would change by at a fixed acceleration, with M a to make up for it.
  void acceleration_derivatives() {
    const Solved solved(*this);
    TracedState motion = state(true, false);
    for (int k = 0; k < tree().nv; ++k) {
      const TreeCoupling& c = tree().v_coupling[k];
      motion.a[static_cast<std::size_t>(k)] = solved.acceleration[static_cast<std::size_t>(c.source)] * c.ratio;
    }
    const std::vector<Traced> tau = torques_of(motion);
    const auto made_up = [&](std::vector<Traced> columns) {
      const std::size_t n = static_cast<std::size_t>(nv());
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<Traced> x;
        for (std::size_t i = 0; i < n; ++i) x.push_back(-columns[j * n + i]);
        solved.solve(x);
        std::copy(x.begin(), x.end(), columns.begin() + static_cast<std::ptrdiff_t>(j * n));
      }
      return columns;
    };
    const auto by_position = [&](int k) { return rates_of_positions(k); };
    put_columns("dq", nv(), made_up(columns_of(tau, by_position, solved.acceleration)));
    put_columns("dv", nv(), made_up(columns_of(tau, rates_of_velocities, solved.acceleration)));
    std::vector<Traced> inverse(static_cast<std::size_t>(nv() * nv()));
    invert(nv(), solved.before.data(), solved.factors.data(), inverse.data(), nv());
    put("dtau", nv(), nv(), inverse);
  }

  void put(const std::string& name, int rows, int columns, const std::vector<Traced>& values) {
    TracedOutput output{name, rows, columns, {}};
    for (const Traced& x : values) output.values.push_back(x.term());
    trace_.outputs.push_back(std::move(output));
  }
  /// From column-major values.
  void put_columns(const std::string& name, int rows, const std::vector<Traced>& values) {
    const int columns = static_cast<int>(values.size()) / rows;
    std::vector<Traced> by_row;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) by_row.push_back(values[static_cast<std::size_t>(j * rows + i)]);
    }
    put(name, rows, columns, by_row);
  }

  const Model& model_;
  ParallelAxes axes_;
  Trace trace_;
  Tracing tracing_;
  TracedModel traced_;
};

Trace trace_with(const Model& model, const Want& want, const ParameterOptions& options, ParallelAxes axes) {
  return Tracer(model, want, options, axes).run();
}

}  // namespace

Want parse_want(const std::string& word, const Model& model) {
  const WantedQuantity wanted = wanted_quantity(word, model, "codegen", kKnownCode);
  const std::string name = info_of(wanted.quantity).name;
  if (wanted.site < 0) return {wanted.quantity, name};
  return {wanted.quantity, name + "_" + identifier(model.site_name(wanted.site)), wanted.site};
}

Trace trace(const Model& model, const Want& want, const ParameterOptions& options) {
  if (options.symbolic && !info_of(want.quantity).is_known(kKnownSymbolic)) {
    throw InputError("codegen: " + std::string(info_of(want.quantity).name) +
                     " is known with numeric parameters only; leave it out, or --parameters symbolic");
  }
  if (want.quantity == Quantity::acceleration || want.quantity == Quantity::d_acceleration) {
    require_invertible("codegen", model);
  }
  // Which zeros meet is not known beforehand: the shortest of the ways that give the same.
  std::vector<Trace> ways;
  for (const ParallelAxes axes : {ParallelAxes::one_by_one, ParallelAxes::summed}) {
    ways.push_back(trace_with(model, want, options, axes));
    if (options.grouped && !options.symbolic) ways.push_back(trace_with(model, want, {.grouped = false}, axes));
  }
  const auto operations = [](const Trace& way) { return Schedule::counts_of(way).total(); };
  return std::move(*std::min_element(ways.begin(), ways.end(),
                                     [&](const Trace& x, const Trace& y) { return operations(x) < operations(y); }));
}

}  // namespace verne::codegen
