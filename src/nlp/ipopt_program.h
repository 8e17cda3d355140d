/// A Problem as Ipopt wants to see it, and a record of how the solution goes.
#pragma once

#include <IpTNLP.hpp>
#include <chrono>
#include <exception>

#include "nlp/optimality.h"
#include "nlp/scaling.h"
#include "verne/nlp/solve.h"

namespace verne::nlp {

class IpoptProgram : public Ipopt::TNLP {
 public:
  /// The references must outlive the program. `start`: x and, for a warm start, all multipliers.
  IpoptProgram(Problem& problem, const Options& options, Point start);

  // What happened, for after the solution.
  const Point& point() const { return point_; }
  const std::vector<Iteration>& history() const { return history_; }
  const std::exception_ptr& thrown() const { return thrown_; }
  bool out_of_time() const { return out_of_time_; }
  double seconds() const { return seconds_since(began_); }
  double function_seconds() const { return function_seconds_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Index = Ipopt::Index;
  using Number = Ipopt::Number;

  bool get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries,
                    IndexStyleEnum& index_style) override;
  bool get_bounds_info(Index n, Number* x_lower, Number* x_upper, Index m, Number* g_lower, Number* g_upper) override;
  bool get_scaling_parameters(Number& cost, bool& use_x, Index n, Number* x, bool& use_g, Index m, Number* g) override;
  bool get_starting_point(Index n, bool want_x, Number* x, bool want_z, Number* lower, Number* upper, Index m,
                          bool want_lambda, Number* lambda) override;
  bool eval_f(Index n, const Number* x, bool new_x, Number& value) override;
  bool eval_grad_f(Index n, const Number* x, bool new_x, Number* gradient) override;
  bool eval_g(Index n, const Number* x, bool new_x, Index m, Number* g) override;
  bool eval_jac_g(Index n, const Number* x, bool new_x, Index m, Index entries, Index* rows, Index* columns,
                  Number* values) override;
  bool eval_h(Index n, const Number* x, bool new_x, Number cost_factor, Index m, const Number* lambda, bool new_lambda,
              Index entries, Index* rows, Index* columns, Number* values) override;
  bool intermediate_callback(Ipopt::AlgorithmMode mode, Index iteration, Number cost, Number infeasibility,
                             Number dual_infeasibility, Number mu, Number step, Number regularization,
                             Number dual_step_size, Number primal_step_size, Index line_search_trials,
                             const Ipopt::IpoptData* data, Ipopt::IpoptCalculatedQuantities* quantities) override;
  void finalize_solution(Ipopt::SolverReturn status, Index n, const Number* x, const Number* lower, const Number* upper,
                         Index m, const Number* g, const Number* lambda, Number cost, const Ipopt::IpoptData* data,
                         Ipopt::IpoptCalculatedQuantities* quantities) override;

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  template <class Call>
  bool guarded(const Number* x, const Call& call);

  const Clock::time_point began_ = Clock::now();
  Problem& problem_;
  const Options& options_;
  const Bounds bounds_;
  const Point start_;
  const Scaling scaling_;

  Point point_;  // the latest iterate, in the end the solution
  Values evaluated_x_;
  std::vector<Iteration> history_;
  std::exception_ptr thrown_;
  bool out_of_time_ = false;
  double function_seconds_ = 0;
};

}  // namespace verne::nlp
