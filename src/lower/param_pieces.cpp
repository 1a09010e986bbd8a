#include "lower/param_pieces.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ptx/operand_walk.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;

constexpr unsigned kMostBytes = 8;

bool mentions(const ptx::Instruction& instruction, const std::string& variable) {
  bool found = false;
  for (const ptx::Operand& whole : instruction.operands)
    ptx::walk(whole, [&](const ptx::Operand& operand) {
      const std::string* const name = ptx::symbol_name(operand);
      found |= name != nullptr && *name == variable;
    });
  return found;
}

/// The offset at which the instruction reads or writes the variable, if it is a ld.param or st.param that does so.
std::optional<std::int64_t> accessed(const ptx::Instruction& instruction, const std::string& variable) {
  const bool loads = instruction.opcode == Opcode::Ld;
  if ((!loads && instruction.opcode != Opcode::St) || instruction.space != ptx::StateSpace::Param) return std::nullopt;
  const ptx::Operand& place = instruction.operands.at(loads ? 1 : 0);
  const std::string* const name = ptx::symbol_name(place);
  const auto* address = place.as<ptx::AddressOperand>();
  if (name == nullptr || *name != variable || address == nullptr) return std::nullopt;
  return address->offset;
}

std::vector<ParamPiece> all_bytes(const ptx::Variable& variable) {
  const std::uint64_t unit = std::clamp<std::uint64_t>(variable.alignment, 1, kMostBytes);
  std::vector<ParamPiece> pieces;
  for (std::uint64_t at = 0, bytes = unit; at < variable.bytes; at += bytes) {
    while (bytes > variable.bytes - at) bytes /= 2;
    pieces.push_back({static_cast<std::int64_t>(at), static_cast<unsigned>(bytes)});
  }
  return pieces;
}

}  // namespace

std::vector<ParamPiece> pieces_of(const ptx::Function& function, const ptx::Variable& variable) {
  std::map<std::int64_t, unsigned> found;  // bytes by offset
  for (const ptx::Instruction& instruction : function.body) {
    if (!mentions(instruction, variable.name)) continue;
    const auto offset = accessed(instruction, variable.name);
    if (!offset || instruction.types.empty()) return all_bytes(variable);
    const unsigned bytes = ptx::bytes_of(instruction.types.front());
    for (unsigned i = 0; i < instruction.vector_width; ++i) {
      const auto [piece, is_new] = found.try_emplace(*offset + i * bytes, bytes);
      if (bytes > kMostBytes || piece->second != bytes) return all_bytes(variable);
    }
  }
  std::vector<ParamPiece> pieces;
  std::int64_t end = 0;
  for (const auto& [offset, bytes] : found) {
    if (offset < end) return all_bytes(variable);
    end = offset + bytes;
    pieces.push_back({offset, bytes});
  }
  return pieces;
}

}  // namespace warpfork::lower
