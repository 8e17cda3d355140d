#include "structures/elimination.h"

#include <algorithm>
#include <numeric>

#include "model/tree.h"
#include "structures/loop_clusters.h"
#include "verne/dynamics/data.h"

namespace verne {

namespace {

/// A pivot may be this part of the largest entry of its column where that saves entries [Markowitz].
constexpr double kPivotThreshold = 0.2;

}  // namespace

bool has_directions(const LoopEquation& equation) {
  return std::any_of(std::begin(equation.terms), std::end(equation.terms),
                     [](const LoopTerm& term) { return term.coefficient != 0 && term.part != kApart; });
}

ClosingRow closing_row(const LoopEquation& equation, int position) {
  const LoopTerm *one = &equation.terms[0], *other = &equation.terms[1];
  return {{one->part, other->part}, {one->axis, other->axis}, {one->coefficient, other->coefficient}, position, 0};
}

ClosingEnd closing_end(int slot, const Transform<double>& X_LF) {
  ClosingEnd end{slot, {}, {X_LF.p.x, X_LF.p.y, X_LF.p.z}};
  std::copy_n(X_LF.R.m, 9, end.R);
  return end;
}

ClosingEnd end_on_body(const Model& model, int link, const Transform<double>& X_LF) {
  const TreeSite& site = model.tree().sites[link];
  Transform<double> X_BL;
  X_BL.p = Vec3<double>::load(site.p);
  std::copy_n(site.R, 9, X_BL.R.m);
  return closing_end(site.body, X_BL * X_LF);
}

int last_velocity(const Model& model, int link) {
  const Tree& tree = model.tree();
  const int body = tree.sites[link].body;
  if (body < 0) return -1;
  return model.coupled() ? model.nv() - 1 : tree.bodies[body].v + tree.bodies[body].nv - 1;
}

std::vector<int> velocity_parents(const Model& model) {
  std::vector<int> parents(static_cast<std::size_t>(model.nv()));
  std::iota(parents.begin(), parents.end(), -1);
  if (!model.coupled()) std::copy_n(model.tree().v_parent, model.nv(), parents.begin());
  return parents;
}

Elimination::Elimination(const Mechanism::Contents& c)
    : dependent_(c.dependent), independent_(c.independent), actuated_(c.actuated) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  list_loops(c);
  list_checks(c);
  choose_order(c);
  list_steps();
  list_pairs(c.model);
  list_spans();
  plan_ = {c.model.nv(),        count(independent_),   count(actuated_),
           count(dependent_),   plan_.value_count,     actuated_ == independent_,
           independent_.data(), actuated_.data(),      loops_.data(),
           count(loops_),       rows_.data(),          reaches_.data(),
           checks_.data(),      targets_.data(),       steps_.data(),
           lower_.data(),       upper_.data(),         updates_.data(),
           side_.data(),        count(side_),          first_side_.data(),
           pairs_.data(),       count(pairs_),         spans_.data(),
           reached_.data(),     first_reached_.data(), nullptr};
  if (c.model.coupled()) return;
  clusters_ = std::make_unique<LoopClusterFinder>(c, plan_);
  plan_.clusters = &clusters_->plan();
}

Elimination::~Elimination() = default;

/// Loops with their independent equations, in the order of these.
void Elimination::list_loops(const Mechanism::Contents& c) {
  const auto rank = static_cast<Eigen::Index>(c.rows.size());
  const std::vector<int> parents = velocity_parents(c.model);
  reach_.setConstant(rank, c.model.nv(), false);
  std::size_t row = 0;
  for (const LoopLayout::Loop& loop : c.layout.loops) {
    const auto moved = [&](const LoopLayout::End& end) {
      std::vector<bool> moves(parents.size(), false);
      const int last = end.slot < 0 ? -1 : last_velocity(c.model, c.layout.sites[static_cast<std::size_t>(end.slot)]);
      for (int k = last; k >= 0; k = parents[static_cast<std::size_t>(k)]) moves[static_cast<std::size_t>(k)] = true;
      return moves;
    };
    const std::vector<bool> by_a = moved(loop.a), by_b = moved(loop.b);
    ClosingLoop entry{closing_end(loop.a.slot, loop.a.X_LF),
                      closing_end(loop.b.slot, loop.b.X_LF),
                      false,
                      static_cast<int>(row),
                      0,
                      static_cast<int>(reaches_.size()),
                      0,
                      0,
                      0};
    for (int k = 0; k < c.model.nv(); ++k) {
      const int sides = (by_a[static_cast<std::size_t>(k)] ? 1 : 0) + (by_b[static_cast<std::size_t>(k)] ? 2 : 0);
      if (sides) reaches_.push_back({k, sides});
    }
    entry.reach_count = static_cast<int>(reaches_.size()) - entry.first_reach;
    const int end = loop.first + static_cast<int>(loop.equations.size());
    for (; row < c.rows.size() && c.rows[row] < end; ++row, ++entry.row_count) {
      const LoopEquation& law = loop.equations[static_cast<std::size_t>(c.rows[row] - loop.first)];
      rows_.push_back(closing_row(law, 0));
      entry.has_directions |= has_directions(law);
      for (int k = 0; k < entry.reach_count; ++k) {
        // What moves both ends alike does not open the loop; behind coupled joints that is not known.
        const ClosingReach& reach = reaches_[static_cast<std::size_t>(entry.first_reach + k)];
        reach_(static_cast<Eigen::Index>(row), reach.velocity) = reach.sides != 3 || c.model.coupled();
      }
    }
    loops_.push_back(entry);
  }
}

/// What openings() looks at: all equations, with what rounded files leave of redundant ones, and directions.
void Elimination::list_checks(const Mechanism::Contents& c) {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const LoopLayout::Loop& loop = c.layout.loops[l];
    loops_[l].first_check = static_cast<int>(checks_.size());
    for (std::size_t k = 0; k < loop.equations.size(); ++k) {
      const ClosingRow row = closing_row(loop.equations[k], 0);
      const int equation = loop.first + static_cast<int>(k);
      const bool redundant = std::ranges::find(c.redundant_rows, equation) != c.redundant_rows.end();
      checks_.push_back({{row.part[0], row.part[1]},
                         {row.axis[0], row.axis[1]},
                         {row.coefficient[0], row.coefficient[1]},
                         redundant ? c.slack / c.row_scale[equation] : 0.0});
    }
    for (const LoopPart part : loop.directions) checks_.push_back({{part, part}, {part - kX, part - kX}, {0, 0}, 0});
    loops_[l].check_count = static_cast<int>(checks_.size()) - loops_[l].first_check;
  }
}

/// Gaussian elimination at the reference, in the order that adds the fewest entries.
void Elimination::choose_order(const Mechanism::Contents& c) {
  Data<double> data(c.model);
  LoopSystem<double> system(c.model, c.layout);
  system.evaluate(c.model, data, c.reference, Eigen::VectorXd::Zero(c.model.nv()));
  const auto n = static_cast<Eigen::Index>(dependent_.size());
  const Eigen::MatrixXd rows = system.J(c.rows, Eigen::all);
  const Eigen::VectorXd row_scale = c.row_scale(c.rows), column_scale = c.column_scale(dependent_);
  Eigen::MatrixXd left = row_scale.asDiagonal() * rows(Eigen::all, dependent_) * column_scale.asDiagonal();
  filled_ = reach_(Eigen::all, dependent_);
  std::vector<bool> row_done(static_cast<std::size_t>(n), false), column_done = row_done;
  for (Eigen::Index step = 0; step < n; ++step) {
    const auto open = [&](Eigen::Index i, Eigen::Index j) {
      return !row_done[static_cast<std::size_t>(i)] && !column_done[static_cast<std::size_t>(j)];
    };
    Eigen::VectorXi in_row = Eigen::VectorXi::Zero(n), in_column = in_row;
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        if (!open(i, j) || !filled_(i, j)) continue;
        ++in_row[i], ++in_column[j];
        largest[j] = std::max(largest[j], std::abs(left(i, j)));
      }
    }
    Eigen::Index row = -1, column = -1;
    const auto cost = [&](Eigen::Index i, Eigen::Index j) { return (in_row[i] - 1) * (in_column[j] - 1); };
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        if (!open(i, j) || !filled_(i, j) || !(std::abs(left(i, j)) >= kPivotThreshold * largest[j])) continue;
        const bool better = row < 0 || cost(i, j) < cost(row, column) ||
                            (cost(i, j) == cost(row, column) && std::abs(left(i, j)) > std::abs(left(row, column)));
        if (better) row = i, column = j;
      }
    }
    row_order_.push_back(static_cast<int>(row)), column_order_.push_back(static_cast<int>(column));
    pivots_.push_back(std::abs(left(row, column)) / (row_scale[row] * column_scale[column]));
    row_done[static_cast<std::size_t>(row)] = column_done[static_cast<std::size_t>(column)] = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (row_done[static_cast<std::size_t>(i)] || !filled_(i, column)) continue;
      const double factor = left(i, column) / left(row, column);
      for (Eigen::Index j = 0; j < n; ++j) {
        if (column_done[static_cast<std::size_t>(j)] || !filled_(row, j)) continue;
        filled_(i, j) = true;
        left(i, j) -= factor * left(row, j);
      }
    }
  }
}

void Elimination::list_steps() {
  const auto n = static_cast<int>(dependent_.size());
  value_of_.setConstant(n, reach_.cols(), -1);
  int values = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (filled_(i, j)) value_of_(i, dependent_[static_cast<std::size_t>(j)]) = values++;
    }
  }
  std::vector<int> position(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) position[static_cast<std::size_t>(row_order_[static_cast<std::size_t>(k)])] = k;
  for (std::size_t f = 0; f < independent_.size(); ++f) {
    first_side_.push_back(static_cast<int>(side_.size()));
    for (int i = 0; i < n; ++i) {
      if (!reach_(i, independent_[f])) continue;
      side_.push_back({position[static_cast<std::size_t>(i)], static_cast<int>(f), values});
      value_of_(i, independent_[f]) = values++;
    }
  }
  first_side_.push_back(static_cast<int>(side_.size()));
  const auto value = [&](int row_position, int column_position) {
    return value_of_(row_order_[static_cast<std::size_t>(row_position)],
                     dependent_[static_cast<std::size_t>(column_order_[static_cast<std::size_t>(column_position)])]);
  };
  for (int k = 0; k < n; ++k) {
    ClosingStep step{value(k, k),
                     static_cast<int>(lower_.size()),
                     0,
                     static_cast<int>(upper_.size()),
                     0,
                     static_cast<int>(updates_.size()),
                     dependent_[static_cast<std::size_t>(column_order_[static_cast<std::size_t>(k)])],
                     pivots_[static_cast<std::size_t>(k)]};
    for (int i = k + 1; i < n; ++i) {
      if (value(i, k) >= 0) lower_.push_back({i, -1, value(i, k)});
      if (value(k, i) >= 0) upper_.push_back({i, -1, value(k, i)});
    }
    step.lower_count = static_cast<int>(lower_.size()) - step.first_lower;
    step.upper_count = static_cast<int>(upper_.size()) - step.first_upper;
    for (int i = 0; i < step.lower_count; ++i) {
      for (int j = 0; j < step.upper_count; ++j) {
        updates_.push_back(value(lower_[static_cast<std::size_t>(step.first_lower + i)].position,
                                 upper_[static_cast<std::size_t>(step.first_upper + j)].position));
      }
    }
    steps_.push_back(step);
  }
  for (const ClosingLoop& loop : loops_) {
    for (int i = loop.first_row; i < loop.first_row + loop.row_count; ++i) {
      ClosingRow& row = rows_[static_cast<std::size_t>(i)];
      row.position = position[static_cast<std::size_t>(i)];
      row.first_target = static_cast<int>(targets_.size());
      for (int k = 0; k < loop.reach_count; ++k) {
        targets_.push_back(value_of_(i, reaches_[static_cast<std::size_t>(loop.first_reach + k)].velocity));
      }
    }
  }
  plan_.value_count = values;
}

/// Where G may have entries: what a unit independent velocity reaches through L and U.
void Elimination::list_spans() {
  const auto n = static_cast<int>(steps_.size()), free = static_cast<int>(independent_.size());
  spans_.assign(static_cast<std::size_t>(reach_.cols()), {free, 0});
  const auto add = [&](int velocity, int f) {
    ClosingSpan& span = spans_[static_cast<std::size_t>(velocity)];
    span = {std::min(span.begin, f), std::max(span.end, f + 1)};
  };
  for (int f = 0; f < free; ++f) {
    std::vector<bool> reaches(static_cast<std::size_t>(n), false);
    for (const ClosingEntry& entry : side_) {
      if (entry.index == f) reaches[static_cast<std::size_t>(entry.position)] = true;
    }
    const auto reached = [&](int k) -> std::vector<bool>::reference { return reaches[static_cast<std::size_t>(k)]; };
    for (int k = 0; k < n; ++k) {
      const ClosingStep& step = steps_[static_cast<std::size_t>(k)];
      for (int i = 0; i < step.lower_count && reached(k); ++i) {
        reached(lower_[static_cast<std::size_t>(step.first_lower + i)].position) = true;
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      const ClosingStep& step = steps_[static_cast<std::size_t>(k)];
      for (int j = 0; j < step.upper_count && !reached(k); ++j) {
        if (reached(upper_[static_cast<std::size_t>(step.first_upper + j)].position)) reached(k) = true;
      }
    }
    first_reached_.push_back(static_cast<int>(reached_.size()));
    add(independent_[static_cast<std::size_t>(f)], f);
    for (int k = 0; k < n; ++k) {
      if (reached(k)) reached_.push_back(k), add(steps_[static_cast<std::size_t>(k)].velocity, f);
    }
  }
  first_reached_.push_back(static_cast<int>(reached_.size()));
}

void Elimination::list_pairs(const Model& model) {
  const std::vector<int> parents = velocity_parents(model);
  for (int i = 0; i < model.nv(); ++i) {
    for (int j = i; j >= 0; j = parents[static_cast<std::size_t>(j)]) pairs_.push_back({i, j});
  }
}

}  // namespace verne
