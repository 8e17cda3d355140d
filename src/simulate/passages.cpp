#include "simulate/passages.h"

#include <optional>
#include <utility>

#include "structures/singularity_crossing.h"

namespace verne {

namespace {

/// States that are remembered: steps are tried again from the last of them, or the one before.
constexpr std::size_t kRegularStates = 4;

}  // namespace

void Passages::restart(double t, const std::vector<double>& y, MotionEquations& motion) {
  regular_.clear();
  if (motion.model().loops().empty()) return;
  std::vector<double> copy = y;
  if (motion.project(t, copy) && !motion.at_singularity()) regular_.push_back({t, motion.completed_equations({})});
}

void Passages::see(double t, MotionEquations& motion) {
  if (motion.model().loops().empty()) return;
  while (!times_.empty() && times_.back() >= t) times_.pop_back(), was_singular_ = false;
  while (!regular_.empty() && regular_.back().t >= t) regular_.pop_back();
  const bool is_singular = motion.at_singularity();
  if (is_singular && !was_singular_) times_.push_back(t);
  was_singular_ = is_singular;
  if (is_singular) return;
  Regular now{t, motion.completed_equations(regular_.empty() ? Eigen::MatrixXd() : regular_.back().equations)};
  if (!regular_.empty()) {
    const auto& [before, equations] = regular_.back();
    const bool is_told = !times_.empty() && times_.back() > before;
    const std::optional<double> part = is_told ? std::nullopt : singularity_crossing(equations, now.equations);
    if (part) times_.push_back(before + *part * (t - before));
  }
  regular_.push_back(std::move(now));
  if (regular_.size() > kRegularStates) regular_.erase(regular_.begin());
}

}  // namespace verne
