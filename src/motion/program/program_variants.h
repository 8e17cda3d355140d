/// One program for many values of its task's parameters, and differences between them.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/program/program.h"

namespace verne {

/// A bound of a variable that depends on the parameters.
struct MovingBound {
  enum class Kind { equal, lower, upper };
  int variable = 0;
  Kind kind = Kind::equal;
};

/// A plain program for some values of the parameters.
struct ProgramVariant {
  std::vector<double> values;
  std::optional<Program> program;    ///< none: there is none for these values
  std::vector<double> scale, shift;  ///< scale · row + shift has the bounds of the first program
  std::vector<double> weights;       ///< of costs
  std::vector<double> bounds;        ///< those that move
};

/// Where a function of one parameter is evaluated to know its derivatives at a value: a parabola through three places
/// that keep within the parameter's bounds. A factor of zero needs no evaluation.
struct Stencil {
  double place[3], first[3], second[3];
};

/// Programs of the same structure, the latest of which are kept.
class ProgramVariants {
 public:
  using Make = std::function<Program(const std::vector<double>& values)>;
  /// `file`: the task's, for messages.
  ProgramVariants(std::vector<DesignSpec> design, const std::vector<double>& values, Make make,
                  const std::string& file);

  /// The program for the values that were given.
  ProgramVariant& base() { return base_; }
  const std::vector<MovingBound>& moving() const { return moving_; }
  int variables() const { return variables_; }
  int parameters() const { return static_cast<int>(design_.size()); }
  /// With no program where the task makes no sense.
  ProgramVariant& at(std::span<const double> values);
  Stencil stencil(int parameter, double value) const;
  /// The values with some of them changed.
  static std::vector<double> changed(std::span<const double> values, int parameter, double value);

 private:
  ProgramVariant made(const std::vector<double>& values) const;
  void check_and_find_moving(const std::string& file);
  /// Whether it has the same unknowns and rows, with bounds of the same kinds.
  bool like_base(const Program& program) const;
  bool has_patterns_of_base(const Program& program) const;
  void relate_to_base(ProgramVariant& variant) const;

  std::vector<DesignSpec> design_;
  Make make_;
  ProgramVariant base_;
  int variables_;
  std::vector<MovingBound> moving_;
  std::list<ProgramVariant> latest_;
};

}  // namespace verne
