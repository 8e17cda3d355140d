#include "simulate/multistep.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>

#include "simulate/sundials_memory.h"

namespace verne {

namespace {

void free_cvode(void* solver) {
  CVodeFree(&solver);
}

}  // namespace

struct Multistep::Memory {
  Memory(OdeProblem& ode, Formulas formulas)
      : problem(ode),
        context(make_sundials_context()),
        y(require_made(N_VNew_Serial(ode.size, context.get()))),
        solver(require_made(CVodeCreate(formulas == Formulas::adams ? CV_ADAMS : CV_BDF, context.get()))) {
    N_VConst(0, y.get());
    CVodeInit(solver.get(), &evaluate, 0, y.get());
    CVodeSStolerances(solver.get(), problem.tolerances.relative, problem.tolerances.absolute);
    CVodeSetUserData(solver.get(), &problem);
    if (formulas == Formulas::adams) {
      fixed_point.reset(require_made(SUNNonlinSol_FixedPoint(y.get(), 0, context.get())));
      CVodeSetNonlinearSolver(solver.get(), fixed_point.get());
    } else {
      matrix.reset(require_made(SUNDenseMatrix(problem.size, problem.size, context.get())));
      linear.reset(require_made(SUNLinSol_Dense(y.get(), matrix.get(), context.get())));
      CVodeSetLinearSolver(solver.get(), linear.get(), matrix.get());
    }
    CVodeSetErrFile(solver.get(), nullptr);  // what goes wrong is returned, not printed
  }

  static int evaluate(realtype t, N_Vector state, N_Vector rate, void* problem) {
    return static_cast<OdeProblem*>(problem)->evaluate(t, entries(state), entries(rate));
  }

  /// `corr` receives what leads from `state` to its projection; errors are not projected, so that `error` is null.
  static int move(realtype t, N_Vector state, N_Vector corr, realtype, N_Vector, void* problem) {
    const std::span<double> from = entries(state), to = entries(corr);
    std::copy(from.begin(), from.end(), to.begin());
    const int outcome = static_cast<OdeProblem*>(problem)->project(t, to);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] -= from[i];
    return outcome;
  }

  static int measure(realtype t, N_Vector state, realtype* values, void* problem) {
    auto& ode = *static_cast<OdeProblem*>(problem);
    return ode.measure(t, entries(state), {values, ode.crossed.size()});
  }

  long steps_since_start() const {
    long steps = 0;
    CVodeGetNumSteps(solver.get(), &steps);
    return steps;
  }

  OdeProblem& problem;
  SundialsContext context;  // the others need it: freed last
  SundialsVector y;
  SundialsOwner<std::remove_pointer_t<SUNMatrix>, SUNMatDestroy> matrix;
  SundialsOwner<std::remove_pointer_t<SUNLinearSolver>, SUNLinSolFree> linear;
  SundialsOwner<std::remove_pointer_t<SUNNonlinearSolver>, SUNNonlinSolFree> fixed_point;
  SundialsOwner<void, free_cvode> solver;
  double t = 0;
  long steps_before = 0;  ///< the last start
};

Multistep::Multistep(OdeProblem& problem, Formulas formulas) : memory_(std::make_unique<Memory>(problem, formulas)) {}
Multistep::~Multistep() = default;

void Multistep::project() {
  CVodeSetProjFn(memory_->solver.get(), &Memory::move);
  CVodeSetProjErrEst(memory_->solver.get(), SUNFALSE);
}

void Multistep::watch() {
  const OdeProblem& problem = memory_->problem;
  const int count = static_cast<int>(problem.directions.size());
  CVodeRootInit(memory_->solver.get(), count, count > 0 ? &Memory::measure : nullptr);
  if (count == 0) return;
  std::vector<int> directions;
  for (const Integrator::Crossing crossing : problem.directions) directions.push_back(static_cast<int>(crossing));
  CVodeSetRootDirection(memory_->solver.get(), directions.data());
  CVodeSetNoInactiveRootWarn(memory_->solver.get());
}

void Multistep::start(double t, std::span<const double> y) {
  memory_->steps_before = steps();
  std::copy(y.begin(), y.end(), entries(memory_->y.get()).begin());
  CVodeReInit(memory_->solver.get(), t, memory_->y.get());
  memory_->t = t;
}

OdeMethod::Outcome Multistep::advance(double end, long steps) {
  Memory& m = *memory_;
  CVodeSetStopTime(m.solver.get(), end);
  CVodeSetMaxNumSteps(m.solver.get(), steps);
  const int outcome = CVode(m.solver.get(), end, m.y.get(), &m.t, CV_NORMAL);
  m.problem.rethrow();
  if (outcome == CV_TOO_MUCH_WORK) return Outcome::paused;
  if (outcome < 0 || !is_finite(m.y.get())) return Outcome::failed;
  if (outcome != CV_ROOT_RETURN) return Outcome::reached;
  CVodeGetRootInfo(m.solver.get(), m.problem.crossed.data());
  return Outcome::event;
}

double Multistep::time() const {
  return memory_->t;
}
std::span<const double> Multistep::state() const {
  return entries(memory_->y.get());
}
double Multistep::next_step() const {
  double last = 0, next = 0;
  CVodeGetLastStep(memory_->solver.get(), &last);
  CVodeGetCurrentStep(memory_->solver.get(), &next);
  return std::max(last, next);
}
long Multistep::steps() const {
  return memory_->steps_before + memory_->steps_since_start();
}

}  // namespace verne
