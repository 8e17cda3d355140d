#include "motion/guess/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/decompositions.h"
#include "motion/terms/task_terms.h"
#include "motion/values/node_values.h"
#include "structures/full_turns.h"

namespace verne {

namespace {

constexpr int kSearches = 24, kSteps = 100;
constexpr int kMostSearches = 240, kFewFreedoms = 12;                // as long as nothing is found, with few of these
constexpr double kSamePosture = 1e-6;                                // rad or m
constexpr double kReached = 1e-9;                                    // m and rad, of every row
constexpr double kFirstDamping = 1e-3, kLeast = 1e-12, kMost = 1e6;  // damping: too much of it means a dead end
constexpr double kProgress = 1e-4;                                   // of the sum of squares, in one step
constexpr int kMostIdle = 3;                                         // steps with less: a dead end, too

/// What rows of the terms of frames are outside of their bounds, at a posture.
class Miss {
 public:
  Miss(const Task& task, double fraction, const std::vector<const FrameGoalSpec*>& frames)
      : channels_(task.model), terms_(terms_of(task, fraction, frames, channels_)), values_(task.model, channels_, 1) {}

  /// Returns the largest, by size. With J: its derivatives.
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& miss, Eigen::MatrixXd* J) {
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(kStateOrders * q.size(), 1);
    z.topRows(q.size()) = q;
    values_.evaluate(z);
    if (J) values_.differentiate();
    int rows = 0;
    for (const auto& term : terms_) rows += term->rows();
    miss.setZero(rows);
    if (J) J->setZero(rows, q.size());
    int first = 0;
    for (const auto& term : terms_) {
      add(*term, q.size(), first, miss, J);
      first += term->rows();
    }
    return rows > 0 ? miss.cwiseAbs().maxCoeff() : 0;
  }

 private:
  static LimitTerms terms_of(const Task& task, double fraction, const std::vector<const FrameGoalSpec*>& frames,
                             ChannelLayout& channels) {
    LimitTerms all;
    for (const FrameGoalSpec* frame : frames) {
      for (auto& term : frame_posture_limits(task, *frame, channels)) all.push_back(std::move(term));
    }
    for (auto& term : closure_terms_at(task, channels, fraction)) all.push_back(std::move(term));
    return all;
  }

  void add(const LimitTerm& term, Eigen::Index nv, int first, Eigen::VectorXd& miss, Eigen::MatrixXd* J) const {
    const std::vector<int>& inputs = term.inputs();
    std::vector<double> u, rows(term.rows()), slopes(term.rows() * inputs.size());
    for (const int channel : inputs) u.push_back(values_.y()(channel, 0));
    term.value(u.data(), rows.data());
    if (J) term.jacobian(u.data(), slopes.data());
    Eigen::VectorXd gradient(kStateOrders * nv);
    for (int r = 0; r < term.rows(); ++r) {
      const Interval bounds = term.bounds(r);
      miss[first + r] = rows[r] - std::clamp(rows[r], bounds.lower, bounds.upper);
      if (!J || miss[first + r] == 0) continue;
      gradient.setZero();
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        values_.add_gradient(0, inputs[k], slopes[r * inputs.size() + k], gradient.data());
      }
      J->row(first + r) = gradient.head(nv).transpose();
    }
  }

  ChannelLayout channels_;
  LimitTerms terms_;
  NodeValues values_;
};

/// Damped Newton steps (Levenberg–Marquardt) on what is missed; freedoms at a bound that they would cross stay there.
bool search(Miss& miss, const std::vector<Interval>& bounds, Eigen::VectorXd& q) {
  const auto nv = q.size();
  Eigen::VectorXd r, next_r;
  Eigen::MatrixXd J;
  double damping = kFirstDamping;
  int idle = 0;
  for (int step = 0; step < kSteps && damping < kMost && idle < kMostIdle; ++step) {
    if (miss.at(q, r, &J) < kReached) return true;
    const Eigen::VectorXd slope = J.transpose() * r;
    for (Eigen::Index i = 0; i < nv; ++i) {
      if ((q[i] <= bounds[i].lower && slope[i] > 0) || (q[i] >= bounds[i].upper && slope[i] < 0)) J.col(i).setZero();
    }
    const Eigen::MatrixXd square = J.transpose() * J;
    for (; damping < kMost; damping *= 4) {
      Eigen::VectorXd next = q - positive_solution(square + damping * Eigen::MatrixXd::Identity(nv, nv), slope);
      for (Eigen::Index i = 0; i < nv; ++i) next[i] = std::clamp(next[i], bounds[i].lower, bounds[i].upper);
      miss.at(next, next_r, nullptr);
      if (next_r.squaredNorm() < r.squaredNorm()) {
        q = next;
        idle = next_r.squaredNorm() > (1 - kProgress) * r.squaredNorm() ? idle + 1 : 0;
        damping = std::max(damping / 4, kLeast);
        break;
      }
    }
  }
  return miss.at(q, r, nullptr) < kReached;
}

}  // namespace

void unwind(const Model& model, const std::vector<Interval>& bounds, const Eigen::VectorXd& wish, Eigen::VectorXd& q) {
  std::vector<Freedom> freedoms = freedoms_of(model);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    Freedom& freedom = freedoms[static_cast<std::size_t>(i)];
    freedom.lower = bounds[i].lower, freedom.upper = bounds[i].upper;
    q[i] = unwound(freedom, q[i], wish[i]);
  }
}

std::optional<Eigen::VectorXd> posture_near(const Task& task, const FrameGoalSpec& frame,
                                            const std::vector<Interval>& bounds, const Eigen::VectorXd& wish) {
  Miss miss(task, frame.when.at, {&frame});
  Eigen::VectorXd q = wish;
  return search(miss, bounds, q) ? std::optional(q) : std::nullopt;
}

std::vector<Eigen::VectorXd> postures_for(const Task& task, double fraction,
                                          const std::vector<const FrameGoalSpec*>& frames,
                                          const std::vector<Interval>& bounds, const Eigen::VectorXd& wish) {
  Miss miss(task, fraction, frames);
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<Eigen::VectorXd> found;
  // Other ways to assemble a mechanism, or to take hold of something, are not meant.
  const int searches = task.mechanism || !task.grips.empty() ? 1 : kSearches;
  const int most = task.mechanism ? 1 : task.model.nv() > kFewFreedoms ? kSearches : kMostSearches;
  for (int k = 0; k < searches || (found.empty() && k < most); ++k) {
    Eigen::VectorXd q = wish;
    const double far = k < searches ? M_PI : 2 * M_PI;  // from the wish: half a turn, unless there is nothing
    for (Eigen::Index i = 0; k > 0 && i < q.size(); ++i) {
      const double low = std::max(bounds[i].lower, wish[i] - far), high = std::min(bounds[i].upper, wish[i] + far);
      q[i] = low + (high - low) * uniform();
    }
    if (!search(miss, bounds, q)) continue;
    unwind(task.model, bounds, wish, q);
    const auto same = [&](const Eigen::VectorXd& other) { return (q - other).norm() < kSamePosture; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(q);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (a - wish).squaredNorm() < (b - wish).squaredNorm();
  });
  return found;
}

}  // namespace verne
