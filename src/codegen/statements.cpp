#include "codegen/statements.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace verne::codegen {

namespace {

/// Expressions longer than this get a name.
constexpr std::size_t kLongExpression = 90;
/// And those that are used more than so many nodes later: all that they are made of would have to be kept for them.
constexpr int kSoon = 8;

enum class Binding { atom, product, sum };

struct Expression {
  std::string text;
  Binding binding = Binding::atom;
};

std::string grouped(const Expression& x, Binding loosest) {
  return x.binding > loosest ? "(" + x.text + ")" : x.text;
}

template <class T>
std::string shortest(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string out(text, end);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

class StatementWriter {
 public:
  StatementWriter(const Trace& trace, const Schedule& schedule, const Dialect& dialect)
      : trace_(trace), graph_(trace.graph), schedule_(schedule), dialect_(dialect) {
    for (std::size_t k = 0; k < schedule.angles().size(); ++k) {
      angle_[schedule.angles()[k]] = static_cast<int>(k);
    }
    for (std::size_t k = 0; k < schedule.derived().size(); ++k) {
      derived_[schedule.derived()[k]] = static_cast<int>(trace.symbols.size() + k);
    }
    for (int k = 0; k < static_cast<int>(schedule.order().size()); ++k) {
      const int node = schedule.order()[static_cast<std::size_t>(k)];
      place_[node] = k;
      for_each_operand(graph_[node], [&](int operand) { last_use_[operand] = k; });
    }
    for (int o = 0; o < static_cast<int>(trace.outputs.size()); ++o) {
      const std::vector<Term>& values = trace.outputs[static_cast<std::size_t>(o)].values;
      for (int k = 0; k < static_cast<int>(values.size()); ++k) {
        places_.emplace(values[static_cast<std::size_t>(k)].node,
                        Place{o, k, values[static_cast<std::size_t>(k)].negative});
      }
    }
  }

  Statements write(Trigonometry trigonometry, const std::function<std::string(int, const std::string&)>& set_angle) {
    Statements out;
    std::vector<bool> is_set(schedule_.angles().size());
    const auto set = [&](int k, std::string& text) {
      if (!is_set[static_cast<std::size_t>(k)]) {
        text += set_angle(k, expression(schedule_.angles()[static_cast<std::size_t>(k)]).text);
      }
      is_set[static_cast<std::size_t>(k)] = true;
    };
    std::size_t next = 0;
    const std::vector<int>& order = schedule_.order();
    // Angles come first in the order, with what they need.
    for (std::size_t k = 0; k < schedule_.angles().size(); ++k) {
      const int angle = schedule_.angles()[k];
      while (!is_given(angle) && expressions_.find(angle) == expressions_.end()) define(order[next++], out.angles);
      if (trigonometry == Trigonometry::side_by_side) set(static_cast<int>(k), out.angles);
    }
    for (; next < order.size(); ++next) {
      for_each_operand(graph_[order[next]], [&](int operand) {
        if (is_trigonometric(graph_[operand].op)) set(angle_.at(graph_[operand].a), out.results);
      });
      define(order[next], out.results);
    }
    for (const auto& [node, place] : places_) {
      if (!is_given(node)) continue;
      if (is_trigonometric(graph_[node].op)) set(angle_.at(graph_[node].a), out.results);
      Expression x = expression(node);
      if (schedule_.is_derived(node)) x.text = dialect_.result(x.text);
      store(place, x, out.results);
    }
    return out;
  }

  std::string write_derived() {
    std::string out;
    for (const int node : schedule_.derived()) {
      out += "  " + dialect_.parameter(derived_.at(node)) + " = " + computed(node).text + ";\n";
    }
    return out;
  }

 private:
  struct Place {
    int output, entry;
    bool negative;
  };

  bool is_given(int node) const {
    const Op op = graph_[node].op;
    return op == Op::constant || op == Op::input || is_trigonometric(op) || schedule_.is_derived(node);
  }

  /// An operand as it is written.
  Expression expression(int index) const {
    const Node& node = graph_[index];
    if (node.op == Op::constant) return {dialect_.constant(node.value)};
    if (node.op == Op::input) {
      return {node.a == kParameters ? dialect_.parameter(node.b) : dialect_.input(node.a, node.b)};
    }
    if (const auto place = derived_.find(index); place != derived_.end()) return {dialect_.parameter(place->second)};
    if (node.op == Op::sine) return {dialect_.sine(angle_.at(node.a))};
    if (node.op == Op::cosine) return {dialect_.cosine(angle_.at(node.a))};
    return expressions_.at(index);
  }

  /// A node from its operands.
  Expression computed(int index) const {
    const Node& node = graph_[index];
    const auto a = [&](Binding loosest) { return grouped(expression(node.a), loosest); };
    const auto b = [&](Binding loosest) { return grouped(expression(node.b), loosest); };
    switch (node.op) {
      case Op::add:
        return {a(Binding::sum) + " + " + b(Binding::product), Binding::sum};
      case Op::subtract:
        return {a(Binding::sum) + " - " + b(Binding::product), Binding::sum};
      case Op::multiply:
        return {a(Binding::product) + " * " + b(Binding::atom), Binding::product};
      case Op::divide:
        return {a(Binding::product) + " / " + b(Binding::atom), Binding::product};
      case Op::negate:
        return {"-" + a(Binding::atom), Binding::sum};
      case Op::tanh:
        return {dialect_.tanh(a(Binding::sum))};
      case Op::square_root:
        return {dialect_.square_root(a(Binding::sum))};
      case Op::less:
        return {dialect_.less(a(Binding::atom), b(Binding::atom))};
      case Op::select:
        return {dialect_.select(a(Binding::atom), b(Binding::atom), grouped(expression(node.c), Binding::atom))};
      default:
        return expression(index);
    }
  }

  /// Makes the node an expression: a part of the one that uses it, when that is the only one, comes soon and a sum can
  /// take it up (so that compilers may contract), else a name.
  void define(int node, std::string& out) {
    Expression x = computed(node);
    const bool is_output = places_.contains(node);
    const Op op = graph_[node].op;
    const bool arithmetic = op == Op::add || op == Op::subtract || op == Op::multiply;
    if (arithmetic && !is_output && is_used_once_and_soon(node) && x.text.size() < kLongExpression) {
      expressions_[node] = std::move(x);
      return;
    }
    if (schedule_.uses(node) > 1 || !is_output) {
      const std::string name = "t" + std::to_string(++names_);
      out += "  const " + dialect_.scalar + " " + name + " = " + x.text + ";\n";
      x = {name};
    }
    expressions_[node] = x;
    const auto [first, last] = places_.equal_range(node);
    for (auto place = first; place != last; ++place) store(place->second, x, out);
  }

  bool is_used_once_and_soon(int node) const {
    const auto use = last_use_.find(node);  // angles have none
    return schedule_.uses(node) == 1 && use != last_use_.end() && use->second - place_.at(node) <= kSoon;
  }

  void store(const Place& place, const Expression& x, std::string& out) const {
    const TracedOutput& output = trace_.outputs[static_cast<std::size_t>(place.output)];
    out += "  " + dialect_.output(place.output, place.entry / output.columns, place.entry % output.columns) + " = " +
           (place.negative ? "-" + grouped(x, Binding::atom) : x.text) + ";\n";
  }

  const Trace& trace_;
  const Graph& graph_;
  const Schedule& schedule_;
  const Dialect& dialect_;
  std::unordered_map<int, int> angle_, derived_, place_, last_use_;
  std::multimap<int, Place> places_;
  std::unordered_map<int, Expression> expressions_;
  int names_ = 0;
};

}  // namespace

Statements statements_of(const Trace& trace, const Schedule& schedule, const Dialect& dialect,
                         Trigonometry trigonometry,
                         const std::function<std::string(int, const std::string&)>& set_angle) {
  return StatementWriter(trace, schedule, dialect).write(trigonometry, set_angle);
}

std::string derivation_of(const Trace& trace, const Schedule& schedule, const Dialect& dialect) {
  return StatementWriter(trace, schedule, dialect).write_derived();
}

std::string decimal(double value) {
  return shortest(value);
}
std::string decimal(float value) {
  return shortest(value);
}

}  // namespace verne::codegen
