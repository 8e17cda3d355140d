/// Terms from code (verne/motion/term.h) among the others.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "motion/terms/at_places.h"
#include "motion/terms/channels.h"
#include "motion/terms/task_terms.h"
#include "verne/base/error.h"

namespace verne {

/// A term from code as one of a program. What its functions throw, and a number of channels that changes from call to
/// call, is an InputError that names the term.
class OwnTerm : public LimitTerm {
 public:
  OwnTerm(std::string name, std::string unit, std::unique_ptr<Term> term, Interval bounds = {}, double scale = 1);
  static std::unique_ptr<OwnTerm> cost(const CostSpec& cost, const Task& phase, ChannelLayout& layout);
  static std::unique_ptr<OwnTerm> limit(const OwnLimit& limit, const Task& phase, ChannelLayout& layout);

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int) const override { return {bounds_.lower / scale_, bounds_.upper / scale_}; }
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return bounds_; }
  double rate() const override { return 1 / scale_; }
  bool takes_many() const override { return true; }
  void announce(const double* u, int count) const override { found_.announce(u, count); }

 private:
  std::unique_ptr<Term> term_;
  Interval bounds_;
  double scale_;
  mutable TermAtPlaces found_;  // a program belongs to one thread
};

/// Limits from code of a phase that hold all the way, as equations or not; or at its start or end.
LimitTerms own_limits(const Task& phase, ChannelLayout& layout, When when, bool equations);

bool has_own_terms(const Task& task);
/// The key under which a task that solutions keep names them.
inline constexpr char kTermsFromCode[] = "terms_from_code";
/// The text of a task with one more entry at its top; "": none.
std::string with_entry(const std::string& text, const std::string& entry);
/// The text of a task with that key, if it has terms from code.
std::string text_with_own_terms(const Task& task);
/// What is wrong with a term from code, as an InputError that names it.
[[noreturn]] void refuse_term(const std::string& name, const std::string& why);
/// Runs code of the user's.
template <class Call>
auto guarded(const std::string& name, Call&& call) {
  try {
    return call();
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    refuse_term(name, error.what());
  } catch (...) {
    refuse_term(name, "its function threw something unknown");
  }
}

/// The entries of a place's numbers that channels stand for.
std::vector<int> places_of(const std::vector<Channel>& channels);
/// `size`: of what it read when it was added; 0: that is now.
std::unique_ptr<Term> made_own_term(const std::string& name, const TermFactory& factory, int size, const Task& phase,
                                    ChannelLayout& layout);
inline bool is_own(const CostSpec& cost) {
  return cost.from_code();
}
extern const CostType kOwnCost, kOwnCostAtEnd;

/// Calls visit(name, factory, size) with all terms from code of a phase.
template <class Visit>
void for_each_own_term(const Task& phase, Visit&& visit) {
  for (const CostSpec& cost : phase.costs) {
    if (is_own(cost)) visit(cost.name, cost.term, cost.term_size);
  }
  for (const OwnLimit& limit : phase.own_limits) visit(limit.spec.name, limit.term, limit.term_size);
}

}  // namespace verne
