#include "codegen/graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace verne::codegen {

namespace {

/// Constants that cancel but for the rounding of a few operations leave nothing.
constexpr double kCancelled = 2e-15;

double sum_of_constants(double x, double y) {
  const double sum = x + y;
  return std::abs(sum) <= kCancelled * std::max(std::abs(x), std::abs(y)) ? 0.0 : sum;
}

}  // namespace

int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
      return 0;
    case Op::negate:
    case Op::sine:
    case Op::cosine:
    case Op::tanh:
    case Op::square_root:
      return 1;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::less:
      return 2;
    case Op::select:
      return 3;
  }
  return 0;
}

std::size_t Graph::Hash::operator()(const Node& node) const {
  std::size_t hash = std::bit_cast<std::uint64_t>(node.value) + static_cast<std::size_t>(node.op);
  for (const int operand : {node.a, node.b, node.c}) {
    hash = (hash ^ static_cast<std::size_t>(operand + 1)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

int Graph::find_or_add(const Node& node) {
  const auto [place, is_new] = found_.try_emplace(node, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return place->second;
}

int Graph::plain(Term x) {
  if (!x.negative) return x.node;
  if (is_constant(x)) return find_or_add({.value = value(x)});
  return find_or_add({.op = Op::negate, .a = x.node});
}

Term Graph::constant(double value) {
  return {find_or_add({.value = std::abs(value)}), value < 0};
}

Term Graph::input(int array, int entry) {
  return {find_or_add({.op = Op::input, .a = array, .b = entry}), false};
}

double Graph::constant_factor(Term x, Term& rest) const {
  const Node& node = (*this)[x.node];
  rest = x;
  if (node.op != Op::multiply || (*this)[node.a].op != Op::constant) return 1;
  rest = {node.b, false};
  const double factor = (*this)[node.a].value;
  return x.negative ? -factor : factor;
}

Term Graph::sum(Term x, Term y) {
  if (is(x, 0)) return y;
  if (is(y, 0)) return x;
  if (is_constant(x) && is_constant(y)) return constant(sum_of_constants(value(x), value(y)));
  Term x_rest, y_rest;
  const double fx = constant_factor(x, x_rest), fy = constant_factor(y, y_rest);
  if (x_rest.node == y_rest.node) {  // c x + d x
    const auto signed_factor = [](double f, Term rest) { return rest.negative ? -f : f; };
    return product(constant(sum_of_constants(signed_factor(fx, x_rest), signed_factor(fy, y_rest))),
                   {x_rest.node, false});
  }
  if (y.node < x.node) std::swap(x, y);
  // (x + y) or (x - y), the sign of x outside
  const Op op = x.negative == y.negative ? Op::add : Op::subtract;
  return {find_or_add({.op = op, .a = x.node, .b = y.node}), x.negative};
}

Term Graph::product(Term x, Term y) {
  if (is_constant(y)) std::swap(x, y);
  if (is_constant(x)) {
    if (is_constant(y)) return constant(value(x) * value(y));
    if (is(x, 0)) return x;
    if (is(x, 1)) return y;
    if (is(x, -1)) return -y;
    Term rest;
    const double factor = constant_factor(y, rest);
    if (factor != 1) return product(constant(value(x) * factor), rest);
    return {find_or_add({.op = Op::multiply, .a = x.node, .b = y.node}), x.negative != y.negative};
  }
  if (y.node < x.node) std::swap(x, y);
  return {find_or_add({.op = Op::multiply, .a = x.node, .b = y.node}), x.negative != y.negative};
}

Term Graph::quotient(Term x, Term y) {
  if (is(x, 0)) return x;
  if (is_constant(y)) return product(constant(1 / value(y)), x);
  if (x.node == y.node) return constant(x.negative == y.negative ? 1 : -1);
  return {find_or_add({.op = Op::divide, .a = x.node, .b = y.node}), x.negative != y.negative};
}

Term Graph::sine(Term x) {
  if (is_constant(x)) return constant(std::sin(value(x)));
  return {find_or_add({.op = Op::sine, .a = x.node}), x.negative};
}

Term Graph::cosine(Term x) {
  if (is_constant(x)) return constant(std::cos(value(x)));
  return {find_or_add({.op = Op::cosine, .a = x.node}), false};
}

Term Graph::tanh(Term x) {
  if (is_constant(x)) return constant(std::tanh(value(x)));
  return {find_or_add({.op = Op::tanh, .a = x.node}), x.negative};
}

Term Graph::square_root(Term x) {
  if (is_constant(x)) return constant(std::sqrt(value(x)));
  return {find_or_add({.op = Op::square_root, .a = plain(x)}), false};
}

Term Graph::less(Term x, Term y) {
  if (is_constant(x) && is_constant(y)) return constant(value(x) < value(y) ? 1 : 0);
  const int a = plain(x), b = plain(y);
  return {find_or_add({.op = Op::less, .a = a, .b = b}), false};
}

Term Graph::select(Term condition, Term x, Term y) {
  if (is_constant(condition)) return value(condition) != 0 ? x : y;
  if (x == y) return x;
  const int b = plain(x), c = plain(y);
  return {find_or_add({.op = Op::select, .a = condition.node, .b = b, .c = c}), false};
}

}  // namespace verne::codegen
