#include "simulate/integrator.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace verne {

namespace {

constexpr long kMostSteps = 20000;  // of one advance(), unless somebody decides

/// Owner of what one library function made and another one frees.
template <class T, auto destroy>
struct Destroyer {
  void operator()(T* object) const { destroy(object); }
};
void free_context(SUNContext context) {
  SUNContext_Free(&context);
}
void free_solver(void* solver) {
  CVodeFree(&solver);
}
template <class T, auto destroy>
using Owned = std::unique_ptr<T, Destroyer<T, destroy>>;

template <class T>
T* made(T* object) {
  if (!object) throw std::bad_alloc();
  return object;
}

SUNContext make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return made(context);
}

}  // namespace

struct Integrator::Memory {
  Memory(int size, Rate f, const Tolerances& tolerances, Formulas formulas)
      : rate(std::move(f)),
        context(make_context()),
        y(made(N_VNew_Serial(size, context.get()))),
        solver(made(CVodeCreate(formulas == Formulas::adams ? CV_ADAMS : CV_BDF, context.get()))) {
    N_VConst(0, y.get());
    CVodeInit(solver.get(), &evaluate, 0, y.get());
    CVodeSStolerances(solver.get(), tolerances.relative, tolerances.absolute);
    CVodeSetUserData(solver.get(), this);
    if (formulas == Formulas::adams) {
      fixed_point.reset(made(SUNNonlinSol_FixedPoint(y.get(), 0, context.get())));
      CVodeSetNonlinearSolver(solver.get(), fixed_point.get());
    } else {
      matrix.reset(made(SUNDenseMatrix(size, size, context.get())));
      linear.reset(made(SUNLinSol_Dense(y.get(), matrix.get(), context.get())));
      CVodeSetLinearSolver(solver.get(), linear.get(), matrix.get());
    }
    CVodeSetMaxNumSteps(solver.get(), kStepsBetween);
    CVodeSetErrFile(solver.get(), nullptr);  // what goes wrong is returned, not printed
  }

  static int evaluate(realtype t, N_Vector state, N_Vector rate_out, void* memory) {
    auto& self = *static_cast<Memory*>(memory);
    const auto size = static_cast<std::size_t>(NV_LENGTH_S(state));
    const std::span<double> out(NV_DATA_S(rate_out), size);
    try {
      self.rate(t, {NV_DATA_S(state), size}, out);
    } catch (...) {
      self.thrown = std::current_exception();
      return -1;
    }
    return std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); }) ? 0 : 1;
  }

  /// `corr` receives what leads from `state` to its projection; errors are not projected, so that `error` is null.
  static int move(realtype t, N_Vector state, N_Vector corr, realtype, N_Vector, void* memory) {
    auto& self = *static_cast<Memory*>(memory);
    const auto size = static_cast<std::size_t>(NV_LENGTH_S(state));
    const double* const from = NV_DATA_S(state);
    double* const to = NV_DATA_S(corr);
    std::copy_n(from, size, to);
    try {
      if (!self.projection(t, {to, size})) return 1;
    } catch (...) {
      self.thrown = std::current_exception();
      return -1;
    }
    for (std::size_t i = 0; i < size; ++i) to[i] -= from[i];
    return 0;
  }

  static int measure(realtype t, N_Vector state, realtype* values, void* memory) {
    auto& self = *static_cast<Memory*>(memory);
    try {
      self.watched(t, {NV_DATA_S(state), static_cast<std::size_t>(NV_LENGTH_S(state))}, {values, self.crossed.size()});
    } catch (...) {
      self.thrown = std::current_exception();
      return -1;
    }
    return 0;
  }

  Rate rate;
  Projection projection;
  Watched watched;
  std::vector<int> crossed;  ///< of each function that is watched
  Question question;
  Owned<std::remove_pointer_t<SUNContext>, free_context> context;  // the others need it: freed last
  Owned<std::remove_pointer_t<N_Vector>, N_VDestroy> y;
  Owned<std::remove_pointer_t<SUNMatrix>, SUNMatDestroy> matrix;
  Owned<std::remove_pointer_t<SUNLinearSolver>, SUNLinSolFree> linear;
  Owned<std::remove_pointer_t<SUNNonlinearSolver>, SUNNonlinSolFree> fixed_point;
  Owned<void, free_solver> solver;
  double t = 0;
  bool at_event = false;
  std::exception_ptr thrown;
};

Integrator::Integrator(int size, Rate rate, const Tolerances& tolerances, Formulas formulas)
    : memory_(std::make_unique<Memory>(size, std::move(rate), tolerances, formulas)) {}
Integrator::~Integrator() = default;

void Integrator::project(Projection projection) {
  memory_->projection = std::move(projection);
  CVodeSetProjFn(memory_->solver.get(), &Memory::move);
  CVodeSetProjErrEst(memory_->solver.get(), SUNFALSE);
}

void Integrator::watch(int count, Watched functions, std::span<const Crossing> crossings) {
  memory_->watched = std::move(functions);
  memory_->crossed.assign(static_cast<std::size_t>(count), 0);
  std::vector<int> directions(memory_->crossed.size(), 0);
  for (std::size_t k = 0; k < crossings.size(); ++k) directions.at(k) = static_cast<int>(crossings[k]);
  CVodeRootInit(memory_->solver.get(), count, count > 0 ? &Memory::measure : nullptr);
  if (count == 0) return;
  CVodeSetRootDirection(memory_->solver.get(), directions.data());
  CVodeSetNoInactiveRootWarn(memory_->solver.get());
}

void Integrator::ask(Question question) {
  memory_->question = std::move(question);
}

void Integrator::start(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), NV_DATA_S(memory_->y.get()));
  CVodeReInit(memory_->solver.get(), t, memory_->y.get());
  memory_->t = t;
}

bool Integrator::advance(double t) {
  Memory& m = *memory_;
  m.at_event = false;
  std::fill(m.crossed.begin(), m.crossed.end(), 0);
  if (t == m.t) return true;
  CVodeSetStopTime(m.solver.get(), t);
  int outcome = CV_TOO_MUCH_WORK;
  for (long steps = 0; outcome == CV_TOO_MUCH_WORK; steps += kStepsBetween) {
    if (steps > 0 && !(m.question ? m.question(m.t) : steps < kMostSteps)) break;
    outcome = CVode(m.solver.get(), t, m.y.get(), &m.t, CV_NORMAL);
    if (m.thrown) std::rethrow_exception(std::exchange(m.thrown, nullptr));
  }
  m.at_event = outcome == CV_ROOT_RETURN;
  if (m.at_event) CVodeGetRootInfo(m.solver.get(), m.crossed.data());
  return outcome >= 0 && !m.at_event && std::isfinite(N_VMaxNorm(m.y.get()));
}

bool Integrator::at_event() const {
  return memory_->at_event;
}
std::span<const int> Integrator::crossed() const {
  return memory_->crossed;
}
double Integrator::time() const {
  return memory_->t;
}

std::span<const double> Integrator::state() const {
  return {NV_DATA_S(memory_->y.get()), static_cast<std::size_t>(NV_LENGTH_S(memory_->y.get()))};
}

}  // namespace verne
