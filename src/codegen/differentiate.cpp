#include "codegen/differentiate.h"

#include <algorithm>

namespace verne::codegen {

namespace {

/// The rate of one node from those of its operands, x, y and z.
Term rate_of(Graph& graph, int index, Term x, Term y, Term z) {
  const Node node = graph[index];  // a copy: the graph grows
  const Term a{node.a, false}, b{node.b, false}, self{index, false};
  switch (node.op) {
    case Op::constant:
    case Op::input:
    case Op::less:
      return graph.constant(0);
    case Op::add:
      return graph.sum(x, y);
    case Op::subtract:
      return graph.sum(x, -y);
    case Op::multiply:
      return graph.sum(graph.product(x, b), graph.product(a, y));
    case Op::divide:
      return graph.quotient(graph.sum(x, -graph.product(self, y)), b);
    case Op::negate:
      return -x;
    case Op::sine:
      return graph.product(graph.cosine(a), x);
    case Op::cosine:
      return -graph.product(graph.sine(a), x);
    case Op::tanh:
      return graph.product(graph.sum(graph.constant(1), -graph.product(self, self)), x);
    case Op::square_root:
      return graph.quotient(graph.product(graph.constant(0.5), x), self);
    case Op::select:
      return graph.select(a, y, z);
  }
  return graph.constant(0);
}

}  // namespace

std::vector<Term> rates_of(Graph& graph, const std::vector<Term>& outputs, const Rates& given) {
  int end = 0;
  for (const Term& output : outputs) end = std::max(end, output.node + 1);
  std::vector<bool> needed(static_cast<std::size_t>(end));
  const auto at = [](int node) { return static_cast<std::size_t>(node); };
  for (const Term& output : outputs) needed[at(output.node)] = true;
  const auto operand = [&](int k, int i) { return i == 0 ? graph[k].a : i == 1 ? graph[k].b : graph[k].c; };
  for (int k = end - 1; k >= 0; --k) {
    if (!needed[at(k)] || given.contains(k)) continue;
    for (int i = 0; i < operand_count(graph[k].op); ++i) needed[at(operand(k, i))] = true;
  }
  const Term zero = graph.constant(0);
  std::vector<Term> rates(static_cast<std::size_t>(end), zero);
  for (int k = 0; k < end; ++k) {
    if (!needed[at(k)]) continue;
    if (const auto own = given.find(k); own != given.end()) {
      rates[at(k)] = own->second;
      continue;
    }
    Term of_operand[3] = {zero, zero, zero};
    for (int i = 0; i < operand_count(graph[k].op); ++i) of_operand[i] = rates[at(operand(k, i))];
    rates[at(k)] = rate_of(graph, k, of_operand[0], of_operand[1], of_operand[2]);
  }
  std::vector<Term> out;
  for (const Term& output : outputs) {
    const Term rate = rates[at(output.node)];
    out.push_back(output.negative ? -rate : rate);
  }
  return out;
}

}  // namespace verne::codegen
