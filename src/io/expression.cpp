#include "io/expression.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "io/number.h"

namespace verne {

namespace {

/// Parentheses and signs inside each other; far more than anyone writes, far less than the stack bears.
constexpr int kDeepest = 100;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Recursive descent. After the first problem every function returns at once with a value that nobody uses.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : rest_(text) {}

  Evaluated parse() {
    const double value = sum();
    skip_blanks();
    if (problem_.empty() && !rest_.empty()) fail("unexpected " + in_quotes(rest_));
    return {value, problem_};
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
      } else if (accept('/')) {
        value /= sign();
      } else if (!in_degrees && accept_word("deg")) {
        value *= std::numbers::pi / 180;
        in_degrees = true;
      } else {
        break;
      }
    }
    return value;
  }

  double sign() {
    if (++depth_ > kDeepest) return fail("nested too deeply");
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
    if (accept('(')) return closed(sum());
    if (is_digit(rest_[0]) || rest_[0] == '.') return number();
    const std::string_view name = word();
    if (name.empty()) return fail("unexpected " + in_quotes(rest_));
    rest_.remove_prefix(name.size());
    if (name == "pi") return std::numbers::pi;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "sqrt") return std::sqrt(argument());
    if (name == "sin") return std::sin(argument());
    if (name == "cos") return std::cos(argument());
    return fail("unknown name " + in_quotes(name));
  }

  double argument() {
    if (!accept('(')) return fail("expected '(' after the function's name");
    return closed(sum());
  }

  double closed(double value) {
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

  std::string_view word() const {
    std::size_t size = 0;
    while (size < rest_.size() && (is_letter(rest_[size]) || (size > 0 && is_digit(rest_[size])))) ++size;
    return rest_.substr(0, size);
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
  std::string problem_;
  int depth_ = 0;
};

}  // namespace

Evaluated evaluate_expression(std::string_view text) {
  return ExpressionParser(text).parse();
}

}  // namespace verne
