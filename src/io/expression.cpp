#include "io/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "io/number.h"
#include "verne/base/error.h"

namespace verne {

namespace {

/// Parentheses and signs inside each other; far more than anyone writes, far less than the stack bears.
constexpr int kDeepestBrackets = 100;

/// Names that mean something in every expression.
constexpr std::string_view kOwnNames[] = {"pi", "inf", "sqrt", "sin", "cos"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The longest beginning of `text` that is a name.
std::string_view leading_word(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && (is_letter(text[size]) || (size > 0 && is_digit(text[size])))) ++size;
  return text.substr(0, size);
}

/// Recursive descent. After the first problem every function returns at once with a value that nobody uses.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionOptions& options) : rest_(text), options_(options) {}

  Evaluated parse() {
    const double value = sum();
    skip_blanks();
    const std::string unit = degrees_ ? "deg" + trailing_unit() : trailing_unit();
    if (problem_.empty() && !rest_.empty()) fail("unexpected " + in_quotes(rest_));
    return {value, problem_, unit};
  }

 private:
  double sum() {
    double value = product();
    while (problem_.empty()) {
      if (accept('+')) {
        value += product();
      } else if (accept('-')) {
        value -= product();
      } else {
        break;
      }
    }
    return value;
  }

  double product() {
    double value = sign();
    bool in_degrees = false;
    while (problem_.empty()) {
      if (accept('*')) {
        value *= sign();
      } else if (in_degrees && rate_follows()) {
        break;
      } else if (accept('/')) {
        value /= sign();
      } else if (!in_degrees && accept_word("deg")) {
        value *= std::numbers::pi / 180;
        in_degrees = true;
        if (level_ == 0) degrees_ = true;
      } else {
        break;
      }
    }
    return value;
  }

  double sign() {
    if (++depth_ > kDeepestBrackets) return fail("nested too deeply");
    double value;
    if (accept('-')) {
      value = -sign();
    } else if (accept('+')) {
      value = sign();
    } else {
      value = atom();
    }
    --depth_;
    return value;
  }

  double atom() {
    skip_blanks();
    if (rest_.empty()) return fail("it ends where a number is expected");
    if (accept('(')) return closed();
    if (is_digit(rest_[0]) || rest_[0] == '.') return number();
    const std::string_view name = word();
    if (name.empty()) return fail("unexpected " + in_quotes(rest_));
    rest_.remove_prefix(name.size());
    if (name == "pi") return std::numbers::pi;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "sqrt") return std::sqrt(argument());
    if (name == "sin") return std::sin(argument());
    if (name == "cos") return std::cos(argument());
    return parameter(std::string(name));
  }

  double parameter(const std::string& name) {
    std::vector<std::string> known(std::begin(kOwnNames), std::end(kOwnNames));
    if (options_.names) {
      if (const auto found = options_.names->find(name); found != options_.names->end()) return found->second;
      for (const auto& [other, value] : *options_.names) known.push_back(other);
    }
    return fail("unknown name " + in_quotes(name) + suggestion(name, known));
  }

  double argument() {
    if (!accept('(')) return fail("expected '(' after the function's name");
    return closed();
  }

  /// What stands between parentheses, the first of which is read.
  double closed() {
    ++level_;
    const double value = sum();
    --level_;
    if (problem_.empty() && !accept(')')) fail("missing ')'");
    return value;
  }

  double number() {
    double value = 0;
    const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (status == std::errc::result_out_of_range) return fail("the number is out of range");
    if (status != std::errc()) return fail("unexpected " + in_quotes(rest_));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view word() const { return leading_word(rest_); }

  /// Whether `/s`, `/s^2` or `/s^3` is next: part of a unit, unless the parameter s is meant.
  bool rate_follows() {
    skip_blanks();
    if (!options_.units || rest_.empty() || rest_[0] != '/') return false;
    const std::string_view next = leading_word(rest_.substr(std::min(rest_.find_first_not_of("/ \t"), rest_.size())));
    return (next == "s" || next == "s2" || next == "s3") &&
           !(options_.names && options_.names->count(std::string(next)));
  }

  /// Takes the rest of the text as a unit if it can be one.
  std::string trailing_unit() {
    std::string unit;
    if (!options_.units || !problem_.empty() || rest_.empty()) return unit;
    if (!is_letter(rest_[0]) && !(degrees_ && rest_[0] == '/')) return unit;
    for (const char c : rest_) {
      if (c != ' ' && c != '\t' && c != '*' && c != '^') unit += c;
    }
    rest_ = {};
    return unit;
  }

  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool accept_word(std::string_view expected) {
    skip_blanks();
    if (word() != expected) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }

  double fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return 0;
  }

  std::string_view rest_;
  ExpressionOptions options_;
  std::string problem_;
  int depth_ = 0;
  int level_ = 0;         // of parentheses
  bool degrees_ = false;  // outside of parentheses
};

}  // namespace

bool is_parameter_name(std::string_view name) {
  const bool taken =
      name == "deg" || std::find(std::begin(kOwnNames), std::end(kOwnNames), name) != std::end(kOwnNames);
  return !taken && !name.empty() && leading_word(name) == name;
}

Evaluated evaluate_expression(std::string_view text, const ExpressionOptions& options) {
  return ExpressionParser(text, options).parse();
}

}  // namespace verne
