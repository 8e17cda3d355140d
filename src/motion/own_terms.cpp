#include "motion/own_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/number.h"
#include "motion/measuring.h"
#include "motion/phases.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

constexpr double kDifferenceStep = 6e-6;  // of 1 and of u: the cube root of the rounding of a double
constexpr double kDifferenceTolerance = 1e-4;

std::string list_of(const std::vector<Channel>& channels) {
  std::string list;
  for (const Channel& channel : channels) list += (list.empty() ? "" : ", ") + channel.name;
  return list;
}

std::vector<int> places_of(const std::vector<Channel>& channels) {
  std::vector<int> places;
  for (const Channel& channel : channels) {
    for (int k = 0; k < channel.size; ++k) places.push_back(channel.first + k);
  }
  return places;
}

/// The channel of a number of u, and which of several it is.
std::string entry_name(const std::vector<Channel>& channels, int k) {
  for (const Channel& channel : channels) {
    if (k < channel.size) return channel.size == 1 ? channel.name : fmt::format("{} ({})", channel.name, k + 1);
    k -= channel.size;
  }
  return "";
}

[[noreturn]] void refuse_term(const std::string& name, const std::string& why) {
  throw InputError("term " + in_quotes(name) + ": " + why);
}

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

/// `size`: of what it read when it was added; 0: that is now.
std::unique_ptr<Term> made_term(const std::string& name, const TermFactory& factory, int size, const Task& phase,
                                ChannelLayout& layout) {
  Channels channels(phase, layout);
  std::unique_ptr<Term> term = guarded(name, [&] { return factory(channels); });
  if (!term) refuse_term(name, "its factory made none");
  if (term->size() == 0) refuse_term(name, "it reads no channel");
  if (size > 0 && term->size() != size) {
    refuse_term(name, fmt::format("it read {} number{} when it was added, and reads {} now", size, size > 1 ? "s" : "",
                                  term->size()));
  }
  return term;
}

/// Compares the derivatives of a term with central differences wherever it is measured.
class ComparedTerm : public LimitTerm {
 public:
  ComparedTerm(std::string name, std::unique_ptr<Term> term)
      : LimitTerm({std::move(name), "", ""}, places_of(term->channels())), term_(std::move(term)) {}

  void value(const double*, double*) const override {}
  void jacobian(const double*, double*) const override {}
  void hessian(const double*, const double*, double*) const override {}
  Interval bounds(int) const override { return {}; }
  Interval measured_bounds() const override { return {}; }

  double measured(const double* at) const override {
    return guarded(name().kind, [&] { return compare(at); });
  }

 private:
  double compare(const double* at) const {
    const auto n = static_cast<std::size_t>(term_->size());
    std::vector<double> u(at, at + n), gradient(n), above(n), below(n), hessian(n * n);
    const double value = finite(term_->value(u.data()), "its value");
    term_->gradient(u.data(), gradient.data());
    term_->hessian(u.data(), hessian.data());
    for (std::size_t k = 0; k < n; ++k) {
      const double step = kDifferenceStep * std::max(1.0, std::abs(u[k]));
      const auto moved = [&](double by, std::vector<double>& slope) {
        u[k] = at[k] + by;
        const double there = term_->value(u.data());
        term_->gradient(u.data(), slope.data());
        return there;
      };
      const double difference = (moved(step, above) - moved(-step, below)) / (2 * step);
      u[k] = at[k];
      const int entry = static_cast<int>(k);
      require_near(gradient[k], difference, size_of(gradient) + std::abs(value), "derivative by " + of_entry(entry));
      for (std::size_t i = 0; i < n; ++i) {
        require_near(hessian[n * i + k], (above[i] - below[i]) / (2 * step), size_of(hessian) + size_of(gradient),
                     "second derivative by " + of_entry(static_cast<int>(i)) + " and " + of_entry(entry));
      }
    }
    return value;
  }
  std::string of_entry(int k) const { return entry_name(term_->channels(), k); }
  double finite(double value, const std::string& what) const {
    if (!std::isfinite(value)) refuse_term(name().kind, what + " is not a number on the way of the first guess");
    return value;
  }
  void require_near(double given, double difference, double size, const std::string& what) const {
    finite(given, "its " + what);
    if (!std::isfinite(difference) || std::abs(given - difference) <= kDifferenceTolerance * std::max(1.0, size))
      return;
    refuse_term(name().kind, fmt::format("its {} is {:.6g}, but {:.6g} by differences", what, given, difference));
  }
  static double size_of(const std::vector<double>& entries) {
    double size = 0;
    for (const double entry : entries) size = std::max(size, std::abs(entry));
    return size;
  }

  std::unique_ptr<Term> term_;
};

bool is_own(const CostTask& cost) {
  return cost.kind == CostKind::own || cost.kind == CostKind::own_at;
}

/// Calls visit(name, factory, size) with all terms from code of a phase.
template <class Visit>
void for_each_own_term(const Task& phase, Visit&& visit) {
  for (const CostTask& cost : phase.costs) {
    if (is_own(cost)) visit(cost.name, cost.term, cost.term_size);
  }
  for (const OwnLimit& limit : phase.own_limits) visit(limit.spec.name, limit.term, limit.term_size);
}

/// Every phase in which a name of a channel has to mean something, with a layout of its own.
template <class Visit>
void for_each_phase(const Task& task, Visit&& visit) {
  const std::vector<int> spans = phase_of_spans(task);
  for (const Stage& stage : stages(task, spans)) {
    ChannelLayout layout =
        channels_of(stage.task, stage.spans, Eigen::VectorXd::Ones(static_cast<int>(spans.size())), 0);
    visit(stage.task, layout);
  }
}

void require_new_name(const Task& task, const std::string& name) {
  if (name.empty()) throw InputError("a term from code has no name");
  std::vector<std::string> known;
  for_each_own_term(task, [&](const std::string& other, const TermFactory&, int) { known.push_back(other); });
  if (std::find(known.begin(), known.end(), name) != known.end()) refuse_term(name, "there is one of this name");
}

}  // namespace

Term::Term(std::vector<Channel> channels) : channels_(std::move(channels)) {
  for (const Channel& channel : channels_) size_ += channel.size;
}
Term::~Term() = default;

OwnTerm::OwnTerm(std::string name, std::string unit, std::unique_ptr<Term> term, Interval bounds, double scale)
    : LimitTerm({std::move(name), list_of(term->channels()), std::move(unit)}, places_of(term->channels())),
      term_(std::move(term)),
      bounds_(bounds),
      scale_(scale),
      second_(inputs().size() * inputs().size()) {}

std::unique_ptr<OwnTerm> OwnTerm::cost(const CostTask& cost, const Task& phase, ChannelLayout& layout) {
  return std::make_unique<OwnTerm>(cost.name, "", made_term(cost.name, cost.term, cost.term_size, phase, layout));
}
std::unique_ptr<OwnTerm> OwnTerm::limit(const OwnLimit& limit, const Task& phase, ChannelLayout& layout) {
  const LimitTermSpec& spec = limit.spec;
  return std::make_unique<OwnTerm>(
      spec.name, spec.unit, made_term(spec.name, limit.term, limit.term_size, phase, layout), spec.bounds, spec.scale);
}

double OwnTerm::measured(const double* u) const {
  return guarded(name().kind, [&] { return term_->value(u); });
}
void OwnTerm::value(const double* u, double* rows) const {
  rows[0] = measured(u) / scale_;
}
void OwnTerm::jacobian(const double* u, double* J) const {
  guarded(name().kind, [&] { term_->gradient(u, J); });
  for (std::size_t k = 0; k < inputs().size(); ++k) J[k] /= scale_;
}
void OwnTerm::hessian(const double* u, const double* multipliers, double* H) const {
  guarded(name().kind, [&] { term_->hessian(u, second_.data()); });
  for (std::size_t k = 0; k < second_.size(); ++k) H[k] += multipliers[0] / scale_ * second_[k];
}

LimitTerms own_limits(const Task& phase, ChannelLayout& layout, When when, bool equations) {
  LimitTerms terms;
  for (const OwnLimit& limit : phase.own_limits) {
    if (limit.spec.when != when || limit.spec.bounds.fixed() != equations) continue;
    terms.push_back(OwnTerm::limit(limit, phase, layout));
  }
  return terms;
}

bool has_own_terms(const Task& task) {
  return !task.own_limits.empty() || std::any_of(task.costs.begin(), task.costs.end(), is_own);
}

std::string text_with_own_terms(const Task& task) {
  std::string names;
  for_each_own_term(
      task, [&](const std::string& name, const TermFactory&, int) { names += (names.empty() ? "" : ", ") + name; });
  if (names.empty()) return task.text;
  return task.text + (task.text.ends_with('\n') ? "" : "\n") + kTermsFromCode + ": [" + names + "]\n";
}

void check_own_terms(const Task& task, const Trajectory& motion) {
  for (const Stage& stage : stages(task, phase_of_spans(task))) {
    const auto terms = [&](ChannelLayout& layout) {
      LimitTerms all;
      for_each_own_term(stage.task, [&](const std::string& name, const TermFactory& factory, int size) {
        all.push_back(std::make_unique<ComparedTerm>(name, made_term(name, factory, size, stage.task, layout)));
      });
      return all;
    };
    const auto place = [&](double fraction) { return stage.spans.place(motion, fraction); };
    Measuring(stage.task, motion, stage.spans, terms).at({place(0.2), place(0.5), place(0.9)});
  }
}

void Task::add_cost(CostTermSpec spec, TermFactory term) {
  require_new_name(*this, spec.name);
  if (!std::isfinite(spec.weight)) refuse_term(spec.name, "its weight is not a number");
  CostTask cost;
  cost.kind = spec.over == Over::time ? CostKind::own : CostKind::own_at;
  cost.at_start = spec.over == Over::start;
  cost.weight = spec.weight;
  cost.scale.assign(static_cast<std::size_t>(model.nv()), 0.0);
  cost.name = std::move(spec.name);
  cost.term = std::move(term);
  for_each_phase(*this, [&](const Task& phase, ChannelLayout& layout) {
    cost.term_size = static_cast<int>(OwnTerm::cost(cost, phase, layout)->inputs().size());
  });
  costs.push_back(std::move(cost));
}

void Task::add_limit(LimitTermSpec spec, TermFactory term) {
  require_new_name(*this, spec.name);
  if (!spec.bounds.bounded() || !(spec.bounds.lower <= spec.bounds.upper)) {
    refuse_term(spec.name, fmt::format("expected bounds, the lower one first, found {} and {}", spec.bounds.lower,
                                       spec.bounds.upper));
  }
  if (!(spec.scale > 0 && std::isfinite(spec.scale))) refuse_term(spec.name, "its scale has to be positive");
  std::vector<std::string> names;
  for (const PhaseTask& phase : phases) names.push_back(phase.name);
  if (!spec.phase.empty() && std::find(names.begin(), names.end(), spec.phase) == names.end()) {
    refuse_term(spec.name, "there is no phase " + in_quotes(spec.phase) + suggestion(spec.phase, names));
  }
  Task with = *this;
  with.own_limits = {OwnLimit{std::move(spec), std::move(term)}};
  OwnLimit& added = with.own_limits.front();
  for_each_phase(with, [&](const Task& phase, ChannelLayout& layout) {
    for (OwnLimit limit : phase.own_limits) {
      limit.term_size = added.term_size;
      added.term_size = static_cast<int>(OwnTerm::limit(limit, phase, layout)->inputs().size());
    }
  });
  own_limits.push_back(std::move(with.own_limits.front()));
}

}  // namespace verne
