#include "simt/print_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>

namespace warpfork::simt {

namespace {

constexpr int kMostArguments = 32;  // CUDA C++ Programming Guide, "Limitations" of formatted output
constexpr int kMostCharacters = 4095;
constexpr std::string_view kFlags = "-+ #0", kDigits = "0123456789";

enum class Kind : std::uint8_t { None, Signed, Unsigned, Real, Character, Text, Pointer };

/// CUDA's conversions.
Kind kind_of(char letter) {
  constexpr struct {
    std::string_view letters;
    Kind kind;
  } kConversions[] = {{"di", Kind::Signed},   {"uoxX", Kind::Unsigned}, {"fFeEgGaA", Kind::Real},
                      {"c", Kind::Character}, {"s", Kind::Text},        {"p", Kind::Pointer}};
  for (const auto& conversion : kConversions)
    if (conversion.letters.find(letter) != std::string_view::npos) return conversion.kind;
  return Kind::None;
}

/// `%[flags][width][.precision][size]letter`
struct Conversion {
  std::string_view written;  // all of it
  std::string_view flags, size;
  std::optional<int> width, precision;
  bool width_is_argument = false, precision_is_argument = false;
  char letter = '\0';
  Kind kind = Kind::None;
};

/// Cuts parts off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view take_all_of(std::string_view allowed) {
    const std::string_view taken = rest_.substr(0, std::min(rest_.find_first_not_of(allowed), rest_.size()));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::optional<int> take_number() {
    const std::string_view digits = take_all_of(kDigits);
    if (digits.empty()) return std::nullopt;
    int number = 0;
    for (const char digit : digits) number = std::min(10 * number + (digit - '0'), kMostCharacters);
    return number;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// The conversion at the start of `text`, which begins with a percent sign.
Conversion conversion_at(std::string_view text) {
  Scanner scanner(text.substr(1));
  Conversion found;
  found.flags = scanner.take_all_of(kFlags);
  found.width_is_argument = scanner.take('*');
  if (!found.width_is_argument) found.width = scanner.take_number();
  if (scanner.take('.')) {
    found.precision_is_argument = scanner.take('*');
    if (!found.precision_is_argument) found.precision = scanner.take_number().value_or(0);
  }
  found.size = scanner.take_all_of("hljztL");
  if (!scanner.rest().empty()) {
    found.letter = scanner.rest().front();
    found.kind = kind_of(found.letter);
    scanner.take(found.letter);
  }
  found.written = text.substr(0, text.size() - scanner.rest().size());
  return found;
}

bool has(std::string_view flags, char flag) { return flags.find(flag) != std::string_view::npos; }

/// Bytes of an integer of that size before the default promotions.
unsigned integer_bytes(std::string_view size, unsigned address_bytes) {
  if (size == "hh") return 1;
  if (size == "h") return 2;
  if (size == "l" || size == "z" || size == "t") return address_bytes;
  return size.empty() ? 4 : 8;
}

/// One number by C's own formatting: the format is put together here, for just this type.
template <typename Number>
void print_number(const Conversion& conversion, std::string_view flags, const char* size, Number number,
                  std::string& out) {
  std::string format = "%";
  for (const char flag : flags)
    if (has(conversion.flags, flag)) format += flag;
  format.append("*.*").append(size) += conversion.letter;
  const int width = conversion.width.value_or(0), precision = conversion.precision.value_or(-1);
  const int length = std::snprintf(nullptr, 0, format.c_str(), width, precision, number);
  const std::size_t end = out.size();
  out.resize(end + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + end, static_cast<std::size_t>(length) + 1, format.c_str(), width, precision, number);
  out.pop_back();
}

void print_padded(const Conversion& conversion, const std::string& text, std::string& out) {
  const int width = conversion.width.value_or(0);
  const auto room = static_cast<std::size_t>(std::abs(width));
  const std::string padding(room - std::min(room, text.size()), ' ');
  const bool left = width < 0 || has(conversion.flags, '-');
  out += left ? text + padding : padding + text;
}

std::string pointer_text(std::uint64_t address) {
  char text[24] = "(nil)";
  if (address != 0) std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(address));
  return text;
}

class Printer {
 public:
  Printer(PrintArguments& arguments, std::string& out) : arguments_(arguments), out_(out) {}

  int print(std::string_view format) {
    while (!format.empty()) {
      const std::string_view plain = format.substr(0, std::min(format.find('%'), format.size()));
      out_ += plain;
      format.remove_prefix(plain.size());
      if (format.empty()) break;
      if (format.starts_with("%%")) {
        out_ += '%';
        format.remove_prefix(2);
        continue;
      }
      const Conversion conversion = conversion_at(format);
      convert(conversion);
      format.remove_prefix(conversion.written.size());
    }
    return taken_;
  }

 private:
  void convert(Conversion conversion) {
    const int wanted = 1 + conversion.width_is_argument + conversion.precision_is_argument;
    if (conversion.kind == Kind::None || taken_ + wanted > kMostArguments) {
      out_ += conversion.written;
      return;
    }
    taken_ += wanted;
    if (conversion.width_is_argument) conversion.width = next_int();
    if (conversion.precision_is_argument) conversion.precision = next_int();
    print_argument(conversion);
  }

  int next_int() {
    return std::clamp(static_cast<std::int32_t>(arguments_.next(4)), -kMostCharacters, kMostCharacters);
  }

  void print_argument(const Conversion& conversion) {
    switch (conversion.kind) {
      case Kind::Signed: {
        const auto [bits, unused] = next_integer(conversion);
        return print_number(conversion, "-+ 0", "ll", static_cast<long long>(bits << unused) >> unused, out_);
      }
      case Kind::Unsigned: {
        const auto [bits, unused] = next_integer(conversion);
        return print_number(conversion, "-#0", "ll", static_cast<unsigned long long>(bits << unused >> unused), out_);
      }
      case Kind::Real:
        return print_number(conversion, kFlags, "", std::bit_cast<double>(arguments_.next(8)), out_);
      case Kind::Character:
        return print_padded(conversion, std::string(1, static_cast<char>(arguments_.next(4))), out_);
      case Kind::Text:
        return print_padded(conversion, next_text(conversion), out_);
      case Kind::Pointer:
        return print_padded(conversion, pointer_text(arguments_.next(arguments_.address_bytes())), out_);
      case Kind::None:
        return;
    }
  }

  /// An integer and how many of its 64 bits are above its size.
  struct Integer {
    std::uint64_t bits;
    unsigned unused;
  };
  Integer next_integer(const Conversion& conversion) {
    const unsigned bytes = integer_bytes(conversion.size, arguments_.address_bytes());
    return {arguments_.next(std::max(bytes, 4u)), 64 - 8 * bytes};
  }

  std::string next_text(const Conversion& conversion) {
    const std::uint64_t address = arguments_.next(arguments_.address_bytes());
    std::string text = address == 0 ? "(null)" : arguments_.text_at(address);
    if (conversion.precision.value_or(-1) >= 0)
      text.resize(std::min(text.size(), static_cast<std::size_t>(*conversion.precision)));
    return text;
  }

  PrintArguments& arguments_;
  std::string& out_;
  int taken_ = 0;
};

}  // namespace

int print_formatted(std::string_view format, PrintArguments& arguments, std::string& out) {
  return Printer(arguments, out).print(format);
}

}  // namespace warpfork::simt
