#include "motion/values/own_term_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/terms/own_terms.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

constexpr double kDifferenceStep = 6e-6;  // of 1 and of u: the cube root of the rounding of a double
constexpr double kDifferenceTolerance = 1e-4;
constexpr int kValues = 50;  // places at which values have to be numbers

[[noreturn]] void refuse_value(const std::string& name, const std::string& what = "its value") {
  refuse_term(name, what + " is not a number on the way of the first guess");
}

/// The channel of a number of u, and which of several it is.
std::string entry_name(const std::vector<Channel>& channels, int k) {
  for (const Channel& channel : channels) {
    if (k < channel.size) return channel.size == 1 ? channel.name : fmt::format("{} ({})", channel.name, k + 1);
    k -= channel.size;
  }
  return "";
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
    if (!std::isfinite(value)) refuse_value(name().kind, what);
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

/// A value that is no number somewhere on the way would end the first solve before it begins.
void require_values(const Measuring& measuring, const Eigen::MatrixXd& measured) {
  for (Eigen::Index t = 0; t < measured.rows(); ++t) {
    if (!measured.row(t).allFinite()) refuse_value(measuring.terms()[static_cast<std::size_t>(t)]->name().kind);
  }
}

}  // namespace

void check_own_terms(const Task& task, const Trajectory& motion) {
  for (const Stage& stage : stages(task, phase_of_spans(task))) {
    const auto measuring = [&](auto&& make) {
      return Measuring(stage.task, motion, stage.spans, [&](ChannelLayout& layout) {
        LimitTerms all;
        for_each_own_term(stage.task, [&](const std::string& name, const TermFactory& factory, int size) {
          all.push_back(make(name, made_own_term(name, factory, size, stage.task, layout)));
        });
        return all;
      });
    };
    const auto place = [&](double fraction) { return stage.spans.place(motion, fraction); };
    Measuring compared = measuring([](const std::string& name, std::unique_ptr<Term> term) {
      return std::make_unique<ComparedTerm>(name, std::move(term));
    });
    compared.at({place(0.2), place(0.5), place(0.9)});
    std::vector<Place> even;
    for (int k = 0; k <= kValues; ++k) even.push_back(place(static_cast<double>(k) / kValues));
    Measuring all = measuring([](const std::string& name, std::unique_ptr<Term> term) {
      return std::make_unique<OwnTerm>(name, "", std::move(term));
    });
    require_values(all, all.at(even));
  }
}

}  // namespace verne
