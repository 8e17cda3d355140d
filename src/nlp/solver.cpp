#include "verne/nlp/solver.h"

#include "nlp/methods.h"

namespace verne::nlp {

namespace {

class InteriorPointSolver : public Solver {
 public:
  std::string name() const override { return to_string(Method::verne); }
  Attempt solve(Problem& problem, const Options& options, Point start, bool warm) const override {
    return run_interior_point(problem, options, std::move(start), warm);
  }
};

class IpoptSolver : public Solver {
 public:
  std::string name() const override { return to_string(Method::ipopt); }
  Attempt solve(Problem& problem, const Options& options, Point start, bool warm) const override {
    return run_ipopt(problem, options, std::move(start), warm);
  }
};

}  // namespace

Solver::~Solver() = default;

std::shared_ptr<const Solver> solver_of(Method method) {
  static const auto kOwn = std::make_shared<const InteriorPointSolver>();
  static const auto kIpopt = std::make_shared<const IpoptSolver>();
  if (method == Method::ipopt) return kIpopt;
  return kOwn;
}

}  // namespace verne::nlp
