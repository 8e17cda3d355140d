/// A primal-dual interior-point method with a filter line search after [WB06], on the condensed system of
/// kkt_system.h: docs/theory/optimization.md.
#pragma once

#include <array>
#include <memory>

#include "nlp/barrier_program.h"
#include "nlp/filter.h"
#include "nlp/progress_monitor.h"

namespace verne::nlp {

class InteriorPoint {
 public:
  using Vector = Eigen::VectorXd;

  /// All references must outlive this.
  InteriorPoint(BarrierProgram& program, KktSystem& system, ProgressMonitor& monitor, double tolerance,
                bool adaptive_barrier = false);

  /// From x alone, scaled. `near`: the solution may be near, so that multipliers should suit mu.
  void start_at(const Vector& x, double mu, bool near);
  /// Near a solution with multipliers, scaled.
  void start_warm(const Vector& x, const Vector& y, const Vector& z_lower, const Vector& z_upper, double mu);

  enum class End {
    solved,
    acceptable,
    infeasible,   // at a point of least violation
    stopped,      // by the monitor
    restored,     // feasible enough for the one who asked for it
    small_steps,  // none of use could be made
    no_step,      // the linear system could not be solved
    unbounded,
    not_finite,
  };
  End run();

  Vector x() const { return v_.head(program_.variables()); }
  const Vector& y() const { return y_; }
  Vector z_lower() const { return z_lower_.head(program_.variables()); }
  Vector z_upper() const { return z_upper_.head(program_.variables()); }

 private:
  struct Errors {
    double dual = 0, primal = 0, complementarity = 0;  ///< largest
    double dual_scale = 1, complementarity_scale = 1;  ///< what large multipliers excuse
    double all() const { return std::max({dual / dual_scale, primal, complementarity / complementarity_scale}); }
  };
  /// Of the barrier problem; with mu = 0 of the problem itself.
  Errors errors(double mu) const;
  bool converged(const Errors& now, double factor) const;

  // interior_point.cpp
  double warm_mu() const;
  bool push_inside(double share);
  void measure_distances();
  void evaluate_derivatives();
  void estimate_multipliers();
  void update_lagrangian();
  void recenter();
  void keep_multipliers_near_mu();

  // interior_point_barrier.cpp
  void set_mu(double mu);
  double least_mu() const;
  bool lower_mu();
  void lower_mu_as_solved();
  double mean_product(double primal, double dual) const;
  void choose_mode(double error);
  void choose_mu(double error);
  void foresee_products(double largest);
  void forget_products();
  void hold_mu();
  bool search_plainly();
  bool search_with_mu_held();

  // interior_point_step.cpp
  bool factor();
  void add_barrier_gradient(Vector& out) const;
  void set_right_side(const Vector& residual);
  void complete_step(const Vector& residual);
  bool find_step(const Vector& residual);
  void step_of_multipliers();
  double longest_primal(double tau) const;
  double longest_dual(double tau) const;

  // interior_point_search.cpp
  enum class Search { accepted, too_far, none };
  bool search();
  Search search_along(double least_part);
  bool damp_step();
  bool accept(double alpha, double theta, double phi, double slope);
  bool try_step(double length, double alpha, double slope);
  bool correct(double alpha_max, double alpha, double slope);
  void take(double alpha);
  bool tiny_step() const;

  // restoration.cpp
  End restore();
  void start_restoration(const Vector& v, const Vector& z_lower, const Vector& z_upper, double mu);
  bool balance_elastic();
  bool good_for(const Vector& v, const BarrierProgram::Values& values) const;

  static constexpr double kRegularization = 1e-9;           // of rows
  static constexpr double kComplementarityUnscaled = 1e-4;  // of a point that is called optimal

  BarrierProgram& program_;
  KktSystem& system_;
  ProgressMonitor& monitor_;
  const double tolerance_;
  const bool adaptive_;

  double mu_ = 0, tau_ = 0.99;
  bool free_ = false;             // μ is chosen anew for each step
  std::array<double, 4> lately_;  // errors with which it was
  std::size_t oldest_ = 0;
  Vector v_, y_, z_lower_, z_upper_;
  Vector above_, below_, inverse_above_, inverse_below_;  // distances of v_ to bounds, far where there are none
  Vector x_;                                              // the first part of v_
  BarrierProgram::Values values_, trial_values_;
  Vector gradient_;    // of F
  Vector lagrangian_;  // its gradient without the bounds' multipliers
  std::vector<double> jacobian_, hessian_;

  Vector diagonal_, compliance_;  // of the system
  bool foreseen_ = false;  // whether the step takes products of changes of distances and multipliers into account
  Vector product_lower_, product_upper_;  // these, or zero
  Vector sigma_, barrier_;                // z / distance; gradient of the barrier function's Lagrangian
  Vector right_x_, right_y_, dx_;
  Vector dv_, dy_, dz_lower_, dz_upper_, trial_;
  Vector kept_v_, kept_y_, kept_residual_;  // the step before corrections
  double shift_ = 0, last_shift_ = 0;

  Filter filter_;
  double phi_ = 0;          // the barrier function where a search begins
  double least_theta_ = 0;  // below it, the barrier function decides
  int acceptable_for_ = 0;
  int small_steps_ = 0;                   // in a row, of rounding only
  int short_steps_ = 0, recentered_ = 0;  // in a row, that bounds cut short; how often that was answered
  double damping_ = 0;                    // the least shift, where steps are too long to be taken
  bool warm_ = false;

  const InteriorPoint* customer_ = nullptr;  // whose feasibility is restored
  double asked_theta_ = 0;                   // of a restoration
  int restorations_ = 0;
  std::unique_ptr<BarrierProgram> elastic_;
  std::unique_ptr<InteriorPoint> restoration_;
};

}  // namespace verne::nlp
