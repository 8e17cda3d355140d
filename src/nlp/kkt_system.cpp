#include "nlp/kkt_system.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace verne::nlp {
namespace {

constexpr double kLargestStorage = 2.5e8;  // numbers: 2 GB
constexpr int kRefinements = 8;
constexpr double kAccurate = 1e-11, kEnough = 1e-7;  // residuals, relative
constexpr int kDepth = 24;                           // rows that are multiplied together
constexpr std::size_t kLongRow = 8;

/// Rows that meet the same variables, in the order of their first ones.
std::vector<std::vector<int>> rows_alike(const SparseRows& all, const std::vector<char>& equation) {
  const auto hash = [&](int row) {
    std::size_t sum = 0;
    for (const int column : all[row]) sum = 31 * sum + static_cast<std::size_t>(column);
    return sum;
  };
  const auto same = [&](int a, int b) {
    return std::equal(all[a].begin(), all[a].end(), all[b].begin(), all[b].end());
  };
  std::unordered_map<int, std::size_t, decltype(hash), decltype(same)> group_of(64, hash, same);
  std::vector<std::vector<int>> groups;
  for (int row = 0; row < all.count(); ++row) {
    if (equation[row] || all[row].empty()) continue;
    const auto [found, is_new] = group_of.try_emplace(row, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(row);
  }
  return groups;
}

}  // namespace

KktSystem::KktSystem(int variables, std::vector<Entry> hessian, SparseRows jacobian, const std::vector<char>& equation)
    : variables_(variables), hessian_pattern_(std::move(hessian)), jacobian_(std::move(jacobian)), equation_(equation) {
  find_structure();
  unknowns_.resize(band_.size());
  row_part_.resize(rows());
  for (Eigen::VectorXd* x : {&left_x_, &more_x_, &best_x_}) x->resize(variables_);
  for (Eigen::VectorXd* y : {&left_y_, &best_y_, &along_, &best_along_, &stiffness_, &share_}) y->resize(rows());
}

/// Eliminating a row makes all its variables meet. That is no good for a long row whose variables do not meet
/// otherwise, like the sum of all span lengths.
bool KktSystem::stays(int row, const std::vector<std::vector<int>>& hessian_rows, std::size_t alike) const {
  const std::span<const int> columns = jacobian_[row];
  if (columns.size() < kLongRow || alike > columns.size() / 4) return false;
  std::size_t met = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<int>& known = hessian_rows[columns[i]];
    for (std::size_t k = 0; k < i; ++k) met += std::binary_search(known.begin(), known.end(), columns[k]);
  }
  return 4 * met < columns.size() * (columns.size() - 1);
}

bool KktSystem::is_of(int variables, const std::vector<Entry>& hessian, const SparseRows& jacobian,
                      const std::vector<char>& equation) const {
  return variables == variables_ && equation == equation_ && hessian == hessian_pattern_ &&
         jacobian.start == jacobian_.start && jacobian.index == jacobian_.index;
}

void KktSystem::find_structure() {
  std::vector<std::vector<int>> alike = rows_alike(jacobian_, equation_);
  std::vector<std::vector<int>> hessian_rows(variables_);
  for (const Entry& entry : hessian_pattern_) hessian_rows[entry.row].push_back(entry.column);
  for (std::vector<int>& columns : hessian_rows) std::sort(columns.begin(), columns.end());

  Meetings meetings;
  meetings.variables = variables_;
  meetings.pairs = hessian_pattern_;
  stays_ = equation_;
  for (const std::vector<int>& members : alike) {
    if (stays(members.front(), hessian_rows, members.size())) {
      for (const int row : members) stays_[row] = 1;
    } else {
      meetings.cliques.add(jacobian_[members.front()]);
    }
  }
  for (int row = 0; row < rows(); ++row) {
    if (!stays_[row]) continue;
    staying_.push_back(row);
    meetings.rows.add(jacobian_[row]);
  }
  EliminationOrder order = order_unknowns(meetings);
  too_large_ = BorderedBand::storage(order.last, order.border) > kLargestStorage;
  if (too_large_) return;
  position_ = std::move(order.position);
  band_ = BorderedBand(std::move(order.last), order.border);
  assembled_.resize(band_.values().size());
  shifted_.resize(band_.values().size());

  const auto slot = [&](int a, int b) { return band_.slot(std::max(a, b), std::min(a, b)); };
  for (const Entry& entry : hessian_pattern_) {
    hessian_slot_.push_back(slot(position_[entry.row], position_[entry.column]));
  }
  for (const int position : position_) diagonal_slot_.push_back(band_.slot(position, position));
  for (std::size_t k = 0; k < staying_.size(); ++k) {
    for (const int column : jacobian_[staying_[k]]) {
      row_slot_.push_back(slot(position_[variables_ + static_cast<int>(k)], position_[column]));
    }
  }
  std::size_t longest = 0, most = 0, entries = 0;
  jacobian_order_.reserve(jacobian_.index.size());
  for (std::vector<int>& members : alike) {
    if (stays_[members.front()]) continue;
    const std::span<const int> columns = jacobian_[members.front()];
    Group group{std::move(members), std::vector<int>(columns.size()), {}, {}, entries};
    for (std::size_t k = 0; k < columns.size(); ++k) group.entry[k] = static_cast<int>(k);
    std::sort(group.entry.begin(), group.entry.end(),
              [&](int a, int b) { return position_[columns[a]] < position_[columns[b]]; });
    for (const int entry : group.entry) {
      group.variable.push_back(columns[entry]);
      group.position.push_back(position_[columns[entry]]);
    }
    for (const int row : group.rows) {
      for (const int entry : group.entry) jacobian_order_.push_back(jacobian_.start[row] + entry);
    }
    longest = std::max(longest, columns.size());
    most = std::max(most, group.rows.size());
    entries += group.rows.size() * columns.size();
    groups_.push_back(std::move(group));
  }
  gathered_.resize(static_cast<Eigen::Index>(longest)), gathered_rows_.resize(static_cast<Eigen::Index>(most));
  first_staying_ = entries;
  for (const int row : staying_) {
    for (int e = jacobian_.start[row]; e < jacobian_.start[row + 1]; ++e) jacobian_order_.push_back(e);
  }
  right_.resize(longest * kDepth), sum_.resize(longest * longest + kShortRow);
}

template <class Call>
void KktSystem::for_staying(const Call& call) const {
  const double* value = jacobian_values_ + first_staying_;
  for (const int row : staying_) {
    for (const int column : jacobian_[row]) call(row, column, *value++);
  }
}

void KktSystem::set(const std::vector<double>& hessian, const Eigen::VectorXd& diagonal,
                    const Eigen::VectorXd& compliance, double regularization) {
  hessian_ = hessian.data();
  diagonal_ = &diagonal;
  compliance_ = &compliance;
  regularization_ = regularization;
  stiffness_ = (compliance.array() + regularization).inverse();
  for (const int row : staying_) stiffness_[row] = 0;
  share_ = (compliance.array() + 1).inverse();
  assemble();
}

void KktSystem::assemble() {
  std::fill(assembled_.begin(), assembled_.end(), 0.0);
  for (std::size_t k = 0; k < hessian_slot_.size(); ++k) assembled_[hessian_slot_[k]] += hessian_[k];
  for (int i = 0; i < variables_; ++i) assembled_[diagonal_slot_[i]] += (*diagonal_)[i];
  for (std::size_t k = 0; k < staying_.size(); ++k) {
    assembled_[diagonal_slot_[variables_ + k]] -= (*compliance_)[staying_[k]] + regularization_;
  }
  for (std::size_t k = 0; k < row_slot_.size(); ++k) {
    assembled_[row_slot_[k]] += jacobian_values_[first_staying_ + k];
  }
  for (const Group& group : groups_) add_group(group);
}

/// Jᵀ diag(1/c) J of rows alike.
void KktSystem::add_group(const Group& group) {
  const int size = static_cast<int>(group.position.size()), count = static_cast<int>(group.rows.size());
  const double* const rows = jacobian_values_ + group.first;
  for (int r = 0; r < count; ++r) gathered_rows_[r] = stiffness_[group.rows[r]];
  if (size <= kShortRow) {
    panel_kernels().combine_squares(rows, count, size, gathered_rows_.data(), sum_.data());
  } else {
    std::fill_n(sum_.begin(), static_cast<std::ptrdiff_t>(size) * size, 0.0);
    for (int first = 0; first < count; first += kDepth) {
      const int depth = std::min(kDepth, count - first);
      const double* const left = rows + static_cast<std::size_t>(first) * size;
      for (int r = 0; r < depth; ++r) {
        for (int i = 0; i < size; ++i) right_[i * depth + r] = -gathered_rows_[first + r] * left[r * size + i];
      }
      panel_kernels().subtract_product(sum_.data(), size, size, size, left, size, right_.data(), depth, true);
    }
  }
  const int in_band = static_cast<int>(std::lower_bound(group.position.begin(), group.position.end(), band_.band()) -
                                       group.position.begin());
  for (int j = 0; j < size; ++j) {
    const double* const column = sum_.data() + static_cast<std::ptrdiff_t>(j) * size;
    if (j < in_band) {
      double* const to = assembled_.data() + band_.slot(group.position[j], group.position[j]) - group.position[j];
      for (int i = j; i < in_band; ++i) to[group.position[i]] += column[i];
    }
    for (int i = std::max(j, in_band); i < size; ++i) {
      assembled_[band_.slot(group.position[i], group.position[j])] += column[i];
    }
  }
}

bool KktSystem::factor(double shift) {
  shift_ = shift;
  std::copy(assembled_.begin(), assembled_.end(), shifted_.begin());
  for (int i = 0; i < variables_; ++i) shifted_[diagonal_slot_[i]] += shift;
  const Inertia inertia = band_.factor(shifted_);
  return inertia.positive == variables_ && inertia.zero == 0;
}

/// Rows alike read the same variables: these gathered once, they are a dense product.
void KktSystem::multiply(const Eigen::VectorXd& x, Eigen::VectorXd& out) {
  out.setZero();
  for (const Group& group : groups_) {
    const int size = static_cast<int>(group.variable.size()), count = static_cast<int>(group.rows.size());
    for (int k = 0; k < size; ++k) gathered_[k] = x[group.variable[k]];
    panel_kernels().multiply_rows(jacobian_values_ + group.first, count, size, gathered_.data(), gathered_rows_.data());
    for (int r = 0; r < count; ++r) out[group.rows[r]] = gathered_rows_[r];
  }
  for_staying([&](int row, int column, double value) { out[row] += value * x[column]; });
}

void KktSystem::add_transposed_product(const Eigen::VectorXd& y, Eigen::VectorXd& out) {
  for (const Group& group : groups_) {
    const int size = static_cast<int>(group.variable.size()), count = static_cast<int>(group.rows.size());
    for (int r = 0; r < count; ++r) gathered_rows_[r] = y[group.rows[r]];
    panel_kernels().combine_rows(jacobian_values_ + group.first, count, size, {gathered_rows_.data(), 1, 0, 1},
                                 gathered_.data());
    for (int k = 0; k < size; ++k) out[group.variable[k]] += gathered_[k];
  }
  for_staying([&](int row, int column, double value) { out[column] += value * y[row]; });
}

void KktSystem::solve_roughly(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, Eigen::VectorXd& dx,
                              Eigen::VectorXd& dy) {
  more_x_ = r_x;
  row_part_ = stiffness_.cwiseProduct(r_y);
  add_transposed_product(row_part_, more_x_);
  for (int i = 0; i < variables_; ++i) unknowns_[position_[i]] = more_x_[i];
  for (std::size_t k = 0; k < staying_.size(); ++k) unknowns_[position_[variables_ + k]] = r_y[staying_[k]];
  band_.solve(view(unknowns_));
  for (int i = 0; i < variables_; ++i) dx[i] = unknowns_[position_[i]];
  multiply(dx, along_);
  dy = stiffness_.cwiseProduct(along_ - r_y);
  for (std::size_t k = 0; k < staying_.size(); ++k) dy[staying_[k]] = unknowns_[position_[variables_ + k]];
}

/// What is left of the right side, in left_x_ and left_y_; returns its largest entry. J dx is in along_.
double KktSystem::residual(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, const Eigen::VectorXd& dx,
                           const Eigen::VectorXd& dy) {
  left_x_.setZero();
  add_transposed_product(dy, left_x_);
  for (std::size_t k = 0; k < hessian_pattern_.size(); ++k) {
    const auto& [row, column] = hessian_pattern_[k];
    left_x_[row] += hessian_[k] * dx[column];
    if (row != column) left_x_[column] += hessian_[k] * dx[row];
  }
  left_x_ = r_x - left_x_ - ((diagonal_->array() + shift_) * dx.array()).matrix();
  left_y_ = r_y - along_ + compliance_->cwiseProduct(dy);
  if (!left_x_.allFinite() || !left_y_.allFinite()) return std::numeric_limits<double>::infinity();
  return size_of(left_x_, left_y_);
}

/// The largest entry, of rows that give way as much as they do so.
double KktSystem::size_of(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y) const {
  const double of_x = r_x.size() > 0 ? r_x.lpNorm<Eigen::Infinity>() : 0;
  return r_y.size() > 0 ? std::max(of_x, share_.cwiseProduct(r_y).lpNorm<Eigen::Infinity>()) : of_x;
}

bool KktSystem::solve(const Eigen::VectorXd& r_x, const Eigen::VectorXd& r_y, Eigen::VectorXd& dx,
                      Eigen::VectorXd& dy) {
  solve_roughly(r_x, r_y, dx, dy);
  const auto size = [](const Eigen::VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; };
  const double right = size_of(r_x, r_y);
  double best = residual(r_x, r_y, dx, dy);
  const auto relative = [&](double left) {
    return left / (right + std::min(std::max(size(dx), size(dy)), 1e6 * right) + std::numeric_limits<double>::min());
  };
  for (int k = 0; k < kRefinements && relative(best) > kAccurate; ++k) {
    best_x_ = dx, best_y_ = dy, best_along_ = along_;
    const Eigen::VectorXd& left_x = left_x_;
    const Eigen::VectorXd& left_y = left_y_;
    solve_roughly(left_x, left_y, dx, dy);
    dx += best_x_;
    dy += best_y_;
    along_ += best_along_;
    const double left = residual(r_x, r_y, dx, dy);
    if (!(left < best)) {
      dx = best_x_, dy = best_y_, along_ = best_along_;
      break;
    }
    if (left > 0.5 * best && relative(left) < kEnough) break;
    best = left;
  }
  return relative(best) <= kEnough;
}

}  // namespace verne::nlp
