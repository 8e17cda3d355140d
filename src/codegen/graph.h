/// Straight-line arithmetic as a graph in which no two nodes are alike. Nodes are simplified while they are made:
/// constants are folded, zeros and ones disappear, signs move outwards into the references, where they cost nothing.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace verne::codegen {

enum class Op : std::uint8_t {
  constant,
  input,        ///< a: which array, b: which entry
  add,          ///< a + b
  subtract,     ///< a - b
  multiply,     ///< a b
  divide,       ///< a / b
  negate,       ///< -a, only where a sign cannot move into a reference
  sine,         ///< of a
  cosine,       ///< of a
  tanh,         ///< of a
  square_root,  ///< of a
  less,         ///< a < b: 1 or 0
  select        ///< a ? b : c
};

struct Node {
  Op op = Op::constant;
  int a = -1, b = -1, c = -1;  ///< operands, which have lower numbers
  double value = 0;            ///< of a constant

  bool operator==(const Node&) const = default;
};

/// How many operands of a node are other nodes.
int operand_count(Op op);

template <class Visit>
void for_each_operand(const Node& node, Visit&& visit) {
  const int operands[] = {node.a, node.b, node.c};
  for (int k = 0; k < operand_count(node.op); ++k) visit(operands[k]);
}

inline bool is_trigonometric(Op op) {
  return op == Op::sine || op == Op::cosine;
}

/// Plus or minus a node.
struct Term {
  int node = -1;
  bool negative = false;

  Term operator-() const { return {node, !negative}; }
  bool operator==(const Term&) const = default;
};

class Graph {
 public:
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }

  Term constant(double value);
  Term input(int array, int entry);
  Term sum(Term x, Term y);
  Term product(Term x, Term y);
  Term quotient(Term x, Term y);
  Term sine(Term x);
  Term cosine(Term x);
  Term tanh(Term x);
  Term square_root(Term x);
  Term less(Term x, Term y);
  Term select(Term condition, Term x, Term y);

  bool is_constant(Term x) const { return (*this)[x.node].op == Op::constant; }
  /// Of a constant.
  double value(Term x) const { return x.negative ? -(*this)[x.node].value : (*this)[x.node].value; }
  bool is(Term x, double value) const { return is_constant(x) && this->value(x) == value; }

 private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  int find_or_add(const Node& node);
  /// The node itself, its sign made a node.
  int plain(Term x);
  /// x = factor * rest with a constant factor, which is 1 where there is none.
  double constant_factor(Term x, Term& rest) const;

  std::vector<Node> nodes_;
  std::unordered_map<Node, int, Hash> found_;
};

}  // namespace verne::codegen
