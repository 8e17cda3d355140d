/// Terms from code (verne/motion/term.h) among the others.
#pragma once

#include <memory>
#include <string>

#include "motion/channels.h"
#include "motion/task_terms.h"

namespace verne {

/// A term from code as one of a program. What its functions throw, and a number of channels that changes from call to
/// call, is an InputError that names the term.
class OwnTerm : public LimitTerm {
 public:
  OwnTerm(std::string name, std::string unit, std::unique_ptr<Term> term, Interval bounds = {}, double scale = 1);
  static std::unique_ptr<OwnTerm> cost(const CostTask& cost, const Task& phase, ChannelLayout& layout);
  static std::unique_ptr<OwnTerm> limit(const OwnLimit& limit, const Task& phase, ChannelLayout& layout);

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int) const override { return {bounds_.lower / scale_, bounds_.upper / scale_}; }
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return bounds_; }
  double rate() const override { return 1 / scale_; }

 private:
  std::unique_ptr<Term> term_;
  Interval bounds_;
  double scale_;
  mutable std::vector<double> second_;  // derivatives; a program belongs to one thread
};

/// Limits from code of a phase that hold all the way, as equations or not; or at its start or end.
LimitTerms own_limits(const Task& phase, ChannelLayout& layout, When when, bool equations);

bool has_own_terms(const Task& task);
/// The key under which a task that solutions keep names them.
inline constexpr char kTermsFromCode[] = "terms_from_code";
/// The text of a task with that key, if it has terms from code.
std::string text_with_own_terms(const Task& task);
/// Compares the derivatives of all terms from code with differences at three places of a motion: InputError names the
/// term and the derivative that is wrong, or what is not a number.
void check_own_terms(const Task& task, const Trajectory& motion);

}  // namespace verne
