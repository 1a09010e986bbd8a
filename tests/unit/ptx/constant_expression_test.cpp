#include "ptx/constant_expression.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "unit/ptx/fault.h"
#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace constant_expression_test {

Constant evaluate(std::string_view text) {
  const Source source(text, "t.ptx");
  Cursor cursor(source);
  const Constant value = parse_constant(cursor);
  EXPECT_EQ(cursor.peek().kind, TokenKind::End) << text;
  return value;
}

std::int64_t integer(std::string_view text) { return evaluate(text).as_signed(); }

// Expected values are those of the C language, whose operators and precedence the ISA adopts (4.5.4).
TEST(ConstantExpression, follows_the_precedence_of_c) {
  EXPECT_EQ(integer("1 + 2 * 3"), 7);
  EXPECT_EQ(integer("(1 + 2) * 3"), 9);
  EXPECT_EQ(integer("10 - 3 - 2"), 5);
  EXPECT_EQ(integer("1 | 6 & 3 ^ 1"), 3);
  EXPECT_EQ(integer("1 << 2 + 1"), 8);
  EXPECT_EQ(integer("4 < 5 == 1"), 1);
}

TEST(ConstantExpression, chooses_by_condition) {
  EXPECT_EQ(integer("0 ? 1 : 2 ? 3 : 4"), 3);
  EXPECT_EQ(integer("1 && 0 || 1"), 1);
}

TEST(ConstantExpression, applies_unary_operators) {
  EXPECT_EQ(integer("-5"), -5);
  EXPECT_EQ(integer("~0"), -1);
  EXPECT_EQ(integer("!3"), 0);
  EXPECT_EQ(integer("- - 2"), 2);
}

TEST(ConstantExpression, divides_by_sign) {
  EXPECT_EQ(integer("-7 / 2"), -3);
  EXPECT_EQ(integer("-7 >> 1"), -4);
  EXPECT_EQ(evaluate("(.u64)-1 / 2").value.bits, 0x7fffffffffffffffu);
}

TEST(ConstantExpression, survives_the_smallest_integer_over_minus_one) {
  EXPECT_EQ(evaluate("(-9223372036854775807 - 1) / -1").value.bits, 0x8000000000000000u);
}

TEST(ConstantExpression, knows_the_warp_size) { EXPECT_EQ(integer("WARP_SZ * 2"), 64); }

TEST(ConstantExpression, knows_that_warps_of_a_machine_may_have_another_size) {
  const Source source("WARP_SZ * 2", "t.ptx", 16);
  Cursor cursor(source);
  EXPECT_EQ(parse_constant(cursor).as_signed(), 32);
}

TEST(ConstantExpression, casts_between_integers_and_floats) {
  EXPECT_EQ(integer("(.s64)2.75"), 2);
  EXPECT_EQ(evaluate("(.f64)3").as_double(), 3.0);
}

TEST(ConstantExpression, computes_in_double_precision) {
  EXPECT_EQ(evaluate("1.5 * 2 + 0f3F800000").as_double(), 4.0);
  EXPECT_EQ(integer("1.5 < 2"), 1);
}

TEST(ConstantExpression, keeps_the_bits_of_a_lone_float_literal) {
  EXPECT_EQ(evaluate("0f7FC00001").value.bits, 0x7FC00001u);
  EXPECT_EQ(evaluate("-0f3F800000").value.bits, 0xBF800000u);
}

class ExpressionError : public testing::TestWithParam<Fault> {};

TEST_P(ExpressionError, names_place_cause_and_remedy) {
  try {
    evaluate(GetParam().text);
    ADD_FAILURE() << GetParam().text;
  } catch (const Error& error) {
    expect_fault(GetParam(), error.what());
  }
}

const Fault kFaults[] = {
    {"1 / 0", "1:3", "division by zero", ""},
    {"5 % (1 - 1)", "1:3", "division by zero", ""},
    {"1.5 & 1", "1:5", "'&' needs integers", ""},
    {"8 >> 1.0", "1:3", "'>>' needs integers", ""},
    {"7 % 2.0", "1:3", "'%' needs integers", ""},
    {"~1.5", "1:1", "'~' needs an integer", ""},
    {"(.b32)1", "1:2", "cast to '.b32'", "allowed: (.s64) (.u64) (.f64)"},
    {"(.s64)1e30", "1:2", "the value does not fit in 64 bits", ""},
    {"(.u64)-9.25e18", "1:2", "the value does not fit in 64 bits", ""},
    {"(.s64)(0.0 / 0.0)", "1:2", "the value does not fit in 64 bits", ""},
    {"(.s64 1", "1:7", "expected ')', found '1'", ""},
    {"1 +", "1:4", "expected a constant, found the end of the text", ""},
    {"1 + * 2", "1:5", "expected a constant, found '*'", ""},
    {"x", "1:1", "expected a constant, found 'x'", ""},
    {"(1", "1:3", "expected ')', found the end of the text", ""},
    {"1 ? 2", "1:6", "expected ':', found the end of the text", ""},
    {"1 ? : 2", "1:5", "expected a constant, found ':'", ""},
};
INSTANTIATE_TEST_SUITE_P(All, ExpressionError, testing::ValuesIn(kFaults));

TEST(ConstantExpression, rejects_endless_nesting) {
  EXPECT_THROW(evaluate(std::string(100000, '(')), Error);
  EXPECT_THROW(evaluate(std::string(100000, '-') + "1"), Error);
}

struct Expression {
  const char* text;
  std::int64_t value;
};

void PrintTo(const Expression& expression, std::ostream* out) { *out << expression.text; }

class EachOperator : public testing::TestWithParam<Expression> {};

TEST_P(EachOperator, has_the_value_that_c_gives_it) { EXPECT_EQ(integer(GetParam().text), GetParam().value); }

INSTANTIATE_TEST_SUITE_P(Integers, EachOperator,
                         testing::Values(Expression{"7 - 9", -2}, Expression{"6 / 4", 1}, Expression{"6 % 4", 2},
                                         Expression{"6 & 3", 2}, Expression{"6 | 3", 7}, Expression{"6 ^ 3", 5},
                                         Expression{"1 << 63 >> 63", -1}, Expression{"1U << 63 >> 63", 1},
                                         Expression{"1 << 64", 0}, Expression{"-8 >> 70", -1},
                                         Expression{"8U >> 64", 0}, Expression{"3 == 3", 1}, Expression{"3 != 3", 0},
                                         Expression{"2 < 3", 1}, Expression{"3 <= 3", 1}, Expression{"2 > 3", 0},
                                         Expression{"2 >= 3", 0}, Expression{"-1 < 0", 1}, Expression{"-1 < 0U", 0},
                                         Expression{"5 && 0", 0}, Expression{"5 || 0", 1}, Expression{"!0", 1},
                                         Expression{"+5", 5}, Expression{"~5", -6}, Expression{"0 ? 1 : 2", 2}));

// PTX ISA 4.5.5: `%` takes its operands as unsigned, `~` gives an unsigned number, and the two sides of `? :` are
// converted to a common type; 2^64 - 7 is odd, and 2^64 - 2 is more than 7.
INSTANTIATE_TEST_SUITE_P(OtherThanInC, EachOperator,
                         testing::Values(Expression{"-7 % 2", 1}, Expression{"7 % -2", 7}, Expression{"7 % 2", 1},
                                         Expression{"~0 >> 63", 1}, Expression{"~0 > 0", 1},
                                         Expression{"~1 / 2", INT64_MAX}, Expression{"(1 ? -1 : 0U) >> 63", 1},
                                         Expression{"(0 ? 0U : -1) > 0", 1}, Expression{"(1 ? -1 : 0) >> 63", -1}));

INSTANTIATE_TEST_SUITE_P(Floats, EachOperator,
                         testing::Values(Expression{"1.5 == 1.5", 1}, Expression{"1.5 != 1.5", 0},
                                         Expression{"1.5 >= 2", 0}, Expression{"0.0 || 0", 0}, Expression{"!0.0", 1},
                                         Expression{"(.s64)(1.5 / 0.5)", 3}, Expression{"(.s64)(1.5 - 3)", -1},
                                         Expression{"0.5 ? 1 : 2", 1}));

// PTX ISA, "Integer Constants": a literal is .s64 if it fits there, else .u64.
TEST(ConstantExpression, large_literals_are_unsigned_by_themselves) {
  EXPECT_EQ(integer("9223372036854775807 > 0"), 1);
  EXPECT_FALSE(evaluate("9223372036854775807").is_unsigned);
  EXPECT_TRUE(evaluate("9223372036854775808").is_unsigned);
  EXPECT_TRUE(evaluate("1 + 1U").is_unsigned);
}

TEST(ConstantExpression, casts_keep_the_bits_of_integers_and_the_value_of_floats) {
  EXPECT_EQ(evaluate("(.u64)-1").value.bits, ~std::uint64_t{0});
  EXPECT_TRUE(evaluate("(.u64)-1").is_unsigned);
  EXPECT_EQ(evaluate("(.u64)1e19").value.bits, 10000000000000000000u);
  EXPECT_EQ(integer("(.s64)-2.75"), -2);
  EXPECT_THROW(evaluate("(.u64)2e19"), Error);
  EXPECT_THROW(evaluate("(.s64)(0.0 / 0.0)"), Error);
}

TEST(ConstantExpression, a_count_ends_before_what_compares_and_has_bounds) {
  const Source source("3+4>", "t.ptx");
  Cursor cursor(source);
  EXPECT_EQ(parse_count(cursor, "it", 0, 7), 7u);
  EXPECT_TRUE(cursor.at(">"));
  for (const char* bad : {"8", "-1", "1.0"}) {
    const Source text(bad, "t.ptx");
    Cursor other(text);
    EXPECT_THROW(parse_count(other, "it", 0, 7), Error) << bad;
  }
}

// PTX ISA, table 4: each line binds tighter than the next; the other grouping would give another value.
INSTANTIATE_TEST_SUITE_P(Precedence, EachOperator,
                         testing::Values(Expression{"-1 >> 1", -1}, Expression{"!0 + 1", 2}, Expression{"~1 & 3", 2},
                                         Expression{"7 - 2 * 3", 1}, Expression{"1 << 2 + 1", 8},
                                         Expression{"16 >> 1 < 9", 1}, Expression{"1 < 1 == 0", 1},
                                         Expression{"6 & 2 == 2", 0}, Expression{"5 ^ 4 & 1", 5},
                                         Expression{"1 | 3 ^ 1", 3}, Expression{"0 && 0 | 1", 0},
                                         Expression{"1 || 0 && 0", 1}, Expression{"0 || 1 ? 2 : 3", 2},
                                         Expression{"-(.s64)2 + 5", 3}, Expression{"(.s64)1.5 * 2", 2}));

// Binary operators group from the left, `?:` and the unary ones from the right.
INSTANTIATE_TEST_SUITE_P(Associativity, EachOperator,
                         testing::Values(Expression{"100 / 10 / 5", 2}, Expression{"100 / 10 * 5", 50},
                                         Expression{"17 % 10 % 4", 3}, Expression{"256 >> 4 >> 2", 4},
                                         Expression{"3 > 2 > 1", 0}, Expression{"2 == 2 == 1", 1},
                                         Expression{"1 ? 2 : 0 ? 3 : 4", 2}, Expression{"-~0", 1}, Expression{"~-1", 0},
                                         Expression{"!!7", 1}, Expression{"!-1", 0}));

struct Typed {
  const char* text;
  bool is_unsigned;
};

void PrintTo(const Typed& typed, std::ostream* out) { *out << typed.text; }

class ResultType : public testing::TestWithParam<Typed> {};

TEST_P(ResultType, is_what_the_isa_says) { EXPECT_EQ(evaluate(GetParam().text).is_unsigned, GetParam().is_unsigned); }

// PTX ISA 4.5.5, its own examples.
INSTANTIATE_TEST_SUITE_P(Literals, ResultType,
                         testing::Values(Typed{"42", false}, Typed{"0x1234", false}, Typed{"0123", false},
                                         Typed{"0xfabc123400000000", true}, Typed{"42U", true}, Typed{"0x1234U", true},
                                         Typed{"+123", false}, Typed{"-(-42)", false}, Typed{"-1U", true},
                                         Typed{"-0xfabc123400000000", true}, Typed{"WARP_SZ", false},
                                         Typed{"0x7fffffffffffffff", false}, Typed{"0x8000000000000000", true}));

// PTX ISA, table 5: usual conversions, results that are .s64 always, and shifts by the type of their first operand.
INSTANTIATE_TEST_SUITE_P(Operators, ResultType,
                         testing::Values(Typed{"1 + 2", false}, Typed{"1 - 2U", true}, Typed{"1U * 2", true},
                                         Typed{"8U / 2U", true}, Typed{"6 & 3", false}, Typed{"6 | 3U", true},
                                         Typed{"6U ^ 3", true}, Typed{"7U % 3U", false}, Typed{"1 < 2U", false},
                                         Typed{"1U == 1U", false}, Typed{"1U && 1U", false}, Typed{"!1U", false},
                                         Typed{"~1", true}, Typed{"1 << 2U", false}, Typed{"1U >> 2", true},
                                         Typed{"0 ? 1 : 2U", true}, Typed{"1U ? 1 : 2", false}, Typed{"(.u64)1", true},
                                         Typed{"(.s64)1U", false}));

// IEEE 754: a NaN is unequal to everything, itself included.
INSTANTIATE_TEST_SUITE_P(NotANumber, EachOperator,
                         testing::Values(Expression{"0.0 / 0.0 == 0.0 / 0.0", 0},
                                         Expression{"0.0 / 0.0 != 0.0 / 0.0", 1}, Expression{"0.0 / 0.0 < 1.0", 0},
                                         Expression{"0.0 / 0.0 >= 1.0", 0}, Expression{"1.0 > 0.0 / 0.0", 0},
                                         Expression{"1.0 / 0.0 > 1e300", 1}, Expression{"-1.0 <= -1.0", 1},
                                         Expression{"1.5 > 1.25", 1}));

// 2^63 is no .s64 but a .u64; the double next above -2^63 - 1 is -2^63, the one below it is 2048 less.
TEST(ConstantExpression, casts_of_floats_end_where_64_bits_do) {
  EXPECT_EQ(evaluate("(.s64)-9223372036854775808.0").value.bits, 0x8000000000000000u);
  EXPECT_THROW(evaluate("(.s64)-9223372036854777856.0"), Error);
  EXPECT_EQ(evaluate("(.u64)18446744073709549568.0").value.bits, 0xfffffffffffff800u);
  EXPECT_THROW(evaluate("(.u64)18446744073709551616.0"), Error);
  EXPECT_EQ(evaluate("(.f64)18446744073709551615").as_double(), 18446744073709551616.0);
  EXPECT_EQ(evaluate("(.f64)-1").as_double(), -1.0);
}

TEST(ConstantExpression, a_term_ends_before_a_sum_and_takes_what_binds_tighter) {
  const Source source("2 * 3 + 4", "t.ptx");
  Cursor cursor(source);
  EXPECT_EQ(parse_constant_term(cursor).value.bits, 6u);
  EXPECT_TRUE(cursor.at("+"));
}

struct Part {
  std::string text;
  std::uint64_t bits;
  bool is_unsigned;
};

/// The line of table 4 that a binary operator stands in, the loosest first.
int line_of(const std::string& op) {
  static const std::vector<std::vector<std::string>> kLines = {{"|"},       {"^"},        {"&"},      {"==", "!="},
                                                               {"<", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  for (std::size_t i = 0; i < kLines.size(); ++i)
    if (std::find(kLines[i].begin(), kLines[i].end(), op) != kLines[i].end()) return static_cast<int>(i);
  return -1;
}

/// One operation as PTX ISA 4.5.5 tells it. Divisors are not 0 and shifts are less than 64 here.
Part operation(const Part& a, const std::string& op, const Part& b) {
  const bool is_unsigned = a.is_unsigned || b.is_unsigned;
  const auto x = static_cast<std::int64_t>(a.bits), y = static_cast<std::int64_t>(b.bits);
  const auto less = is_unsigned ? a.bits < b.bits : x < y;
  if (op == "+") return {"", a.bits + b.bits, is_unsigned};
  if (op == "-") return {"", a.bits - b.bits, is_unsigned};
  if (op == "*") return {"", a.bits * b.bits, is_unsigned};
  if (op == "&") return {"", a.bits & b.bits, is_unsigned};
  if (op == "|") return {"", a.bits | b.bits, is_unsigned};
  if (op == "^") return {"", a.bits ^ b.bits, is_unsigned};
  if (op == "%") return {"", a.bits % b.bits, false};
  if (op == "/") return {"", is_unsigned ? a.bits / b.bits : static_cast<std::uint64_t>(x / y), is_unsigned};
  if (op == "<<") return {"", a.bits << b.bits, a.is_unsigned};
  if (op == ">>") return {"", a.is_unsigned ? a.bits >> b.bits : static_cast<std::uint64_t>(x >> y), a.is_unsigned};
  return {"", op == "<" ? less : op == ">=" ? !less : (a.bits == b.bits) == (op == "=="), false};
}

/// The value of operands between operators: split at the loosest operator, the last one of its line.
Part value_of(const std::vector<Part>& operands, const std::vector<std::string>& operators) {
  if (operators.empty()) return operands[0];
  const auto loosest = std::min_element(operators.rbegin(), operators.rend(),
                                        [](const auto& a, const auto& b) { return line_of(a) < line_of(b); });
  const auto at = operators.rend() - loosest - 1;
  const auto before = [at](const auto& list, auto more) { return std::vector(list.begin(), list.begin() + at + more); };
  const auto behind = [at](const auto& list) { return std::vector(list.begin() + at + 1, list.end()); };
  return operation(value_of(before(operands, 1), before(operators, 0)), operators[static_cast<std::size_t>(at)],
                   value_of(behind(operands), behind(operators)));
}

const std::vector<std::string> kTotal = {"|", "^", "&", "==", "!=", "<", ">=", "+", "-", "*"};  // have a value always

/// Of any size, with and without a suffix.
Part random_literal() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64);
  const bool suffix = *rc::gen::arbitrary<bool>();
  return {std::to_string(bits) + (suffix ? "U" : ""), bits, suffix || bits > INT64_MAX};
}

TEST(ConstantExpression, random_rows_of_operators_have_the_value_of_the_isas_rules) {
  EXPECT_TRUE(rc::check([] {
    const auto operators =
        *rc::gen::container<std::vector<std::string>>(*rc::gen::inRange(1, 7), rc::gen::elementOf(kTotal));
    std::vector<Part> operands;
    std::string text;
    for (std::size_t i = 0; i <= operators.size(); ++i) {
      operands.push_back(random_literal());
      text += operands.back().text + (i < operators.size() ? " " + operators[i] + " " : "");
    }
    RC_LOG(text);
    const Part expected = value_of(operands, operators);
    RC_ASSERT(evaluate(text).value.bits == expected.bits);
    RC_ASSERT(evaluate(text).is_unsigned == expected.is_unsigned);
  }));
}

TEST(ConstantExpression, random_divisions_remainders_and_shifts_have_the_value_of_the_isas_rules) {
  EXPECT_TRUE(rc::check([] {
    const auto left = *rc::gen::arbitrary<std::int64_t>();
    const auto right = *rc::gen::nonZero<std::int64_t>();
    const auto shift = *rc::gen::inRange<std::uint64_t>(0, 64);
    RC_PRE(left != INT64_MIN);
    for (const char* cast : {"(.s64)", "(.u64)"}) {
      const Part a{cast + std::to_string(left), static_cast<std::uint64_t>(left), cast[2] == 'u'};
      for (const char* op : {"/", "%", "<<", ">>"}) {
        const Part b = op[1] == '\0' ? Part{std::to_string(right), static_cast<std::uint64_t>(right), false}
                                     : Part{std::to_string(shift), shift, false};
        RC_ASSERT(evaluate(a.text + " " + op + " " + b.text).value.bits == operation(a, op, b).bits);
      }
    }
  }));
}

}  // namespace constant_expression_test
}  // namespace warpfork::ptx
