#include "ptx/constant_expression.h"

#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace {

Constant evaluate(std::string_view text) {
  const Source source(text, "t.ptx");
  Cursor cursor(source);
  const Constant value = parse_constant(cursor);
  EXPECT_EQ(cursor.peek().kind, TokenKind::End) << text;
  return value;
}

std::int64_t integer(std::string_view text) { return evaluate(text).as_signed(); }

// Expected values are those of the C language, whose operators and precedence the ISA adopts.
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
  EXPECT_EQ(integer("-7 % 2"), -1);
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

TEST(ConstantExpression, rejects_what_has_no_value) {
  for (const char* text : {"1 / 0", "5 % 0", "1.5 & 1", "~1.5", "(.s64)1e30", "(.b32)1", "1 +", "x", "(1"})
    EXPECT_THROW(evaluate(text), Error) << text;
}

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

}  // namespace
}  // namespace warpfork::ptx
