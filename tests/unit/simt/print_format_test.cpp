// Expected texts by hand from ISO C 7.21.6.1 and the CUDA C++ Programming Guide, "Formatted Output".
#include "simt/print_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <map>
#include <vector>

namespace warpfork::simt {
namespace print_format_test {

/// Arguments packed as a compiler does.
class Given final : public PrintArguments {
 public:
  template <typename... Values>
  explicit Given(Values... values) {
    (pack(values), ...);
  }

  std::uint64_t next(unsigned bytes) override {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    std::memcpy(&value, packed_.data() + at_, bytes);
    at_ += bytes;
    return value;
  }
  std::string text_at(std::uint64_t address) override { return reinterpret_cast<const char*>(address); }

 private:
  template <typename Value>
  void pack(Value value) {
    packed_.resize((packed_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(packed_.data() + packed_.size() - sizeof value, &value, sizeof value);
  }
  std::vector<std::byte> packed_;
  std::size_t at_ = 0;
};

template <typename... Values>
std::string printed(std::string_view format, Values... values) {
  Given arguments(values...);
  std::string out;
  EXPECT_EQ(print_formatted(format, arguments, out), static_cast<int>(sizeof...(values))) << format;
  return out;
}

TEST(PrintFormat, plain_text_stays) {
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed("no argument\n"), "no argument\n");
  EXPECT_EQ(printed("100%%, 50%%"), "100%, 50%");
}

TEST(PrintFormat, integers_take_flags_width_and_precision) {
  EXPECT_EQ(printed("%d|%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42, 42), "42|   42|42   |00042|+42| 42");
  EXPECT_EQ(printed("%i %.4d %8.3d", -7, 7, 7), "-7 0007      007");
  EXPECT_EQ(printed("%u %o %x %X", -1, 8, 255, 255), "4294967295 10 ff FF");
  EXPECT_EQ(printed("%#o %#x %#X", 8, 255, 255), "010 0xff 0XFF");
}

TEST(PrintFormat, sizes_say_how_much_of_an_argument_counts) {
  EXPECT_EQ(printed("%hhd %hd %hhu %hx", 300, 65537, 300, 0x12345), "44 1 44 2345");
  EXPECT_EQ(printed("%ld %lld %zu", -1L, 1LL << 40, std::size_t{7}), "-1 1099511627776 7");
  EXPECT_EQ(printed("%lu %llx", ~0UL, ~0ULL), "18446744073709551615 ffffffffffffffff");
  EXPECT_EQ(printed("%d", std::int64_t{5} << 32 | 9), "9");  // a mismatch: the low half
}

TEST(PrintFormat, reals_are_cs) {
  EXPECT_EQ(printed("%f %.2f %9.3f|%-9.1f|", 1.5, 2.675, -3.25, 0.5), "1.500000 2.67    -3.250|0.5      |");
  EXPECT_EQ(printed("%e %.1E %g %G", 12345.678, 0.00012, 1e-5, 1e20), "1.234568e+04 1.2E-04 1e-05 1E+20");
  EXPECT_EQ(printed("%a %f %F", 1.0, std::bit_cast<double>(0x7ff0000000000000), -1.0 / 0.0), "0x1p+0 inf -INF");
}

TEST(PrintFormat, arguments_lie_at_multiples_of_their_size) {
  EXPECT_EQ(printed("%d %f %d %d %lld", 1, 2.0, 3, 4, 5LL), "1 2.000000 3 4 5");
}

TEST(PrintFormat, characters_texts_and_pointers) {
  EXPECT_EQ(printed("%c%c%3c%-3c|", int{'a'}, int{'b'}, int{'c'}, int{'d'}), "ab  cd  |");
  EXPECT_EQ(printed("%s %6s %-6s| %.2s", "one", "two", "three", "four"), "one    two three | fo");
  EXPECT_EQ(printed("%s %p %p", static_cast<char*>(nullptr), 0xc0000100ull, 0ull), "(null) 0xc0000100 (nil)");
  EXPECT_EQ(printed("%c", 0), std::string(1, '\0'));
}

TEST(PrintFormat, width_and_precision_may_be_arguments) {
  EXPECT_EQ(printed("%*d|%-*d|%*d|", 4, 7, 4, 7, -4, 7), "   7|7   |7   |");
  EXPECT_EQ(printed("%.*f %*.*f", 1, 2.0, 6, 2, 3.0), "2.0   3.00");
  EXPECT_EQ(printed("%.*f", -1, 2.0), "2.000000");  // as if it were left out
  EXPECT_EQ(printed("%*d", 2'000'000'000, 1).size(), 4095u);
}

TEST(PrintFormat, what_is_no_conversion_comes_out_as_it_stands) {
  EXPECT_EQ(printed("%n %y %5w %"), "%n %y %5w %");
  EXPECT_EQ(printed("%n%d%-", 3), "%n3%-");
}

TEST(PrintFormat, flags_that_say_the_same_have_cs_precedence) {
  EXPECT_EQ(printed("%-05d|%+ d|%05.1f|%-+6.1f|", 7, 7, -2.5, 2.5), "7    |+7|-02.5|+2.5  |");
  EXPECT_EQ(printed("%08.3d|%#08x|%#-8x|", 7, 255, 255), "     007|0x0000ff|0xff    |");
  EXPECT_EQ(printed("%+u % u %+x", 7, 7, 7), "7 7 7");  // of signed conversions only
}

TEST(PrintFormat, zeros_have_forms_of_their_own) {
  EXPECT_EQ(printed("[%.0d] [%.d] [%5.0d]", 0, 0, 0), "[] [] [     ]");
  EXPECT_EQ(printed("%#o %#x %p", 0, 0, 0ull), "0 0 (nil)");
  EXPECT_EQ(printed("%+d %+.0f %g %.0f", 0, -0.0, 0.0, 0.5), "+0 -0 0 0");
}

TEST(PrintFormat, texts_are_cut_before_they_are_padded) {
  EXPECT_EQ(printed("%8.3s|%-8.3s|%.0s|%3s", "abcdef", "abcdef", "abcdef", "abcdef"), "     abc|abc     ||abcdef");
  EXPECT_EQ(printed("%8s|%.3s|", static_cast<char*>(nullptr), static_cast<char*>(nullptr)), "  (null)|(nu|");
  EXPECT_EQ(printed("%.*s|%.*s", 2, "abc", -1, "abc"), "ab|abc");
}

TEST(PrintFormat, narrow_integers_wrap_at_their_size) {
  EXPECT_EQ(printed("%hhi %hhi %hi %hu", 127, 128, 32768, -1), "127 -128 -32768 65535");
  EXPECT_EQ(printed("%hho %hhX", -1, -2), "377 FE");
  EXPECT_EQ(printed("%jd %td %zd", -1LL, -2L, -3L), "-1 -2 -3");
  EXPECT_EQ(printed("%lld", std::int64_t{1} << 63), "-9223372036854775808");
}

/// A device with addresses of 32 bits: `l`, `z` and pointers have four bytes, `ll` has eight.
TEST(PrintFormat, sizes_of_addresses_are_the_modules) {
  class Narrow final : public PrintArguments {
   public:
    std::uint64_t next(unsigned bytes) override { return asked.push_back(bytes), 0xffffffff; }
    std::string text_at(std::uint64_t) override { return "text"; }
    unsigned address_bytes() const override { return 4; }
    std::vector<unsigned> asked;
  } arguments;
  std::string out;
  EXPECT_EQ(print_formatted("%ld %zu %p %s %lld %f", arguments, out), 6);
  EXPECT_EQ(arguments.asked, (std::vector<unsigned>{4, 4, 4, 4, 8, 8}));
  EXPECT_EQ(out.substr(0, out.find(" text")), "-1 4294967295 0xffffffff");
}

TEST(PrintFormat, the_thirty_third_argument_is_ignored) {
  std::string format, expected;
  for (int i = 0; i < 32; ++i) format += "%d", expected += "7";
  Given arguments(7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
  std::string out;
  EXPECT_EQ(print_formatted(format + " %5d.", arguments, out), 32);
  EXPECT_EQ(out, expected + " %5d.");
}

}  // namespace print_format_test
}  // namespace warpfork::simt
