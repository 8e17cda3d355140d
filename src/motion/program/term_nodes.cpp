#include "motion/program/term_nodes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "motion/values/announce.h"
#include "nlp/kernels/panel_kernels.h"

namespace verne {

namespace {

constexpr double kWorthABlock = 12;  // inputs of a group, times the part by which a larger block has more entries

}  // namespace

template <class Term>
TermNodes<Term>::TermNodes(const Model& model, const ChannelLayout& channels, const CurveVariables& curve,
                           std::vector<Place> places, std::vector<std::unique_ptr<Term>> terms)
    : channels_(channels),
      derived_(channels.derived()),
      terms_(std::move(terms)),
      local_(localize(channels, terms_)),
      nodes_(curve, std::move(places), channels.ground().contacts(), channels.known_duration() >= 0),
      hessians_(nodes_, pairs(channels, local_, terms_)),
      values_(model, channels, nodes_.count(), &hessians_.pairs()),
      nodes_of_span_(curve.basis.spans()),
      z_row_(kStateOrders * channels.nv()) {
  values_.place(nodes_.places());
  make_groups();
  std::size_t most_inputs = 0, slopes = 0;
  for (const auto& term : terms_) {
    rows_ += term->rows();
    most_inputs = std::max(most_inputs, term->inputs().size());
    slopes += term->inputs().size() * term->rows();
  }
  u_.resize(most_inputs), H_.resize(most_inputs * most_inputs);
  slopes_.resize(slopes, nodes_.count());
  channel_multipliers_.resize(channels.size(), nodes_.count());
  of_channels_.resize(channels.size());
  z_gradients_.resize(kStateOrders * channels.nv(), nodes_.count());
  std::size_t most_nodes = 0, most_timings = 0;
  for (int n = 0; n < nodes_.count(); ++n) {
    const int span = nodes_.places()[n].span;
    std::vector<int>& nodes = nodes_of_span_[span];
    nodes.push_back(n);
    most_timings = std::max(most_timings, static_cast<std::size_t>(nodes_.timings(span)));
    most_nodes = std::max(most_nodes, nodes.size());
  }
  for (const Group& group : groups_) {
    const std::size_t columns = nodes_.points() * group.block.dofs.size() + most_timings;
    const std::size_t inputs = group.local.inputs.size();
    A_.resize(std::max(A_.size(), most_nodes * inputs * columns));
    T_.resize(std::max(T_.size(), columns * columns));
    H_group_.resize(std::max(H_group_.size(), inputs * inputs));
  }
  B_.resize(A_.size()), B_columns_.resize(A_.size());
}

template <class Term>
auto TermNodes<Term>::localize(const ChannelLayout& channels, const std::vector<std::unique_ptr<Term>>& terms)
    -> std::vector<Local> {
  const int nv = channels.nv();
  std::vector<std::vector<int>> known(channels.size());  // many terms read the same channels
  const auto dofs_of = [&](int channel) -> const std::vector<int>& {
    if (known[channel].empty()) known[channel] = channels.dofs(channel);
    return known[channel];
  };
  std::vector<Local> all;
  int row = 0, slope = 0;
  for (const auto& term : terms) {
    Local local{{}, 0, {}, row, slope, true, {}};
    for (const int channel : term->inputs()) {
      const std::vector<int>& dofs = dofs_of(channel);
      std::vector<int> both;
      std::set_union(local.dofs.begin(), local.dofs.end(), dofs.begin(), dofs.end(), std::back_inserter(both));
      local.dofs = std::move(both);
    }
    local.joints = static_cast<int>(std::lower_bound(local.dofs.begin(), local.dofs.end(), channels.joints()) -
                                    local.dofs.begin());
    for (const int channel : term->inputs()) {
      Input input{
          channel, channel < kStateOrders * nv ? channel / nv : -1, {}, false, channel == channels.known_duration()};
      for (const int dof : dofs_of(channel)) {
        input.at.push_back(
            static_cast<int>(std::lower_bound(local.dofs.begin(), local.dofs.end(), dof) - local.dofs.begin()));
      }
      input.by_all = input.order < 0 && !input.duration && input.at.size() == local.dofs.size();
      local.of_posture = local.of_posture && channels.of_posture(channel) && !term->of_rate();
      local.inputs.push_back(std::move(input));
    }
    row += term->rows();
    slope += term->rows() * static_cast<int>(term->inputs().size());
    all.push_back(std::move(local));
  }
  return all;
}

template <class Term>
void TermNodes<Term>::make_groups() {
  std::vector<Group> groups;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    if (terms_[t]->linear()) continue;
    const std::vector<int>& dofs = local_[t].dofs;
    if (local_[t].of_posture) {
      local_[t].pair = hessians_.block(dofs).pair;
      A_.resize(std::max(A_.size(), terms_[t]->inputs().size() * dofs.size()));
      continue;
    }
    auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.local.dofs == dofs; });
    if (found == groups.end()) {
      found = groups.insert(groups.end(), Group{});
      found->local.dofs = dofs;
      found->local.joints = local_[t].joints;
    }
    found->terms.push_back(static_cast<int>(t));
  }
  join_larger(groups);
  for (Group& group : groups) {
    place_inputs(group);
    group.block = hessians_.block(group.local.dofs);
    groups_.push_back(std::move(group));
  }
}

/// Each once.
template <class Term>
std::vector<int> TermNodes<Term>::channels_of(const std::vector<int>& terms) const {
  std::vector<int> all;
  for (const int t : terms) all.insert(all.end(), terms_[t]->inputs().begin(), terms_[t]->inputs().end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// A group of few inputs joins one that has all of its freedoms, and not many more: products of rows that are partly
/// zero cost less than a block of its own.
template <class Term>
void TermNodes<Term>::join_larger(std::vector<Group>& groups) const {
  const auto size = [](const Group& group) { return static_cast<double>(group.local.dofs.size()); };
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) { return size(a) < size(b); });
  for (auto group = groups.begin(); group != groups.end();) {
    const std::vector<int>& dofs = group->local.dofs;
    const auto larger = std::find_if(group + 1, groups.end(), [&](const Group& other) {
      return std::includes(other.local.dofs.begin(), other.local.dofs.end(), dofs.begin(), dofs.end());
    });
    const double inputs = static_cast<double>(channels_of(group->terms).size());
    if (larger == groups.end() || inputs * (std::pow(size(*larger) / size(*group), 2) - 1) > kWorthABlock) {
      ++group;
      continue;
    }
    larger->terms.insert(larger->terms.end(), group->terms.begin(), group->terms.end());
    group = groups.erase(group);
  }
}

template <class Term>
void TermNodes<Term>::place_inputs(Group& group) const {
  const std::vector<int>&dofs = group.local.dofs, channels = channels_of(group.terms);
  group.local.inputs.resize(channels.size());
  for (const int t : group.terms) {
    std::vector<int>& places = group.places.emplace_back();
    for (Input input : local_[t].inputs) {
      for (int& at : input.at) {
        at = static_cast<int>(std::lower_bound(dofs.begin(), dofs.end(), local_[t].dofs[at]) - dofs.begin());
      }
      input.by_all = input.by_all && input.at.size() == dofs.size();
      places.push_back(
          static_cast<int>(std::lower_bound(channels.begin(), channels.end(), input.channel) - channels.begin()));
      group.local.inputs[places.back()] = std::move(input);
    }
  }
}

template <class Term>
DofPairs TermNodes<Term>::pairs(const ChannelLayout& channels, const std::vector<Local>& local,
                                const std::vector<std::unique_ptr<Term>>& terms) {
  DofSets coupled, curved = channels.curved();
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!terms[t]->linear()) (local[t].of_posture ? curved : coupled).push_back(local[t].dofs);
  }
  return {channels.nv(), coupled, curved};
}

template <class Term>
void TermNodes<Term>::update(std::span<const double> x, Level level) {
  if (!std::equal(x.begin(), x.end(), x_.begin(), x_.end())) {
    x_.assign(x.begin(), x.end());
    level_ = Level::nothing;
  }
  if (level_ >= level) return;
  if (level_ == Level::nothing || !nodes_.evaluates_all()) {
    nodes_.evaluate(x, level == Level::second  ? SplineBasis::Want::second_derivatives
                       : level == Level::first ? SplineBasis::Want::first_derivatives
                                               : SplineBasis::Want::values);
  }
  if (level_ == Level::nothing) {
    values_.set_duration(nodes_.curve().duration(x));
    values_.evaluate(nodes_.z());
    announce_all(terms_, values_.y(), nodes_.count());
  }
  if (level_ < Level::first && level >= Level::first) {
    values_.differentiate();
    find_slopes();
  }
  level_ = level;
}

template <class Term>
void TermNodes<Term>::inputs(int node, const Term& term) {
  const double* const y = values_.y().col(node).data();
  for (std::size_t k = 0; k < term.inputs().size(); ++k) u_[k] = y[term.inputs()[k]];
}

template <class Term>
void TermNodes<Term>::find_slopes() {
  for (int n = 0; n < nodes_.count(); ++n) {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      inputs(n, *terms_[t]);
      terms_[t]->jacobian(u_.data(), slopes_.col(n).data() + local_[t].first_slope);
    }
  }
}

template <class Term>
void TermNodes<Term>::values(int node, double* rows) {
  for (const auto& term : terms_) {
    inputs(node, *term);
    term->value(u_.data(), rows);
    rows += term->rows();
  }
}

template <class Term>
void TermNodes<Term>::add_input(int node, const Input& input, double weight, int dofs) {
  if (input.order >= 0) {
    z_row_[input.order * dofs + input.at[0]] += weight;
    return;
  }
  const NodeValues::Gradient g = values_.gradient(node, input.channel);
  const double* from = g.values;
  for (int order = 0; order < g.orders; ++order) {
    for (const int at : input.at) z_row_[order * dofs + at] += weight * *from++;
  }
}

template <class Term>
void TermNodes<Term>::pull_back(int node, const Local& local, const double* by_state, int orders, double weight,
                                double* out) const {
  const Nodes::Basis& b = nodes_.basis(node);
  const int size = static_cast<int>(local.dofs.size()), nv = channels_.nv();
  nlp::panel_kernels().combine_rows(by_state, orders, size, b.by_order(), out);
  for (int c = 0; c < nodes_.points(); ++c) {
    for (int i = local.joints; i < size; ++i) out[c * size + i] = b.contact[c] * by_state[i];
  }
  double* const end = out + nodes_.points() * size;
  if (weight == 1) out = end;
  while (out < end) *out++ *= weight;
  for (Eigen::Index k = 0; k < b.z_by_timing.cols(); ++k) {
    const double* const z = b.z_by_timing.col(k).data();
    double sum = 0;
    for (int d = 0; d < orders; ++d) {
      for (int i = 0; i < size; ++i) sum += by_state[d * size + i] * z[d * nv + local.dofs[i]];
    }
    *out++ = weight * sum;
  }
}

template <class Term>
void TermNodes<Term>::pull_back_input(int node, const Local& local, const Input& input, double weight, double* out) {
  const int size = static_cast<int>(local.dofs.size());
  if (input.duration) {
    std::fill_n(out, nodes_.points() * size + nodes_.timings(nodes_.places()[node].span), 0.0);
    return nodes_.add_by_duration(nodes_.places()[node].span, weight, out + nodes_.points() * size);
  }
  if (input.by_all) {
    const NodeValues::Gradient g = values_.gradient(node, input.channel);
    return pull_back(node, local, g.values, g.orders, weight, out);
  }
  if (input.order < 0) {
    std::fill_n(z_row_.begin(), kStateOrders * size, 0.0);
    add_input(node, input, weight, size);
    return pull_back(node, local, z_row_.data(), kStateOrders, 1, out);
  }
  const Nodes::Basis& b = nodes_.basis(node);
  if (size > 1) std::fill_n(out, nodes_.points() * size, 0.0);
  const bool of_contact = input.at[0] >= local.joints;
  for (int c = 0; c < nodes_.points(); ++c) {
    out[c * size + input.at[0]] = weight * (of_contact ? b.contact[c] : b.value(input.order, c));
  }
  out += nodes_.points() * size;
  for (Eigen::Index k = 0; k < b.z_by_timing.cols(); ++k) *out++ = weight * b.z_by_timing(input.channel, k);
}

template <class Term>
void TermNodes<Term>::pull_back_row(int node, const Local& local, const double* slope, double* out) {
  if (local.inputs.size() == 1) return pull_back_input(node, local, local.inputs[0], slope[0], out);
  const int size = static_cast<int>(local.dofs.size());
  std::fill_n(z_row_.begin(), kStateOrders * size, 0.0);
  double by_duration = 0;
  for (std::size_t k = 0; k < local.inputs.size(); ++k) {
    if (local.inputs[k].duration) by_duration += slope[k];
    if (slope[k] != 0) add_input(node, local.inputs[k], slope[k], size);
  }
  pull_back(node, local, z_row_.data(), local.of_posture ? 1 : kStateOrders, 1, out);
  if (by_duration == 0) return;
  nodes_.add_by_duration(nodes_.places()[node].span, by_duration, out + nodes_.points() * size);
}

template <class Term>
double* TermNodes<Term>::jacobian(int node, double* entries) {
  const int timings = nodes_.timings(nodes_.places()[node].span);
  for (const Local& local : local_) {
    const int size = static_cast<int>(local.dofs.size());
    const int count = static_cast<int>(local.inputs.size());
    const double* slope = slopes(node, local);
    const int rows = terms_[&local - local_.data()]->rows();
    for (int row = 0; row < rows; ++row, slope += count) {
      pull_back_row(node, local, slope, entries);
      entries += nodes_.points() * size + timings;
    }
  }
  return entries;
}

template <class Term>
void TermNodes<Term>::gradient(int node, const double* weights, double* of_channels, double* gradient_z) const {
  std::fill_n(of_channels, channels_.size(), 0.0);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const double* slope = slopes(node, local_[t]);
    for (int row = 0; row < terms_[t]->rows(); ++row) {
      for (const int input : terms_[t]->inputs()) of_channels[input] += weights[local_[t].first_row + row] * *slope++;
    }
  }
  std::copy_n(of_channels, kStateOrders * channels_.nv(), gradient_z);
  for (const int channel : derived_) {
    if (of_channels[channel] != 0) values_.add_gradient(node, channel, of_channels[channel], gradient_z);
  }
}

template <class Term>
double TermNodes<Term>::gradient(int node, const double* weights, double* gradient_z) {
  gradient(node, weights, of_channels_.data(), gradient_z);
  return by_duration(of_channels_.data());
}

template class TermNodes<NodeTerm>;
template class TermNodes<LimitTerm>;

}  // namespace verne
