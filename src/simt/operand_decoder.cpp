#include "simt/operand_decoder.h"

#include <bit>

#include "base/error.h"
#include "ptx/instruction_text.h"
#include "simt/lanes/address_form.h"

namespace warpfork::simt {

using ptx::ScalarType;

namespace {

/// A predicate of the launch, of which is not kept whether it named clusters.
bool is_of_clusters(const ptx::Operand& operand) {
  const auto* special = operand.as<ptx::SpecialRegisterOperand>();
  return special && special->name == ptx::SpecialRegister::IsExplicitCluster;
}

constexpr std::string_view kNoExplicitClusters =
    "%is_explicit_cluster is not supported\n    %cluster_nctarank says how many blocks a cluster has";

}  // namespace

void OperandDecoder::fail(std::string_view cause) const {
  throw Error("{}: {}", what_is_refused(*module_, *instruction_), cause);
}

std::uint64_t OperandDecoder::literal_bits(const ptx::ImmediateOperand& literal, ScalarType type) const {
  using enum ptx::ImmediateOperand::Kind;
  const unsigned bits = ptx::bits_of(type);
  if (literal.kind == Integer) {
    if (type == ScalarType::F32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(literal.bits)));
    if (type == ScalarType::F64)
      return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(literal.bits)));
    return bits >= 64 ? literal.bits : literal.bits & ((std::uint64_t{1} << bits) - 1);
  }
  const double value = literal.kind == Float64 ? std::bit_cast<double>(literal.bits)
                                               : std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits));
  if (bits == 64) return literal.kind == Float64 ? literal.bits : std::bit_cast<std::uint64_t>(value);
  if (bits == 32)
    return literal.kind == Float32 ? literal.bits : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  fail(fmt::format("a float literal cannot be read as .{}", ptx::to_string(type)));
}

PlacedSymbol OperandDecoder::symbol(const ptx::SymbolOperand& operand) const {
  const auto found = symbols_.find(operand.name);
  const ptx::Variable* const declared = found ? nullptr : module_->find_variable(operand.name);
  if (declared != nullptr && declared->is_extern)
    fail(fmt::format("variable '{}' is .extern, and no code that is linked with it defines it", operand.name));
  if (!found) fail(fmt::format("'{}' has no address here; only variables and kernel parameters have", operand.name));
  return {found->space, found->address + static_cast<std::uint64_t>(operand.offset)};
}

void OperandDecoder::check_width(ptx::RegisterId id, ScalarType type) const {
  const bool wide = ptx::bits_of(type) == 64;
  if (rows_.is_predicate(id) || rows_.is_wide(id) != wide)
    fail(fmt::format("register {} is .{} where .{} is read or written", declared(id).name,
                     ptx::to_string(declared(id).type), ptx::to_string(type)));
}

std::uint32_t OperandDecoder::loose_source(const ptx::Operand& operand, ScalarType type, bool& is_wide) {
  is_wide = ptx::bits_of(type) == 64;
  if (const auto* reg = operand.as<ptx::RegisterOperand>()) {
    if (rows_.is_predicate(reg->id)) check_width(reg->id, type);
    is_wide = rows_.is_wide(reg->id);
    return rows_.place(reg->id);
  }
  if (const auto* literal = operand.as<ptx::ImmediateOperand>())
    return rows_.constant(literal_bits(*literal, type), is_wide);
  if (is_of_clusters(operand)) fail(kNoExplicitClusters);
  if (const auto* special = operand.as<ptx::SpecialRegisterOperand>()) {
    // %gridid has 64 bits since PTX ISA 3.0, and may be read as 32.
    if (special->name != ptx::SpecialRegister::Gridid) is_wide = simt::is_wide(special->name);
    return rows_.special(*special, is_wide);
  }
  if (const auto* name = operand.as<ptx::SymbolOperand>()) return rows_.constant(symbol(*name).address, is_wide);
  fail("this kind of operand is not supported here");
}

std::uint32_t OperandDecoder::source(const ptx::Operand& operand, ScalarType type) {
  bool flag = false;
  if (const auto* reg = operand.as<ptx::RegisterOperand>()) check_width(reg->id, type);
  const std::uint32_t row = loose_source(operand, type, flag);
  if (flag != (ptx::bits_of(type) == 64)) fail(fmt::format("a special register is not .{}", ptx::to_string(type)));
  return row;
}

std::uint32_t OperandDecoder::loose_destination(const ptx::Operand& operand, ScalarType type, bool& is_wide) {
  is_wide = ptx::bits_of(type) == 64;
  if (operand.as<ptx::SinkOperand>()) return rows_.sink();
  const auto* reg = operand.as<ptx::RegisterOperand>();
  if (!reg) fail("a result needs a register");
  if (rows_.is_predicate(reg->id) || (is_wide && !rows_.is_wide(reg->id))) check_width(reg->id, type);
  is_wide = rows_.is_wide(reg->id);
  return rows_.place(reg->id);
}

std::uint32_t OperandDecoder::destination(const ptx::Operand& operand, ScalarType type) {
  if (type == ScalarType::Pred) return predicate_destination(operand);
  if (const auto* reg = operand.as<ptx::RegisterOperand>()) check_width(reg->id, type);
  bool is_wide = false;
  return loose_destination(operand, type, is_wide);
}

std::uint32_t OperandDecoder::predicate_source(const ptx::Operand& operand, bool& negated) {
  negated = false;
  if (const auto* literal = operand.as<ptx::ImmediateOperand>())
    return literal->bits != 0 ? rows_.true_predicate() : rows_.false_predicate();
  if (is_of_clusters(operand)) fail(kNoExplicitClusters);
  const auto* reg = operand.as<ptx::RegisterOperand>();
  if (!reg || !rows_.is_predicate(reg->id)) fail("a predicate is needed");
  negated = reg->negated;
  return rows_.place(reg->id);
}

std::uint32_t OperandDecoder::predicate_destination(const ptx::Operand& operand) {
  if (operand.as<ptx::SinkOperand>()) return rows_.sink_predicate();
  const auto* reg = operand.as<ptx::RegisterOperand>();
  if (!reg || !rows_.is_predicate(reg->id)) fail("a predicate register is needed for the result");
  return rows_.place(reg->id);
}

/// One that is not aligned is read from a row: only there it is noticed when it is executed.
void OperandDecoder::literal_address(std::uint64_t address, Instruction& decoded) {
  const bool is_aligned = decoded.access_bytes == 0 || address % decoded.access_bytes == 0;
  decoded.operand[0] = is_aligned ? std::uint32_t{AddressForm::kLiteral} : rows_.constant(address, true);
  decoded.immediate = is_aligned ? address : 0;
}

void OperandDecoder::address(const ptx::Operand& operand, Instruction& decoded) {
  const auto* written = operand.as<ptx::AddressOperand>();
  if (!written) fail("an address in brackets is needed");
  const std::uint64_t offset = static_cast<std::uint64_t>(written->offset);
  if (const auto* number = std::get_if<std::uint64_t>(&written->base))
    return literal_address(*number + offset, decoded);
  if (const auto* reg = std::get_if<ptx::RegisterId>(&written->base)) {
    if (rows_.is_predicate(*reg)) fail("a predicate is no address");
    decoded.operand[0] = rows_.place(*reg) | (rows_.is_wide(*reg) ? 0 : AddressForm::k32Bits);
    decoded.immediate = offset;
    return;
  }
  const PlacedSymbol place = symbol(std::get<ptx::SymbolOperand>(written->base));
  if (decoded.space == MemorySpace::Generic)
    return literal_address(SymbolTable::generic_address(place) + offset, decoded);
  if (decoded.space != place.space)
    fail(fmt::format("'{}' lies in another state space", std::get<ptx::SymbolOperand>(written->base).name));
  literal_address(place.address + offset, decoded);
}

std::uint64_t OperandDecoder::literal(const ptx::Operand& operand, std::string_view what) const {
  const auto* number = operand.as<ptx::ImmediateOperand>();
  if (!number || number->kind != ptx::ImmediateOperand::Kind::Integer) fail(what);
  return number->bits;
}

}  // namespace warpfork::simt
