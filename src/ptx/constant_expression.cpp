#include "ptx/constant_expression.h"

#include <bit>
#include <cmath>

namespace warpfork::ptx {

namespace {

using Kind = ImmediateOperand::Kind;

Constant integer(std::uint64_t bits, bool is_unsigned) { return {{Kind::Integer, bits}, is_unsigned}; }
Constant floating(double value) { return {{Kind::Float64, std::bit_cast<std::uint64_t>(value)}, false}; }
Constant truth(bool value) { return integer(value ? 1 : 0, false); }

/// C's precedence; 0 for what is no binary operator.
unsigned precedence(const Token& token) {
  static constexpr struct {
    std::string_view text;
    unsigned level;
  } kOperators[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {"<=", 7},
                    {">", 7},  {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  if (token.kind != TokenKind::Punctuation) return 0;
  for (const auto& entry : kOperators)
    if (entry.text == token.text) return entry.level;
  return 0;
}

constexpr unsigned kSumLevel = 9, kProductLevel = 10;

class ExpressionParser {
 public:
  explicit ExpressionParser(Cursor& cursor) : cursor_(cursor) {}

  Constant conditional() {
    const Nesting nesting(cursor_, depth_);
    const Constant condition = binary(1);
    if (!cursor_.accept("?")) return condition;
    const Constant if_true = conditional();
    cursor_.expect(":");
    const Constant if_false = conditional();
    Constant chosen = holds(condition) ? if_true : if_false;
    chosen.is_unsigned = chosen.is_integer() && (if_true.is_unsigned || if_false.is_unsigned);
    return chosen;
  }

  Constant binary(unsigned least) {
    Constant left = unary();
    while (true) {
      const Token op = cursor_.peek();
      const unsigned level = precedence(op);
      if (level < least || level == 0) return left;
      cursor_.take();
      const Constant right = binary(level + 1);
      left = apply(op, left, right);
    }
  }

 private:
  static bool holds(const Constant& c) { return c.is_integer() ? c.value.bits != 0 : c.as_double() != 0; }

  Constant unary() {
    const Nesting nesting(cursor_, depth_);
    const Token op = cursor_.peek();
    if (cursor_.accept("+")) return unary();
    if (cursor_.accept("-")) return negate(unary());
    if (cursor_.accept("!")) return truth(!holds(unary()));
    if (cursor_.accept("~")) {
      const Constant operand = unary();
      if (!operand.is_integer()) cursor_.fail(op, "'~' needs an integer");
      return integer(~operand.value.bits, true);
    }
    if (cursor_.accept("(")) return parenthesised();
    return primary();
  }

  static Constant negate(const Constant& c) {
    switch (c.value.kind) {
      case Kind::Float32:
        return {{Kind::Float32, c.value.bits ^ 0x80000000u}, false};
      case Kind::Float64:
        return floating(-c.as_double());
      default:
        return integer(-c.value.bits, c.is_unsigned);
    }
  }

  /// Behind `(`: a cast or an expression.
  Constant parenthesised() {
    if (cursor_.peek().kind != TokenKind::Dotted) {
      const Constant inner = conditional();
      cursor_.expect(")");
      return inner;
    }
    const Token type = cursor_.take();
    cursor_.expect(")");
    const Constant operand = unary();
    if (type.text == "s64") return integer(to_integer(type, operand), false);
    if (type.text == "u64") return integer(to_integer(type, operand), true);
    if (type.text == "f64") return floating(operand.as_double());
    cursor_.fail(type, fmt::format("cast to '.{}'", type.text), "allowed: (.s64) (.u64) (.f64)");
  }

  std::uint64_t to_integer(const Token& at, const Constant& c) const {
    if (c.is_integer()) return c.value.bits;
    const double value = c.as_double();
    if (!(value > -9.3e18 && value < 1.8446744073709552e19)) cursor_.fail(at, "the value does not fit in 64 bits");
    if (value >= 9223372036854775808.0) return static_cast<std::uint64_t>(value);
    if (value < -9223372036854775808.0) cursor_.fail(at, "the value does not fit in 64 bits");
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }

  Constant primary() {
    const Token& token = cursor_.peek();
    switch (token.kind) {
      case TokenKind::Integer: {
        const Token literal = cursor_.take();
        return integer(literal.value, literal.is_unsigned || literal.value > INT64_MAX);
      }
      case TokenKind::Float32:
        return {{Kind::Float32, cursor_.take().value}, false};
      case TokenKind::Float64:
        return {{Kind::Float64, cursor_.take().value}, false};
      case TokenKind::Identifier:
        if (token.text == "WARP_SZ") {
          cursor_.take();
          return integer(cursor_.source().warp_size(), false);
        }
        [[fallthrough]];
      default:
        cursor_.fail_expected("a constant");
    }
  }

  Constant apply(const Token& op, const Constant& a, const Constant& b) const {
    if (op.text == "&&") return truth(holds(a) && holds(b));
    if (op.text == "||") return truth(holds(a) || holds(b));
    if (!a.is_integer() || !b.is_integer()) return apply_floating(op, a.as_double(), b.as_double());
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const std::uint64_t x = a.value.bits, y = b.value.bits;
    if (op.text == "+") return integer(x + y, is_unsigned);
    if (op.text == "-") return integer(x - y, is_unsigned);
    if (op.text == "*") return integer(x * y, is_unsigned);
    if (op.text == "&") return integer(x & y, is_unsigned);
    if (op.text == "|") return integer(x | y, is_unsigned);
    if (op.text == "^") return integer(x ^ y, is_unsigned);
    if (op.text == "==") return truth(x == y);
    if (op.text == "!=") return truth(x != y);
    if (op.text == "<<") return integer(y > 63 ? 0 : x << y, a.is_unsigned);
    if (op.text == ">>") return shift_right(a, y);
    if (op.text == "/") return divide(op, x, y, is_unsigned);
    if (op.text == "%") return remainder(op, x, y);
    return compare(op,
                   is_unsigned ? (x > y) - (x < y) : (a.as_signed() > b.as_signed()) - (a.as_signed() < b.as_signed()));
  }

  static Constant shift_right(const Constant& a, std::uint64_t by) {
    const std::uint64_t amount = by > 63 ? 63 : by;
    if (!a.is_unsigned) return integer(static_cast<std::uint64_t>(a.as_signed() >> amount), false);
    return integer(by > 63 ? 0 : a.value.bits >> by, true);
  }

  Constant divide(const Token& op, std::uint64_t x, std::uint64_t y, bool is_unsigned) const {
    if (y == 0) cursor_.fail(op, "division by zero");
    if (is_unsigned) return integer(x / y, true);
    const auto a = static_cast<std::int64_t>(x), b = static_cast<std::int64_t>(y);
    if (b == -1) return integer(-x, false);  // the smallest number has no positive twin
    return integer(static_cast<std::uint64_t>(a / b), false);
  }

  /// Other than in C, of unsigned numbers always.
  Constant remainder(const Token& op, std::uint64_t x, std::uint64_t y) const {
    if (y == 0) cursor_.fail(op, "division by zero");
    return integer(x % y, false);
  }

  Constant apply_floating(const Token& op, double a, double b) const {
    if (op.text == "+") return floating(a + b);
    if (op.text == "-") return floating(a - b);
    if (op.text == "*") return floating(a * b);
    if (op.text == "/") return floating(a / b);
    if (op.text == "==") return truth(a == b);
    if (op.text == "!=") return truth(a != b);
    if (precedence(op) != 7) cursor_.fail(op, fmt::format("'{}' needs integers", op.text));
    if (std::isnan(a) || std::isnan(b)) return truth(false);
    return compare(op, (a > b) - (a < b));
  }

  static Constant compare(const Token& op, int order) {
    if (op.text == "<") return truth(order < 0);
    if (op.text == "<=") return truth(order <= 0);
    if (op.text == ">") return truth(order > 0);
    return truth(order >= 0);
  }

  Cursor& cursor_;
  unsigned depth_ = 0;
};

}  // namespace

double Constant::as_double() const {
  switch (value.kind) {
    case Kind::Float32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
    case Kind::Float64:
      return std::bit_cast<double>(value.bits);
    default:
      return is_unsigned ? static_cast<double>(value.bits) : static_cast<double>(as_signed());
  }
}

Constant parse_constant(Cursor& cursor) { return ExpressionParser(cursor).conditional(); }

Constant parse_constant_term(Cursor& cursor) { return ExpressionParser(cursor).binary(kProductLevel); }

std::uint64_t parse_count(Cursor& cursor, std::string_view what, std::uint64_t least, std::uint64_t most) {
  const Token at = cursor.peek();
  const Constant count = ExpressionParser(cursor).binary(kSumLevel);
  const bool negative = !count.is_unsigned && count.as_signed() < 0;
  if (!count.is_integer() || negative || count.value.bits < least || count.value.bits > most)
    cursor.fail(at, fmt::format("{} must be an integer from {} to {}", what, least, most));
  return count.value.bits;
}

}  // namespace warpfork::ptx
