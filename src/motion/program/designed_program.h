/// A program with parameters of its task among the unknowns: docs/theory/design.md, section 2.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "motion/program/program.h"

namespace verne {

class ProgramVariants;

/// The unknowns of the plain program, then the parameters. Rows are those of the plain program, moved so that their
/// bounds stand still; where bounds of variables move with the parameters, they become rows behind all others.
class DesignedProgram {
 public:
  /// Makes the plain program for values of the parameters; throws InputError where there is none.
  using Make = std::function<Program(const std::vector<double>& values)>;

  /// Throws InputError, about this file, where the parameters do not let the program be what it is, only with other
  /// numbers.
  DesignedProgram(const std::vector<DesignSpec>& design, const std::vector<double>& values, Make make,
                  const std::string& file = "");
  ~DesignedProgram();

  nlp::Problem& problem() { return problem_; }
  /// A point of the plain program for the values that were given.
  nlp::Point extended(const nlp::Point& plain);
  /// What the parameters are at a point, and that point for the plain program with these values.
  std::vector<double> values(const nlp::Point& point) const;
  nlp::Point plain(const nlp::Point& point) const;

 private:
  void add_variables(const std::vector<DesignSpec>& design);
  void add_functions();
  nlp::Point with_multipliers_of_design(nlp::Point point);

  std::shared_ptr<ProgramVariants> variants_;
  nlp::Problem problem_;
};

}  // namespace verne
