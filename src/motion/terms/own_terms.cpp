#include "motion/terms/own_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/number.h"
#include "motion/curve/phases.h"
#include "motion/terms/limits/joint_limit.h"
#include "motion/terms/task_terms.h"
#include "verne/io/json_writer.h"

namespace verne {

namespace {

std::string list_of(const std::vector<Channel>& channels) {
  std::string list;
  for (const Channel& channel : channels) list += (list.empty() ? "" : ", ") + channel.name;
  return list;
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

bool is_of_format(const std::string& name) {
  return std::ranges::any_of(costs_in_files(), [&](const CostType* cost) { return name == cost->name; }) ||
         std::ranges::any_of(joint_limits(), [&](const JointLimit* limit) { return name == limit->kind().name; });
}

/// What can be said of a term before it is made.
void require_sound(const Task& task, const std::string& name, const TermFactory& factory) {
  if (name.empty()) throw InputError("a term from code has no name");
  if (!factory) refuse_term(name, "it has no function that makes it");
  for_each_own_term(task, [&](const std::string& other, const TermFactory&, int) {
    if (other == name) refuse_term(name, "there is one of this name");
  });
  if (is_of_format(name))
    refuse_term(name, "tasks have a cost or limit of this name, which reports could not tell from it");
}

}  // namespace

std::vector<int> places_of(const std::vector<Channel>& channels) {
  std::vector<int> places;
  for (const Channel& channel : channels) {
    for (int k = 0; k < channel.size; ++k) places.push_back(channel.first + k);
  }
  return places;
}

[[noreturn]] void refuse_term(const std::string& name, const std::string& why) {
  throw InputError("term " + in_quotes(name) + ": " + why);
}

std::unique_ptr<Term> made_own_term(const std::string& name, const TermFactory& factory, int size, const Task& phase,
                                    ChannelLayout& layout) {
  Channels channels(phase, layout);
  std::unique_ptr<Term> term = guarded(name, [&] {
    try {
      return factory(channels);
    } catch (const InputError& error) {  // of a channel
      refuse_term(name, error.problems().front().text);
    }
  });
  if (!term) refuse_term(name, "its factory made none");
  if (term->size() == 0) refuse_term(name, "it reads no channel");
  if (size > 0 && term->size() != size) {
    refuse_term(name, fmt::format("it read {} number{} when it was added, and reads {} now", size, size > 1 ? "s" : "",
                                  term->size()));
  }
  return term;
}

Term::Term(std::vector<Channel> channels) : channels_(std::move(channels)) {
  for (const Channel& channel : channels_) size_ += channel.size;
}
Term::~Term() = default;

OwnTerm::OwnTerm(std::string name, std::string unit, std::unique_ptr<Term> term, Interval bounds, double scale)
    : LimitTerm({std::move(name), list_of(term->channels()), std::move(unit)}, places_of(term->channels())),
      term_(std::move(term)),
      bounds_(bounds),
      scale_(scale),
      found_(*term_) {}

std::unique_ptr<OwnTerm> OwnTerm::cost(const CostSpec& cost, const Task& phase, ChannelLayout& layout) {
  return std::make_unique<OwnTerm>(cost.name, "", made_own_term(cost.name, cost.term, cost.term_size, phase, layout));
}
std::unique_ptr<OwnTerm> OwnTerm::limit(const OwnLimit& limit, const Task& phase, ChannelLayout& layout) {
  const LimitTermSpec& spec = limit.spec;
  return std::make_unique<OwnTerm>(spec.name, spec.unit,
                                   made_own_term(spec.name, limit.term, limit.term_size, phase, layout), spec.bounds,
                                   spec.scale);
}

double OwnTerm::measured(const double* u) const {
  return guarded(name().kind, [&] { return found_.value(u); });
}
void OwnTerm::value(const double* u, double* rows) const {
  rows[0] = measured(u) / scale_;
}
void OwnTerm::jacobian(const double* u, double* J) const {
  const double* const gradient = guarded(name().kind, [&] { return found_.gradient(u); });
  for (std::size_t k = 0; k < inputs().size(); ++k) J[k] = gradient[k] / scale_;
}
void OwnTerm::hessian(const double* u, const double* multipliers, double* H) const {
  const double* const second = guarded(name().kind, [&] { return found_.hessian(u); });
  const std::size_t entries = inputs().size() * inputs().size();
  for (std::size_t k = 0; k < entries; ++k) H[k] += multipliers[0] / scale_ * second[k];
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

std::string with_entry(const std::string& text, const std::string& entry) {
  if (entry.empty()) return text;
  const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_of('}');
  if (first != std::string::npos && text[first] == '{' && last != std::string::npos) {  // as programs write it
    return text.substr(0, last) + ", " + entry + text.substr(last);
  }
  return text + (text.ends_with('\n') ? "" : "\n") + entry + "\n";
}

std::string text_with_own_terms(const Task& task) {
  std::string names;
  for_each_own_term(task, [&](const std::string& name, const TermFactory&, int) {
    names += names.empty() ? "" : ", ";
    append_quoted(names, name);
  });
  return with_entry(task.text, names.empty() ? "" : kTermsFromCode + std::string(": [") + names + "]");
}

void Task::add_cost(CostTermSpec spec, TermFactory term) {
  require_sound(*this, spec.name, term);
  if (!std::isfinite(spec.weight)) refuse_term(spec.name, "its weight is not a number");
  CostSpec cost;
  cost.type = spec.over == Over::time ? &kOwnCost : &kOwnCostAtEnd;
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
  require_sound(*this, spec.name, term);
  if (!spec.bounds.bounded() || !(spec.bounds.lower <= spec.bounds.upper)) {
    refuse_term(spec.name, fmt::format("expected bounds, the lower one first, found {} and {}", spec.bounds.lower,
                                       spec.bounds.upper));
  }
  if (!(spec.scale > 0 && std::isfinite(spec.scale))) refuse_term(spec.name, "its scale has to be positive");
  std::vector<std::string> names;
  for (const PhaseSpec& phase : phases) names.push_back(phase.name);
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
