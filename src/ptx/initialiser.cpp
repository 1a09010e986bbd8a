#include "ptx/initialiser.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/constant_expression.h"

namespace warpfork::ptx {

namespace {

constexpr std::uint64_t kUnbounded = ~std::uint64_t{0};
/// A text of this many bytes cannot fill more; what lies beyond is a mistake in a dimension.
constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{1} << 28;

}  // namespace

Initialiser::Initialiser(Cursor& cursor, ModuleSymbols& symbols, Variable& variable, std::vector<std::uint64_t> extents)
    : cursor_(cursor), symbols_(symbols), variable_(variable), extents_(std::move(extents)) {}

/// Scalars under one element of dimension `depth`.
std::uint64_t Initialiser::stride(std::size_t depth) const {
  std::uint64_t product = 1;
  for (std::size_t i = depth + 1; i < extents_.size(); ++i) product *= extents_[i];
  return product;
}

std::uint64_t Initialiser::read() {
  if (cursor_.at("{"))
    level(0, 0);
  else if (extents_.empty())
    scalar(0);
  else
    cursor_.fail_expected("'{' before the values of an array or vector");
  return extents_.empty() ? 1 : (end_ + stride(0) - 1) / stride(0);
}

void Initialiser::level(std::size_t depth, std::uint64_t base) {
  const Nesting nesting(cursor_, nesting_);
  const bool scalar_in_braces = extents_.empty() && depth == 0;
  if (depth >= extents_.size() && !scalar_in_braces) cursor_.fail_here("more braces than the variable has dimensions");
  const std::uint64_t step = scalar_in_braces ? 1 : stride(depth);
  const std::uint64_t extent = scalar_in_braces ? 1 : extents_[depth];
  const std::uint64_t limit = extent == 0 ? kUnbounded : base + extent * step;
  cursor_.expect("{");
  for (std::uint64_t index = base; !cursor_.at("}");) {
    if (index >= limit)
      cursor_.fail_here("more values than the variable has elements", fmt::format("these braces hold {}", extent));
    if (cursor_.at("{")) {
      if ((index - base) % step != 0) cursor_.fail_here("braces in the middle of a row");
      level(depth + 1, index);
      end_ = std::max(end_, index + 1);  // braces may be empty
      index += step;
    } else {
      scalar(index++);
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect("}");
}

void Initialiser::scalar(std::uint64_t index) {
  end_ = std::max(end_, index + 1);
  const Token at = cursor_.peek();
  if (at.kind == TokenKind::Identifier && at.text != "WARP_SZ") return address(index, kUnbounded);
  if (at.kind == TokenKind::Integer) {
    Cursor ahead = cursor_;
    ahead.take();
    if (ahead.at("(")) {
      if (at.value == 0) cursor_.fail(at, "the mask of an address is zero", "as in 0xff00(symbol)");
      cursor_ = ahead;
      cursor_.expect("(");
      address(index, at.value);
      cursor_.expect(")");
      return;
    }
  }
  const Constant value = parse_constant(cursor_);
  if (value.is_integer()) {
    if (variable_.type == ScalarType::F32)
      return store(index, std::bit_cast<std::uint32_t>(static_cast<float>(value.as_double())));
    if (variable_.type == ScalarType::F64) return store(index, std::bit_cast<std::uint64_t>(value.as_double()));
    return store(index, value.value.bits);
  }
  if (variable_.type == ScalarType::F64) return store(index, std::bit_cast<std::uint64_t>(value.as_double()));
  const bool same_bits = value.value.kind == ImmediateOperand::Kind::Float32 && bits_of(variable_.type) == 32;
  if (same_bits) return store(index, value.value.bits);
  if (variable_.type == ScalarType::F32)
    return store(index, std::bit_cast<std::uint32_t>(static_cast<float>(value.as_double())));
  cursor_.fail(at, fmt::format("a floating-point value for a variable of type .{}", to_string(variable_.type)),
               "write an integer");
}

/// `symbol`, `symbol + offset`, `generic(symbol)`, `generic(symbol) + offset`.
void Initialiser::address(std::uint64_t index, std::uint64_t mask) {
  end_ = std::max(end_, index + 1);
  Relocation relocation{index * bytes_of(variable_.type), {}, 0, false, mask};
  Token symbol = cursor_.expect_identifier("the name of a variable or function");
  if (symbol.text == "generic" && cursor_.accept("(")) {
    relocation.generic = true;
    symbol = cursor_.expect_identifier("the name of a variable");
  }
  const auto offset = [&] {
    while (cursor_.at("+") || cursor_.at("-")) {
      const bool minus = cursor_.take().text == "-";
      const std::uint64_t term = parse_constant_term(cursor_).value.bits;
      relocation.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.addend) +
                                                    (minus ? std::uint64_t{0} - term : term));
    }
  };
  offset();
  if (relocation.generic) {
    cursor_.expect(")");
    offset();
  }
  relocation.symbol = std::string(symbol.text);
  check_holds_address(symbol, mask);
  symbols_.use(symbol);
  store(index, 0);
  variable_.relocations.push_back(std::move(relocation));
}

/// A single byte of an address fits anywhere, a whole one where registers of addresses would.
void Initialiser::check_holds_address(const Token& symbol, std::uint64_t mask) const {
  const bool is_wide = bits_of(variable_.type) >= 32 || mask != kUnbounded;
  if (is_wide && !is_float(variable_.type)) return;
  cursor_.fail(symbol,
               fmt::format("the address of '{}' in a variable of type .{}", symbol.text, to_string(variable_.type)),
               fmt::format("declare it .u64 or .u32, or take single bytes, as in 0xff({})", symbol.text));
}

void Initialiser::store(std::uint64_t index, std::uint64_t bits) {
  const std::uint64_t width = bytes_of(variable_.type);
  if (index >= kMaxInitialBytes / width) cursor_.fail_here("the initialiser reaches beyond 256 MiB");
  const std::uint64_t offset = index * width;
  if (variable_.initial.size() < offset + width) variable_.initial.resize(offset + width);
  for (std::uint64_t i = 0; i < width && i < sizeof bits; ++i)
    variable_.initial[offset + i] = static_cast<std::byte>(bits >> (8 * i));
}

}  // namespace warpfork::ptx
