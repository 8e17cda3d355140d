#include "line_evaluator.h"

#include <algorithm>
#include <utility>

#include "quantity_json.h"
#include "state_lines.h"
#include "verne/base/error.h"

namespace verne::cli {

namespace {

/// States that are computed together: enough to fill lanes and hide overheads, few enough for the cache; and where
/// there are few, from a slow writer or an interactive user, no more than pays.
constexpr std::size_t kMostStates = 256, kFewStates = 16;
/// Each load of a state may need room in every state that is computed with it.
constexpr std::size_t kMostLoads = 1024;
/// Lines may hold any contacts: memory for more kinds of them is not kept.
constexpr std::size_t kMostGroups = 16;

Eigen::Map<const Eigen::VectorXd> column_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// What compiled code computes, in the place of the batch's functions.
void compute_compiled(const CompiledModel& code, Quantity quantity, SystemBatch& states) {
  Batch& batch = states.tree();
  switch (quantity) {
    case Quantity::tau:
      return code.inverse_dynamics(batch);
    case Quantity::acceleration:
      return code.forward_dynamics(batch);
    case Quantity::bias:
      code.bias_torques(batch);
      return std::swap(batch.bias, states.bias);
    case Quantity::gravity:
      code.gravity_torques(batch);
      return std::swap(batch.gravity, states.gravity);
    case Quantity::mass_matrix:
      code.mass_matrix(batch);
      return std::swap(batch.mass_matrix, states.mass_matrix);
    case Quantity::d_tau:
      return code.inverse_dynamics_derivatives(batch, states.d_tau);
    case Quantity::d_acceleration:
      return code.forward_dynamics_derivatives(batch, states.d_acceleration);
    default:
      throw InputError("--compiled does not know " + std::string(info_of(quantity).name));
  }
}

}  // namespace

LineEvaluator::LineEvaluator(const System& system, std::vector<Want> wants, std::optional<CompiledModel> compiled)
    : system_(system), wants_(std::move(wants)), compiled_(std::move(compiled)) {
  for (const Want& want : wants_) {
    if (info_of(want.quantity).is_known(kKnownArrays)) array_wants_.push_back(want.key);
  }
}

void LineEvaluator::require_known(const StateLine& line) const {
  if (system_.given() && !line.contacts.empty()) throw InputError("contacts: are not known together with --given");
  if (system_.given() && !line.weights.empty()) throw InputError("weights: have no meaning together with --given");
  if (compiled_ && !line.loads.empty()) throw InputError("loads: are not known to --compiled");
  if (compiled_ && !line.contacts.empty()) throw InputError("contacts: are not known to --compiled");
}

LineEvaluator::Group& LineEvaluator::group_of(const Kind& kind) {
  const auto known = groups_.find(kind);
  if (known != groups_.end()) return known->second;
  if (groups_.size() >= kMostGroups) groups_.clear();
  System held = kind.contacts.empty() ? system_ : system_.holding(kind.contacts);
  SystemData data(held);
  return groups_.emplace(kind, Group{std::move(held), std::move(data)}).first->second;
}

Evaluation& LineEvaluator::evaluation_for(Group& group, std::size_t lines) {
  const auto room = static_cast<int>(lines == 1 ? 1 : lines <= kFewStates ? kFewStates : kMostStates);
  const auto known = group.evaluations.find(room);
  if (known != group.evaluations.end()) return known->second;
  Evaluation made(group.system, array_wants_, room);
  if (compiled_) {
    made.compute_by(
        [code = *compiled_](Quantity quantity, SystemBatch& states) { compute_compiled(code, quantity, states); });
  }
  return group.evaluations.emplace(room, std::move(made)).first->second;
}

void LineEvaluator::answer(std::span<const StateLine> lines, std::span<LineAnswer> answers) {
  std::map<Kind, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      require_known(lines[i]);
    } catch (const InputError&) {
      answers[i].failure = std::current_exception();
      break;
    }
    const bool joined = !system_.model().loops().empty() || !lines[i].contacts.empty();
    places[{lines[i].contacts, joined && !lines[i].weights.empty(), joined && !lines[i].loads.empty()}].push_back(i);
  }
  for (const auto& [kind, own] : places) answer_group(group_of(kind), lines, own, answers);
}

void LineEvaluator::answer_group(Group& group, std::span<const StateLine> lines, const std::vector<std::size_t>& places,
                                 std::span<LineAnswer> answers) {
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    std::size_t loads = 0;
    do {
      loads += lines[places[end++]].loads.size();
    } while (end < places.size() && end - begin < kMostStates && loads + lines[places[end]].loads.size() <= kMostLoads);
    const std::span<const std::size_t> now = std::span(places).subspan(begin, end - begin);
    answer_together(group, lines, now, answers);
    if (std::ranges::any_of(now, [&](std::size_t i) { return answers[i].failure != nullptr; })) return;
  }
}

void LineEvaluator::answer_together(Group& group, std::span<const StateLine> lines, std::span<const std::size_t> places,
                                    std::span<LineAnswer> answers) {
  Evaluation& evaluation = evaluation_for(group, places.size());
  set_states(evaluation, lines, places);
  try {
    evaluation.compute();
    for (std::size_t k = 0; k < places.size(); ++k) {
      append(group, evaluation, static_cast<int>(k), answers[places[k]]);
    }
  } catch (const InputError&) {
    if (places.size() == 1) {
      answers[places[0]].failure = std::current_exception();
      return;
    }
    for (std::size_t k = 0; k < places.size(); ++k) {  // those before are answered
      answer_together(group, lines, places.subspan(k, 1), answers);
      if (answers[places[k]].failure) return;
    }
  }
}

void LineEvaluator::set_states(Evaluation& evaluation, std::span<const StateLine> lines,
                               std::span<const std::size_t> places) const {
  SystemBatch& states = evaluation.states();
  const Model& model = system_.model();
  const bool closed = !model.loops().empty();
  const bool loaded = std::ranges::any_of(places, [&](std::size_t i) { return !lines[i].loads.empty(); });
  std::vector<Loads<double>> loads;
  const Values home = closed ? system_.mechanism().home() : Values();
  if (closed && states.guess.empty()) states.guess = LaneArray(model.nq(), states.count(), states.tree().lanes());
  for (std::size_t place = 0; place < places.size(); ++place) {
    const StateLine& line = lines[places[place]];
    const auto k = static_cast<int>(place);
    if (closed) states.guess.set(k, line.guess.empty() ? home.eigen() : column_of(line.guess));
    if (line.of_tree) {
      states.set_tree(k, column_of(line.q), column_of(line.v), column_of(line.a));
    } else {
      states.q().set(k, column_of(line.q)), states.v().set(k, column_of(line.v)), states.a().set(k, column_of(line.a));
    }
    states.tau().set(k, column_of(line.tau));
    if (loaded) loads.push_back(loads_of(line));
    if (line.weights.empty() || states.system().closures() == 0) continue;
    state_input("weights").rows(states).set(k, column_of(line.weights));
  }
  evaluation.set_loads(loads);
}

void LineEvaluator::append(Group& group, const Evaluation& evaluation, int state, LineAnswer& out) {
  json_.clear();
  json_.begin_object();
  std::size_t array = 0;
  for (const Want& want : wants_) {
    const int nulls_before = json_.nulls();
    json_.key(want.key);
    if (info_of(want.quantity).is_known(kKnownArrays)) {
      append_quantity(evaluation, array++, state, json_);
    } else {
      append_special(want.quantity, group.system, group.data, evaluation.states().tree().q.get(state), json_);
    }
    if (json_.nulls() > nulls_before) out.not_finite.push_back(want.key);
  }
  json_.end_object();
  out.text = json_.text();
  out.text += '\n';
  out.connected = evaluation.states().connected()[static_cast<std::size_t>(state)] != 0;
}

}  // namespace verne::cli
