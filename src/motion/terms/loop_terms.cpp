#include "motion/terms/loop_closure.h"
#include "motion/terms/task_terms.h"
#include "structures/mechanism_contents.h"

namespace verne {

namespace {

/// Collects the vectors of an equation as inputs of its term.
class ClosureInputs {
 public:
  ClosureInputs(const Model& model, ChannelLayout& channels) : model_(model), channels_(channels) {}

  LoopClosure::Arrow axis(const LoopEnd& end, int k) {
    const Vec3<double> axis = end.X_LF.R.column(k);
    return end.link == "world" ? LoopClosure::Arrow{-1, axis} : input(channels_.direction(model_.link(end.link), axis));
  }
  LoopClosure::Arrow origin(const LoopEnd& end) {
    return end.link == "world" ? LoopClosure::Arrow{-1, end.X_LF.p}
                               : input(channels_.point(model_.link(end.link), end.X_LF.p));
  }
  std::vector<int> take() && { return std::move(inputs_); }

 private:
  LoopClosure::Arrow input(int channel) {
    const auto first = static_cast<int>(inputs_.size());
    for (int i = 0; i < 3; ++i) inputs_.push_back(channel + i);
    return {first, {}};
  }

  const Model& model_;
  ChannelLayout& channels_;
  std::vector<int> inputs_;
};

std::unique_ptr<LimitTerm> closure_term(const LimitKind& kind, const Model& model, const LoopSpec& loop,
                                        const LoopEquation& equation, ChannelLayout& channels) {
  ClosureInputs inputs(model, channels);
  std::vector<LoopClosure::Product> products;
  for (const LoopTerm& term : equation.terms) {
    if (term.coefficient == 0) continue;
    const LoopClosure::Arrow axis = inputs.axis(loop.a, term.axis);
    if (term.part == kApart) {
      products.push_back({axis, inputs.origin(loop.a), term.coefficient});
      products.push_back({axis, inputs.origin(loop.b), -term.coefficient});
    } else {
      products.push_back({axis, inputs.axis(loop.b, term.part - kX), term.coefficient});
    }
  }
  return std::make_unique<LoopClosure>(
      LimitName{kind, loop.name + " (" + equation.name + ")", equation.length ? "m" : "rad"}, std::move(inputs).take(),
      std::move(products));
}

}  // namespace

namespace {

void add_grip(const Task& task, const GripSpec& grip, ChannelLayout& channels, LimitTerms& terms) {
  for (const LoopEquation& equation : loop_equations(grip.loop.type)) {
    terms.push_back(closure_term(kGrip, task.model, grip.loop, equation, channels));
  }
}

void add_loops(const Task& task, ChannelLayout& channels, const LoopChoice& loops, LimitTerms& terms) {
  if (!task.mechanism) return;
  const LoopLayout& layout = task.mechanism->contents().layout;
  for (const int row : task.mechanism->independent_equations()) {
    const LoopSpec& loop = task.model.loops()[layout.loop_of(row)];
    if (loops(loop.name)) terms.push_back(closure_term(kLoop, task.model, loop, layout.equation(row), channels));
  }
}

}  // namespace

LimitTerms closure_terms(const Task& task, ChannelLayout& channels, const LoopChoice& loops) {
  LimitTerms terms;
  for (const GripSpec& grip : task.grips) {
    const bool all_the_way = grip.during.lower <= 0 && grip.during.upper >= 1;
    if (all_the_way && loops(grip.loop.name)) add_grip(task, grip, channels, terms);
  }
  add_loops(task, channels, loops, terms);
  return terms;
}

bool is_held_at(const GripSpec& grip, double fraction) {
  constexpr double kRounding = 1e-9;
  return fraction > grip.during.lower - kRounding && fraction < grip.during.upper + kRounding;
}

LimitTerms closure_terms_at(const Task& task, ChannelLayout& channels, double fraction) {
  LimitTerms terms;
  for (const GripSpec& grip : task.grips) {
    if (is_held_at(grip, fraction)) add_grip(task, grip, channels, terms);
  }
  add_loops(task, channels, every_loop, terms);
  return terms;
}

// (20)
LimitTerms closure_rates(const Task& task, ChannelLayout& channels, const LoopChoice& loops) {
  LimitTerms terms;
  if (!task.mechanism) return terms;
  const LoopLayout& layout = task.mechanism->contents().layout;
  for (const int row : task.mechanism->independent_equations()) {
    const LoopSpec& loop = task.model.loops()[layout.loop_of(row)];
    if (loop.b.link != "world" || !loops(loop.name)) continue;
    const int link = task.model.link(loop.a.link);
    const LoopEquation& equation = layout.equation(row);
    std::vector<int> inputs;
    std::vector<LoopClosure::Product> products;
    const auto add = [&](const Vec3<double>& point, const Vec3<double>& along, double coefficient) {
      const int first = channels.velocity(link, point);
      products.push_back({{static_cast<int>(inputs.size()), {}}, {-1, along}, coefficient});
      for (int i = 0; i < 3; ++i) inputs.push_back(first + i);
    };
    const Vec3<double>& origin = loop.a.X_LF.p;
    for (const LoopTerm& term : equation.terms) {
      if (term.coefficient == 0) continue;
      if (term.part == kApart) {
        add(origin, loop.b.X_LF.R.column(term.axis), term.coefficient);
      } else {
        const Vec3<double> along = loop.b.X_LF.R.column(term.part - kX);
        add(origin + loop.a.X_LF.R.column(term.axis), along, term.coefficient);
        add(origin, along, -term.coefficient);
      }
    }
    terms.push_back(std::make_unique<LoopClosure>(
        LimitName{kLoop, loop.name + " (rate of " + equation.name + ")", equation.length ? "m/s" : "rad/s"},
        std::move(inputs), std::move(products)));
  }
  return terms;
}

}  // namespace verne
