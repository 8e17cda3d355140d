#include "codegen/closed_trace.h"

#include <algorithm>

#include "codegen/recursions.h"
#include "codegen/schedule.h"
#include "structures/elimination.h"
#include "structures/kernels/cluster_dynamics.h"
#include "structures/kernels/cluster_reactions.h"
#include "structures/single_closing.h"

namespace verne::codegen {

namespace {

/// One trace in the making, by the kernels' own texts.
class ClosedTracer {
 public:
  ClosedTracer(const ClosedSubject& subject, const Want& want, ParallelAxes axes)
      : c_(subject.mechanism.contents()),
        model_(c_.model),
        axes_(axes),
        tracing_(trace_.graph),
        traced_(model_.tree(), {.grouped = want.quantity == Quantity::tau}),
        elimination_(c_),
        plan_(elimination_.plan()),
        loops_(plan_.loops, plan_.loops + plan_.loop_count) {
    for (std::size_t k = 0; k < subject.contacts.size(); ++k) loops_[loops_.size() - 1 - k].held = true;
    plan_.loops = loops_.data();
    trace_.want = want;
    trace_.inputs = {{"q", model_.nq()}, {"v", model_.nv()}};
    const bool direct = want.quantity == Quantity::acceleration || want.quantity == Quantity::loop_wrenches;
    if (direct) {
      trace_.inputs.push_back({"tau", plan_.actuated_count});
    } else {
      trace_.inputs.push_back({"a", model_.nv()});
    }
    q_ = inputs(kPositions, model_.nq()), v_ = inputs(kVelocities, model_.nv());
    third_ = inputs(kThird, trace_.inputs.back().size);
    kernel_scratch_.resize(static_cast<std::size_t>(scratch_size(tree())));
    direct ? forward() : inverse();
  }

  Trace take() { return std::move(trace_); }

 private:
  const Tree& tree() const { return traced_.tree; }
  Scratch<Traced> scratch() { return {kernel_scratch_.data(), static_cast<long>(kernel_scratch_.size())}; }
  static std::vector<Traced> inputs(int array, int count) {
    std::vector<Traced> out;
    for (int k = 0; k < count; ++k) out.emplace_back(Tracing::graph().input(array, k));
    return out;
  }
  std::vector<Traced> memory() const {
    return std::vector<Traced>(
        static_cast<std::size_t>(cluster_memory(*plan_.clusters, plan_.value_count, plan_.rank, plan_.free_count)));
  }
  Inputs<Traced> state(const std::vector<Traced>& a) const {
    Inputs<Traced> in;
    in.q = q_.data(), in.v = v_.data(), in.a = a.data();
    return in;
  }
  std::vector<Traced> torques_of(const std::vector<Traced>& a) const {
    return inverse_dynamics(traced_, {q_, v_, a}, axes_);
  }

  void forward() {
    std::vector<Traced> a(static_cast<std::size_t>(tree().nv)), room = memory();
    const std::vector<Traced> none(a.size(), Traced(0.0));
    const Traced quality =
        ClusterDynamics<Traced>(tree(), plan_, room.data()).forward(state(none), third_.data(), a.data(), scratch());
    put("acceleration", 1, a);
    if (trace_.want.quantity == Quantity::loop_wrenches) put_wrenches(a, torques_of(a), third_, false);
    put("quality", 1, {quality});
  }

  void inverse() {
    const std::vector<Traced> torques = torques_of(third_);
    std::vector<Traced> tau(static_cast<std::size_t>(plan_.free_count)), room = memory();
    const Traced quality = ClusterReactions<Traced>(tree(), plan_, room.data())
                               .balance(state(third_), torques.data(), tau.data(), scratch());
    put("tau", 1, tau);
    if (trace_.want.quantity == Quantity::joint_wrenches) put_wrenches(third_, torques, tau, true);
    put("quality", 1, {quality});
  }

  void put_wrenches(const std::vector<Traced>& a, const std::vector<Traced>& torques, const std::vector<Traced>& tau,
                    bool of_joints) {
    std::vector<LoadSite> sites;
    put_load_sites(c_.layout, sites);
    std::vector<Traced> wrenches(6 * loops_.size()), loads(9 * sites.size()), room = memory();
    ClusterReactions<Traced>(tree(), plan_, room.data())
        .reactions(state(a), torques.data(), tau.data(), wrenches.data(), loads.data(), scratch());
    put("loop_wrenches", 6, wrenches);
    if (!of_joints) return;
    Inputs<Traced> in = state(a);
    in.load_count = static_cast<int>(sites.size()), in.load_sites = sites.data(), in.load_values = loads.data();
    std::vector<Traced> unused(torques.size()), joints(6 * static_cast<std::size_t>(tree().joint_count));
    Algorithms<Traced>::inverse_dynamics(tree(), in, unused.data(), joints.data(), scratch());
    put("joint_wrenches", 6, joints);
  }

  /// From column-major values.
  void put(const std::string& name, int rows, const std::vector<Traced>& values) {
    const bool vector = rows == 1;
    const int columns = static_cast<int>(values.size()) / rows;
    TracedOutput output{name, vector ? columns : rows, vector ? 1 : columns, {}};
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) output.values.push_back(values[static_cast<std::size_t>(j * rows + i)].term());
    }
    trace_.outputs.push_back(std::move(output));
  }

  const Mechanism::Contents& c_;
  const Model& model_;
  ParallelAxes axes_;
  Trace trace_;
  Tracing tracing_;
  TracedModel traced_;
  Elimination elimination_;
  ClosingPlan plan_;
  std::vector<ClosingLoop> loops_;
  std::vector<Traced> q_, v_, third_, kernel_scratch_;
};

}  // namespace

Trace trace_closed(const ClosedSubject& subject, const Want& want) {
  const bool inverse = want.quantity == Quantity::tau || want.quantity == Quantity::joint_wrenches;
  if (!inverse && want.quantity != Quantity::acceleration && want.quantity != Quantity::loop_wrenches) {
    throw InputError("codegen: " + want.name +
                     " is not known as code for closed loops or held contacts; known are tau, joint_wrenches, "
                     "acceleration, loop_wrenches");
  }
  const Mechanism& m = subject.mechanism;
  if (inverse && !subject.contacts.empty()) {
    throw InputError(
        "codegen: " + want.name +
        " while contacts are held is a choice among many torques; acceleration and loop_wrenches are known");
  }
  if (inverse && !std::ranges::equal(m.actuated(), m.independent())) {
    throw InputError("codegen: " + want.name + " of this mechanism is no straight-line code: its motors (" +
                     std::to_string(m.actuated().size()) + ") are not its independent coordinates (" +
                     std::to_string(m.mobility()) + "); acceleration and loop_wrenches are");
  }
  std::vector<Trace> ways;
  for (const ParallelAxes axes : {ParallelAxes::one_by_one, ParallelAxes::summed}) {
    ways.push_back(ClosedTracer(subject, want, axes).take());
  }
  const auto operations = [](const Trace& way) { return Schedule::counts_of(way).total(); };
  return std::move(*std::min_element(ways.begin(), ways.end(),
                                     [&](const Trace& x, const Trace& y) { return operations(x) < operations(y); }));
}

}  // namespace verne::codegen
