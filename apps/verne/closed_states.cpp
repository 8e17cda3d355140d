#include "closed_states.h"

#include <algorithm>

#include "verne/base/error.h"

namespace verne::cli {

namespace {

/// As for an interactive user: more would be computed in vain.
constexpr int kFewLines = 16;

Eigen::Map<const Eigen::VectorXd> column_of(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

bool is_found_with_others(Quantity quantity) {
  switch (quantity) {
    case Quantity::joint_wrenches:
    case Quantity::loop_wrenches:
    case Quantity::d_tau:
    case Quantity::d_acceleration:
    case Quantity::d_joint_wrenches:
    case Quantity::d_loop_wrenches:
      return true;
    default:
      return false;
  }
}

}  // namespace

ClosedStates::ClosedStates(const System& system, const std::vector<Want>& wants, int capacity)
    : system_(system), wanted_{"tree"}, capacity_(capacity) {
  if (system.given() || std::ranges::any_of(wants, is_found_with_others, &Want::quantity)) return;
  for (const Want& want : wants) {
    if (want.quantity == Quantity::tau || want.quantity == Quantity::acceleration) wanted_.push_back(want.key);
  }
}

Evaluation& ClosedStates::evaluation_for(std::size_t lines) {
  const bool few = lines <= kFewLines;
  std::optional<Evaluation>& evaluation = few ? few_ : many_;
  if (!evaluation) evaluation.emplace(system_, wanted_, few ? kFewLines : capacity_);
  return *evaluation;
}

void ClosedStates::compute(std::span<const StateLine> lines) {
  known_.assign(lines.size(), 0), plain_.assign(lines.size(), 0);
  if (lines.empty()) return;
  Evaluation& evaluation = evaluation_for(lines.size());
  SystemBatch& states = evaluation.states();
  const Values home = system_.mechanism().home(), free_home = system_.mechanism().independent_home();
  if (states.guess.empty()) states.guess = LaneArray(system_.model().nq(), states.count(), states.tree().lanes());
  for (int k = 0; k < states.count(); ++k) {
    const bool known = static_cast<std::size_t>(k) < lines.size() && !lines[static_cast<std::size_t>(k)].of_tree;
    if (!known) {
      states.q().set(k, free_home.eigen()), states.guess.set(k, home.eigen());
      states.v().column(k).setZero(), states.a().column(k).setZero(), states.tau().column(k).setZero();
      continue;
    }
    const StateLine& line = lines[static_cast<std::size_t>(k)];
    states.q().set(k, column_of(line.q)), states.v().set(k, column_of(line.v)), states.a().set(k, column_of(line.a));
    states.tau().set(k, column_of(line.tau));
    if (line.guess.empty()) {
      states.guess.set(k, home.eigen());
    } else {
      states.guess.set(k, column_of(line.guess));
    }
    known_[static_cast<std::size_t>(k)] = 1;
    plain_[static_cast<std::size_t>(k)] = line.loads.empty() && line.contacts.empty() && line.weights.empty();
  }
  try {
    evaluation.compute();
  } catch (const InputError&) {
    known_.assign(lines.size(), 0);
    return;
  }
  used_ = &evaluation;
  connected_.assign(states.connected().begin(), states.connected().end());
}

std::optional<ClosedStates::Line> ClosedStates::line(std::size_t k) const {
  if (k >= known_.size() || !known_[k]) return std::nullopt;
  return Line{this, static_cast<int>(k)};
}

std::optional<std::size_t> ClosedStates::place_of(Quantity quantity) const {
  for (std::size_t k = 1; k < wanted_.size(); ++k) {
    if (used_->wants()[k].quantity == quantity) return k;
  }
  return std::nullopt;
}

bool ClosedStates::Line::connected() const {
  return all->connected_[static_cast<std::size_t>(place)] != 0;
}

bool ClosedStates::Line::has(Quantity quantity) const {
  return all->plain_[static_cast<std::size_t>(place)] != 0 && all->place_of(quantity).has_value();
}

Values ClosedStates::Line::of(Quantity quantity) const {
  return numbers(all->place_of(quantity).value(), 0);
}

Values ClosedStates::Line::numbers(std::size_t want, std::size_t array) const {
  const QuantityArray& from = all->used_->arrays(want)[array];
  Values out;
  out.resize(from.size());
  from.copy(place, 1, out.data());
  return out;
}

}  // namespace verne::cli
