#include "nlp/ipopt_program.h"

#include <IpIpoptCalculatedQuantities.hpp>
#include <IpIpoptData.hpp>
#include <IpOrigIpoptNLP.hpp>
#include <IpTNLPAdapter.hpp>
#include <algorithm>

namespace verne::nlp {
namespace {

/// The variables in the caller's units, outside the restoration phase, where the solver's variables are others. Its
/// program is then what IpoptApplication has made of ours. (A dynamic cast would need more of Ipopt than functions,
/// which are all that can be loaded lazily.)
void read_iterate(const Ipopt::IpoptData& data, Ipopt::IpoptCalculatedQuantities& quantities, Values& x) {
  auto& program = static_cast<Ipopt::OrigIpoptNLP&>(*quantities.GetIpoptNLP());
  auto& adapter = static_cast<Ipopt::TNLPAdapter&>(*program.nlp());
  adapter.ResortX(*program.NLP_scaling()->unapply_vector_scaling_x(data.curr()->x()), x.data());
}

void write_pattern(const std::vector<Entry>& pattern, Ipopt::Index* rows, Ipopt::Index* columns) {
  for (const Entry& entry : pattern) {
    *rows++ = entry.row;
    *columns++ = entry.column;
  }
}

}  // namespace

IpoptProgram::IpoptProgram(Problem& problem, const Options& options, Point start)
    : problem_(problem),
      options_(options),
      bounds_(problem),
      start_(std::move(start)),
      scaling_(problem, start_.x),
      point_(start_),
      evaluated_x_(start_.x) {}

/// Runs a call of the problem's functions. Exceptions must not fly through Ipopt: they are kept, and from then on every
/// evaluation fails, which makes Ipopt give up.
template <class Call>
bool IpoptProgram::guarded(const Number* x, const Call& call) {
  if (thrown_) return false;
  const Clock::time_point start = Clock::now();
  if (x) std::copy_n(x, evaluated_x_.size(), evaluated_x_.data());
  try {
    call();
  } catch (...) {
    thrown_ = std::current_exception();
  }
  function_seconds_ += seconds_since(start);
  return !thrown_;
}

bool IpoptProgram::get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries,
                                IndexStyleEnum& index_style) {
  n = problem_.variables();
  m = problem_.constraints();
  jacobian_entries = static_cast<Index>(problem_.jacobian_pattern().size());
  hessian_entries = static_cast<Index>(problem_.hessian_pattern().size());
  index_style = C_STYLE;
  return true;
}

bool IpoptProgram::get_bounds_info(Index n, Number* x_lower, Number* x_upper, Index m, Number* g_lower,
                                   Number* g_upper) {
  std::copy_n(bounds_.x_lower.data(), n, x_lower);
  std::copy_n(bounds_.x_upper.data(), n, x_upper);
  std::copy_n(bounds_.g_lower.data(), m, g_lower);
  std::copy_n(bounds_.g_upper.data(), m, g_upper);
  return true;
}

bool IpoptProgram::get_scaling_parameters(Number& cost, bool& use_x, Index n, Number* x, bool& use_g, Index m,
                                          Number* g) {
  cost = scaling_.cost;
  use_x = use_g = true;
  std::copy_n(scaling_.variables.data(), n, x);
  std::copy_n(scaling_.rows.data(), m, g);
  return true;
}

bool IpoptProgram::get_starting_point(Index n, bool want_x, Number* x, bool want_z, Number* lower, Number* upper,
                                      Index m, bool want_lambda, Number* lambda) {
  if (want_x) std::copy_n(start_.x.data(), n, x);
  if (want_z) {
    std::copy_n(start_.lower.data(), n, lower);
    std::copy_n(start_.upper.data(), n, upper);
  }
  if (want_lambda) std::copy_n(start_.constraints.data(), m, lambda);
  return true;
}

bool IpoptProgram::eval_f(Index n, const Number* x, bool, Number& value) {
  return guarded(x, [&] { value = problem_.cost({x, x + n}); });
}

bool IpoptProgram::eval_grad_f(Index n, const Number* x, bool, Number* gradient) {
  return guarded(x, [&] { problem_.gradient({x, x + n}, {gradient, gradient + n}); });
}

bool IpoptProgram::eval_g(Index n, const Number* x, bool, Index m, Number* g) {
  return guarded(x, [&] { problem_.constraints({x, x + n}, {g, g + m}); });
}

bool IpoptProgram::eval_jac_g(Index n, const Number* x, bool, Index, Index entries, Index* rows, Index* columns,
                              Number* values) {
  if (!values) {
    write_pattern(problem_.jacobian_pattern(), rows, columns);
    return true;
  }
  return guarded(x, [&] { problem_.jacobian({x, x + n}, {values, values + entries}); });
}

bool IpoptProgram::eval_h(Index n, const Number* x, bool, Number cost_factor, Index m, const Number* lambda, bool,
                          Index entries, Index* rows, Index* columns, Number* values) {
  if (!values) {
    write_pattern(problem_.hessian_pattern(), rows, columns);
    return true;
  }
  return guarded(x, [&] {
    problem_.hessian({x, x + n}, cost_factor, {lambda, lambda + m}, {values, values + entries});
  });
}

bool IpoptProgram::intermediate_callback(Ipopt::AlgorithmMode mode, Index iteration, Number, Number,
                                         Number dual_infeasibility, Number, Number, Number, Number, Number, Index,
                                         const Ipopt::IpoptData* data, Ipopt::IpoptCalculatedQuantities* quantities) {
  if (mode == Ipopt::RegularMode) {
    read_iterate(*data, *quantities, point_.x);
  } else {
    point_.x = evaluated_x_;
  }
  // Ipopt's own numbers are scaled and, in the restoration phase, those of another problem.
  Iteration record{iteration, 0, 0, dual_infeasibility, 0};
  bool go_on = guarded(nullptr, [&] {
    record.cost = problem_.cost(point_.x);
    record.infeasibility = constraint_violation(problem_, point_.x.eigen());
  });
  if (!go_on) return false;
  record.seconds = seconds();
  history_.push_back(record);
  out_of_time_ = record.seconds >= options_.max_seconds;
  if (out_of_time_) return false;
  if (!options_.progress) return true;
  try {
    return options_.progress(record, point_.x);
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

void IpoptProgram::finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* lower,
                                     const Number* upper, Index m, const Number*, const Number* lambda, Number,
                                     const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) {
  const auto copy = [](const Number* values, Index size) { return Values(std::vector<double>(values, values + size)); };
  point_ = {copy(x, n), copy(lambda, m), copy(lower, n), copy(upper, n)};
}

}  // namespace verne::nlp
