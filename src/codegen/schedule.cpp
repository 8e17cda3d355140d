#include "codegen/schedule.h"

#include <algorithm>

namespace verne::codegen {

namespace {

std::size_t at(int node) {
  return static_cast<std::size_t>(node);
}

/// What costs nothing and needs no place in the order.
bool is_given(Op op) {
  return op == Op::constant || op == Op::input;
}

}  // namespace

Schedule::Schedule(const Trace& trace) {
  find_needs(trace);
  put_in_order(trace);
}

OperationCounts Schedule::counts_of(const Trace& trace) {
  Schedule schedule;
  schedule.find_needs(trace);
  return schedule.counts_;
}

void Schedule::find_needs(const Trace& trace) {
  const Graph& graph = trace.graph;
  for (const Node& node : graph.nodes()) {
    bool derived = node.op == Op::constant || (node.op == Op::input && node.a == kParameters);
    if (!is_given(node.op)) {
      derived = true;
      for_each_operand(node, [&](int k) { derived = derived && derived_node_[at(k)]; });
    }
    derived_node_.push_back(derived);
  }
  find_uses(trace);
  count(graph);
}

void Schedule::find_uses(const Trace& trace) {
  const Graph& graph = trace.graph;
  uses_.assign(graph.nodes().size(), 0);
  for (const TracedOutput& output : trace.outputs) {
    for (const Term& term : output.values) ++uses_[at(term.node)];
  }
  for (int k = static_cast<int>(graph.nodes().size()) - 1; k >= 0; --k) {
    if (uses_[at(k)] > 0) for_each_operand(graph[k], [&](int operand) { ++uses_[at(operand)]; });
  }
  // The parameters' own arithmetic is done apart.
  for (int k = 0; k < static_cast<int>(graph.nodes().size()); ++k) {
    if (uses_[at(k)] > 0 && derived_node_[at(k)] && !is_given(graph[k].op)) derived_.push_back(k);
  }
}

void Schedule::count(const Graph& graph) {
  for (int k = 0; k < static_cast<int>(graph.nodes().size()); ++k) {
    if (uses_[at(k)] == 0 || derived_node_[at(k)]) continue;
    const Op op = graph[k].op;
    counts_.multiplications += op == Op::multiply || op == Op::divide;
    counts_.additions += op == Op::add || op == Op::subtract;
    counts_.trigonometric += is_trigonometric(op) || op == Op::tanh;
    const bool new_angle =
        is_trigonometric(op) && std::find(angles_.begin(), angles_.end(), graph[k].a) == angles_.end();
    if (new_angle) angles_.push_back(graph[k].a);
  }
}

std::vector<int> Schedule::depth_first(const Graph& graph, const std::vector<int>& targets,
                                       bool last_operand_first) const {
  std::vector<int> order, open;
  std::vector<bool> done(graph.nodes().size());
  const auto is_done = [&](int k) {
    return done[at(k)] || is_given(graph[k].op) || derived_node_[at(k)] || is_trigonometric(graph[k].op);
  };
  const auto reach = [&](int target) {
    open.push_back(target);
    while (!open.empty()) {
      const int node = open.back();
      const std::size_t before = open.size();
      if (!is_done(node)) {
        for_each_operand(graph[node], [&](int k) {
          if (!is_done(k)) open.push_back(k);
        });
      }
      if (open.size() > before) {
        if (!last_operand_first) std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
        continue;
      }
      open.pop_back();
      if (is_done(node)) continue;
      done[at(node)] = true;
      order.push_back(node);
    }
  };
  for (const int angle : angles_) reach(angle);
  for (const int target : targets) reach(target);
  return order;
}

int Schedule::max_live(const Graph& graph, const std::vector<int>& order) const {
  std::vector<int> left(graph.nodes().size());
  for (const int node : order) for_each_operand(graph[node], [&](int k) { ++left[at(k)]; });
  std::vector<bool> begun(graph.nodes().size());
  int live = 0, most = 0;
  for (const int node : order) {
    for_each_operand(graph[node], [&](int k) {
      if (is_given(graph[k].op) || derived_node_[at(k)]) return;
      if (is_trigonometric(graph[k].op) && !begun[at(k)]) begun[at(k)] = true, ++live;
      most = std::max(most, live);
      if (--left[at(k)] == 0) --live;
    });
    if (left[at(node)] > 0) ++live;
    most = std::max(most, live);
  }
  return most;
}

/// The best of a few orders: as traced, which is limb after limb; or depth first from the results, so that what was
/// just computed is used soon.
void Schedule::put_in_order(const Trace& trace) {
  std::vector<int> as_traced, results;
  for (int k = 0; k < static_cast<int>(uses_.size()); ++k) {
    if (uses_[at(k)] > 0) as_traced.push_back(k);
  }
  for (const TracedOutput& output : trace.outputs) {
    for (const Term& term : output.values) results.push_back(term.node);
  }
  std::vector<int> backwards(results.rbegin(), results.rend()), sorted = results;
  std::sort(sorted.begin(), sorted.end());
  for (const std::vector<int>* const targets : {&as_traced, &results, &backwards, &sorted}) {
    for (const bool last_operand_first : {true, false}) {
      std::vector<int> order = depth_first(trace.graph, *targets, last_operand_first);
      const int live = max_live(trace.graph, order);
      if (!order_.empty() && live >= max_live_) continue;
      max_live_ = live;
      order_ = std::move(order);
    }
  }
}

std::string identifier(const std::string& text) {
  std::string out = text;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::replace_if(
      out.begin(), out.end(), [&](char c) { return !allowed(c); }, '_');
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "m");
  return out;
}

}  // namespace verne::codegen
